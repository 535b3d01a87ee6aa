"""Ed25519 signatures, by the library `cryptography`."""

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)


class Ed25519:
    """`services.receipts.Signing`."""

    def new_private(self) -> bytes:
        """A private key that nobody has, from the system's randomness."""
        return Ed25519PrivateKey.generate().private_bytes_raw()

    def public(self, private: bytes) -> bytes:
        """The public key that belongs to a private one."""
        key = Ed25519PrivateKey.from_private_bytes(private)
        return key.public_key().public_bytes_raw()

    def sign(self, private: bytes, message: bytes) -> bytes:
        """The signature of a message."""
        return Ed25519PrivateKey.from_private_bytes(private).sign(message)


def verify(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether that is the signature of the message, by the owner of the public key."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):  # ValueError: no key at all
        return False
    return True
