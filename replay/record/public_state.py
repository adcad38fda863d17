"""Open questions, agreements and time, as every viewer can fold them from public lines (docs/record.md 9).

This is the kernel's own fold, applied to the kernel's lines only. The game's lines change none of it, and it needs no
secret.
"""

from collections.abc import Callable, Sequence
from typing import Final

from domain.kernel import (
    SEAT_ACTS,
    SERVER_ACTS,
    Act,
    Chosen,
    Clocks,
    DecisionsOpened,
    Event,
    MatchBegun,
    MatchCreated,
    Offered,
    PositionSet,
    Refusal,
    Seat,
    SeatLeft,
    SeatTaken,
    Shuffled,
    State,
    TakeBack,
    TimeRanOut,
    check_in_time,
)
from domain.kernel.act import LOT, LOT_RULE, assert_possible, lost_by_time, spends_chance, voters
from domain.kernel.clock import STARTS, advance, started
from domain.kernel.evolve import KERNEL_EVOLVE
from domain.kernel.position import is_pause, renumbered
from domain.kernel.state import sides_of
from domain.kernel.table import RULES, OpenOffer, Table
from replay.errors import RecordInvalid
from replay.record.line import RecordLine

ACTS: Final = (*SEAT_ACTS, *SERVER_ACTS)
NEUTRAL: Final = Event()
"""Replaces a line of the game's own, which changes nothing except time."""
BACK_AT: Final = ("asked", "sealed", "number", "roll")
"""The parts of a position that everybody can compare with the line to which it goes back."""


class PublicState:
    """Follows one match of version 2; `take` raises `RecordInvalid` for a line that contradicts public facts."""

    def __init__(self, sides: Callable[[MatchCreated], Sequence[Sequence[Seat]]] | None = None) -> None:
        """`sides`: the seats that win together, if the game is known."""
        self._sides = sides
        self.state = State()
        self.clocks: Clocks | None = None
        self.lost: tuple[Seat, ...] = ()
        """The seats that lose by the latest time-out."""
        self._pauses: dict[int, State] = {}
        self._chosen_at = 0
        self._spent_at = 0
        self._left_at = 0

    @property
    def seats(self) -> int:
        """How many seats the match has."""
        return len(self.state.players)

    @property
    def is_resolving(self) -> bool:
        """Whether the rules must still ask somebody, or end the match, before any other line can come."""
        state = self.state
        if not state.begun or state.result is not None:
            return False
        return not state.asked or any(asked.seat in state.table.left for asked in state.asked)

    def knows_sides(self) -> bool:
        """Whether the sides are known: always with two seats, else if the game is known."""
        return self.seats < 3 or self._sides is not None

    def standing(self, lost: Sequence[Seat]) -> list[tuple[Seat, ...]]:
        """The sides that are left if these seats are out too."""
        gone = {*lost, *self.state.table.left}
        return [side for side in sides_of(self.state) if not gone.issuperset(side)]

    def take(self, line: RecordLine, event: Event | None, *, follows: bool) -> None:
        """Check a line and continue after it; `follows`: the line is the consequence of an earlier line."""
        if self.state.result is not None:
            raise RecordInvalid(f"{line.type} stands behind the end of the match")
        if self.is_resolving and not follows and not (isinstance(event, Chosen) and event.by == RULES):
            raise RecordInvalid(f"{line.type} stands where the rules have still to ask somebody")
        if line.cause and self.state.sealed and self.state.asked:
            raise RecordInvalid(f"{line.type} follows from a sealed answer, and others are still missing")
        if event is not None:
            why = self._fault(line, event, follows=follows)
            if why:
                raise RecordInvalid(why)
        self._fold(line, event)

    def _fault(self, line: RecordLine, event: Event, *, follows: bool) -> str:
        match event:
            case MatchBegun():
                return "" if len(self.state.taken) == self.seats else "play begins before every seat is taken"
            case SeatTaken(seat):
                return "" if 0 <= seat < self.seats else f"seat {seat} is taken, which there is not"
            case DecisionsOpened():
                return self._asking_fault(event)
            case Chosen():
                return self._choice_fault(line, event, follows=follows)
            case PositionSet(line=back) if back:
                return self._position_fault(event, back)
            case Act() | TimeRanOut():
                return self._act_fault(line, event)
            case _ if isinstance(event, SERVER_ACTS) and not follows:
                return self._act_fault(line, event)
        return ""

    def _asking_fault(self, event: DecisionsOpened) -> str:
        state, asked = self.state, event.asked
        if state.asked:
            return f"decision {state.asked[0].number} is still open, and others are asked"
        numbers = [one.number for one in asked]
        due = list(range(state.number + 1, state.number + 1 + len(asked)))
        if not asked or numbers != due:
            return f"the decisions are numbered {numbers}, and the last was {state.number}"
        if any(not 0 <= one.seat < self.seats or one.limit_ms < 0 for one in asked):
            return "somebody is asked who is no seat, or until before now"
        return "" if len(asked) > 1 or not event.sealed else "one answer is sealed, and there is no other"

    def _choice_fault(self, line: RecordLine, event: Chosen, *, follows: bool) -> str:
        state = self.state
        asked = next((one for one in state.asked if one.number == event.number), None)
        if asked is None or asked.seat != event.seat:
            return f"seat {event.seat} answers decision {event.number}, which is not open for it"
        if state.table.paused and event.by != RULES:
            return f"seat {event.seat} chooses in a pause"
        if not follows and event.by != RULES:
            try:
                check_in_time(self.clocks, event.seat, line.at)
            except Refusal:
                return f"seat {event.seat} chooses after its time was over"
        return ""

    def _act_fault(self, line: RecordLine, event: Event) -> str:
        try:
            assert_possible(self.state, self.clocks, event, line.at)
        except Refusal as wrong:
            return f"{line.type} is not possible here: {wrong}"
        if isinstance(event, Offered) and isinstance(event.terms, TakeBack):
            return self._back_fault(event.seat, event.terms.line)
        return ""

    def _back_fault(self, seat: Seat, line: int) -> str:
        """Why a match cannot go back to a line: nobody was asked there, nobody chose since, or some cannot agree."""
        table = self.state.table
        if line not in self._pauses or self._chosen_at <= line:
            return f"the match is to go back to line {line}, behind which nobody was asked or nobody has chosen"
        if self._left_at > line:
            return f"the match is to go back to line {line}, and a seat has left since"
        silent = set(table.left) if table.left else set(table.bots) - {seat}
        return "chance was spent since, and not everybody can agree" if silent and self._spent_at > line else ""

    def _position_fault(self, event: PositionSet, back: int) -> str:
        """Why a position does not fit the line that it goes back to; the questions asked are public, and must agree."""
        then = self._pauses.get(back)
        if then is None:
            return f"the match is put back to line {back}, behind which nobody was asked"
        first = min(one.number for one in (*then.asked, *(answer.asked for answer in then.answered)))
        due = renumbered(then, self.state.number + 1 - first)
        try:
            made = KERNEL_EVOLVE[PositionSet](self.state, event)
        except Exception as wrong:  # the fields of a position are plain data and may hold anything
            return f"the position cannot be read: {wrong}"
        same = all(getattr(made, name) == getattr(due, name) for name in BACK_AT)
        answered = [one.asked for one in made.answered] == [one.asked for one in due.answered]
        return "" if same and answered else f"the position asks otherwise than line {back} did"

    def _fold(self, line: RecordLine, event: Event | None) -> None:
        before, at = self.state, line.at
        if isinstance(event, MatchCreated):
            self.state = _created(event, () if self._sides is None else self._sides(event))
            return
        if isinstance(event, TimeRanOut):
            self.lost = (event.seat,) if self.clocks is None else lost_by_time(self.clocks, event.seat, at)
        if event is not None:
            self.state = self._evolved(event)
        if self.clocks is not None or type(event) in STARTS:
            clocks = self.clocks or started(self.state, at)
            self.clocks = advance(clocks, event or NEUTRAL, self.state, at, line.seq)
        if event is None:
            return
        if isinstance(event, Chosen):
            self._chosen_at = line.seq
        if spends_chance(event):
            self._spent_at = line.seq
        if isinstance(event, SeatLeft):
            self._left_at = line.seq
        if self.state is not before and is_pause(self.state, event):
            self._pauses[line.seq] = self.state

    def _evolved(self, event: Event) -> State:
        try:
            made: State = KERNEL_EVOLVE[type(event)](self.state, event)
        except Exception as wrong:  # a position is plain data and may hold anything
            raise RecordInvalid(f"{type(event).__name__} cannot be folded: {wrong!r}") from wrong
        return made

    def settles(self, event: Event) -> OpenOffer | None:
        """The offer that everybody has accepted with this line, so that its acceptance follows at once; else None."""
        number = getattr(event, "number", 0)
        offer = self.state.table.offer(number)
        if offer is None or set(voters(self.state, offer)) - {*offer.agreed}:
            return None
        return offer

    def is_lot(self, event: Event | None, seat: Seat) -> bool:
        """Whether a line is the shuffle by which the clock chooses for a seat."""
        return isinstance(event, Shuffled) and (event.rule, event.title, event.size, event.seat) == (
            LOT_RULE,
            "Lot",
            LOT,
            seat,
        )


def _created(event: MatchCreated, sides: Sequence[Sequence[Seat]]) -> State:
    return State(
        players=event.seats,
        teams=tuple(map(tuple, sides)),
        record=event.record,
        shares=event.shares,
        dealt="" if event.dealt is None else event.dealt.event,
        table=Table(hints=event.hints),
    )
