"""Keys in memory."""

from services.receipts import KeptKey


class MemoryKeyRing:
    """`services.receipts.KeyRing` in memory."""

    def __init__(self) -> None:
        """Begin with no key."""
        self._keys: dict[int, KeptKey] = {}
        self._private: dict[int, bytes] = {}

    async def keys(self) -> list[KeptKey]:
        """The public keys of all times, in the order of their numbers."""
        return [self._keys[number] for number in sorted(self._keys)]

    async def private(self, number: int) -> bytes | None:
        """The private part of a key; None where it was forgotten."""
        return self._private.get(number)

    async def add(self, key: KeptKey, private: bytes) -> None:
        """Keep a key; where its number is taken, that one stays."""
        if key.number not in self._keys:
            self._keys[key.number] = key
            self._private[key.number] = private

    async def forget(self, before: int) -> None:
        """Drop the private parts of the keys below that number."""
        for number in [each for each in self._private if each < before]:
            del self._private[number]
