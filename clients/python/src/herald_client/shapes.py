"""The shape of every line (docs/schema/lines.json): its fields, their types and defaults, and its slots."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

import msgspec

Table = Mapping[str, Any]
"""`lines` and `structs` by name, as docs/schema/lines.json has them for the kernel and for each game."""
FILE: Final = "lines.json"


@cache
def tables() -> Mapping[str, Any]:
    """The tables that this library includes: of the lines common to all games, and of those of each game it knows."""
    found: Mapping[str, Any] = msgspec.json.decode(files("herald_client").joinpath(FILE).read_bytes())
    return found


def rules_number(rules: str) -> int:
    """The number of a version of rules, as in `vera_discordia/2`; -1 for another text."""
    text = rules.partition("/")[2]
    return int(text) if re.fullmatch(r"0|[1-9][0-9]{0,8}", text) else -1


class Shapes:
    """Checks lines against the tables of the kernel and of one game; without a game, games' lines are not checked."""

    def __init__(self, game: Table | None = None) -> None:
        kernel, own = tables()["kernel"], game or {"lines": {}, "structs": {}}
        self._lines: dict[str, Any] = {**own["lines"], **kernel["lines"]}
        self._structs: dict[str, Any] = {**own["structs"], **kernel["structs"]}
        self._kernel: frozenset[str] = frozenset(kernel["lines"])
        self._is_whole = game is not None

    def is_kernels(self, kind: str) -> bool:
        """Whether a line is common to all games."""
        return kind in self._kernel

    def fault(self, kind: str, fields: Mapping[str, Any], masks: list[int], seats: int) -> str:
        """The reason why a line of this kind lacks its shape; "" if it has it, or if the kind is unknown."""
        line = self._lines.get(kind)
        if line is None:
            return f"there is no line {kind!r}" if self._is_whole else ""
        if not isinstance(fields, dict):
            return f"{kind} holds no object"
        why = self._fields_fault(line["fields"], fields, ())
        if why:
            return f"{kind} {why}"
        due = [_mask(fields[audience] if audience else [], seats) for audience, _ in line.get("slots", ())]
        return "" if masks == due else f"{kind} has slots for {masks}, and these are for {due}"

    def opened_fault(self, kind: str, slot: int, value: Any) -> str:
        """The reason why an opened value does not fit its slot; "" if it does, and if it is null."""
        line = self._lines.get(kind)
        if line is None or value is None:
            return ""
        return "" if self._fits(line["slots"][slot][1], value) else f"slot {slot} of {kind} holds what it cannot"

    def _fields_fault(self, fields: Mapping[str, Any], held: Mapping[str, Any], tag: tuple[str, ...]) -> str:
        names = iter((*tag, *fields))
        for name in held:
            if name not in names:  # this test consumes the names up to this one
                return f"has the field {name!r}, which there is not or not here"
        for name, (kind, *default) in fields.items():
            if name not in held:
                if not default:
                    return f"has no {name!r}"
            elif not self._fits(kind, held[name]):
                return f"has a {name!r} that it cannot have"
            elif default and default[0] == held[name] and type(default[0]) is type(held[name]):
                return f"has {name!r}, which is left out at its default"
        return ""

    def _fits(self, kind: Any, value: Any) -> bool:
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
                return type(value) is int and (least is None or value >= least) and (most is None or value <= most)
        return any(one == value and type(one) is type(value) for one in rest)

    def _fits_struct(self, struct: Mapping[str, Any], value: Any) -> bool:
        if not isinstance(value, dict):
            return False
        name, word = struct.get("tag", ("", ""))
        if name and value.get(name) != word:
            return False
        return not self._fields_fault(struct["fields"], value, (name,) if name else ())


_CHECKS: Final[dict[str, Callable[[Any], bool]]] = {
    "integer": lambda value: type(value) is int,
    "boolean": lambda value: type(value) is bool,
    "text": lambda value: isinstance(value, str),
    "null": lambda value: value is None,
    "object": lambda value: isinstance(value, dict),
    "any": lambda _: True,
}


def _mask(seats: Any, count: int) -> int:
    """The audience of a seat or of a list of seats; -1, which is none, for a value that is no seat of the match."""
    among = seats if isinstance(seats, list) else [seats]
    return sum(1 << seat for seat in set(among)) if all(0 <= seat < count for seat in among) else -1
