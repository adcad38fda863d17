"""docs/security.md, *What a client believes*: every message of a server's, and every field of those about a match."""

import re
from typing import Any

import pytest

from server.wire import protocol
from tests.web.node import ROOT

TEXT = (ROOT / "docs" / "security.md").read_text()
TABLE = TEXT.partition("### What a client believes")[2].partition("| Promise | Test |")[0]
FIELDS = {
    name for cell in re.findall(r"^\| ([^|]+) \|", TABLE, re.MULTILINE) for name in re.findall(r"`([^`]+)`", cell)
}
"""What the first column names: messages, their fields, or both with a dot between."""
NAMES = {part for name in FIELDS for part in name.split(".")}
WIRE = {"first": "from", "last": "to"}
ALL_FIELDS = ("all their fields", "the rest of `scene`")


@pytest.mark.parametrize("kind", protocol.SERVER_MESSAGES, ids=lambda kind: str(kind.__struct_config__.tag))
def test_every_message_of_a_server_has_its_row(kind: Any) -> None:
    assert str(kind.__struct_config__.tag) in NAMES


@pytest.mark.parametrize("tag", ["welcome", "snapshot", "events", "checkpoint"])
def test_every_field_of_what_tells_of_a_match_has_its_row(tag: str) -> None:
    kind = next(kind for kind in protocol.SERVER_MESSAGES if kind.__struct_config__.tag == tag)
    assert [name for name in kind.__struct_fields__ if WIRE.get(name, name) not in NAMES] == []


def test_every_field_of_the_table_and_the_clocks_has_its_row() -> None:
    assert [name for name in protocol.TableInfo.__struct_fields__ if name not in NAMES] == []
    assert all(words in TABLE for words in ALL_FIELDS), "of offers, clocks and Scenes"
