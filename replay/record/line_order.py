"""The order of lines: which lines must follow others at once, and their authors (docs/record.md 5, 9)."""

from collections import deque
from collections.abc import Callable
from typing import Final

from msgspec import Struct, UnsetType

from domain.kernel import (
    SERVER_ACTS,
    Abandon,
    AbsenceClaimed,
    Act,
    Agreed,
    Asked,
    BranchOpened,
    ChanceAnchored,
    Chosen,
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
    OperatorRuled,
    Pause,
    PositionSet,
    Replace,
    Resigned,
    Result,
    ScenarioOpened,
    Seat,
    SeatBriefed,
    SeatClaimed,
    SeatKeyed,
    SeatLeft,
    SeatReplaced,
    SeatTaken,
    Shuffled,
    TakeBack,
    TimeRanOut,
)
from domain.kernel.act import ruled_result
from domain.kernel.state import result_of
from domain.kernel.table import RULES, OfferTerms
from replay.errors import RecordInvalid
from replay.record.keychain import RESERVE
from replay.record.line import RecordLine
from replay.record.public_state import PublicState

SERVER: Final = -1
VOID: Final = "void: "
RULED: Final = (DecisionsOpened, DiceRolled, Shuffled)
"""The kernel's events that the rules make beside the game's own."""
OPENS: Final = (BranchOpened, ScenarioOpened)


class Due(Struct, frozen=True):
    """A line that must follow at once: its description, and a test whether an event is that line.

    `opens`: it may be the end of a match that was played; the game's own lines may precede that end (`ends_open`).
    """

    words: str
    fits: Callable[[Event | None], bool]
    opens: bool = False


class LineOrder:
    """Follows the lines of one match of version 2; `take` raises `RecordInvalid` for a line that cannot come next."""

    def __init__(self, public: PublicState) -> None:
        self._public = public
        self._seats = 0
        self._due: deque[Due] = deque()
        self._actor = SERVER
        self._offer = 0
        self._is_beginning = False
        self._givers: set[int] = set()
        self._announcer: int | None = None
        self._ends_open = self._opened = False

    @property
    def asked(self) -> tuple[Asked, ...]:
        """The questions that are open after the last line."""
        return self._public.state.asked

    @property
    def is_unfinished(self) -> bool:
        """Whether another line must still follow from the last one, so that no commit ends there."""
        return bool(self._due) or self._public.is_resolving

    def take(self, line: RecordLine, event: Event | None) -> None:
        """Check a line and continue after it; `event` is None for the game's own."""
        if isinstance(event, MatchCreated):
            self._seats, self._ends_open = len(event.seats), event.ends_open
        opened, self._opened = self._opened, self._opens(event)
        due = None if self._opened or not self._due else self._due.popleft()
        if due is not None and not (due.fits(event) and (isinstance(event, MatchEnded) or not opened)):
            raise RecordInvalid(f"{line.type} follows", expected=due.words)
        if line.cause and not (event is None or isinstance(event, (*RULED, MatchEnded))):
            raise RecordInvalid(f"{line.type} names a choice, from which no such line follows")
        if due is None and not self._opened:
            self._assert_free(line, event)
        if isinstance(event, MatchEnded):
            self._assert_result(event.result, is_due=due is not None)
        ruled = self._is_beginning and (event is None or isinstance(event, (*RULED, MatchEnded)))
        follows = due is not None or self._opened or bool(line.cause) or ruled
        self._assert_by(line, event, is_due=due is not None, follows=follows)
        self._public.take(line, event, follows=follows)
        if event is not None:
            self._go_on(event)
        self._actor = line.actor
        self._offer = event.number if isinstance(event, Offered | Agreed) else 0

    def _opens(self, event: Event | None) -> bool:
        """Whether the game opens something with this line before an end by players or the clock: only the end may
        follow it."""
        return event is None and self._ends_open and bool(self._due) and self._due[0].opens

    def _assert_by(self, line: RecordLine, event: Event | None, *, is_due: bool, follows: bool) -> None:
        actor = self._actor_of(event, is_due=is_due, follows=follows)
        if actor is not None and line.actor != actor:
            raise RecordInvalid(f"the line is by {line.actor}", expected=str(actor))
        announcer, self._announcer = self._announcer, line.actor if isinstance(event, ChanceAnchored) else None
        leads = isinstance(event, (Chosen, Act, *SERVER_ACTS))
        if announcer is not None and not (leads and line.actor == announcer):
            raise RecordInvalid(
                f"{line.type} stands behind a key chain's announcement", expected=f"a choice or an act by {announcer}"
            )

    def _assert_result(self, result: Result, *, is_due: bool) -> None:
        """Check that a result names seats of the match, each once, and the rule that ends it; this needs no rules."""
        alone = () if result.winner is None else (result.winner,)
        ranked = [seat for place in result.places for seat in place]
        many = () if isinstance(result.winners, UnsetType) else result.winners
        known = all(0 <= seat < self._seats for seat in (*alone, *many, *ranked))
        fits = not many or (len(many) > 1 and not alone and list(many) == sorted(set(many)))
        shared = isinstance(result.winners, UnsetType) or bool(many)
        placed = isinstance(result.ranking, UnsetType) or (bool(ranked) and all(result.ranking))
        if not (known and fits and shared and placed) or len(ranked) != len(set(ranked)):
            raise RecordInvalid("the result names seats that it cannot have", expected="seats of the match, each once")
        if result.reason.startswith(VOID):
            if result != Result(None, result.reason):
                raise RecordInvalid(f"the match is void ({result.reason}), and somebody has won or is ranked")
        elif not is_due and not result.rule:
            raise RecordInvalid(f"the match ends ({result.reason}), and no rule says so")

    def _assert_free(self, line: RecordLine, event: Event | None) -> None:
        """Check that an event that can only follow from others does not come alone."""
        why, begun = "", self._public.state.begun
        match event:
            case OfferAccepted(number=number):
                why = "" if number == self._offer else f"offer {number} is accepted, and nobody agreed to it just now"
            case SeatReplaced() | MatchPaused() | SeatLeft():
                why = f"{line.type} stands, and nobody agreed to it"
            case SeatBriefed() | PositionSet():
                why = "a position is set, and nobody agreed to it"
            case MatchEnded(result):
                follows = line.cause or self._is_beginning or result.reason.startswith(VOID)
                why = "" if follows else f"the match ends ({result.reason}), which follows from nothing"
            case BranchOpened() | ScenarioOpened():
                why = "" if line.seq == 2 else "a branch begins in the middle of a match"
            case ChanceAnchored(after=after):
                due = after - RESERVE
                early = not begun or self._public.state.draws < due
                why = f"a key chain is announced before draw {due}" if early else ""
            case MatchBegun() | SeatTaken():
                why = f"{line.type} stands, and play has begun" if begun else ""
            case _ if event is None or isinstance(event, RULED):
                why = "" if line.cause or self._is_beginning else f"{line.type} follows from no choice"
        if why:
            raise RecordInvalid(why)

    def _actor_of(self, event: Event | None, *, is_due: bool, follows: bool) -> int | None:
        """The author of a line; None if the next line names the author."""
        match event:
            case Chosen(by=by) if by == RULES:
                return self._actor
            case Chosen(seat):
                return SERVER if is_due else seat
            case Act(seat) | SeatKeyed(seat) | SeatClaimed(seat):
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

    def _go_on(self, event: Event) -> None:
        # Lines that the rules add at the beginning, or after a seat has left, follow from no choice.
        begins = isinstance(event, MatchBegun | SeatLeft)
        self._is_beginning = begins or (self._is_beginning and isinstance(event, DiceRolled | Shuffled))
        if isinstance(event, EntropyCommitted) and event.by == "seat":
            self._givers.add(event.seat)
        self._due.extend(self._follows(event))

    def _follows(self, event: Event) -> list[Due]:
        """The events that must be in the next lines."""
        match event:
            case BranchOpened() | ScenarioOpened():
                return self._position(0)
            case OfferAccepted(terms=terms):
                return self._agreed(terms)
            case Offered() | Agreed() if self._public.settles(event) is not None:
                number = event.number
                words = "that the offer is accepted"
                return [Due(words, lambda e: isinstance(e, OfferAccepted) and e.number == number)]
            case Resigned(seat):
                return [self._out("resigned", (seat,))]
            case AbsenceClaimed(absent=absent, draw=draw):
                return [self._ended("absence") if draw else self._out("absence", (absent,))]
            case OperatorRuled():
                return [self._end_of(ruled_result(event))]
            case TimeRanOut(seat, number, then):
                if then == "forfeit":
                    return [self._out("out of time", self._public.lost)]
                chosen = Due(
                    "the clock's choice",
                    lambda e: isinstance(e, Chosen) and (e.seat, e.number, e.by) == (seat, number, "clock"),
                )
                lot = Due("a lot of 256 for the seat", lambda e: self._public.is_lot(e, seat))
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
        """The end without a winner."""
        return self._end_of(Result(None, reason))

    def _end_of(self, result: Result) -> Due:
        opens = not result.reason.startswith(VOID)
        return Due(f"the end ({result.reason})", lambda e: isinstance(e, MatchEnded) and e.result == result, opens)

    def _out(self, reason: str, lost: tuple[Seat, ...]) -> Due:
        """The line that is due when seats are out: a side that is left alone wins; otherwise the first seat leaves."""
        public = self._public
        standing, seats = public.standing(lost), self._seats
        if public.knows_sides():
            is_over = len(standing) < min(2, max(seats, 1))
            result = result_of(standing[0] if standing else (), reason)
            if is_over:
                words = f"the end ({reason}), won by {list(result.won)}"
                return Due(words, lambda e: isinstance(e, MatchEnded) and e.result == result, opens=True)
        rest = {seat for side in standing for seat in side}

        def fits(event: Event | None) -> bool:
            if isinstance(event, SeatLeft):
                return len(rest) > 1 and (event.seat, event.reason) == (lost[0], reason)
            if public.knows_sides() or not isinstance(event, MatchEnded):
                return False
            won = event.result.won
            is_side = rest <= set(won) != set(range(seats)) and (len(lost) > 1 or lost[0] not in won)
            return event.result == result_of(won, reason) and (is_side if rest else not won)

        return Due(f"the end, or that the seat has left ({reason})", fits, opens=True)

    def _position(self, line: int) -> list[Due]:
        def briefed(seat: int) -> Due:
            return Due(f"what seat {seat} is told", lambda e: isinstance(e, SeatBriefed) and e.seat == seat)

        place = Due(f"the position of line {line}", lambda e: isinstance(e, PositionSet) and e.line == line)
        return [*map(briefed, range(self._seats)), place]
