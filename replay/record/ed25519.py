"""The 32-byte strings that are an Ed25519 public key (RFC 8032) with only one valid signature for each message."""

from nacl.bindings import crypto_core_ed25519_is_valid_point


def is_public_key(key: bytes) -> bool:
    """Whether the bytes are a point of the curve's main group, written in the one way.

    Under a key of low order one signature holds for every message, and the signer could deny any of them.
    """
    return crypto_core_ed25519_is_valid_point(key)
