"""The wire as JSON Schema and AsyncAPI, made from its types: `python -m server.wire.schemas` writes docs/schema/.

A server serves the same documents below `/schema/`. A client's message has no field that its schema lacks. A server's
message can gain fields in later versions, so a reader ignores unknown ones.
"""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from domain.kernel import Game, Only
from projections.registry import games
from projections.vocabulary import Cue, Line, SceneWords
from server.wire import protocol

FOLDER: Final = Path(__file__).parents[2] / "docs" / "schema"
COMMAND: Final = "python -m server.wire.schemas"
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
REF: Final = "#/$defs/{name}"
PATCH: Final = {"description": "A JSON merge patch (RFC 7396) on the Scene.", "type": "object"}


class Step(Struct, frozen=True, omit_defaults=True):
    """The changes of the table by one commit (docs/scene.md 5)."""

    seq: int
    set: dict[str, Any]
    log: list[Line] = []
    cues: list[Cue] = []


def _components(kinds: Iterable[type[Struct]]) -> dict[str, Any]:
    """The schemas of structs and of all their parts, by name; each paragraph of a description is one line."""
    _, found = msgspec.json.schema_components(list(kinds), ref_template=REF)
    for one in found.values():
        if "description" in one:
            one["description"] = "\n".join(line.strip() for line in one["description"].split("\n"))
    return {name: _without_discriminators(one) for name, one in found.items()}


def _without_discriminators(schema: Any) -> Any:
    """The schema without the objects with which OpenAPI distinguishes the members of a union.

    JSON Schema ignores these objects and AsyncAPI refuses them; each member of a union requires its own tag anyway. A
    field with the name `discriminator` stays: its value is a schema, which names no property.
    """
    if isinstance(schema, list):
        return [_without_discriminators(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: _without_discriminators(value)
        for key, value in schema.items()
        if not (key == "discriminator" and "propertyName" in value)
    }


def _name(kind: type[Struct]) -> str:
    """A message's name in the schema; both the client and the server have a message `turns`."""
    return kind.__name__


def _choice_of(kinds: Iterable[type[Struct]], what: str) -> dict[str, Any]:
    return {"description": what, "oneOf": [{"$ref": REF.format(name=_name(kind))} for kind in kinds]}


def messages() -> dict[str, Any]:
    """Every message of the socket: `$defs` by name, with `ClientMessage` and `ServerMessage` as their unions."""
    defs = _components((*protocol.CLIENT_MESSAGES, *protocol.SERVER_MESSAGES, SceneWords, Step))
    defs["Snapshot"]["properties"]["scene"] = {"$ref": REF.format(name="SceneWords")}
    defs["Events"]["properties"]["steps"]["items"] = {"$ref": REF.format(name="Step")}
    defs["Step"]["properties"]["set"] = PATCH
    for kind in (*protocol.CLIENT_MESSAGES, *protocol.SERVER_MESSAGES):
        required = defs[_name(kind)].setdefault("required", [])
        if "t" not in required:
            required.insert(0, "t")
    defs["ClientMessage"] = _choice_of(
        protocol.CLIENT_MESSAGES, "The messages that a client may send, each as one text frame."
    )
    defs["ServerMessage"] = _choice_of(
        protocol.SERVER_MESSAGES, "The messages that a server may send, each as one text frame."
    )
    return {
        "$schema": DIALECT,
        "title": f"Messages of the subprotocol {protocol.SUBPROTOCOL}",
        "$defs": dict(sorted(defs.items())),
    }


def _audience(audience: object) -> str:
    return f"the seat in `{audience.field}`" if isinstance(audience, Only) else "nobody before the close"


def events(game: Game[Any]) -> dict[str, Any]:
    """Every event of a game in the form of its lines: public fields under `$defs`, secret ones under `slots`, in order.

    `slots` gives, by event, the content of each slot of a line: its field, its audience, and the schema of its value.
    """
    defs = _components(game.events.values())
    slots: dict[str, list[dict[str, Any]]] = {}
    for name, kind in game.events.items():
        public = defs[name]["properties"]
        slots[name] = [
            {"field": slot.name, "audience": _audience(slot.audience), "schema": _opened(public.pop(slot.name))}
            for slot in game.slots[kind]
        ]
    return {
        "$schema": DIALECT,
        "title": f"Events of {game.spec.title}, rules {game.rules}",
        "oneOf": [{"$ref": REF.format(name=name)} for name in sorted(game.events)],
        "$defs": dict(sorted(defs.items())),
        "slots": {name: held for name, held in sorted(slots.items()) if held},
    }


def _opened(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of a secret's value, once it is opened."""
    parts = [part for part in schema.get("anyOf", [schema]) if part != {"$ref": REF.format(name="Hidden")}]
    rest = {key: value for key, value in schema.items() if key not in {"anyOf", "default"}}
    return parts[0] | rest if len(parts) == 1 else rest | ({"anyOf": parts} if parts else {})


def asyncapi() -> dict[str, Any]:
    """The socket as an AsyncAPI 3.0 document; its messages are those of `messages.json`."""
    names = {
        _name(kind): {
            "name": str(kind.__struct_config__.tag),
            "contentType": "application/json",
            "payload": {"$ref": f"messages.json#/$defs/{_name(kind)}"},
        }
        for kind in (*protocol.CLIENT_MESSAGES, *protocol.SERVER_MESSAGES)
    }
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Herald",
            "version": protocol.SUBPROTOCOL,
            "description": "Matches of tabletop war games, played, watched and recorded. See docs/protocol.md.",
        },
        "defaultContentType": "application/json",
        "channels": {
            "table": {
                "address": "/ws",
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in names},
                "bindings": {"ws": {"method": "GET"}},
            }
        },
        "operations": {
            "fromClient": _operation("receive", protocol.CLIENT_MESSAGES),
            "fromServer": _operation("send", protocol.SERVER_MESSAGES),
        },
        "components": {"messages": names},
    }


def _operation(action: str, kinds: Iterable[type[Struct]]) -> dict[str, Any]:
    named = [{"$ref": f"#/channels/table/messages/{_name(kind)}"} for kind in kinds]
    return {"action": action, "channel": {"$ref": "#/channels/table"}, "messages": named}


def documents() -> dict[str, bytes]:
    """Every document as JSON, keyed by its file name."""
    made = {"messages": messages(), "asyncapi": asyncapi(), **{name: events(game) for name, game in games().items()}}
    made["index"] = {"subprotocol": protocol.SUBPROTOCOL, "documents": sorted(f"{name}.json" for name in made)}
    return {
        f"{name}.json": msgspec.json.format(msgspec.json.encode(one), indent=1) + b"\n" for name, one in made.items()
    }


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, text in documents().items():
        (FOLDER / name).write_bytes(text)
    sys.stdout.write(f"wrote {FOLDER.name}/\n")
