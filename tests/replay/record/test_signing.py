"""Signatures of seats and servers: RFC 8032, 7.1, and what is no signature at all."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from replay.record.serverkey import PUBLIC_BYTES, ServerKey
from replay.record.signing import is_signed

SEED = bytes.fromhex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb")
PUBLIC = bytes.fromhex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
MESSAGE = bytes.fromhex("72")
SIGNATURE = bytes.fromhex(
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
)


def test_a_server_signs_as_rfc_8032_does() -> None:
    stamp = ServerKey(1, Ed25519PrivateKey.from_private_bytes(SEED)).stamp(MESSAGE)
    assert stamp == PUBLIC + SIGNATURE


def test_a_signature_of_rfc_8032_is_taken() -> None:
    assert is_signed(PUBLIC, MESSAGE, SIGNATURE)


@pytest.mark.parametrize(
    ("key", "message", "signature"),
    [
        pytest.param(PUBLIC, b"s", SIGNATURE, id="another message"),
        pytest.param(PUBLIC, MESSAGE, SIGNATURE[:-1], id="a byte less of the signature"),
        pytest.param(PUBLIC, MESSAGE, SIGNATURE + b"\0", id="a byte more of the signature"),
        pytest.param(PUBLIC, MESSAGE, b"", id="no signature"),
        pytest.param(PUBLIC[:-1], MESSAGE, SIGNATURE, id="a byte less of the key"),
        pytest.param(PUBLIC + b"\0", MESSAGE, SIGNATURE, id="a byte more of the key"),
        pytest.param(b"", MESSAGE, SIGNATURE, id="no key"),
        pytest.param(bytes(PUBLIC_BYTES), MESSAGE, SIGNATURE, id="a key that is none"),
    ],
)
def test_what_is_no_signature_is_not_taken(key: bytes, message: bytes, signature: bytes) -> None:
    assert not is_signed(key, message, signature)
