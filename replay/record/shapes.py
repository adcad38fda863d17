"""The shape of every line: its fields, their types and defaults, and its slots (docs/record.md 9,
docs/schema/lines.json).

A table is plain data, so that verifiers in other languages follow the same list. For each line and each struct it names
the fields in their order: `[type]` for a field that is always present, `[type, default]` for a field that is left out
if it has its default. A type is one of

    "integer", "boolean", "text", "object", "any", "null"
    ["is", value, ..]       one of these values
    ["range", least, most]  an integer of at least `least` and at most `most`; null: no limit
    ["list", type]          a list
    ["map", type]           an object whose values are of the type
    ["tuple", type, ..]     a list of exactly these
    ["one", type, ..]       any of these
    "Name"                  a struct of the table

A line's slots are pairs of an audience and a type. The audience is the name of the field with the holders of the
secret, a seat or a list of seats; "" means nobody.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, Final

import msgspec
from msgspec import NODEFAULT, inspect

from domain.kernel.events import KERNEL_EVENTS, Event
from domain.kernel.game import Game
from domain.kernel.secret import Hidden, Nobody, Slot, slots_of

Type = Any
"""A type as the table writes it: a name or a list."""
Fields = dict[str, list[Any]]
Table = dict[str, dict[str, Any]]
"""`lines` and `structs` by name: for a struct its fields and its tag, for a line its fields and its slots."""

UNSET: Final = "unset"
"""Stands for the default of a field that may be left out although it has none."""
_SIMPLE: Final[tuple[tuple[type[inspect.Type], str], ...]] = (
    (inspect.BoolType, "boolean"),
    (inspect.StrType, "text"),
    (inspect.NoneType, "null"),
    (inspect.AnyType, "any"),
)


def table_of(events: Iterable[type[Event]]) -> Table:
    """The table of events and of every struct that they name."""
    structs: dict[str, Any] = {}
    lines: dict[str, Any] = {}
    for event in events:
        slots = slots_of(event)
        secret = {slot.name for slot in slots}
        lines[event.__name__] = {"fields": _fields(event, structs, secret)}
        if slots:
            lines[event.__name__]["slots"] = [_slot(slot, structs) for slot in slots]
    return {"lines": dict(sorted(lines.items())), "structs": dict(sorted(structs.items()))}


def of_game(game: Game[Any]) -> Table:
    """The table of a game's own events."""
    return table_of(event for event in game.events.values() if event not in KERNEL_EVENTS)


@cache
def of_kernel() -> Table:
    """The table of the lines that every game has."""
    return table_of(KERNEL_EVENTS)


def _slot(slot: Slot, structs: dict[str, Any]) -> list[Any]:
    audience = "" if isinstance(slot.audience, Nobody) else slot.audience.field
    return [audience, _type(inspect.type_info(slot.type), structs)]


def _fields(kind: type[msgspec.Struct], structs: dict[str, Any], secret: Iterable[str] = ()) -> Fields:
    found: Fields = {}
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType), "by its class"
    for field in info.fields:
        if field.name in secret:
            continue
        made = [_type(field.type, structs)]
        if not field.required and field.default is NODEFAULT:
            made.append(UNSET)
        elif not field.required and kind.__struct_config__.omit_defaults:
            made.append(_default(field.default))
        found[field.encode_name] = made
    return found


def _default(value: object) -> Any:
    """The default of a field, which a line then leaves out; `UNSET` if a line may also state a value equal to it."""
    if value == ():
        return []
    return value if value is None or type(value) in (str, int, bool) else UNSET


def _type(info: inspect.Type, structs: dict[str, Any]) -> Type:
    for simple, name in _SIMPLE:
        if isinstance(info, simple):
            return name
    match info:
        case inspect.IntType(ge=least, le=most):
            return "integer" if least is None and most is None else ["range", least, most]
        case inspect.LiteralType(values=values):
            return ["is", *values]
        case inspect.EnumType(cls=cls):
            return ["is", *(member.value for member in cls)]
        case inspect.VarTupleType(item_type=item):
            return ["list", _type(item, structs)]
        case inspect.TupleType(item_types=items):
            return ["tuple", *(_type(item, structs) for item in items)]
        case inspect.DictType(value_type=inspect.AnyType()):
            return "object"
        case inspect.DictType(value_type=value):
            return ["map", _type(value, structs)]
        case inspect.UnionType(types=types):
            known = [one for one in types if not (isinstance(one, inspect.StructType) and one.cls is Hidden)]
            parts = [_type(one, structs) for one in known]
            return parts[0] if len(parts) == 1 else ["one", *parts]
        case inspect.StructType():
            return _struct(info, structs)
    raise TypeError(f"{info} is of no type that a line can have")


def _struct(info: inspect.StructType, structs: dict[str, Any]) -> Type:
    name = info.cls.__name__
    if info.array_like:
        return ["tuple", *(_type(field.type, structs) for field in info.fields)]
    if name not in structs:
        structs[name] = {}
        structs[name].update(fields=_fields(info.cls, structs))
        if info.tag is not None:
            structs[name]["tag"] = [info.tag_field, info.tag]
    return name


class Shapes:
    """Checks lines against the tables of the kernel and of one game; without a game, its lines are ignored."""

    def __init__(self, game: Table | None) -> None:
        kernel = of_kernel()
        self._lines: dict[str, Any] = {**({} if game is None else game["lines"]), **kernel["lines"]}
        self._structs: dict[str, Any] = {**({} if game is None else game["structs"]), **kernel["structs"]}
        self._is_whole = game is not None

    def fault(self, kind: str, payload: Mapping[str, Any], masks: tuple[int, ...], seats: int) -> str:
        """Why a line of this kind does not have its shape; "" if it has it, or if the kind is unknown."""
        line = self._lines.get(kind)
        if line is None:
            return f"there is no line {kind!r}" if self._is_whole else ""
        if not isinstance(payload, dict):
            return f"{kind} holds no object"
        why = self._fields_fault(line["fields"], payload, ())
        if why:
            return f"{kind} {why}"
        due = tuple(_mask(audience and payload[audience], seats) for audience, _ in line.get("slots", ()))
        return "" if masks == due else f"{kind} has slots for {list(masks)}, and these are for {list(due)}"

    def opened_fault(self, kind: str, slot: int, value: Any) -> str:
        """Why an opened value does not fit its slot; "" if it fits or is null."""
        line = self._lines.get(kind)
        if line is None or value is None:
            return ""
        return "" if self._fits(line["slots"][slot][1], value) else f"slot {slot} of {kind} holds what it cannot"

    def _fields_fault(self, fields: Fields, held: Mapping[str, Any], tag: tuple[str, ...]) -> str:
        names = iter((*tag, *fields))
        for name in held:
            if name not in names:  # this consumes the names up to this one
                return f"has the field {name!r}, which there is not or not here"
        for name, (kind, *default) in fields.items():
            if name not in held:
                if not default:
                    return f"has no {name!r}"
                continue
            if not self._fits(kind, held[name]):
                return f"has a {name!r} that it cannot have"
            if default and default[0] == held[name] and type(default[0]) is type(held[name]):
                return f"has {name!r}, which is left out at its default"
        return ""

    def _fits(self, kind: Type, value: Any) -> bool:
        if isinstance(kind, str):
            check = _CHECKS.get(kind)
            return check(value) if check is not None else self._fits_struct(self._structs[kind], value)
        name, *rest = kind
        match name:
            case "list":
                return isinstance(value, list) and all(self._fits(rest[0], one) for one in value)
            case "tuple":
                return isinstance(value, list) and len(value) == len(rest) and all(map(self._fits, rest, value))
            case "map":
                return isinstance(value, dict) and all(self._fits(rest[0], one) for one in value.values())
            case "one":
                return any(self._fits(one, value) for one in rest)
            case "range":
                least, most = rest
                return _is_integer(value) and (least is None or value >= least) and (most is None or value <= most)
        return any(one == value and type(one) is type(value) for one in rest)

    def _fits_struct(self, struct: Mapping[str, Any], value: Any) -> bool:
        if not isinstance(value, dict):
            return False
        name, word = struct.get("tag", ("", ""))
        if name and value.get(name) != word:
            return False
        return not self._fields_fault(struct["fields"], value, (name,) if name else ())


def _is_integer(value: Any) -> bool:
    return type(value) is int


_CHECKS: Final[dict[str, Callable[[Any], bool]]] = {
    "integer": _is_integer,
    "boolean": lambda value: type(value) is bool,
    "text": lambda value: isinstance(value, str),
    "null": lambda value: value is None,
    "object": lambda value: isinstance(value, dict),
    "any": lambda _: True,
}


def _mask(seats: Any, count: int) -> int:
    """The audience of a seat or of a list of seats; -1, which is no audience, for a value that is no seat."""
    among = [] if seats == "" else seats if isinstance(seats, list) else [seats]
    return sum(1 << seat for seat in set(among)) if all(0 <= seat < count for seat in among) else -1
