"""Section 2 of docs/record.md: the canonical profile."""

import json
import unicodedata
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.errors import RecordInvalid
from replay.record import canonical_json
from tests.web.node import ROOT, node

TEXT = st.text(st.characters(exclude_categories=["Cs"])).map(lambda text: unicodedata.normalize("NFC", text))
SCALAR = st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | TEXT
VALUE = st.recursive(
    SCALAR, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4), max_leaves=12
)


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
    canonical_json.check(data)


OUTSIDE = [
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
    (b"1,2", "not JSON"),
]


@pytest.mark.parametrize(("data", "why"), OUTSIDE)
def test_record_2_values_outside_the_profile(data: bytes, why: str) -> None:
    with pytest.raises(RecordInvalid, match=why):
        canonical_json.check(data, 3)


@pytest.mark.parametrize(("data", "why"), OUTSIDE)
def test_record_2_one_value_outside_the_profile_is_found_among_others_that_were_written(data: bytes, why: str) -> None:
    written = [b'"Eda\xc3\xb0h"', nested(16), b'{"a":[1,true,null,"12345678901234567890"]}']
    canonical_json.check_written(written, 3)
    for place in range(len(written) + 1):
        with pytest.raises(RecordInvalid, match=why):
            canonical_json.check_written([*written[:place], data, *written[place:]], 3)


LOOSE = st.recursive(
    SCALAR | st.text() | st.integers(-(2**64), 2**64) | st.floats() | st.just(10**16),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


@given(st.lists(st.tuples(LOOSE, st.integers(0, 18)), max_size=4))
def test_values_that_surely_keep_the_profile_keep_it(given_values: list[tuple[object, int]]) -> None:
    """Whatever msgspec can write: floats, long numbers, text out of form, nested as deep as a line allows or deeper."""
    written = []
    for given_value, depth in given_values:
        value = given_value
        for _ in range(depth):
            value = [value]
        try:
            written.append(msgspec.json.encode(value))
        except UnicodeEncodeError:
            continue  # half a character, which no event can hold
    if canonical_json.surely_keeps(written):
        for data in written:
            canonical_json.check(b"[%b]" % data)  # as in a line


@pytest.mark.parametrize(
    ("value", "is_sure"),
    [
        ({"at": 12, "key": "x0e5.7", "text": "5.5 of 1e9"}, True),
        ({"at": 12, "key": "x0e5.7", "of": [3, -1.5]}, False),
        (1.0, False),
        ([-2e300], False),
        ({"a": {"b": 5e-324}}, False),
        (10**15 - 1, True),
        (10**15, False),
        ("Edaðh", False),
        (["x"] * 16 + [{}] * 16, True),
        ("x" * (32 * 1024 - 3), True),
        ("x" * (32 * 1024 - 2), False),
    ],
)
def test_what_is_sure_without_reading_it_again(value: object, *, is_sure: bool) -> None:
    assert canonical_json.surely_keeps([msgspec.json.encode(value)]) is is_sure


@pytest.mark.parametrize(("depth", "is_sure"), [(15, True), (16, False)])
def test_a_value_lies_one_deeper_in_a_line(depth: int, *, is_sure: bool) -> None:
    assert canonical_json.surely_keeps([nested(depth)]) is is_sure


@given(VALUE)
def test_whatever_the_writer_encodes_keeps_the_profile(value: object) -> None:
    canonical_json.check(msgspec.json.encode(value))


def test_both_verifiers_agree_on_every_character(tmp_path: Path) -> None:
    """One way to write each: the JavaScript verifier takes what this one takes, and refuses what it refuses."""
    taken = [chr(c) for c in (*range(0x250), *range(0x2000, 0x2070), 0xFEFF, 0xFFFD, 0xFFFF, 0x1F600)]
    values = [msgspec.json.encode(text).decode() for text in taken if unicodedata.is_normalized("NFC", text)]
    values += ['{"b":1,"1":2,"a":[0,-1]}', "9007199254740991", "[" * 16 + "]" * 16]
    refused = [
        "9007199254740992",
        "1.0",
        "1e3",
        "-0",
        "01",
        '"\\u0041"',
        '"\\/"',
        '"\\u001F"',
        "[1, 2]",
        '{"a":1,"a":1}',
        "[" * 17 + "]" * 17,
    ]
    for value in values:
        canonical_json.check(value.encode())
    for value in refused:
        with pytest.raises(RecordInvalid):
            canonical_json.check(value.encode())
    script = tmp_path / "agree.mjs"
    script.write_text(
        f"""import {{ parse }} from {json.dumps((ROOT / "server/web/client/verify.js").as_uri())};
        const is = text => {{ try {{ parse(text); return true; }} catch {{ return false; }} }};
        console.log(JSON.stringify([{json.dumps(values)}.filter(v => !is(v)), {json.dumps(refused)}.filter(is)]));"""
    )
    assert json.loads(node(script)) == [[], []]
