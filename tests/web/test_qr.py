"""QR codes of the page: the same modules as another encoder's, for every version that the page draws."""

import json
from hashlib import sha256
from typing import Any

import segno

from tests.web.qr import encoded

READ = "4c42f3f33d3ec6fa2cc4285ce8e7aeb0844918a1ee2bbbf29c15b151eafa0125"
"""Of the modules that OpenCV has read."""
ROOM = (14, 26, 42, 62, 84, 106, 122, 152, 180, 213, 251, 287, 331, 362, 412, 450, 504, 560, 624, 666)
"""Bytes that fill a version to the last, from version 1 on (ISO/IEC 18004, table 7, level M)."""


def test_each_version_has_the_modules_that_another_encoder_gives() -> None:
    texts = ["".join(chr(33 + (i * 7) % 90) for i in range(room)) for room in ROOM]
    for version, (text, found) in enumerate(zip(texts, encoded(*texts), strict=True), 1):
        options: dict[str, Any] = {"version": version, "mask": found["mask"], "boost_error": False, "eci": False}
        other = segno.make(text, error="m", mode="byte", encoding="utf-8", **options)
        assert found["version"] == version
        assert found["rows"] == [list(map(int, row)) for row in other.matrix], version


def test_a_text_of_one_byte_more_takes_the_next_version() -> None:
    assert [found["version"] for found in encoded(*("x" * (room + 1) for room in ROOM[:-1]))] == list(range(2, 21))


def test_a_code_that_is_filled_up_is_as_it_was_when_a_reader_read_it() -> None:
    (found,) = encoded("https://herald.example/me#code=ABCD-EFGH-JKMN-PQRS-TVWX")
    assert sha256(json.dumps(found["rows"]).encode()).hexdigest() == READ
