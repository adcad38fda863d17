"""Checks whether a match can reach a state: the invariants of every game, and those of the game itself."""

from collections.abc import Iterator
from functools import cache
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from msgspec import Struct

from domain.kernel import Game, Hidden, Procedure, Seat, State
from replay.scenarios.naming import atoms_of

S = TypeVar("S", bound=State)


def unsound(game: Game[S], state: S) -> Iterator[str]:
    """Sentences about everything that is wrong with a whole state; views are not checked.

    Seats are checked first, because a game's invariants may fail on a state with seats that do not exist.
    """
    wrong = list(seats_beyond(state, len(state.players)))
    yield from wrong or game.spec.invariants(state)


def seats_beyond(value: Struct | Procedure, seats: int) -> Iterator[str]:
    """Every seat in a value that a match with this number of seats does not have, with its place in the value."""
    for place, seat in _seats(type(value), value, ""):
        if not 0 <= seat < seats:
            yield f"{place}: there is no seat {seat}; there are {seats}, from 0"


_hints = cache(get_type_hints)


def _seats(hint: Any, value: object, place: str) -> Iterator[tuple[str, int]]:
    """The seats in a value of a type, found by the annotations of its fields."""
    if hint is Seat:
        if isinstance(value, int):
            yield place, value
    elif isinstance(value, Hidden):
        return
    elif isinstance(value, Struct):
        hints = _hints(type(value))
        for name in value.__struct_fields__:
            if atoms_of(hints[name]).seat:
                yield from _seats(hints[name], getattr(value, name), f"{place}.{name}" if place else name)
    elif isinstance(value, dict) and get_origin(hint) is not None:
        yield from _in_table(hint, value, place)
    elif isinstance(value, tuple | list | frozenset | set):
        yield from _in_list(hint, value, place)
    elif isinstance(value, int) and Seat in get_args(hint):
        yield place, value


def _in_table(hint: Any, value: dict[Any, Any], place: str) -> Iterator[tuple[str, int]]:
    kinds = get_args(hint)
    for key, inner in value.items():
        if len(kinds) == 2:
            yield from _seats(kinds[1], inner, f"{place}.{key}")


def _in_list(hint: Any, value: Any, place: str) -> Iterator[tuple[str, int]]:
    for kind in (hint, *get_args(hint)):
        inner = [each for each in get_args(kind) if each is not ...]
        if get_origin(kind) in {tuple, list, frozenset, set} and inner:
            for at, item in enumerate(value):
                yield from _seats(inner[at] if at < len(inner) else inner[-1], item, f"{place}.{at}")
            return
