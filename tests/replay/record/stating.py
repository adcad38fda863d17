"""A server's key with which tests sign statements."""

from nacl.signing import SigningKey

KEY = SigningKey(bytes(range(32)))
PUBLIC = bytes(KEY.verify_key)


def sign(message: bytes) -> bytes:
    """The stamp over a message: the public key and its signature."""
    return PUBLIC + KEY.sign(message).signature
