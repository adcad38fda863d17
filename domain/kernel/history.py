"""Looking back: the moments of a match from its events, where play waited, and how to go back there."""

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
    """How many seats the match has, by its first line. Raises `KernelFault` if that is no pause."""
    if not events or not isinstance(events[0], MatchCreated):
        raise KernelFault("a record begins with MatchCreated")
    return len(events[0].seats)


def views_of(game: Game[S], events: Sequence[Event]) -> Views[S]:
    """The views after the events, each the fold of the events that its viewer was sent."""
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
    """The lines that takebacks have undone: the match did not continue from their state."""
    restores = ((event.line, at) for at, event in enumerate(events, 1) if isinstance(event, PositionSet) and event.line)
    return frozenset(line for then, at in restores for line in range(then + 1, at + 1))


def restored(game: Game[S], events: Sequence[Event], line: int) -> tuple[Event, ...]:
    """The events that take a match back to where it stood after `line` of its own record.

    Raises `ValueError` for a line after which play does not wait (`is_pause`).
    """
    if not 0 < line < len(events):
        raise ValueError(f"there is no line {line} before the last one, {len(events)}")
    then = views_of(game, events[:line])
    if not is_pause(then.world, events[line - 1]):
        raise ValueError(f"after line {line} nobody is asked anything")
    return set_events(views_of(game, events), then, line)
