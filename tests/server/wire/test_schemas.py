"""The schemas of the wire: kept beside the code, and true of every frame of whole matches in both directions."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import anyio
import jsonschema_rs
import pytest

from projections.registry import games
from replay.store.memory import MemoryStore
from server.gate.app import port_of, running
from server.gate.sockets import WebSocket
from server.lobby.lobby import Lobby
from server.wire.client import connected
from server.wire.protocol import CLIENT_MESSAGES, SERVER_MESSAGES, Create, Created
from server.wire.schemas import COMMAND, FOLDER, asyncapi, documents, events, messages
from tests.server.table.scenes import FACES, SHORT, Screen
from tests.server.tabletop import TWO_PEOPLE, live


@cache
def described(name: str) -> jsonschema_rs.Draft202012Validator:
    """A validator of one of the messages' schemas."""
    return jsonschema_rs.Draft202012Validator({**messages(), "$ref": f"#/$defs/{name}"})


@contextmanager
def overheard(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, list[str]]]:
    """Every frame that a server sends and receives meanwhile."""
    heard: dict[str, list[str]] = {"ClientMessage": [], "ServerMessage": []}
    write, recv = WebSocket.write, WebSocket.recv

    def written(self: WebSocket, *frames: str) -> None:
        heard["ServerMessage"] += frames
        write(self, *frames)

    async def received(self: WebSocket) -> str | bytes:
        frame = await recv(self)
        heard["ClientMessage"].append(str(frame))
        return frame

    monkeypatch.setattr(WebSocket, "write", written)
    monkeypatch.setattr(WebSocket, "recv", received)
    yield heard


def test_the_documents_are_as_the_code_makes_them() -> None:
    kept = {path.name: path.read_bytes() for path in FOLDER.iterdir() if path.suffix == ".json"}
    kept.pop("lines.json")  # the table of lines, which scripts/line_shapes.py writes
    assert kept == documents(), f"run {COMMAND}"


@live
async def whole_match(game: str) -> None:
    """Two people and a spectator with Scenes, to the end."""
    async with running(Lobby(MemoryStore(), FACES, bot_delay_s=0)) as server:
        url = f"ws://127.0.0.1:{port_of(server)}/ws"
        async with connected(url) as a, connected(url) as b, connected(url) as c, connected(url) as maker:
            created = await maker.ask(Create(game, TWO_PEOPLE, SHORT.get(game, {})), Created)
            tokens = (created.tokens["0"], created.tokens["1"], "")
            async with anyio.create_task_group() as tasks:
                for number, (client, token) in enumerate(zip((a, b, c), tokens, strict=True)):
                    tasks.start_soon(Screen(client, number).play, created.match, token)


LONG = {"vera_discordia"}
"""Whose matches by chance are many times as long as others'."""


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=pytest.mark.whole) if game in LONG else game for game in sorted(FACES)]
)
def test_every_frame_and_line_of_a_whole_match_is_as_described(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with overheard(monkeypatch) as heard:
        whole_match(game)
    for side, frames in heard.items():
        assert len(frames) > 10
        for frame in frames:
            wrong = next(iter(described(side).iter_errors(json.loads(frame))), None)
            assert wrong is None, f"{side} {frame[:200]}: {str(wrong)[:300]}"
    if game in games():
        assert_lines(game, [item for frame in heard["ServerMessage"] for item in json.loads(frame).get("items", ())])


def assert_lines(game: str, items: list[Any]) -> None:
    """The lines of a match, and what was opened of them, are as the game's events are described."""
    schema = events(games()[game])
    base = {"$schema": schema["$schema"], "$defs": schema["$defs"]}
    public = {
        name: jsonschema_rs.Draft202012Validator({**base, "$ref": f"#/$defs/{name}"}) for name in games()[game].events
    }
    secret = {
        name: [jsonschema_rs.Draft202012Validator({**base, "anyOf": [s["schema"], {"type": "null"}]}) for s in slots]
        for name, slots in schema["slots"].items()
    }
    opened = 0
    for text, openings in items:
        line = json.loads(text)
        assert public[line[4]].is_valid(line[8]), line
        assert len(secret.get(line[4], [])) == len(line[9])
        for slot, value in openings:
            opened += 1
            assert secret[line[4]][slot].is_valid(json.loads(value)), (line[4], slot, value)
    assert opened


@pytest.mark.parametrize(
    "message",
    [
        {"t": "choose", "id": "", "decision": 1, "choice": 0},
        {"t": "choose", "id": "a", "decision": -1, "choice": 0},
        {"t": "ping", "more": 1},
        {"id": "a"},
        {"t": "no such"},
    ],
)
def test_what_no_client_may_send_is_described_as_such(message: dict[str, Any]) -> None:
    assert not described("ClientMessage").is_valid(message)


OF_OPENAPI = {"discriminator", "nullable", "xml", "externalDocs"}
"""Keywords of OpenAPI: AsyncAPI refuses the first as an object, and JSON Schema knows none of them."""


def keywords_of(schema: Any) -> set[str]:
    """The keywords of a schema and of all its parts; the names of fields and of definitions are none."""
    found: set[str] = set()
    for key, value in schema.items() if isinstance(schema, dict) else ():
        found.add(key)
        if key in {"properties", "$defs", "slots"}:
            found |= {word for part in value.values() for word in keywords_of({"anyOf": part})}
        elif key not in {"default", "enum", "const", "examples"}:
            found |= {word for part in (value if isinstance(value, list) else [value]) for word in keywords_of(part)}
    return found


@pytest.mark.parametrize("name", ["messages.json", *(f"{game}.json" for game in sorted(games()))])
def test_every_schema_is_one_of_json_schema_without_keywords_of_openapi(name: str) -> None:
    document = json.loads(documents()[name])
    assert jsonschema_rs.meta.is_valid(document)
    assert len(keywords_of(document)) > 10
    assert not keywords_of(document) & OF_OPENAPI


def test_a_keyword_of_openapi_is_found_and_a_field_of_its_name_is_none() -> None:
    union = {"discriminator": {"propertyName": "is"}, "anyOf": [{"type": "string"}]}
    assert keywords_of({"slots": {"Chosen": [{"schema": union}]}}) & OF_OPENAPI
    assert keywords_of({"properties": {"terms": {"items": union}}}) & OF_OPENAPI
    assert not keywords_of({"properties": {"discriminator": {"type": "object"}}}) & OF_OPENAPI


def test_no_schema_of_public_events_has_room_for_a_secret() -> None:
    for game in games().values():
        schema = events(game)
        for name, slots in schema["slots"].items():
            assert not {slot["field"] for slot in slots} & set(schema["$defs"][name]["properties"])


def test_the_asyncapi_document_names_every_message_and_each_is_there() -> None:
    document, defs = asyncapi(), messages()["$defs"]
    named = document["components"]["messages"]
    assert len(named) == len({*CLIENT_MESSAGES, *SERVER_MESSAGES})
    for one in named.values():
        file, _, name = one["payload"]["$ref"].partition("#/$defs/")
        assert file == "messages.json"
        assert name in defs
    for side, kinds in (("fromClient", CLIENT_MESSAGES), ("fromServer", SERVER_MESSAGES)):
        assert len(document["operations"][side]["messages"]) == len(kinds)
