"""Canonical JSON (docs/record.md 2): the only form of JSON in a record, so that all readers read the same.

Integers are within ±(2^53-1). There are no floats, no duplicate keys and no spaces. Strings are NFC. Every value has
one way to write it. Nesting is at most 16, and the size at most 64 KiB.
"""

import re
import unicodedata
from collections.abc import Sequence, ValuesView
from typing import Final, NoReturn

import msgspec

from replay.errors import RecordInvalid
from replay.record.sealing import DEPTH_LIMIT, INTEGER_LIMIT, LINE_LIMIT


def _refuse_float(text: str) -> NoReturn:
    raise ValueError(f"{text} is not an integer")


_decode = msgspec.json.Decoder(float_hook=_refuse_float).decode
_encode = msgspec.json.Encoder().encode
_DIGITS: Final = bytes.maketrans(b"123456789", b"0" * 9)
_LONG: Final = b"0" * 16
"""This many digits in a row may be a number beyond 2^53-1; fewer cannot."""
_FLOAT: Final = re.compile(rb"[:,\[]-?\d+[.e]")
"""The parts of a number that is no integer, after the characters that can precede a number; strings may match too."""


def check(data: bytes, seq: int = 0) -> None:
    """Raise `RecordInvalid` unless the bytes are one JSON value that follows the profile."""
    if len(data) > LINE_LIMIT:
        raise RecordInvalid(f"{len(data)} bytes; at most {LINE_LIMIT} are allowed", seq)
    value = _canonical(data, seq)
    why = ""
    if not data.isascii() or _LONG in data.translate(_DIGITS):
        why = _fault(value, DEPTH_LIMIT)
    elif data.count(b"[") + data.count(b"{") > DEPTH_LIMIT:
        why = _deep(value)
    if why:
        raise RecordInvalid(why, seq)


def surely_keeps(values: Sequence[bytes]) -> bool:
    """Whether JSON values that msgspec has just written certainly follow the profile, inside a line too.

    Canonical JSON has only one way to write a value and no duplicate keys, so no value needs to be read again. If the
    result is False, `check` decides.
    """
    together = b"[%b" % b",".join(values)
    figures = together.translate(_DIGITS)
    if not together.isascii() or _LONG in figures or len(together) > LINE_LIMIT // 2:
        return False
    if (b"0." in figures or b"0e" in figures) and _FLOAT.search(together):
        return False
    many = [data for data in values if data.count(b"[") + data.count(b"{") >= DEPTH_LIMIT]
    return not any(_deep([_decode(data)]) for data in many)


def check_written(values: Sequence[bytes], seq: int = 0) -> None:
    """`check` several values at once, in half the time, for callers that wrote each of them as one JSON value."""
    together = b"[%b]" % b",".join(values)
    simple = together.isascii() and _LONG not in together.translate(_DIGITS)
    found = _canonical(together, seq)
    assert isinstance(found, list), "a list was written"
    if not simple or len(found) != len(values):
        for data in values:
            check(data, seq)
    for data, value in zip(values, found, strict=True):
        if len(data) > LINE_LIMIT or (data.count(b"[") + data.count(b"{") > DEPTH_LIMIT and _deep(value)):
            check(data, seq)


def _canonical(data: bytes, seq: int) -> object:
    try:
        value: object = _decode(data)
    except (msgspec.MsgspecError, ValueError, RecursionError) as wrong:
        raise RecordInvalid(f"not JSON of a record: {wrong}", seq) from wrong
    if _encode(value) != data:
        raise RecordInvalid("not written in the one canonical way (spaces, escapes, a key twice)", seq)
    return value


def _deep(value: object) -> str:
    level: list[object] = [value]
    for _ in range(DEPTH_LIMIT):
        parts = [part for container in level for part in _parts(container)]
        level = [part for part in parts if type(part) is list or type(part) is dict]
        if not level:
            return ""
    return f"nested deeper than {DEPTH_LIMIT}"


def _parts(container: object) -> "list[object] | ValuesView[object]":
    if type(container) is list:
        return container
    return container.values() if type(container) is dict else []


def _fault(value: object, depth: int) -> str:
    """The fault of a decoded value; empty if there is none."""
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
