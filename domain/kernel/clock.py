"""Clocks: how much time each seat has left, folded from events and the times of their lines.

Nothing here reads a clock: times come from the record's lines, so live play, a replay and an audit agree.
A seat's clock runs while the seat is asked something; if several seats are asked at once, all their clocks run. No
clock runs while the match is paused, while its seat is on vacation, or for the time in which the server did not run
(`ServerReturned`).
"""

from collections.abc import Sequence
from typing import Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.errors import OutOfTime
from domain.kernel.events import (
    Act,
    Chosen,
    ClocksSet,
    DecisionsOpened,
    Event,
    MatchBegun,
    MatchCreated,
    MatchEnded,
    MatchPaused,
    MatchResumed,
    OfferAccepted,
    ServerReturned,
    VacationEnded,
    VacationTaken,
)
from domain.kernel.game import Game
from domain.kernel.position import is_pause
from domain.kernel.secret import Seat
from domain.kernel.state import State
from domain.kernel.table import RULES, TakeBack

S = TypeVar("S", bound=State)

NEVER: Final = 1 << 62
"""A time that never comes, in ms."""
STARTS: Final = frozenset[type]({ClocksSet, MatchPaused})
"""The events that start the measuring of time."""


class Before(Struct, frozen=True):
    """The time, in ms, that a seat would have left without its choice at `line`, as if its clock had run since."""

    line: int
    seat: Seat
    left: int


class ClockMark(Struct, frozen=True):
    """The time that each seat had left, in ms, at a line that a takeback can go back to."""

    line: int
    left: tuple[int, ...]


class Clocks(Struct, frozen=True):
    """The clocks at a line, all times in ms; one place per seat.

    `at`: the line's time. `left`: the time each seat had left then, never below 0. `runs`: the seats whose clocks run.
    `away`: the time until which a seat is on vacation. `vacation`: the vacation that a seat has left. `heard`: when a
    seat last chose or acted. `paused_until`: the latest end of a pause, 0 without one. `before`: the latest seat's
    choices since the last choice of another seat, if a takeback takes off all the time that choices gained
    (`TimeControl.taken_back`). `marks`: the lines that a takeback can go back to, if a takeback returns time to the
    seats that agree.
    """

    at: int
    left: tuple[int, ...]
    runs: tuple[Seat, ...]
    vacation: tuple[int, ...]
    away: tuple[int, ...]
    heard: tuple[int, ...]
    paused_until: int = 0
    before: tuple[Before, ...] = ()
    marks: tuple[ClockMark, ...] = ()

    def due_at(self, seat: Seat) -> int:
        """When the seat's time is over if nothing happens before; `NEVER` if its clock does not run."""
        if seat not in self.runs:
            return NEVER
        return max(self.at, self.away[seat]) + self.left[seat]

    def left_at(self, seat: Seat, at: int) -> int:
        """The time that the seat has left at `at`, which is not before the last line; never below 0."""
        if seat not in self.runs:
            return self.left[seat]
        return min(self.left[seat], max(0, self.due_at(seat) - at))

    def next_due(self) -> int:
        """When the next seat's time or the pause is over; `NEVER` if neither is due."""
        return min([self.due_at(seat) for seat in self.runs], default=self.paused_until or NEVER)

    def out(self, at: int) -> tuple[Seat, ...]:
        """The seats whose time is over at `at`, ordered by when it ran out."""
        over = [seat for seat in self.runs if self.due_at(seat) <= at]
        return tuple(sorted(over, key=lambda seat: (self.due_at(seat), seat)))

    def unused(self, seat: Seat, at: int) -> int:
        """The vacation that the seat would have left if it came back at `at`."""
        return self.vacation[seat] + max(0, self.away[seat] - at)


def follow(
    game: Game[S], clocks: Clocks | None, state: S, events: Sequence[Event], at: int, line: int
) -> Clocks | None:
    """The clocks after events published at `at`; the first event is line `line`, `state` is the state before them."""
    if clocks is None and STARTS.isdisjoint(map(type, events)):
        return None
    for number, event in enumerate(events, line):
        state = game.fold((event,), None if isinstance(event, MatchCreated) else state)
        if clocks is not None or type(event) in STARTS:
            clocks = advance(clocks or started(state, at), event, state, at, number)
    return clocks


def started(state: State, at: int) -> Clocks:
    """The clocks at their start: at the line that says how time is measured, or at the first pause."""
    control, none = state.table.control, (0,) * len(state.players)
    heard = (at,) * len(state.players)
    return Clocks(at, none, (), tuple(control.vacation_ms for _ in none), none, heard)


def advance(clocks: Clocks, event: Event, state: State, at: int, line: int) -> Clocks:
    """The clocks after one event, which is the record's line `line`; `state` is the state after it."""
    at = max(at, clocks.at)
    control = state.table.control
    spent = _spent(clocks, event, at)
    left = [max(0, had - gone) for had, gone in zip(clocks.left, spent, strict=True)]
    before = tuple(replace(one, left=max(0, one.left - spent[one.seat])) for one in clocks.before)
    heard = clocks.heard
    match event:
        case ClocksSet():
            left = [control.limit_ms] * len(left)
        case MatchBegun():
            heard = (at,) * len(left)
        case DecisionsOpened(asked=asked) if control.kind in {"decision", "days"}:
            for one in asked:
                left[one.seat] = control.limit_ms
        case Chosen(seat, by=by):
            if control.taken_back != "increment":
                before = (*(one for one in before if one.seat == seat), Before(line, seat, left[seat]))
            if by not in ("clock", RULES):
                heard = _put(heard, seat, at)
                left[seat] += control.increment_ms
        case OfferAccepted(seat=seat, agreed=agreed, terms=TakeBack(to)):
            # A takeback takes the time that choices gained, or a seat could gain time by choosing again and again.
            undone = [one.left for one in before if one.line > to and one.seat == seat]
            left[seat] = min(left[seat], undone[0]) if undone else max(0, left[seat] - control.increment_ms)
            before = tuple(one for one in before if one.line <= to)
            left = _returned(clocks, left, agreed, to)
        case Act(seat):
            heard = _put(heard, seat, at)
    runs = tuple(sorted({asked.seat for asked in state.asked})) if control.limit_ms and not state.table.paused else ()
    marks = clocks.marks
    if control.taken_back == "returned" and is_pause(state, event):
        marks = (*marks, ClockMark(line, tuple(left)))
    stands = replace(clocks, at=at, left=tuple(left), runs=runs, heard=heard, before=before, marks=marks)
    return _rested(stands, event, at)


def _returned(clocks: Clocks, left: list[int], agreed: Sequence[Seat], to: int) -> list[int]:
    """The time left; each seat that agreed to a takeback has the time that it had at the takeback's line."""
    then = next((mark.left for mark in reversed(clocks.marks) if mark.line == to), None)
    return left if then is None else [then[seat] if seat in agreed else has for seat, has in enumerate(left)]


def _rested(clocks: Clocks, event: Event, at: int) -> Clocks:
    """The clocks with the pause or vacation that the event starts or ends."""
    match event:
        case MatchPaused(length):
            return replace(clocks, paused_until=at + length)
        # After an end during a pause there is nothing to wait for.
        case MatchResumed() | MatchEnded():
            return replace(clocks, paused_until=0)
        case VacationTaken(seat, length_ms=length):
            kept = clocks.unused(seat, at) - length
            return replace(
                clocks, vacation=_put(clocks.vacation, seat, kept), away=_put(clocks.away, seat, at + length)
            )
        case VacationEnded(seat):
            kept = clocks.unused(seat, at)
            return replace(clocks, vacation=_put(clocks.vacation, seat, kept), away=_put(clocks.away, seat, 0))
    return clocks


def _spent(clocks: Clocks, event: Event, at: int) -> Sequence[int]:
    """How long each seat's clock ran until `at`, in ms."""
    gone, back = (event.gone, event.back) if isinstance(event, ServerReturned) else (0, 0)
    spent = [0] * len(clocks.left)
    for seat in clocks.runs:
        start = max(clocks.at, clocks.away[seat])
        stood = max(0, min(at, back) - max(start, gone))
        spent[seat] = max(0, at - start - stood)
    return spent


def _put(values: tuple[int, ...], seat: Seat, value: int) -> tuple[int, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def check_in_time(clocks: Clocks | None, seat: Seat, at: int) -> None:
    """Raise `OutOfTime` if the seat's time is over at `at`."""
    if clocks is not None and clocks.due_at(seat) <= at:
        raise OutOfTime("Your time for this decision is over; the clock decides it.")
