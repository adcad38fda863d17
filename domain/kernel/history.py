"""The past of a match: its moments from its events, the pauses of play, and the events that return to a pause."""

from collections.abc import Sequence
from typing import TypeVar

from domain.kernel.errors import KernelFault
from domain.kernel.events import Event, MatchCreated, PositionSet
from domain.kernel.game import Game
from domain.kernel.position import Views, is_pause, set_events
from domain.kernel.secret import Mask
from domain.kernel.state import State

S = TypeVar("S", bound=State)


def seats_in(events: Sequence[Event]) -> int:
    """The number of seats of the match, by its first line. Raises `KernelFault` if that is not `MatchCreated`."""
    if not events or not isinstance(events[0], MatchCreated):
        raise KernelFault("a record begins with MatchCreated")
    return len(events[0].seats)


def views_of(game: Game[S], events: Sequence[Event]) -> Views[S]:
    """The views after the events; each view is the fold of the events sent to its viewer."""
    seats = tuple(game.view(events, Mask(1 << seat)) for seat in range(seats_in(events)))
    return Views(game.fold(events), game.view(events, Mask(0)), seats)


def pauses(game: Game[S], events: Sequence[Event]) -> list[int]:
    """The lines after which play waits, in order."""
    if not events:
        return []
    state, found = game.fold(events[:1]), []
    for line, event in enumerate(events[1:], 2):
        state = game.fold((event,), state)
        if is_pause(state, event):
            found.append(line)
    return found


def taken_back(events: Sequence[Event]) -> frozenset[int]:
    """The lines that takebacks have undone: the match did not continue from the states after them."""
    restores = ((event.line, at) for at, event in enumerate(events, 1) if isinstance(event, PositionSet) and event.line)
    return frozenset(line for then, at in restores for line in range(then + 1, at + 1))


def restored(game: Game[S], events: Sequence[Event], line: int) -> tuple[Event, ...]:
    """The events that return a match to its position after `line` of its own record.

    Raises `ValueError` if play does not wait after the line (`is_pause`).
    """
    if not 0 < line < len(events):
        raise ValueError(f"there is no line {line} before the last one, {len(events)}")
    then = views_of(game, events[:line])
    if not is_pause(then.world, events[line - 1]):
        raise ValueError(f"after line {line} nobody is asked anything")
    return set_events(views_of(game, events), then, line)
