"""Whole positions in a record: for matches that begin in the middle (branches), and for takebacks.

A position is written as differences: one from each viewer's own view before it, which is the fold of the events sent to
that viewer, and one from the whole state, which no viewer holds. No viewer's view is computed from another's.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, reduce
from typing import Any, Final, Generic, TypeVar, get_type_hints

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.errors import KernelFault
from domain.kernel.events import Chosen, DecisionsOpened, DiceRolled, Event, MatchBegun, PositionSet, SeatBriefed
from domain.kernel.secret import HIDDEN, Hidden, Seat
from domain.kernel.state import Answered, Asked, State, plain

S = TypeVar("S", bound=State)
Data = dict[str, Any]
_encode = msgspec.json.Encoder().encode

OF_THE_RECORD: Final = frozenset(
    {
        *("players", "taken", "committed", "entropy", "anchors", "begun", "draws", "shuffles", "result", "table"),
        *("briefed", "waiting", "record", "shares", "dealt", "teams", "ends_open", "claimed"),
    }
)
"""Fields that no position changes, because they belong to the record: spent draws stay spent (docs/record.md 4)."""

_HIDDEN: Final = plain(HIDDEN)


class Views(Struct, Generic[S], frozen=True):
    """One moment for everybody: the whole state (`world`), a spectator's view, and every seat's view in order."""

    world: S
    public: S
    seats: tuple[S, ...]


def written(position: State, before: State) -> Data:
    """A position as plain data: the fields that differ from the same viewer's fields before it."""
    return {
        name: plain(getattr(position, name))
        for name in position.__struct_fields__
        if name not in OF_THE_RECORD and _encode(getattr(position, name)) != _encode(getattr(before, name))
    }


def placed(state: S, data: Mapping[str, Any]) -> S:
    """The state with a position put into it; if play has not begun, nobody is asked yet."""
    types = _types(type(state))
    fields = {
        name: msgspec.convert(value, types[name], str_keys=True)
        for name, value in data.items()
        if name in types and name not in OF_THE_RECORD
    }
    if "answered" in fields:
        fields["answered"] = tuple(_unseal(answer) for answer in fields["answered"])
    changed = replace(state, **fields, briefed=None)
    return changed if changed.begun else replace(changed, waiting=changed.asked, asked=())


def united(state: State, views: Sequence[Data]) -> Data:
    """One view from the views that several seats received of a position, for a viewer who sees all their hands.

    A single view is returned as it is. A seat is sent no unchanged field: the viewer keeps the old value there.
    """
    if len(views) == 1:
        return views[0]
    names = dict.fromkeys(name for view in views for name in view)
    return {name: _united(state, name, views) for name in names}


def _united(state: State, name: str, views: Sequence[Data]) -> Any:
    told = [view[name] for view in views if name in view]
    if len(told) < len(views):
        told.append(plain(getattr(state, name)))
    return reduce(_filled, told)


def _filled(one: Any, other: Any) -> Any:
    """Plain data, with hidden parts filled from the other value if it has the same shape."""
    if one == _HIDDEN:
        return other
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return {key: _filled(value, other[key]) for key, value in one.items()}
    if isinstance(one, list | tuple) and isinstance(other, list | tuple) and len(one) == len(other):
        return [_filled(value, told) for value, told in zip(one, other, strict=True)]
    return one


@cache
def _types(kind: type[State]) -> Data:
    """The types of a state's fields. The last roll's type is added here, because states are defined before events."""
    return {**get_type_hints(kind), "roll": DiceRolled | None}


def _unseal(answer: Answered) -> Answered:
    hidden = isinstance(answer.choice, dict) and answer.choice == plain(HIDDEN)
    return replace(answer, choice=HIDDEN) if hidden else answer


def set_events(before: Views[S], after: Views[S], line: int = 0) -> tuple[Event, ...]:
    """The events that put everybody into another position: first every seat receives its view, then the rest follows.

    `line` is the line of this record whose position it is, or 0 if the position comes from elsewhere. Decisions get
    numbers that the match has not used.
    """
    first = min((a.number for a in _open(after.world)), default=1)
    by = before.world.number + 1 - first
    briefs = tuple(
        SeatBriefed(Seat(seat), written(renumbered(view, by), before.seats[seat]))
        for seat, view in enumerate(after.seats)
    )
    public = written(renumbered(after.public, by), before.public)
    return (*briefs, PositionSet(public, line, written(renumbered(after.world, by), before.world)))


def _open(state: State) -> tuple[Asked, ...]:
    return (*state.asked, *(answer.asked for answer in state.answered))


def renumbered(state: S, by: int) -> S:
    """The state with its open decisions under other numbers."""
    asked = tuple(replace(a, number=a.number + by) for a in state.asked)
    answered = tuple(replace(a, asked=replace(a.asked, number=a.asked.number + by)) for a in state.answered)
    last = max((a.number for a in (*asked, *(answer.asked for answer in answered))), default=state.number + by)
    return replace(state, number=last, asked=asked, answered=answered)


def is_pause(state: State, event: Event) -> bool:
    """Whether play waits after an event, given the state there, once all consequences of a choice have happened.

    A match can start again only at such a point: after questions are asked, and between two sealed answers.
    """
    if state.result is not None or not state.begun or not state.asked:
        return False
    return isinstance(event, DecisionsOpened | MatchBegun | PositionSet) or (isinstance(event, Chosen) and state.sealed)


def seen(view: Any, world: Any) -> Any:
    """The view that the holder of `view` would have of another whole state that is possible for some viewer.

    Values that are hidden in the view stay hidden; all others come from `world`. Raises `KernelFault` if the two have
    different shapes, because then it is unknown which parts are hidden.
    """
    if isinstance(view, Hidden):
        return HIDDEN
    if not _conceals(view):
        return world
    if isinstance(view, Struct) and type(view) is type(world):
        fields = {name: seen(getattr(view, name), getattr(world, name)) for name in view.__struct_fields__}
        return replace(view, **fields)
    if isinstance(view, tuple) and isinstance(world, tuple) and len(view) == len(world):
        return tuple(seen(one, other) for one, other in zip(view, world, strict=True))
    if isinstance(view, dict) and isinstance(world, dict) and view.keys() == world.keys():
        return {key: seen(view[key], value) for key, value in world.items()}
    raise KernelFault(f"a {type(view).__name__} that is partly hidden and a {type(world).__name__} differ in shape")


def _conceals(value: object) -> bool:
    """Whether anything in a value is hidden."""
    return any(isinstance(part, Hidden) for part in _parts(value))


def _parts(value: object) -> Iterator[object]:
    yield value
    inner: Sequence[object] = ()
    if isinstance(value, Struct):
        inner = [getattr(value, name) for name in value.__struct_fields__]
    elif isinstance(value, dict):
        inner = list(value.values())
    elif isinstance(value, tuple | list):
        inner = value
    for part in inner:
        yield from _parts(part)


def hidden_in(state: State) -> tuple[str, ...]:
    """The fields of a state that are hidden wholly or in part."""
    return tuple(name for name in state.__struct_fields__ if _conceals(getattr(state, name)))
