"""RECORD 2: the canonical profile."""

import json
import unicodedata
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.errors import RecordInvalid
from replay.record import profile
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
    profile.check(data)


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
        profile.check(data, 3)


@pytest.mark.parametrize(("data", "why"), OUTSIDE)
def test_record_2_one_value_outside_the_profile_is_found_among_others_that_were_written(data: bytes, why: str) -> None:
    written = [b'"Eda\xc3\xb0h"', nested(16), b'{"a":[1,true,null,"12345678901234567890"]}']
    profile.check_written(written, 3)
    for place in range(len(written) + 1):
        with pytest.raises(RecordInvalid, match=why):
            profile.check_written([*written[:place], data, *written[place:]], 3)


@given(VALUE)
def test_whatever_the_writer_encodes_keeps_the_profile(value: object) -> None:
    profile.check(msgspec.json.encode(value))


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
        profile.check(value.encode())
    for value in refused:
        with pytest.raises(RecordInvalid):
            profile.check(value.encode())
    script = tmp_path / "agree.mjs"
    script.write_text(
        f"""import {{ parse }} from {json.dumps((ROOT / "server/web/client/verify.js").as_uri())};
        const is = text => {{ try {{ parse(text); return true; }} catch {{ return false; }} }};
        console.log(JSON.stringify([{json.dumps(values)}.filter(v => !is(v)), {json.dumps(refused)}.filter(is)]));"""
    )
    assert json.loads(node(script)) == [[], []]
