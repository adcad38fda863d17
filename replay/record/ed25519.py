"""The check for Ed25519 public keys (RFC 8032) under which each message has only one valid signature."""

from nacl.bindings import crypto_core_ed25519_is_valid_point


def is_public_key(key: bytes) -> bool:
    """Whether the bytes are a point of the curve's prime-order group, in canonical encoding.

    Under a key of low order one signature is valid for every message, and the signer could deny any of them.
    """
    return crypto_core_ed25519_is_valid_point(key)
