"""`match/1` and `deal/1`: the shuffle that is committed to before and checked after.

The match's secret M is committed to when the table opens, before any seat gives its
entropy E. Each deal's secret comes from M, its key from that secret and all E, its
cards from the key. Once a single seat gave an honest E, the server alone could not have
chosen the cards.
"""

import hmac
import struct
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import count
from typing import Final, TypeVar

from domain.ids import Hash, Secret, TableId

Entropy = bytes
"""32 bytes that a seat adds to the shuffle."""

NO_ENTROPY: Final = bytes(32)
"""What stands for a seat that gave none."""

T = TypeVar("T")

WORDS: Final = 1 << 16
"""How many different words there are."""

_BLOCK: Final = struct.Struct(">16H")


def match_commitment(table: TableId, secret: Secret) -> Hash:
    """What `table_opened` says of the match's secret."""
    return Hash(sha256(b"match/1 commit\0" + table.bytes + secret).digest())


def deal_secret(table: TableId, deal: int, secret: Secret) -> Secret:
    """The secret of deal number `deal` of a match with this secret."""
    return Secret(
        hmac.digest(secret, b"match/1 deal\0" + _place(table, deal), "sha256")
    )


def deal_commitment(table: TableId, deal: int, secret: Secret) -> Hash:
    """What `deal_started` says of the deal's secret."""
    return Hash(sha256(b"deal/1 commit\0" + _place(table, deal) + secret).digest())


def deal_key(
    table: TableId, deal: int, secret: Secret, entropy: Sequence[Entropy]
) -> bytes:
    """The key of a deal's stream of words."""
    return hmac.digest(
        secret, b"deal/1 seed\0" + _place(table, deal) + _joined(entropy), "sha256"
    )


def draw_key(
    table: TableId, draw: int, secret: Secret, entropy: Sequence[Entropy]
) -> bytes:
    """The key of the match's own draws: 0 for the first dealer, then seat draws."""
    return hmac.digest(
        secret, b"match/1 draw\0" + _place(table, draw) + _joined(entropy), "sha256"
    )


class Words:
    """The 16-bit words of a key, from which numbers are drawn without bias."""

    def __init__(self, key: bytes) -> None:
        self._words = _words(key)

    def below(self, bound: int) -> int:
        """A number from 0 to `bound` - 1, each as likely as the others."""
        fair = WORDS - WORDS % bound
        while (word := next(self._words)) >= fair:
            pass
        return word % bound

    def shuffled(self, pack: Sequence[T]) -> list[T]:
        """The cards of `pack` in an order drawn from the stream."""
        order = list(pack)
        for i in range(len(order) - 1, 0, -1):
            j = self.below(i + 1)
            order[i], order[j] = order[j], order[i]
        return order


def _words(key: bytes) -> Iterator[int]:
    for block in count():
        yield from _BLOCK.unpack(sha256(key + block.to_bytes(8, "big")).digest())


def _place(table: TableId, number: int) -> bytes:
    return table.bytes + number.to_bytes(4, "big")


def _joined(entropy: Sequence[Entropy]) -> bytes:
    return bytes([len(entropy)]) + b"".join(entropy)
