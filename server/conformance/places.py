"""Places in states and choices: the places in which two values differ, and a copy of one with a part of the other."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel import Hidden, KernelError

MOST = 6
"""The number of places that are named if no single one explains a difference."""


class Key(str):
    """A key of a table, which is no name of a field."""

    __slots__ = ()


Path = tuple[str | int, ...]
"""Names of fields, keys of tables and numbers of places in a row, outermost first."""

Leaves = Mapping[Path, object]


def leaves(value: object, path: Path = ()) -> dict[Path, object]:
    """The texts and numbers of plain data by their places."""
    if isinstance(value, dict):
        return {place: leaf for key, part in value.items() for place, leaf in leaves(part, (*path, key)).items()}
    if isinstance(value, list | tuple):
        return {place: leaf for key, part in enumerate(value) for place, leaf in leaves(part, (*path, key)).items()}
    return {path: value}


def differing(one: Any, other: Any, path: Path = ()) -> Iterator[Path]:
    """The places in which two values differ, as deep as they have the same shape."""
    if isinstance(one, Struct) and type(one) is type(other):
        for name in one.__struct_fields__:
            yield from differing(getattr(one, name), getattr(other, name), (*path, name))
    elif isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        for key, part in one.items():
            yield from differing(part, other[key], (*path, Key(key)))
    elif isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other) and _holds(one, other):
        for number, (part, another) in enumerate(zip(one, other, strict=True)):
            yield from differing(part, another, (*path, number))
    elif one != other:
        yield path


def _holds(*rows: tuple[Any, ...]) -> bool:
    """Whether rows hold things with parts of their own: the hands of all seats do, a hand of cards does not."""
    parts = (part for row in rows for part in row)
    return any(isinstance(part, Struct | tuple | dict) and not isinstance(part, Hidden) for part in parts)


def with_part(value: Any, other: Any, path: Path) -> Any:
    """The value, in which the part at a place is replaced by that of another value."""
    if not path:
        return other
    first, rest = path[0], path[1:]
    if isinstance(value, Struct):
        return replace(value, **{str(first): with_part(getattr(value, str(first)), getattr(other, str(first)), rest)})
    if isinstance(value, dict):
        return {**value, first: with_part(value[first], other[first], rest)}
    number = int(first)
    return (*value[:number], with_part(value[number], other[number], rest), *value[number + 1 :])


def causes(real: Any, other: Any, differs: Callable[[Any], bool]) -> str:
    """The places of another world that make a difference: the difference vanishes once they are as in the real one."""
    places = list(differing(real, other))
    found = [place for place in places if not _still(differs, with_part(other, real, place))]
    return ", ".join(".".join(map(str, place)) for place in (found or places)[:MOST])


def _still(differs: Callable[[Any], bool], world: Any) -> bool:
    """Whether a mixture of two worlds still differs; it may be a world that cannot be played."""
    try:
        return differs(world)
    except (KernelError, LookupError, TypeError, ValueError, AssertionError):
        return True
