"""The holders of seats, their keys, and their shares of chance, as public lines prove them (docs/record.md 5)."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from domain.kernel import (
    Chosen,
    EntropyCommitted,
    SeatClaimed,
    SeatKeyed,
    SeatTaken,
)
from replay.errors import RecordInvalid
from replay.record import claims, signing, standing
from replay.record.claims import SeatClaim

PERSON: Final = "person"
PROVEN: Final = "proven"


class Seated(Struct):
    """A taken seat: its holder, its key, the line since which the key is valid, and how its share was given."""

    name: str
    kind: str
    key: str
    since: int = 0
    share: str = ""


class SeatHolders:
    """The holders of one match's seats, and their keys. Raises `RecordInvalid` for impossible acts."""

    def __init__(self, mid: bytes) -> None:
        self.mid = mid
        self.version = 1
        self.shares = False
        """Whether players give shares of chance."""
        self.seats: dict[int, Seated] = {}
        self.signatures = 0
        self.claims: dict[int, SeatClaim] = {}
        """The seats' keys with a person behind them, by the line that says so."""
        self._said: set[tuple[int, str]] = set()

    def begin(self, version: int, *, shares: bool) -> None:
        """Read line 1: the version of the record, and whether players give shares of chance."""
        self.version, self.shares = version, shares

    def take(self, event: SeatTaken) -> None:
        """Seat a person or a bot; each seat is taken only once."""
        if self.version > 1 and (event.seat in self.seats or event.kind not in (PERSON, "bot")):
            raise RecordInvalid(f"seat {event.seat} is taken as {event.kind!r}", expected="once, by a person or a bot")
        self.seats[event.seat] = Seated(event.name, event.kind, event.key)

    def keep(self, seq: int, event: SeatKeyed | SeatClaimed, *, is_begun: bool) -> None:
        """Give a seat another key, or note the person behind its current key."""
        if isinstance(event, SeatKeyed):
            self._rekey(seq, event, is_begun=is_begun)
        else:
            self._claim(seq, event)

    def _rekey(self, seq: int, event: SeatKeyed, *, is_begun: bool) -> None:
        held = self.person(event.seat, "has another key")
        if event.signature:
            message = signing.act_message(self.mid, event.seat, signing.key_said(event.key))
            if not held.key or not signing.is_signed_text(held.key, message, event.signature):
                raise RecordInvalid(
                    f"the key of seat {event.seat} is not signed with the one before", expected=held.key
                )
            self.signatures += 1
        elif held.key or is_begun:
            # A first key before play begins is as good as one that came with the seat.
            held.since = seq
        held.key = event.key

    def _claim(self, seq: int, event: SeatClaimed) -> None:
        """Note that a person is behind the seat's key, as that key says, once; the opening names the person."""
        held = self.person(event.seat, "is a person's")
        claim = SeatClaim(event.seat, held.key, event.commitment)
        if self.version < signing.BINDS or not held.key or claim.place in (made.place for made in self.claims.values()):
            what = f"a person stands behind the key of seat {event.seat}"
            raise RecordInvalid(what, expected="once, of a seat with a key, in a record of version 3")
        if not claims.is_commitment(event.commitment):
            raise RecordInvalid("the commitment to a person is none", expected="32 bytes as base64url")
        message = signing.act_message(self.mid, event.seat, signing.person_said(event.commitment))
        self.signed(event.seat, "person", signing.is_signed_text(held.key, message, event.signature))
        self.claims[seq] = claim

    def share(self, event: EntropyCommitted) -> None:
        """Note a share of chance that a seat commits to."""
        if self.version == 1:
            if event.seat in self.seats:
                self.seats[event.seat].share = event.by
            return
        held = self.seats.get(event.seat)
        if event.by == "server":
            if event.signature or (self.shares and (held is None or held.kind == PERSON)):
                raise RecordInvalid(f"the server gives the share of chance of seat {event.seat}", expected="a person's")
            return
        if event.by != "seat":
            why = f"{event.by!r} gives a share of chance for seat {event.seat}"
            raise RecordInvalid(why, expected="the seat or the server")
        held = self.person(event.seat, "gives a share of chance")
        if held.key:
            message = signing.act_message(self.mid, event.seat, signing.share_said(event.commitment))
            self.signed(event.seat, "share of chance", signing.is_signed_text(held.key, message, event.signature))
        elif event.signature:
            raise RecordInvalid(f"seat {event.seat} signs and has no key")
        held.share = "signed" if held.key else "seat"

    def answer_ahead(self, event: Chosen) -> None:
        """Count the signature that a seat gave before it was asked; the signature is for this answer alone."""
        held = self.person(event.seat, "answers ahead")
        if self.version < signing.BINDS or not held.key:
            what = f"seat {event.seat} answers by an instruction"
            raise RecordInvalid(what, expected="a seat with a key, in a record of version 3")
        self.signed(event.seat, "instruction", standing.is_instructed(self.mid, held.key, event))
        self.once(event.seat, event.id)

    def signed(self, seat: int, what: str, good: bool) -> None:
        """Count a signature; raises if it is not `good`."""
        if not good:
            raise RecordInvalid(f"the {what} is not signed by seat {seat}", expected=self.seats[seat].key)
        self.signatures += 1

    def once(self, seat: int, name: str) -> None:
        """Check that a signed id is used only once."""
        if (seat, name) in self._said:
            raise RecordInvalid(f"seat {seat} says {name!r} twice")
        self._said.add((seat, name))

    def person(self, seat: int, does: str) -> Seated:
        """The seat, if a person holds it; otherwise raises."""
        held = self.seats.get(seat)
        if held is None or held.kind != PERSON:
            raise RecordInvalid(f"seat {seat} {does}, and no person holds it")
        return held

    def unproven(self) -> list[str]:
        """The claims about seats that the record does not prove, in sentences."""
        told = []
        if self.version == 1:
            told.append("version 1: only choices are signed, and what was acknowledged can be told at the end only")
        for seat, held in sorted(self.seats.items()):
            if held.kind == PERSON and not held.key:
                told.append(f"seat {seat + 1} ({held.name}) does not sign: the server could have answered for it")
            elif held.since:
                told.append(f"seat {seat + 1} ({held.name}) signs from line {held.since} on; no former key says so")
        return told


def share_words(seats: Sequence[Seated]) -> str:
    """The seats that gave shares of chance, as a sentence."""
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
    return f"{who}, not all signed: the server could have chosen for seats that do not sign"
