"""RECORD 2: the canonical profile."""

import pytest

from replay import profile
from replay.errors import RecordInvalid


def nested(depth: int) -> bytes:
    return b"[" * depth + b"]" * depth


@pytest.mark.parametrize(
    "data",
    [
        b"null",
        b"-9007199254740991",
        b"9007199254740991",
        '"Edaðh é"'.encode(),
        nested(16),
        b'{"a":[1,true,null,"12345678901234567890"]}',
        b'"' + b"x" * (64 * 1024 - 2) + b'"',
    ],
)
def test_record_2_values_within_the_profile(data: bytes) -> None:
    profile.check(data)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"9007199254740992", "beyond"),
        (b"-9007199254740992", "beyond"),
        (b"123456789012345678901234567890", "not an integer|beyond|canonical"),
        (b"1.5", "not an integer"),
        (b"[1e300]", "not an integer|canonical"),
        (b"NaN", "not JSON"),
        ('"e\u0301"'.encode(), "NFC"),
        ('{"e\u0301":1}'.encode(), "NFC"),
        (nested(17), "deeper"),
        (b"[1, 2]", "canonical"),
        (b'"\\u0041"', "canonical"),
        (b'{"a":1,"a":1}', "canonical"),
        (b'"\xff"', "not JSON"),
        (b"", "not JSON"),
        (b"[1]x", "not JSON"),
        (b'"' + b"x" * (64 * 1024 - 1) + b'"', "at most"),
    ],
)
def test_record_2_values_outside_the_profile(data: bytes, why: str) -> None:
    with pytest.raises(RecordInvalid, match=why):
        profile.check(data, 3)
