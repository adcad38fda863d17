"""The holders of seats, and the acts in their names: all that public lines prove (RECORD 5)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from domain.kernel import (
    Abandon,
    AbsenceClaimed,
    Act,
    Agreed,
    Asked,
    Chosen,
    Dealt,
    DecisionsOpened,
    Declined,
    DiceRolled,
    EntropyCommitted,
    EntropyRevealed,
    Event,
    HintAsked,
    MatchBegun,
    MatchCreated,
    MatchEnded,
    OfferAccepted,
    Offered,
    OpenOffer,
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
from domain.kernel.table import RULES, STANDING, OfferTerms
from replay.errors import RecordInvalid
from replay.record import claims, sealing, signing, standing
from replay.record.claims import SeatClaim
from replay.record.reach import Reach

BY: Final = ("seat", "bot", "clock", STANDING, RULES)
PERSON: Final = "person"
REVEAL_MS: Final = 60_000
"""How long after the last commitment a match waits for a share of chance before it is void."""
VOID: Final = "void: "
FAILED: Final = "the rules cannot go on from this position"
"""Why a match is void that began in a position somebody wrote, over which the rules have failed."""
PROVEN: Final = "proven"
UNREVEALED: Final = "a share of chance was never revealed"


class Seated(Struct):
    """A seat that is taken: by whom, with which key, from which line on that key holds, and how its share was given."""

    name: str
    kind: str
    key: str
    since: int = 0
    share: str = ""


class SeatProof:
    """Follows the seats of one match; `take` raises `RecordInvalid` for what they cannot have done."""

    def __init__(self, mid: bytes) -> None:
        self._mid = mid
        self.version = 1
        self.seats: dict[int, Seated] = {}
        self.signatures = 0
        self.claims: dict[int, SeatClaim] = {}
        """The seats' keys behind which a person stands, by the line that says so."""
        self._count = 0
        self._shares = False
        self._dealt: Dealt | None = None
        self._is_begun = False
        self._is_from_position = False
        self._said: set[tuple[int, str]] = set()
        self._asked: dict[int, tuple[int, int]] = {}
        self._asked_at = 0
        self._offers: dict[int, OpenOffer] = {}
        self._terms: dict[int, OfferTerms] = {}
        """The terms of every offer ever made, by its number: an answer to an offer states them."""
        self._reach = Reach()
        self._chance_line = 0
        self._chosen_at: dict[int, int] = {}
        self._fixed: set[int] = set()
        self._open: dict[int, str] = {}
        self._committed_at = 0
        self._lot: TimeRanOut | None = None
        self._accepted: OfferAccepted | None = None
        self._is_voided = False
        """Whether the line before is the host's, which makes the match void."""
        self._leaving: set[int] = set()
        self._left: set[int] = set()
        self._hints = False
        self._reveal = ""
        self._hinted: set[int] = set()

    def take(self, seq: int, at: int, event: Event, heads: Sequence[bytes]) -> None:
        """Check one event of the kernel's and go on behind it; `heads` are the chain's hashes before its line."""
        if isinstance(event, Chosen | Act):
            self._acknowledged(event, heads)
        match event:
            case Chosen(seat):
                self._chosen(event, at)
                self._chosen_at[seat] = seq
                if event.by == "seat":
                    self._reach.end_standing(seat, seq)
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
        self._reach.follow(type(event).__name__, seq, event.number if isinstance(event, Offered) else 0)
        if isinstance(event, TimeRanOut) or not isinstance(event, Shuffled):
            self._lot = event if isinstance(event, TimeRanOut) else None
        self._is_voided = isinstance(event, OperatorRuled) and event.void
        if not isinstance(event, SeatBriefed | OfferAccepted):
            self._accepted = None

    def _sit(self, seq: int, at: int, event: Event) -> None:
        match event:
            case MatchCreated(seats=names, record=record, shares=shares, dealt=dealt, hints=hints, reveal=reveal):
                self.version, self._count, self._shares, self._dealt = record, len(names), shares, dealt
                self._hints, self._reveal = hints and dealt is None, reveal
            case SeatTaken():
                self._seat(event)
            case SeatKeyed() | SeatClaimed():
                self._keep(seq, event)
            case EntropyCommitted():
                self._share(event)
                self._open[event.seat], self._committed_at = event.by, at
                self._fixed.add(event.seat)
            case OfferAccepted():
                self._settle(event)
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

    def _seat(self, event: SeatTaken) -> None:
        if self.version > 1 and (event.seat in self.seats or event.kind not in (PERSON, "bot")):
            raise RecordInvalid(f"seat {event.seat} is taken as {event.kind!r}", expected="once, by a person or a bot")
        self.seats[event.seat] = Seated(event.name, event.kind, event.key)

    def _keep(self, seq: int, event: SeatKeyed | SeatClaimed) -> None:
        if isinstance(event, SeatKeyed):
            self._rekey(seq, event)
        else:
            self._claim(seq, event)

    def _rekey(self, seq: int, event: SeatKeyed) -> None:
        held = self._person(event.seat, "has another key")
        if event.signature:
            message = signing.act_message(self._mid, event.seat, signing.key_said(event.key))
            if not held.key or not signing.is_signed_text(held.key, message, event.signature):
                raise RecordInvalid(
                    f"the key of seat {event.seat} is not signed with the one before", expected=held.key
                )
            self.signatures += 1
        elif held.key or self._is_begun:
            # A first key before play begins is as good as one that came with the seat.
            held.since = seq
        held.key = event.key
        self._reach.end_standing(event.seat, seq)

    def _claim(self, seq: int, event: SeatClaimed) -> None:
        """The seat's own key says that a person stands behind it, once; who, the opening tells."""
        held = self._person(event.seat, "is a person's")
        claim = SeatClaim(event.seat, held.key, event.commitment)
        if self.version < signing.BINDS or not held.key or claim.place in (made.place for made in self.claims.values()):
            what = f"a person stands behind the key of seat {event.seat}"
            raise RecordInvalid(what, expected="once, of a seat with a key, in a record of version 3")
        if not claims.is_commitment(event.commitment):
            raise RecordInvalid("the commitment to a person is none", expected="32 bytes as base64url")
        message = signing.act_message(self._mid, event.seat, signing.person_said(event.commitment))
        self._signed(event.seat, "person", signing.is_signed_text(held.key, message, event.signature))
        self.claims[seq] = claim

    def _share(self, event: EntropyCommitted) -> None:
        if self.version == 1:
            if event.seat in self.seats:
                self.seats[event.seat].share = event.by
            return
        held = self.seats.get(event.seat)
        if event.by == "server":
            if event.signature or (self._shares and (held is None or held.kind == PERSON)):
                raise RecordInvalid(f"the server gives the share of chance of seat {event.seat}", expected="a person's")
            return
        if event.by != "seat":
            why = f"{event.by!r} gives a share of chance for seat {event.seat}"
            raise RecordInvalid(why, expected="the seat or the server")
        held = self._person(event.seat, "gives a share of chance")
        if held.key:
            message = signing.act_message(self._mid, event.seat, signing.share_said(event.commitment))
            self._signed(event.seat, "share of chance", signing.is_signed_text(held.key, message, event.signature))
        elif event.signature:
            raise RecordInvalid(f"seat {event.seat} signs and has no key")
        held.share = "signed" if held.key else "seat"

    def _signed(self, seat: int, what: str, good: bool) -> None:
        if not good:
            raise RecordInvalid(f"the {what} is not signed by seat {seat}", expected=self.seats[seat].key)
        self.signatures += 1

    def _once(self, seat: int, name: str) -> None:
        if (seat, name) in self._said:
            raise RecordInvalid(f"seat {seat} says {name!r} twice")
        self._said.add((seat, name))

    def _person(self, seat: int, does: str) -> Seated:
        held = self.seats.get(seat)
        if held is None or held.kind != PERSON:
            raise RecordInvalid(f"seat {seat} {does}, and no person holds it")
        return held

    def _acknowledged(self, event: Chosen | Act, heads: Sequence[bytes]) -> None:
        seq, said = event.ack_seq, event.ack_head
        if not seq:
            if said and self.version > 1:
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
        held = self.seats.get(seat)
        if event.by == "bot" and (held is None or held.kind == PERSON):
            raise RecordInvalid(f"a bot chooses for seat {seat}, and no line has seated one there")
        if self.version == 1:
            return
        if event.by == "clock":
            self._by_clock(event, at)
        if event.by == "seat":
            held = self._person(seat, "chooses")
            if held.key:
                self._signed(seat, "choice", signing.is_chosen_by(self._mid, held.key, event))
                self._once(seat, event.id)
                self._reaches(event)
                return
        if event.by == STANDING:
            self._ahead(event)
            return
        if event.commitment or event.signature:
            raise RecordInvalid(f"the choice for seat {seat} is signed, and nobody there signs")

    def _ahead(self, event: Chosen) -> None:
        """The seat signed the answer before it was asked, and has neither chosen by hand nor been put back since."""
        held = self._person(event.seat, "answers ahead")
        if self.version < signing.BINDS or not held.key:
            what = f"seat {event.seat} answers by an instruction"
            raise RecordInvalid(what, expected="a seat with a key, in a record of version 3")
        self._signed(event.seat, "instruction", standing.is_instructed(self._mid, held.key, event))
        self._once(event.seat, event.id)
        self._reaches(event)

    def _by_clock(self, event: Chosen, at: int) -> None:
        """The time control's own line says that time is over; else the rules' limit, which the question states."""
        if self._lot is not None and (self._lot.seat, self._lot.number) == (event.seat, event.number):
            return
        seat, limit = self._asked.get(event.number, (-1, 0))
        if seat != event.seat or not limit or at < self._asked_at + limit:
            raise RecordInvalid(f"the clock chooses for seat {event.seat}, and its time is not over")

    def _ask(self, asked: Sequence[Asked], at: int) -> None:
        self._asked, self._asked_at = {one.number: (one.seat, one.limit_ms) for one in asked}, at

    def _act(self, act: Act) -> None:
        if self.version > 1:
            held = self._person(act.seat, "acts")
            if held.key:
                good = signing.is_said_by(self._mid, held.key, act, self._answered(act))
                self._signed(act.seat, type(act).__name__, good)
                self._once(act.seat, act.id)
                self._reaches(act)
            elif act.signature:
                raise RecordInvalid(f"seat {act.seat} signs and has no key")
        match act:
            case Offered(seat, number=number, terms=terms):
                self._offers[number] = OpenOffer(number, seat, terms)
                self._terms[number] = terms
            case Agreed(seat, number=number) if number in self._offers:
                offer = self._offers[number]
                self._offers[number] = OpenOffer(number, offer.seat, offer.terms, (*offer.agreed, seat))
            case Declined(number=number):
                self._offers.pop(number, None)
            case Resigned(seat):
                self._leaving.add(seat)
            case AbsenceClaimed(absent=absent, draw=False):
                self._leaving.add(absent)
            case HintAsked():
                self._hint(act)

    def _answered(self, act: Act) -> OfferTerms | None:
        """The terms that a signature under an answer to an offer covers, from version 3 on."""
        if self.version < signing.BINDS or not isinstance(act, Agreed | Declined):
            return None
        terms = self._terms.get(act.number)
        if terms is None:
            raise RecordInvalid(f"seat {act.seat} answers offer {act.number}, which nobody made")
        return terms

    def _reaches(self, event: Chosen | Act) -> None:
        """From version 3 on, what is signed acknowledges the line that asked: else it could answer another one."""
        least = self._reach.least(event)
        if self.version >= signing.BINDS and event.ack_seq < least:
            what = f"what seat {event.seat} signs acknowledges line {event.ack_seq}, before what it answers"
            raise RecordInvalid(what, expected=f"line {least} or later")

    def _hint(self, act: HintAsked) -> None:
        """Hints are agreed on in line 1 or not at all, and for each decision there is one."""
        if not self._hints or not self._is_begun:
            why = "no hints were agreed on" if not self._hints else "play has not begun"
            raise RecordInvalid(f"seat {act.seat} asks for a hint, and {why}")
        if act.number in self._hinted:
            raise RecordInvalid(f"seat {act.seat} asks for a hint to decision {act.number} a second time")
        self._hinted.add(act.number)

    def _settle(self, event: OfferAccepted) -> None:
        """Agreed terms must have been offered, by each seat that had to: no bot agrees that chance is given back."""
        offer = self._offers.pop(event.number, None)
        self._accepted = event
        if self.version == 1:
            return
        found = None if offer is None else (offer.seat, offer.agreed, offer.terms)
        if found != (event.seat, event.agreed, event.terms):
            raise RecordInvalid(f"offer {event.number} is accepted, which nobody made so or agreed to so")
        terms = event.terms
        others = {seat for seat in range(self._count) if seat != event.seat}
        asked = {seat for seat in others - self._left if seat in self.seats and self.seats[seat].kind == PERSON}
        if isinstance(terms, TakeBack):
            # Where nothing was learnt nobody is asked, which only who holds the rules can tell in the end.
            is_theirs = any(seat != event.seat and line > terms.line for seat, line in self._chosen_at.items())
            asked = others if self._chance_line > terms.line else asked if is_theirs else set()
        elif isinstance(terms, Replace) and terms.absent_ms:
            asked.discard(terms.seat)
        if not asked <= set(event.agreed):
            raise RecordInvalid(f"offer {event.number} is accepted without {_seats(asked - set(event.agreed))}")

    def _leave(self, event: SeatLeft) -> None:
        """A seat is out by its own word, by a claim that it is away, or because its time was over."""
        if event.seat not in self._leaving or event.seat in self._left:
            raise RecordInvalid(f"seat {event.seat} leaves the match, and no line says why")
        self._left.add(event.seat)
        self._offers.clear()

    def _replace(self, event: SeatReplaced) -> None:
        terms = None if self._accepted is None else self._accepted.terms
        if self.version > 1 and not (isinstance(terms, Replace) and (terms.seat, terms.bot) == (event.seat, event.bot)):
            raise RecordInvalid(f"a bot takes seat {event.seat}, and nobody agreed to it")
        held = self.seats.get(event.seat)
        if held is not None:
            held.kind = "bot"
        self._offers.clear()

    def _position(self, event: PositionSet | ScenarioOpened, at: int) -> None:
        if isinstance(event, ScenarioOpened):
            self._is_from_position = True
            return
        terms = None if self._accepted is None else self._accepted.terms
        if self.version > 1 and event.line and not (isinstance(terms, TakeBack) and terms.line == event.line):
            raise RecordInvalid(f"the match is put back to line {event.line}, and nobody agreed to it")
        if isinstance(event.view.get("asked"), list):
            self._asked = dict(_limits(event.view["asked"]))
        self._asked_at = at

    def _void(self, why: str, at: int) -> None:
        """A match is void by agreement, by its host, or because somebody keeps a share of chance for too long.

        Or the rules fail over a position that somebody wrote: whether they do only they can tell (`MatchAudit`).
        """
        if self.version == 1 or (self._accepted is not None and isinstance(self._accepted.terms, Abandon)):
            return
        if why == VOID_BY_HOST.removeprefix(VOID) and self._is_voided:
            return
        if why == FAILED and self._is_from_position and self._is_begun:
            return
        if why != UNREVEALED or self._shares or "seat" not in self._open.values():
            raise RecordInvalid(f"the match is void: {why}", expected="an agreement, or a share that is not revealed")
        due = self._committed_at + REVEAL_MS
        if len(self._fixed) < self._count:
            raise RecordInvalid("the match is void for a share of chance that nobody could reveal yet")
        if at < due:
            raise RecordInvalid(f"the match is void at {at} for a share of chance", expected=f"not before {due}")

    def unproven(self) -> list[str]:
        """The claims about its seats that the record does not prove, in sentences."""
        told = []
        if self.version == 1:
            told.append("version 1: only choices are signed, and what was acknowledged can be told at the end only")
        for seat, held in sorted(self.seats.items()):
            if held.kind == PERSON and not held.key:
                told.append(f"seat {seat + 1} ({held.name}) does not sign: the server could have answered for it")
            elif held.since:
                told.append(f"seat {seat + 1} ({held.name}) signs from line {held.since} on; no former key says so")
        return told

    def lacks(self) -> list[str]:
        """In what the record is weaker than one can be, by name.

        `version`: it is of an older one; `keys`: a person's seat did not always sign; `shares`: the server, or the
        maker of an event's seed, could have chosen the dice; `reveal`: the end does not open its secrets to everybody.
        """
        found = {
            "version": self.version < sealing.VERSION,
            "keys": any(held.since or (held.kind == PERSON and not held.key) for held in self.seats.values()),
            "shares": not self.chance().startswith(PROVEN),
            "reveal": self._reveal != "public",
        }
        return [name for name, is_so in found.items() if is_so]

    def chance(self) -> str:
        """The seats whose shares the dice come from, and whether that is proven."""
        if self._dealt is not None:
            return f"dealt by event {self._dealt.event}: who made its seed could have chosen it, and knew every draw"
        return share_words([held for _, held in sorted(self.seats.items())])


def share_words(seats: Sequence[Seated]) -> str:
    """The seats that gave shares of chance, in a sentence."""
    people = [held for held in seats if held.kind == PERSON or held.share in ("seat", "signed")]
    signed = [held.name for held in people if held.share == "signed"]
    given = [held.name for held in people if held.share in ("seat", "signed")]
    everybody = "both players" if len(people) == 2 else f"all {len(people)} players"
    if not given:
        return "shares of the server alone: it could have chosen them"
    if len(given) == len(people) > 1:
        who = f"shares of {everybody} and the server"
    elif len(given) == len(people):
        who = f"shares of {given[0]} and the server"
    else:
        who = f"share of {' and '.join(given)} alone"
    if len(signed) == len(given):
        return f"{PROVEN}: {who}"
    return f"{who}, not all signed: the server could have chosen for who does not sign"


def _limits(asked: Sequence[object]) -> Iterator[tuple[int, tuple[int, int]]]:
    for one in asked:
        if isinstance(one, Mapping):
            number, seat, limit = one.get("number"), one.get("seat"), one.get("limit_ms", 0)
            if isinstance(number, int) and isinstance(seat, int) and isinstance(limit, int):
                yield number, (seat, limit)


def _seats(seats: set[int]) -> str:
    return ", ".join(f"seat {seat}" for seat in sorted(seats))
