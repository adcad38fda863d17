"""In which order lines stand, what follows from what at once, by whom, and with which slots (RECORD 5, 9)."""

from collections import deque
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from domain.kernel import (
    Abandon,
    AbsenceClaimed,
    Act,
    Agreed,
    BranchOpened,
    ChanceAnchored,
    Chosen,
    ClocksSet,
    DecisionsOpened,
    DiceRolled,
    Draw,
    EntropyCommitted,
    EntropyRevealed,
    Event,
    GoOn,
    MatchBegun,
    MatchCreated,
    MatchEnded,
    MatchPaused,
    MatchResumed,
    OfferAccepted,
    Offered,
    Pause,
    PositionSet,
    Replace,
    Resigned,
    ScenarioOpened,
    Seat,
    SeatBriefed,
    SeatKeyed,
    SeatLeft,
    SeatReplaced,
    SeatTaken,
    Shuffled,
    TakeBack,
    TimeControl,
    TimeRanOut,
)
from domain.kernel.table import RULES, OfferTerms
from replay.errors import RecordInvalid
from replay.record.line import Line

SERVER: Final = -1
VOID: Final = "void: "
RULED: Final = (DecisionsOpened, DiceRolled, Shuffled)
"""What the rules make beside the game's own events."""
OPENS: Final = (BranchOpened, ScenarioOpened)


class Due(Struct, frozen=True):
    """A line that has to follow at once: in words, and whether an event is it."""

    words: str
    fits: Callable[[Event | None], bool]


class LineOrder:
    """Follows the lines of one match of version 2; `take` raises `RecordInvalid` for one that cannot stand there."""

    def __init__(self) -> None:
        self._seats = 0
        self._due: deque[Due] = deque()
        self._actor = SERVER
        self._offer = 0
        self._is_begun = False
        self._is_beginning = False
        self._begun_at = 0
        self._paused_until = 0
        self._control = TimeControl()
        self._givers: set[int] = set()

    def take(self, line: Line, event: Event | None) -> None:
        """Check a line and go on behind it; `event` is None for the game's own."""
        if isinstance(event, MatchCreated):
            self._seats = len(event.seats)
        due = self._due.popleft() if self._due else None
        if event is not None and line.masks != slots_of(event):
            raise RecordInvalid(f"{line.type} has slots for {line.masks}", expected=str(slots_of(event)))
        if due is not None and not due.fits(event):
            raise RecordInvalid(f"{line.type} follows", expected=due.words)
        if due is None:
            self._assert_free(line, event)
        ruled = self._is_beginning and (event is None or isinstance(event, (*RULED, MatchEnded)))
        actor = self._actor_of(event, is_due=due is not None, follows=due is not None or bool(line.cause) or ruled)
        if actor is not None and line.actor != actor:
            raise RecordInvalid(f"the line is by {line.actor}", expected=str(actor))
        if event is not None:
            self._go_on(event, line.at)
        self._actor = line.actor
        self._offer = event.number if isinstance(event, Offered | Agreed) else 0

    def _assert_free(self, line: Line, event: Event | None) -> None:
        """What follows from something else only does not stand alone."""
        why = ""
        match event:
            case OfferAccepted(number=number):
                why = "" if number == self._offer else f"offer {number} is accepted, and nobody agreed to it just now"
            case SeatReplaced() | MatchPaused() | SeatLeft():
                why = f"{line.type} stands, and nobody agreed to it"
            case MatchResumed():
                is_over = 0 < self._paused_until <= line.at
                why = "" if is_over else "the match goes on, and no pause is over"
            case SeatBriefed() | PositionSet():
                why = "a position is set, and nobody agreed to it"
            case MatchEnded(result):
                follows = line.cause or self._is_beginning or result.reason.startswith(VOID)
                why = "" if follows else f"the match ends ({result.reason}), which follows from nothing"
            case BranchOpened() | ScenarioOpened():
                why = "" if line.seq == 2 else "a branch begins in the middle of a match"
            case ClocksSet():
                fits = not self._is_begun and self._control == TimeControl()
                why = "" if fits else "the clocks are set a second time, or too late"
            case MatchBegun() | SeatTaken():
                why = f"{line.type} stands, and play has begun" if self._is_begun else ""
            case TimeRanOut():
                why = self._time_fault(event, line.at)
            case _ if event is None or isinstance(event, RULED):
                why = "" if line.cause or self._is_beginning else f"{line.type} follows from no choice"
        if why:
            raise RecordInvalid(why)

    def _time_fault(self, event: TimeRanOut, at: int) -> str:
        """What can be told of time without folding clocks: there are some, and nobody's is over before its limit."""
        control = self._control
        if control.kind == "none" or not self._is_begun or at < self._begun_at + control.limit_ms:
            return f"the time of seat {event.seat} is not over"
        fits = event.then == control.on_timeout
        return "" if fits else f"the time of seat {event.seat} is over, and means {event.then} and not what was agreed"

    def _actor_of(self, event: Event | None, *, is_due: bool, follows: bool) -> int | None:
        """Who a line is by; None where the line behind it says so."""
        match event:
            case Chosen(by=by) if by == RULES:
                return self._actor
            case Chosen(seat):
                return SERVER if is_due else seat
            case Act(seat) | SeatKeyed(seat):
                return seat
            case EntropyCommitted(seat, by=by):
                return seat if by == "seat" else SERVER
            case EntropyRevealed(seat):
                return seat if seat in self._givers else SERVER
            case ChanceAnchored():
                return None
            case OfferAccepted():
                return self._actor
        return self._actor if follows else SERVER

    def _go_on(self, event: Event, at: int) -> None:
        # What the rules make of the beginning, or of a seat's leaving, follows from no choice.
        self._is_beginning = isinstance(event, MatchBegun | SeatLeft) or (
            self._is_beginning and isinstance(event, (*RULED, ChanceAnchored))
        )
        match event:
            case MatchBegun():
                self._is_begun, self._begun_at = True, at
            case ClocksSet(control):
                self._control = control
            case EntropyCommitted(seat, by="seat"):
                self._givers.add(seat)
            case MatchPaused(length):
                self._paused_until = at + length
            case MatchResumed():
                self._paused_until = 0
            case _:
                self._due.extend(self._follows(event))

    def _follows(self, event: Event) -> list[Due]:
        """What has to stand in the next lines."""
        match event:
            case BranchOpened() | ScenarioOpened():
                return self._position(0)
            case OfferAccepted(terms=terms):
                return self._agreed(terms)
            case Resigned(seat):
                return [self._out("resigned", seat)]
            case AbsenceClaimed(absent=absent, draw=draw):
                return [self._ended("absence") if draw else self._out("absence", absent)]
            case TimeRanOut(seat, number, then):
                if then == "forfeit":
                    return [self._out("out of time", None)]
                chosen = Due(
                    "the clock's choice",
                    lambda e: isinstance(e, Chosen) and (e.seat, e.number, e.by) == (seat, number, "clock"),
                )
                lot = Due("a lot", lambda e: isinstance(e, Shuffled))
                return [lot, chosen] if then == "random" else [chosen]
        return []

    def _agreed(self, terms: OfferTerms | None) -> list[Due]:
        match terms:
            case Pause(length):
                return [Due("the pause", lambda e: isinstance(e, MatchPaused) and e.length_ms == length)]
            case GoOn():
                return [Due("the end of the pause", lambda e: isinstance(e, MatchResumed))]
            case Draw():
                return [self._ended("draw agreed")]
            case Abandon():
                return [self._ended(f"{VOID}abandoned")]
            case Replace(seat, bot):
                return [Due("the bot", lambda e: isinstance(e, SeatReplaced) and (e.seat, e.bot) == (seat, bot))]
            case TakeBack(line):
                return self._position(line)
        return []

    def _ended(self, reason: str) -> Due:
        """The end, which nobody wins."""
        return Due(
            f"the end ({reason})",
            lambda e: isinstance(e, MatchEnded) and (e.result.won, e.result.reason) == ((), reason),
        )

    def _out(self, reason: str, loser: Seat | None) -> Due:
        """The end, which of two seats the other one wins; where others play on, that the seat has left."""

        def fits(event: Event | None) -> bool:
            if isinstance(event, SeatLeft):
                return self._seats > 2 and event.reason == reason and loser in (None, event.seat)
            if not isinstance(event, MatchEnded) or event.result.reason != reason:
                return False
            return loser is None or self._seats != 2 or event.result.won == (1 - loser,)

        return Due(f"the end, or that the seat has left ({reason})", fits)

    def _position(self, line: int) -> list[Due]:
        def briefed(seat: int) -> Due:
            return Due(f"what seat {seat} is told", lambda e: isinstance(e, SeatBriefed) and e.seat == seat)

        place = Due(f"the position of line {line}", lambda e: isinstance(e, PositionSet) and e.line == line)
        return [*map(briefed, range(self._seats)), place]


def slots_of(event: Event) -> tuple[int, ...]:
    """The audiences of a kernel event's slots."""
    match event:
        case Chosen(seat):
            return (1 << seat, 1 << seat)
        case SeatBriefed(seat):
            return (1 << seat,)
        case DecisionsOpened() | Shuffled() | PositionSet():
            return (0,)
    return ()
