"""Matches with persons behind their seats, and claims that a server, a seat or another party makes up."""

import copy
import secrets
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from msgspec.structs import replace

from domain.kernel import Resigned, Seat
from replay.files.export import Record
from replay.record import claims, sealing
from replay.record.claims import OpenedClaim
from replay.record.preparation import Preparation
from replay.record.signing import SeatKey, key_said, person_said
from tests.replay.dishonest import ADA, BO, Signing
from tests.replay.drafts import LAST_CHOICE, Draft, Match
from tests.replay.matches import START

SITE: Final = "herald.example"
ANJA: Final = SeatKey(bytes(range(32)))
BEN: Final = SeatKey(bytes(range(1, 33)))


def new_salt() -> str:
    """A salt, without which nobody can try out keys against a commitment."""
    return sealing.b64(secrets.token_bytes(claims.SALT_BYTES))


def opened(
    match: Signing,
    at: int,
    /,
    *,
    person: SeatKey = ANJA,
    signer: SeatKey | None = None,
    **other: Any,
) -> OpenedClaim:
    """What opens a claim of a person to a seat; `other`: what was signed in place of site, match, seat or seat key."""
    salt, name = new_salt(), match.referee.match
    said = {"site": SITE, "match": name, "seat": at, "seat_key": match.keys[at].public, **other}
    signature = (signer or person).sign(claims.message(**said, salt=salt))
    return OpenedClaim(name, 0, SITE, person.public, salt, signature)


def committed(opening: OpenedClaim) -> str:
    """The commitment that an opening opens."""
    return claims.commitment(opening.salt, opening.key, opening.signature)


def signed(match: Signing, seat: int, commitment: str, *, key: SeatKey | None = None, name: str = "") -> dict[str, Any]:
    """The fields of a claim, with the seat's signature or another key's, for this match or another."""
    signature = (key or match.keys[seat]).said(name or match.referee.match, seat, person_said(commitment))
    return {"seat": seat, "commitment": commitment, "signature": signature}


def claim(match: Signing, seat: int, opening: OpenedClaim | None = None) -> OpenedClaim:
    """State in the record that a person stands behind a seat; returns the opening."""
    opening = opening or opened(match, seat)
    fields = signed(match, seat, committed(opening))
    match.put(Preparation(match.referee).claim_seat(Seat(seat), fields["commitment"], fields["signature"], match.now()))
    return replace(opening, line=match.referee.seq)


def claimed(*, is_over: bool = False) -> tuple[Signing, OpenedClaim]:
    """A match with a person behind its first seat, and a guest in the second."""
    match = Signing()
    opening = claim(match, ADA)
    match.choose(3)
    if is_over:
        match.act(Resigned(BO))
    return match, opening


def forged(seat: int = ADA, actor: int | None = None, cause: str = "", **fields: Any) -> Record:
    """One more line, of a claim with these fields in place of the right ones."""
    match, _ = claimed()
    right = signed(match, seat, committed(opened(match, seat)))
    draft = Draft(match.record())
    draft.add("SeatClaimed", {**right, **fields}, actor=seat if actor is None else actor, cause=cause)
    return draft.done()


def of_a_seat_without_a_key() -> Record:
    draft = Match(3).draft()
    fields = {"seat": 0, "commitment": "A" * 43, "signature": ""}
    draft.add("SeatClaimed", fields, actor=0)
    return draft.done()


def of_a_bot() -> Record:
    match = Signing("bot")
    match.choose(2)
    draft = Draft(match.record())
    draft.add("SeatClaimed", signed(match, BO, committed(opened(match, BO))), actor=1)
    return draft.done()


def twice() -> Record:
    match, _ = claimed()
    draft = Draft(match.record())
    again = signed(match, ADA, committed(opened(match, ADA)))
    draft.add("SeatClaimed", again, actor=0)
    return draft.done()


def by_another_key() -> Record:
    """The server's own commitment, under a signature that it has made."""
    match, _ = claimed()
    draft = Draft(match.record())
    draft.add("SeatClaimed", signed(match, BO, "A" * 43, key=SeatKey()), actor=1)
    return draft.done()


def by_the_former_key() -> Record:
    match, _ = claimed()
    fresh = SeatKey()
    match.put(
        Preparation(match.referee).set_key(
            ADA, fresh.public, match.keys[ADA].said(match.referee.match, ADA, key_said(fresh.public)), match.now()
        )
    )
    draft = Draft(match.record())
    draft.add("SeatClaimed", signed(match, ADA, committed(opened(match, ADA))), actor=0)
    return draft.done()


def of_another_match() -> Record:
    match, _ = claimed()
    draft = Draft(match.record())
    other = Signing().referee.match
    draft.add("SeatClaimed", signed(match, BO, committed(opened(match, BO)), name=other), actor=1)
    return draft.done()


def of_another_seat() -> Record:
    """One seat's claim, made for the other."""
    match, _ = claimed()
    draft = Draft(match.record())
    line = copy.deepcopy(draft.find("SeatClaimed").fields)
    draft.add("SeatClaimed", {**line, "seat": 1}, actor=1)
    return draft.done()


def behind_the_end() -> Record:
    match, _ = claimed(is_over=True)
    draft = Draft(match.record())
    draft.add("SeatClaimed", signed(match, BO, committed(opened(match, BO))), actor=1)
    return draft.done()


def in_an_older_record() -> Record:
    match = Signing(version=2)
    match.choose(2)
    draft = Draft(match.record())
    draft.add("SeatClaimed", signed(match, ADA, committed(opened(match, ADA))), actor=0)
    return draft.done()


def of_no_commitment() -> Record:
    """Signed, and too short to be one."""
    match, _ = claimed()
    draft = Draft(match.record())
    draft.add("SeatClaimed", signed(match, BO, sealing.b64(bytes(31))), actor=1)
    return draft.done()


def before_it_sat_down() -> Record:
    match, _ = claimed()
    draft = Draft(match.record())
    draft.add(
        "SeatClaimed",
        signed(match, BO, committed(opened(match, BO))),
        actor=1,
        before=draft.find("SeatTaken"),
        at=START,
    )
    return draft.done()


FORGERIES: dict[str, Callable[[], Record]] = {
    "a person behind a seat without a key": of_a_seat_without_a_key,
    "a person behind a bot's seat": of_a_bot,
    "a person twice behind one key": twice,
    "a person whom the seat's key did not sign": by_another_key,
    "a person whom a former key signed": by_the_former_key,
    "a person of another match": of_another_match,
    "a person of another seat": of_another_seat,
    "a person behind the end": behind_the_end,
    "a person in a record of version 2": in_an_older_record,
    "a commitment to a person that is none": of_no_commitment,
    "a person before the seat was taken": before_it_sat_down,
    "a person by the other seat's hand": partial(forged, BO, 0),
    "a person by the server": partial(forged, BO, -1),
    "a person who follows from a choice": partial(forged, BO, cause=LAST_CHOICE),
    "a person without a signature": partial(forged, BO, signature=""),
}
"""The faults that every verifier finds in every view."""


SIGNED_FOR: Final[dict[str, Callable[[], dict[str, Any]]]] = {
    "another seat": lambda: {"seat": BO},
    "another match": lambda: {"match": Signing().referee.match},
    "another seat key": lambda: {"seat_key": SeatKey().public},
    "another server": lambda: {"site": "other.example"},
}
"""What a person's key has signed in place of this seat's key here."""
SHOWN: Final[dict[str, Callable[[Signing, OpenedClaim], dict[str, Any]]]] = {
    "another line": lambda match, right: {"line": right.line - 1},
    "another person": lambda match, right: {"key": BEN.public},
    "another person, who signs": lambda match, right: {"key": BEN.public, "signature": _by(BEN, match, right)},
    "another salt": lambda match, right: {"salt": new_salt()},
    "a salt that is none": lambda match, right: {"salt": "A"},
    "a key of order 1": lambda match, right: {"key": sealing.b64((1).to_bytes(32, "little"))},
}
"""What is shown in place of parts of the right opening."""
LIES: Final = (*SIGNED_FOR, *SHOWN, "a key that did not sign")


def lie(name: str) -> tuple[Signing, OpenedClaim]:
    """A match, and what is shown as the opening of its claim and opens nothing."""
    if name in SHOWN:
        match, right = claimed()
        return match, replace(right, **SHOWN[name](match, right))
    match = Signing()
    other = SIGNED_FOR[name]() if name in SIGNED_FOR else {}
    return match, claim(match, ADA, opened(match, ADA, signer=None if other else BEN, **other))


def _by(person: SeatKey, match: Signing, opening: OpenedClaim) -> str:
    return person.sign(claims.message(SITE, opening.match, ADA, match.keys[ADA].public, opening.salt))
