"""The types of all messages, for TypeScript: `python -m scripts.wire_types` writes them.

The types are made from the structs with which the server reads and writes messages and Scenes, so they cannot differ
from those structs. They are written as a module of the client library, and as names for that module that the web
client's comments use.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct, inspect

from projections import vocabulary
from server.wire import protocol

ROOT: Final = Path(__file__).parents[1]
LIBRARY: Final = ROOT / "clients" / "typescript" / "src" / "wire.ts"
PAGE: Final = ROOT / "server" / "web" / "js" / "wire.d.ts"
COMMAND: Final = "python -m scripts.wire_types"

HEAD: Final = f"""// The messages between server and client. Generated from the server's structs by
// `{COMMAND}`; a test keeps them alike.
"""
OPEN: Final = """export type Scene = Words.SceneWords;
export type Answer = string | string[] | Record<string, unknown>;
/** A viewer's choice so far in a field: an option, items, item to slot, an amount. */
export type Draft = unknown;
export type Point = number[];
export type Tip = (string | string[])[];

/** A place of a map; lengths in the map's own units. */
export interface Area {
	label: string;
	c: Point;
	aria?: string;
	short?: string;
	sub?: string;
	terrain?: string;
	tag?: string;
	glyph?: string;
	tip?: Tip;
	/** The place of label and marks, if not the centre. */
	at?: Point;
	/** Width and height that tokens have. */
	room?: Point;
	poly?: Point[];
	outer?: Point[];
	/** The glyph's size. */
	gs?: number;
	/** Pictures beside the tokens. */
	signs?: Sign[];
	/** The place of the tag, if not the centre. */
	tagAt?: Point;
	terms?: string[];
	/** The outline is not turned with the map. */
	upright?: boolean;
}
/** A picture in an area. */
export interface Sign {
	g: string;
	at: Point;
}
/** A number of a panel, a mark of a track. */
export interface Meter {
	label: string;
	v: number | string;
	max?: number;
	g?: string;
	tone?: string;
	fill?: boolean;
}
/** A change of a Scene: a merge patch, lines and cues; or a whole Scene. */
export interface Step {
	seq: number;
	set?: object;
	log?: Words.Line[];
	cues?: Words.Cue[];
	scene?: Scene;
}
"""
"""The types that the structs leave open, under the names in `KNOWN`."""

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
    ("Studied", "deltas"): "Step[]",
    ("Studied", "scene"): "Scene | null",
    ("Study", "choices"): "Answer[]",
}
"""Fields that the structs leave open, as a client reads them."""

SIMPLE: Final[tuple[tuple[type[inspect.Type], str], ...]] = (
    (inspect.BoolType, "boolean"),
    (inspect.IntType, "number"),
    (inspect.FloatType, "number"),
    (inspect.StrType, "string"),
    (inspect.NoneType, "null"),
    (inspect.AnyType, "unknown"),
)


def type_of(found: inspect.Type) -> str:
    """A type in TypeScript. Raises `TypeError` for a type that no message has."""
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
    """Every struct from which a type is made, keyed by its name, in the order of first use."""
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


def first_sentence(text: str) -> str:
    """The first sentence of a docstring, on one line."""
    summary = " ".join(text.strip().partition("\n\n")[0].split())
    found = re.match(r".+?\.(?= |$)", summary)
    return found[0] if found is not None else summary


def interface(struct: inspect.StructType) -> Iterator[str]:
    """One struct; a field with a default is optional."""
    name = struct.cls.__name__
    yield f"\t/** {first_sentence(struct.cls.__doc__ or '')} */"
    yield f"\tinterface {name} {{"
    if struct.tag is not None:
        yield f'\t\t{struct.tag_field}: "{struct.tag}";'
    for field in struct.fields:
        mark = "" if field.required else "?"
        yield f"\t\t{field.encode_name}{mark}: {KNOWN.get((name, field.name)) or type_of(field.type)};"
    yield "\t}"


def structs_of(roots: tuple[type[Struct], ...]) -> dict[str, inspect.StructType]:
    """The structs that occur in the given structs, directly or in others, by name."""
    into: dict[str, inspect.StructType] = {}
    for root in roots:
        reached(inspect.type_info(root), into)
    return into


NAMESPACES: Final = {
    "Wire": (*protocol.CLIENT_MESSAGES, *protocol.SERVER_MESSAGES),
    "Words": (vocabulary.SceneWords, vocabulary.Cue),
}
DIRECTIONS: Final = {"ClientMessage": protocol.CLIENT_MESSAGES, "ServerMessage": protocol.SERVER_MESSAGES}


def namespace(name: str) -> Iterator[str]:
    """The structs of a namespace as the library declares them."""
    yield f"export declare namespace {name} {{"
    for struct in structs_of(NAMESPACES[name]).values():
        yield from interface(struct)
    yield "}"


def one_of(name: str, kinds: tuple[type[Struct], ...]) -> str:
    """A type that is any message of a direction."""
    return f"export type {name} =\n\t| " + "\n\t| ".join(f"Wire.{kind.__name__}" for kind in kinds) + ";"


def library() -> str:
    """The library's module."""
    directions = [one_of(name, kinds) for name, kinds in DIRECTIONS.items()]
    return "\n".join([HEAD, OPEN, *namespace("Wire"), "", *directions, "", *namespace("Words"), ""])


def page() -> str:
    """The same types under names that need no import."""
    lines = [HEAD]
    for name, roots in NAMESPACES.items():
        lines.append(f"declare namespace {name} {{")
        lines += [f'\ttype {one} = import("../client/wire.js").{name}.{one};' for one in structs_of(roots)]
        lines += ["}", ""]
    lines += [f'type {name} = import("../client/wire.js").{name};' for name in DIRECTIONS]
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    for path, text in ((LIBRARY, library()), (PAGE, page())):
        path.write_text(text, "utf-8")
        sys.stdout.write(f"{path}\n")
