"""The holders of seats and their acts: everything that public lines prove about them (docs/record.md 5)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from domain.kernel import (
    Abandon,
    AbsenceClaimed,
    Act,
    Asked,
    Chosen,
    Dealt,
    DecisionsOpened,
    DiceRolled,
    EntropyCommitted,
    EntropyRevealed,
    Event,
    HintAsked,
    MatchBegun,
    MatchCreated,
    MatchEnded,
    OfferAccepted,
    OperatorRuled,
    PositionSet,
    Replace,
    Resigned,
    ScenarioOpened,
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
from domain.kernel.act import VOID_BY_HOST
from domain.kernel.table import RULES, STANDING
from replay.errors import RecordInvalid
from replay.record import sealing, signing
from replay.record.acknowledged_lines import AcknowledgedLines
from replay.record.offer_proof import OfferProof
from replay.record.seat_holders import PERSON, PROVEN, SeatHolders, share_words

BY: Final = ("seat", "bot", "clock", STANDING, RULES)
REVEAL_MS: Final = 60_000
"""How long a match waits for a share of chance after the last commitment before it is void."""
VOID: Final = "void: "
FAILED: Final = "the rules cannot go on from this position"
"""Why a match is void if it began in a position that somebody wrote and the rules have failed on it."""
UNREVEALED: Final = "a share of chance was never revealed"


class SeatProof:
    """Follows the seats of one match; `take` raises `RecordInvalid` for acts that the seats cannot have made."""

    def __init__(self, mid: bytes) -> None:
        self.holders = SeatHolders(mid)
        self._offered = OfferProof(self.holders)
        self._count = 0
        self._dealt: Dealt | None = None
        self._is_begun = False
        self._is_from_position = False
        self._asked: dict[int, tuple[int, int]] = {}
        self._asked_at = 0
        self._reach = AcknowledgedLines()
        self._chance_line = 0
        self._chosen_at: dict[int, int] = {}
        self._fixed: set[int] = set()
        self._open: dict[int, str] = {}
        self._committed_at = 0
        self._lot: TimeRanOut | None = None
        self._is_voided = False
        """Whether the previous line is the host's ruling that makes the match void."""
        self._leaving: set[int] = set()
        self._left: set[int] = set()
        self._hints = False
        self._reveal = ""
        self._hinted: set[int] = set()

    def take(self, seq: int, at: int, event: Event, heads: Sequence[bytes]) -> None:
        """Check one of the kernel's events and continue after it; `heads` are the chain's hashes before its line."""
        if isinstance(event, Chosen | Act):
            self._acknowledged(event, heads)
        match event:
            case Chosen(seat):
                self._chosen(event, at)
                self._chosen_at[seat] = seq
            case Act():
                self._act(event)
            case DiceRolled(dice=dice) if dice:
                self._chance_line = seq
            case Shuffled():
                self._chance_line = seq
            case DecisionsOpened(asked=asked):
                self._ask(asked, at)
            case _:
                self._sit(seq, at, event)
        self._reach.take(event, seq)
        if isinstance(event, TimeRanOut) or not isinstance(event, Shuffled):
            self._lot = event if isinstance(event, TimeRanOut) else None
        self._is_voided = isinstance(event, OperatorRuled) and event.void
        if not isinstance(event, SeatBriefed | OfferAccepted):
            self._offered.lapse()

    def _sit(self, seq: int, at: int, event: Event) -> None:
        match event:
            case MatchCreated(seats=names, record=record, shares=shares, dealt=dealt, hints=hints, reveal=reveal):
                self.holders.begin(record, shares=shares)
                self._count, self._dealt = len(names), dealt
                self._hints, self._reveal = hints and dealt is None, reveal
            case SeatTaken():
                self.holders.take(event)
            case SeatKeyed() | SeatClaimed():
                self.holders.keep(seq, event, is_begun=self._is_begun)
            case EntropyCommitted():
                self.holders.share(event)
                self._open[event.seat], self._committed_at = event.by, at
                self._fixed.add(event.seat)
            case OfferAccepted():
                self._offered.settle(event, self._owed(event))
            case SeatReplaced():
                self._replace(event)
            case TimeRanOut(seat, then="forfeit"):
                self._leaving.add(seat)
            case SeatLeft():
                self._leave(event)
            case PositionSet() | ScenarioOpened():
                self._position(event, at)
            case MatchBegun():
                self._is_begun, self._asked_at = True, at
            case EntropyRevealed(seat):
                self._open.pop(seat, None)
            case MatchEnded(result) if result.reason.startswith(VOID):
                self._void(result.reason.removeprefix(VOID), at)

    def _acknowledged(self, event: Chosen | Act, heads: Sequence[bytes]) -> None:
        seq, said = event.ack_seq, event.ack_head
        if not seq:
            if said and self.holders.version > 1:
                raise RecordInvalid("the head of no line is acknowledged")
            return
        if not 0 < seq < len(heads):
            raise RecordInvalid(f"line {seq} is acknowledged", expected=f"at most {len(heads) - 1}")
        head = sealing.b64(heads[seq])
        if said != head:
            raise RecordInvalid(
                f"seat {event.seat} acknowledged another record: at line {seq} it had {said}", expected=head
            )

    def _chosen(self, event: Chosen, at: int) -> None:
        seat = event.seat
        if event.by not in BY:
            raise RecordInvalid(f"{event.by!r} chooses for seat {seat}", expected="seat, bot, clock, standing or rules")
        if (event.by == RULES) != (seat in self._left):
            raise RecordInvalid(f"{event.by!r} chooses for seat {seat}", expected="the rules, once the seat has left")
        held = self.holders.seats.get(seat)
        if event.by == "bot" and (held is None or held.kind == PERSON):
            raise RecordInvalid(f"a bot chooses for seat {seat}, and no line has seated one there")
        if self.holders.version == 1:
            return
        if event.by == "clock":
            self._by_clock(event, at)
        if event.by == "seat":
            held = self.holders.person(seat, "chooses")
            if held.key:
                self.holders.signed(seat, "choice", signing.is_chosen_by(self.holders.mid, held.key, event))
                self.holders.once(seat, event.id)
                self._reaches(event)
                return
        if event.by == STANDING:
            self.holders.answer_ahead(event)
            self._reaches(event)
            return
        if event.commitment or event.signature:
            raise RecordInvalid(f"the choice for seat {seat} is signed, and nobody there signs")

    def _by_clock(self, event: Chosen, at: int) -> None:
        """Check that a seat's time is over: by the time control's own line, or by the rules' limit in the question."""
        if self._lot is not None and (self._lot.seat, self._lot.number) == (event.seat, event.number):
            return
        seat, limit = self._asked.get(event.number, (-1, 0))
        if seat != event.seat or not limit or at < self._asked_at + limit:
            raise RecordInvalid(f"the clock chooses for seat {event.seat}, and its time is not over")

    def _ask(self, asked: Sequence[Asked], at: int) -> None:
        self._asked, self._asked_at = {one.number: (one.seat, one.limit_ms) for one in asked}, at

    def _act(self, act: Act) -> None:
        if self.holders.version > 1:
            held = self.holders.person(act.seat, "acts")
            if held.key:
                good = signing.is_said_by(self.holders.mid, held.key, act, self._offered.answered(act))
                self.holders.signed(act.seat, type(act).__name__, good)
                self.holders.once(act.seat, act.id)
                self._reaches(act)
            elif act.signature:
                raise RecordInvalid(f"seat {act.seat} signs and has no key")
        self._offered.follow(act)
        match act:
            case Resigned(seat):
                self._leaving.add(seat)
            case AbsenceClaimed(absent=absent, draw=False):
                self._leaving.add(absent)
            case HintAsked():
                self._hint(act)

    def _reaches(self, event: Chosen | Act) -> None:
        """Check, since version 3, that a signature acknowledges the line that asked; else it could answer another."""
        least = self._reach.least(event)
        if self.holders.version >= signing.BINDS and event.ack_seq < least:
            what = f"what seat {event.seat} signs acknowledges line {event.ack_seq}, before what it answers"
            raise RecordInvalid(what, expected=f"line {least} or later")

    def _hint(self, act: HintAsked) -> None:
        """Check that hints were agreed on in line 1, and that each decision has at most one."""
        if not self._hints or not self._is_begun:
            why = "no hints were agreed on" if not self._hints else "play has not begun"
            raise RecordInvalid(f"seat {act.seat} asks for a hint, and {why}")
        if act.number in self._hinted:
            raise RecordInvalid(f"seat {act.seat} asks for a hint to decision {act.number} a second time")
        self._hinted.add(act.number)

    def _owed(self, event: OfferAccepted) -> set[int]:
        """The seats that must have agreed to the terms. No bot agrees to take chance back."""
        terms, seats = event.terms, self.holders.seats
        others = {seat for seat in range(self._count) if seat != event.seat}
        asked = {seat for seat in others - self._left if seat in seats and seats[seat].kind == PERSON}
        if isinstance(terms, TakeBack):
            # If nobody has learnt anything, nobody is asked; only verifiers with the rules can decide that.
            is_theirs = any(seat != event.seat and line > terms.line for seat, line in self._chosen_at.items())
            return others if self._chance_line > terms.line else asked if is_theirs else set()
        if isinstance(terms, Replace) and terms.absent_ms:
            asked.discard(terms.seat)
        return asked

    def _leave(self, event: SeatLeft) -> None:
        """Check that a seat leaves by its own word, by a claim that it is away, or because its time is over."""
        if event.seat not in self._leaving or event.seat in self._left:
            raise RecordInvalid(f"seat {event.seat} leaves the match, and no line says why")
        self._left.add(event.seat)
        self._offered.close()

    def _replace(self, event: SeatReplaced) -> None:
        terms = self._offered.accepted
        is_agreed = isinstance(terms, Replace) and (terms.seat, terms.bot) == (event.seat, event.bot)
        if self.holders.version > 1 and not is_agreed:
            raise RecordInvalid(f"a bot takes seat {event.seat}, and nobody agreed to it")
        held = self.holders.seats.get(event.seat)
        if held is not None:
            held.kind = "bot"
        self._offered.close()

    def _position(self, event: PositionSet | ScenarioOpened, at: int) -> None:
        if isinstance(event, ScenarioOpened):
            self._is_from_position = True
            return
        terms = self._offered.accepted
        if self.holders.version > 1 and event.line and not (isinstance(terms, TakeBack) and terms.line == event.line):
            raise RecordInvalid(f"the match is put back to line {event.line}, and nobody agreed to it")
        if isinstance(event.view.get("asked"), list):
            self._asked = dict(_limits(event.view["asked"]))
        self._asked_at = at

    def _void(self, why: str, at: int) -> None:
        """Check that a match is void by agreement, by its host, or because a share of chance was not revealed in time.

        It may also be void because the rules fail on a position that somebody wrote; only the rules can confirm that
        (`MatchAudit`).
        """
        if self.holders.version == 1 or isinstance(self._offered.accepted, Abandon):
            return
        if why == VOID_BY_HOST.removeprefix(VOID) and self._is_voided:
            return
        if why == FAILED and self._is_from_position and self._is_begun:
            return
        if why != UNREVEALED or self.holders.shares or "seat" not in self._open.values():
            raise RecordInvalid(f"the match is void: {why}", expected="an agreement, or a share that is not revealed")
        due = self._committed_at + REVEAL_MS
        if len(self._fixed) < self._count:
            raise RecordInvalid("the match is void for a share of chance that nobody could reveal yet")
        if at < due:
            raise RecordInvalid(f"the match is void at {at} for a share of chance", expected=f"not before {due}")

    def lacks(self) -> list[str]:
        """The weaknesses of the record, by name.

        `version`: its version is old; `keys`: a person's seat did not always sign; `shares`: the server, or the maker
        of an event's seed, could have chosen the dice; `reveal`: the end does not open its secrets to everybody.
        """
        found = {
            "version": self.holders.version < sealing.VERSION,
            "keys": any(held.since or (held.kind == PERSON and not held.key) for held in self.holders.seats.values()),
            "shares": not self.chance().startswith(PROVEN),
            "reveal": self._reveal != "public",
        }
        return [name for name, is_so in found.items() if is_so]

    def chance(self) -> str:
        """The seats whose shares the dice come from, and whether this is proven."""
        if self._dealt is not None:
            return f"dealt by event {self._dealt.event}: who made its seed could have chosen it, and knew every draw"
        return share_words([held for _, held in sorted(self.holders.seats.items())])


def _limits(asked: Sequence[object]) -> Iterator[tuple[int, tuple[int, int]]]:
    for one in asked:
        if isinstance(one, Mapping):
            number, seat, limit = one.get("number"), one.get("seat"), one.get("limit_ms", 0)
            if isinstance(number, int) and isinstance(seat, int) and isinstance(limit, int):
                yield number, (seat, limit)
