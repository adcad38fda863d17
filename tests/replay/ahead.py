"""Matches in which seats answer by what they signed ahead, and such answers that a server or somebody else makes up."""

import copy
import secrets
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from domain.kernel import Chosen, Offered, Seat, TakeBack
from domain.kernel.act import line_before
from domain.kernel.table import STANDING
from replay.files.export import Record
from replay.record import sealing
from replay.record.preparation import Preparation
from replay.record.signing import SeatKey, key_said
from replay.record.standing import Instruction, commitment, message
from tests.replay.dishonest import ADA, BO, Signing
from tests.replay.drafts import LAST_CHOICE, Draft, Match
from tests.skirmish.game import Take

TAKE: Final = Instruction("Pursuit", {}, 100, {"do": "Take"})


def instructed(key: SeatKey, match: str, note: Chosen, said: Instruction, salt: bytes) -> Chosen:
    """The note of an answer by an instruction that a key signs: it has the seat, the id and the line seen then."""
    text, mid = msgspec.json.encode(said), sealing.unb64(match)
    made = commitment(mid, note.seat, salt, text)
    signature = key.sign(message(mid, note.seat, note.ack_seq, note.ack_head, note.id, made))
    opened = (sealing.b64(salt), text.decode())
    return replace(note, by=STANDING, commitment=sealing.b64(made), signature=signature, signed=opened)


def asked_to_pursue(other: str = "person", version: int = sealing.VERSION) -> Signing:
    """A match that waits for the winner of its first round."""
    match = Signing(other, version)
    while match.referee.state.asked[0].kind != "Pursuit":
        match.choose()
    return match


def seat_of(match: Signing) -> Seat:
    """The seat that is asked."""
    return Seat(match.referee.state.asked[0].seat)


def ahead(
    match: Signing,
    said: Instruction = TAKE,
    *,
    seat: Seat | None = None,
    number: int | None = None,
    name: str = "s1",
    key: SeatKey | None = None,
    at: int | None = None,
    of: str = "",
) -> Chosen:
    """An answer to the open question, or `number`, that was signed behind the last line, or line `at`."""
    asked, referee = match.referee.state.asked[0], match.referee
    who = asked.seat if seat is None else seat
    line = referee.seq if at is None else at
    head = referee.head_at(line) or bytes(32)
    note = Chosen(who, asked.number if number is None else number, name, STANDING, line, sealing.b64(head))
    return instructed(key or match.keys[who], of or referee.match, note, said, secrets.token_bytes(32))


def put(match: Signing, note: Chosen) -> list[str]:
    """Make the referee take an answer that was signed ahead."""
    assert isinstance(note.signed, tuple), "the seat has signed"
    choice = match.referee.game.read_choice(msgspec.json.decode(note.signed[1])["then"])
    return match.put(match.referee.choose(note.seat, note.number, choice, note, match.now()))


def answered(*, is_over: bool = False) -> Signing:
    """A match in which a seat has taken its point by an instruction; `is_over`: played to its end."""
    match = asked_to_pursue()
    put(match, ahead(match))
    match.choose(100 if is_over else 0)
    return match


def add(draft: Draft, note: Chosen, *, choice: Any = None, actor: int | None = None, cause: str = "") -> None:
    """Write an answer into a draft as its server likes, with what follows from it left out."""
    fields = msgspec.to_builtins(note)
    opened = fields.pop("signed", None)
    fields.pop("choice", None)
    mask = 1 << note.seat
    slots = [(mask, msgspec.to_builtins(Take()) if choice is None else choice), (mask, opened)]
    draft.add("Chosen", fields, slots, actor=note.seat if actor is None else actor, cause=cause)


def forged(make: Callable[[Signing], Chosen], **more: Any) -> Record:
    """A match that waits for the winner of a round, and what is said to be its answer."""
    match = asked_to_pursue()
    draft = Draft(match.record())
    add(draft, make(match), **more)
    return draft.done()


def by_a_seat_without_a_key() -> Record:
    match = Match(2)
    seat, number = match.asked
    draft = match.draft()
    draft.add(
        "Chosen",
        {"seat": seat, "number": number, "id": "s1", "by": STANDING},
        [(1 << seat, {"do": "Take"}), (1 << seat, None)],
        actor=seat,
    )
    return draft.done()


def by_a_bot() -> Record:
    match = asked_to_pursue("bot")
    while seat_of(match) != BO:  # the cards of another match let the bot win
        match = asked_to_pursue("bot")
    draft = Draft(match.record())
    add(draft, ahead(match))
    return draft.done()


def in_an_older_record() -> Record:
    match = asked_to_pursue(version=2)
    draft = Draft(match.record())
    add(draft, ahead(match))
    return draft.done()


def twice() -> Record:
    """One answer for two questions."""
    match = asked_to_pursue()
    seat, note = seat_of(match), ahead(match)
    put(match, note)
    draft = Draft(match.record())
    number = next(asked.number for asked in match.referee.state.asked if asked.seat == seat)
    add(draft, replace(note, number=number))
    return draft.done()


def before_a_choice_by_hand() -> Record:
    """What was signed before the seat's own last choice has ended with it."""
    match = Signing()
    early = match.referee.seq
    while match.referee.state.asked[0].kind != "Pursuit":
        match.choose()
    draft = Draft(match.record())
    add(draft, ahead(match, at=early))
    return draft.done()


def before_another_key() -> Record:
    match = asked_to_pursue()
    seat, early, fresh = seat_of(match), match.referee.seq, SeatKey()
    signature = match.keys[seat].said(match.referee.match, seat, key_said(fresh.public))
    match.put(Preparation(match.referee).set_key(seat, fresh.public, signature, match.now()))
    match.keys[seat] = fresh
    draft = Draft(match.record())
    add(draft, ahead(match, at=early))
    return draft.done()


def before_a_takeback() -> Record:
    """A position was set since: the seat has not said what it wants there."""
    match = Signing()
    match.choose()
    seat = match.referee.state.asked[0].seat
    early = match.referee.seq
    other = Seat(1 - seat)
    match.act(Offered(other, number=1, terms=TakeBack(line_before(match.past(), other))))
    asked = next(one for one in match.referee.state.asked if one.seat == seat)
    draft = Draft(match.record())
    card = asked_card(match, asked.seat)
    said = Instruction(asked.kind, {}, 100, {"do": "Play", "card": card})
    note = ahead(match, said, seat=asked.seat, number=asked.number, at=early)
    add(draft, note, choice={"do": "Play", "card": card})
    return draft.done()


def asked_card(match: Signing, seat: Seat) -> int:
    """A card that the seat can play."""
    return int(match.referee.state.hands[seat][0])


FORGERIES: dict[str, Callable[[], Record]] = {
    "an answer ahead of a seat without a key": by_a_seat_without_a_key,
    "an answer ahead of a bot": by_a_bot,
    "an answer ahead in a record of version 2": in_an_older_record,
    "an answer ahead, used twice": twice,
    "an answer from before the seat's own choice": before_a_choice_by_hand,
    "an answer from before another key": before_another_key,
    "an answer from before a takeback": before_a_takeback,
    "an answer ahead by another key": partial(forged, lambda match: ahead(match, key=SeatKey())),
    "an answer ahead by the other seat": partial(
        forged, lambda match: replace(ahead(match, seat=Seat(1 - seat_of(match))), seat=seat_of(match))
    ),
    "an answer ahead of another match": partial(forged, lambda match: ahead(match, of=Signing().referee.match)),
    "an answer ahead without a signature": partial(forged, lambda match: replace(ahead(match), signature="")),
    "an answer ahead without a commitment": partial(forged, lambda match: replace(ahead(match), commitment="")),
    "an answer ahead under another id": partial(forged, lambda match: replace(ahead(match), id="s2")),
    "an answer ahead that acknowledges nothing": partial(
        forged, lambda match: replace(ahead(match), ack_seq=0, ack_head="")
    ),
    "an answer ahead, said to be by hand": partial(forged, lambda match: replace(ahead(match), by="seat")),
    "an answer by hand, said to be ahead": partial(forged, lambda match: replace(by_hand(match), by=STANDING)),
    "an answer ahead to no open question": partial(forged, lambda match: ahead(match, number=99)),
    "an answer ahead by the server's hand": partial(forged, ahead, actor=-1),
    "an answer ahead that follows from a choice": partial(forged, ahead, cause=LAST_CHOICE),
}
"""The faults that every verifier finds in every view."""


def by_hand(match: Signing) -> Chosen:
    """The right answer to the open question, signed as an ordinary answer."""
    asked = match.referee.state.asked[0]
    return match.note(asked.seat, asked.number, {"do": "Take"})


OPENED: Final[dict[str, Callable[[], Record]]] = {
    "another kind": partial(forged, lambda match: ahead(match, replace(TAKE, kind="CardSelection"))),
    "other terms": partial(forged, lambda match: ahead(match, replace(TAKE, terms={"card": 1}))),
    "until an earlier question": partial(forged, lambda match: ahead(match, replace(TAKE, until=1))),
    "another choice": partial(forged, lambda match: ahead(match, replace(TAKE, then={"do": "Press"}))),
    "another salt": partial(forged, lambda match: _opened(ahead(match), salt=sealing.b64(bytes(32)))),
    "a text that is none": partial(forged, lambda match: _opened(ahead(match), text="{}")),
    "nothing": partial(forged, lambda match: replace(ahead(match), signed=copy.copy(Chosen(ADA, 1).signed))),
}
"""The signed instruction does not match the choice: everybody who holds the seat's slots finds that."""


def _opened(note: Chosen, salt: str = "", text: str = "") -> Chosen:
    had = note.signed
    assert isinstance(had, tuple), "the seat has signed"
    return replace(note, signed=(salt or had[0], text or had[1]))
