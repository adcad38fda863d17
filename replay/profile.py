"""The canonical profile (RECORD 2): what JSON in a record may be, so that everybody who reads it reads the same.

Integers within ±(2^53-1), no floats, NFC strings, no key twice, no spaces, one way to write every value, nesting at
most 16, at most 64 KiB.
"""

import re
import unicodedata
from typing import Final

import msgspec

from replay.errors import RecordInvalid
from replay.hr1 import DEPTH_LIMIT, INTEGER_LIMIT, LINE_LIMIT

_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode
_SUSPECT: Final = re.compile(rb"[0-9]{16}|[0-9][.eE]|[\x80-\xff]")
"""What a number outside the bounds, a float or a string that may not be NFC has in its bytes."""


def check(data: bytes, seq: int = 0) -> None:
    """Raise `RecordInvalid` unless the bytes are one JSON value that keeps the profile."""
    if len(data) > LINE_LIMIT:
        raise RecordInvalid(f"{len(data)} bytes; at most {LINE_LIMIT} are allowed", seq)
    try:
        value = _decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as wrong:
        raise RecordInvalid(f"not JSON: {wrong}", seq) from wrong
    if _encode(value) != data:
        raise RecordInvalid("not written in the one canonical way (spaces, escapes, a key twice)", seq)
    if _SUSPECT.search(data) or data.count(b"[") + data.count(b"{") > DEPTH_LIMIT:
        why = _fault(value, DEPTH_LIMIT)
        if why:
            raise RecordInvalid(why, seq)


def _fault(value: object, depth: int) -> str:
    """What the profile forbids in a decoded value; empty when nothing."""
    if isinstance(value, str):
        return "" if value.isascii() or unicodedata.is_normalized("NFC", value) else "a string is not NFC"
    if value is None or isinstance(value, bool):
        return ""
    if isinstance(value, int):
        return "" if -INTEGER_LIMIT <= value <= INTEGER_LIMIT else f"{value} is beyond ±(2^53-1)"
    if isinstance(value, float):
        return f"{value} is not an integer"
    if depth == 0:
        return f"nested deeper than {DEPTH_LIMIT}"
    assert isinstance(value, list | dict), "JSON has no other values"
    parts = value if isinstance(value, list) else [part for pair in value.items() for part in pair]
    return next((why for part in parts if (why := _fault(part, depth - 1))), "")
