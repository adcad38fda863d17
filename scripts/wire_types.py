"""server/web/js/wire.d.ts, the client's view of what is sent: `python -m scripts.wire_types` writes it.

The web client is JavaScript whose types stand in comments; the types of messages and Scenes are made from the structs
that the server reads and writes them with, so the two cannot part.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct, inspect

from projections import vocabulary
from server.wire import protocol

PATH: Final = Path(__file__).parents[1] / "server" / "web" / "js" / "wire.d.ts"
COMMAND: Final = "python -m scripts.wire_types"

HEAD: Final = f"""// What travels between server and client. Generated from the server's structs by
// `{COMMAND}`; a test keeps them alike.
"""

KNOWN: Final = {
    ("Choose", "choice"): "Answer",
    ("Events", "steps"): "Step[]",
    ("Field", "draft"): "Draft",
    ("GameInfo", "options"): "Record<string, boolean | number | string>",
    ("Geom", "areas"): "Record<string, Area>",
    ("Geom", "items"): "Record<string, Meter>",
    ("Geom", "marks"): "Record<string, Meter>",
    ("Geom", "tall"): "Partial<Geom>",
    ("Geom", "ticks"): "number",
    ("Snapshot", "scene"): "Scene",
}
"""Fields that the structs leave open, as the client reads them (types.d.ts)."""

SIMPLE: Final[tuple[tuple[type[inspect.Type], str], ...]] = (
    (inspect.BoolType, "boolean"),
    (inspect.IntType, "number"),
    (inspect.FloatType, "number"),
    (inspect.StrType, "string"),
    (inspect.NoneType, "null"),
    (inspect.AnyType, "unknown"),
)


def type_of(found: inspect.Type) -> str:
    """A type as TypeScript writes it. Raises `TypeError` for one that no message has."""
    for kind, name in SIMPLE:
        if isinstance(found, kind):
            return name
    match found:
        case inspect.LiteralType(values=values):
            return " | ".join(f'"{value}"' if isinstance(value, str) else str(value) for value in values)
        case inspect.StructType(cls=cls):
            return cls.__name__
        case inspect.UnionType(types=types):
            return " | ".join(type_of(part) for part in types if not isinstance(part, inspect.NoneType))
        case inspect.TupleType(item_types=parts):
            return f"[{', '.join(type_of(part) for part in parts)}]"
        case inspect.VarTupleType(item_type=part) | inspect.ListType(item_type=part):
            inner = type_of(part)
            return f"({inner})[]" if " | " in inner else f"{inner}[]"
        case inspect.DictType(key_type=key, value_type=value):
            whole = f"Record<{type_of(key)}, {type_of(value)}>"
            return f"Partial<{whole}>" if isinstance(key, inspect.LiteralType) else whole
    raise TypeError(f"no message has had {found} until now")


def reached(found: inspect.Type, into: dict[str, inspect.StructType]) -> None:
    """Every struct that a type is made of, by its name, in the order in which it is met."""
    match found:
        case inspect.StructType(cls=cls, fields=fields):
            if cls.__name__ not in into:
                into[cls.__name__] = found
                for field in fields:
                    reached(field.type, into)
        case inspect.UnionType(types=parts) | inspect.TupleType(item_types=parts):
            for part in parts:
                reached(part, into)
        case (
            inspect.VarTupleType(item_type=part) | inspect.ListType(item_type=part) | inspect.DictType(value_type=part)
        ):
            reached(part, into)
        case _:
            pass


def interface(struct: inspect.StructType) -> Iterator[str]:
    """One struct: a field with a default may be absent."""
    name = struct.cls.__name__
    summary = (struct.cls.__doc__ or "").strip().split("\n")[0]
    yield f"\t/** {summary} */"
    yield f"\tinterface {name} {{"
    if struct.tag is not None:
        yield f'\t\t{struct.tag_field}: "{struct.tag}";'
    for field in struct.fields:
        mark = "" if field.required else "?"
        yield f"\t\t{field.encode_name}{mark}: {KNOWN.get((name, field.name)) or type_of(field.type)};"
    yield "\t}"


def namespace(name: str, roots: tuple[type[Struct], ...]) -> Iterator[str]:
    """The structs that are reached from some, as a namespace."""
    into: dict[str, inspect.StructType] = {}
    for root in roots:
        reached(inspect.type_info(root), into)
    yield f"declare namespace {name} {{"
    for struct in into.values():
        yield from interface(struct)
    yield "}"


def one_of(name: str, kinds: tuple[type[Struct], ...]) -> str:
    """A type that is any message of a direction."""
    return f"type {name} =\n\t| " + "\n\t| ".join(f"Wire.{kind.__name__}" for kind in kinds) + ";"


def document() -> str:
    """The whole file."""
    wire = (*protocol.CLIENT_MESSAGES, *protocol.SERVER_MESSAGES)
    parts = [
        *namespace("Wire", wire),
        "",
        one_of("ClientMessage", protocol.CLIENT_MESSAGES),
        one_of("ServerMessage", protocol.SERVER_MESSAGES),
        "",
        *namespace("Words", (vocabulary.SceneWords, vocabulary.Cue)),
        "",
    ]
    return HEAD + "\n" + "\n".join(parts)


if __name__ == "__main__":
    PATH.write_text(document(), "utf-8")
    sys.stdout.write(f"{PATH}\n")
