"""The parts of a position as numbers for each side, derived from the classes of any game's state.

A struct belongs to the seat in its field of type `Seat`, or to the seat with its number in a row that holds one struct
for each seat. The features of a side are counts, sums of numbers and flags, lengths of rows, and the number of times
that each word occurs. This module knows no game.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, Final, get_args, get_type_hints

from msgspec import Struct

from domain.kernel import Seat, State
from domain.kernel.state import sides_of

Sums = dict[str, float]
Read = Callable[[Sums, str, Any], None]
_OF_ALL: Final = frozenset(State.__struct_fields__)
"""Fields that every game's state has and that contain nothing about the position."""


class Shape(Struct, frozen=True):
    """A class of a state: the field that names its seat, if one does, and its fields with their labels."""

    owner: str
    fields: tuple[tuple[str, str], ...]


@cache
def _shape(kind: type[Struct]) -> Shape:
    hints = get_type_hints(kind)
    owner = next((name for name, hint in hints.items() if hint is Seat or Seat in get_args(hint)), "")
    skipped = _OF_ALL if issubclass(kind, State) else {owner, "id"}
    names = [name for name in kind.__struct_fields__ if name not in skipped]
    return Shape(owner, tuple((name, f"{kind.__name__}.{name}") for name in names))


def features(state: State) -> list[Sums]:
    """The numbers of each side, in the order of `sides_of`; numbers that belong to nobody count for the first side."""
    sides = sides_of(state)
    side_of = {seat: number for number, side in enumerate(sides) for seat in side}
    found: list[Sums] = [defaultdict(float) for _ in sides]
    _walk(state, found, side_of, len(state.players))
    return found


def _walk(struct: Struct, found: list[Sums], side_of: dict[Seat, int], seats: int) -> None:
    """Add up the numbers in a struct that belongs to nobody."""
    for name, label in _shape(type(struct)).fields:
        value = getattr(struct, name)
        kind = type(value)
        if kind is dict:
            if value and isinstance(next(iter(value.values())), Struct):
                _owned(value.values(), found, side_of)
            else:
                _numbers(found[0], label, value)
        elif kind is tuple:
            if len(value) == seats and isinstance(value[0], Struct) and not _shape(value[0].__class__).owner:
                for seat, part in enumerate(value):
                    _sum(found[side_of[Seat(seat)]], part)
            else:
                _owned((part for part in value if isinstance(part, Struct)), found, side_of)
        elif isinstance(value, Struct) and name != "options":
            _walk(value, found, side_of, seats)


def _numbers(sums: Sums, label: str, named: dict[Any, Any]) -> None:
    for key, value in named.items():
        if type(value) is int:
            sums[f"{label}[{key}]"] += value


def _owned(structs: Iterable[Any], found: list[Sums], side_of: dict[Seat, int]) -> None:
    for struct in structs:
        kind: type[Struct] = type(struct)
        owner = _shape(kind).owner
        side = side_of.get(getattr(struct, owner)) if owner else None
        if side is not None:
            _sum(found[side], struct)


def _sum(sums: Sums, struct: Struct) -> None:
    """Add a struct's content to the sums of its side, and its numbers again under each of its flags."""
    kind = type(struct)
    sums[kind.__name__] += 1
    flags: list[str] = []
    numbers: list[tuple[str, int]] = []
    for name, label in _shape(kind).fields:
        value = getattr(struct, name)
        if value is None or value is False or value == 0:
            continue
        if value is True:
            sums[label] += 1
            flags.append(name)
        elif isinstance(value, int):
            numbers.append((label, value))
        elif isinstance(value, str):
            if value:
                sums[f"{label}={value}"] += 1
        elif isinstance(value, tuple):
            sums[label] += sum(len(part) if type(part) is tuple else 1 for part in value)
        elif isinstance(value, Struct):
            sums[label] += 1
    for label, number in numbers:
        sums[label] += number
        for flag in flags:
            sums[f"{label}&{flag}"] += number
