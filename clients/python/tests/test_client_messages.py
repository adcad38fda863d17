"""The package's messages agree with the server's schema; it passes over messages that it does not know."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from herald_client.messages import KINDS, Pong, read_told

SCHEMA = Path(__file__).parents[3] / "docs" / "schema" / "messages.json"
DEFS = json.loads(SCHEMA.read_text(encoding="utf-8"))["$defs"]
TOLD = {
    DEFS[name]["properties"]["t"]["enum"][0]: DEFS[name]
    for name in (one["$ref"].rsplit("/", 1)[1] for one in DEFS["ServerMessage"]["oneOf"])
}


ACCOUNTS = {
    "challenged", "signed-in", "pairing", "pairing-offered", "account-told", "recovery-code", "my-matches-told",
    "exported", "done", "deleted", "search", "offers-told", "seats-drawn", "person-invited", "ratings-told",
    "profile-told", "calendar-told", "safety-told", "reported", "reports-told", "moderated", "staff-log-told",
    "seat-entered",
    "notices-told", "hook-named", "channel-tried",
}  # fmt: skip
"""About persons' accounts and their safety, of which the library's table knows nothing."""


def test_every_message_of_the_server_about_matches_is_known() -> None:
    assert {str(kind.__struct_config__.tag) for kind in KINDS} == set(TOLD) - ACCOUNTS
    assert set(TOLD) >= ACCOUNTS


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_messages_fields_are_those_of_its_schema(kind: type[Struct]) -> None:
    schema: dict[str, Any] = TOLD[str(kind.__struct_config__.tag)]
    assert set(kind.__struct_encode_fields__) == set(schema["properties"]) - {"t"}
    fields, encoded = kind.__struct_fields__, kind.__struct_encode_fields__
    needed = len(fields) - len(kind.__struct_defaults__)
    assert set(encoded[:needed]) <= set(schema["required"]), "what may be left out has a default here"


def test_what_is_new_is_passed_over() -> None:
    assert read_told('{"t":"pong","n":3,"later":true}') == Pong(3)
    assert read_told('{"t":"trumpet","of":"war"}') is None


@pytest.mark.parametrize("frame", ["", "[]", "{}", '{"t":"accepted"}', '{"t":1}'])
def test_what_is_no_message_is_said(frame: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_told(frame)
