"""Decides the result of a choice, an act or a time-out in one match. It changes nothing itself."""

import asyncio
from typing import Any, Final, Generic, TypeVar

import msgspec
from msgspec.structs import replace

from domain.kernel import (
    Asked,
    Choice,
    Chosen,
    Event,
    Game,
    NotAChoice,
    NotBegun,
    NotOffered,
    OperatorRuled,
    Refusal,
    Seat,
    Signed,
    State,
    asked_of,
)
from domain.kernel.form import Answer, One, numbered
from domain.kernel.table import STANDING
from replay.record import sealing, signing, standing
from replay.record.errors import NotSigned
from replay.record.preparation import Preparation
from replay.record.referee import Referee, Ruling
from replay.store.log import Log
from server.table.table_state import TableState
from server.wire.act_messages import TableMessage
from server.wire.acts import act_on_past, unread
from server.wire.errors import PastAsked
from server.wire.protocol import ChoiceSignature, Choose

S = TypeVar("S", bound=State)
_ANSWER: Final = msgspec.json.Decoder(Answer)
NUMBERS: Final = 10**9
"""The largest possible number of an option."""
_encode: Final = msgspec.json.Encoder().encode


class Decider(Generic[S]):
    """Makes the rulings on choices, acts and time, one at a time.

    If the rules were corrected after the match began, the ruling first states, visibly to everybody, that the match
    continues under the new rules. The request itself is decided afterwards.
    """

    def __init__(self, referee: Referee[S], table_state: TableState[S], store: Log) -> None:
        self._referee, self._table_state, self._store = referee, table_state, store
        self._preparation = Preparation(referee)

    async def decide(self, seat: Seat, message: Choose, by: str) -> Ruling[S]:
        """The ruling on a choice. Raises `Refusal` if the choice is not allowed."""
        if owing := self._preparation.owing:
            whom = " and ".join(f"seat {owes + 1}" for owes in owing)
            raise NotBegun(f"The match has not begun: it waits for {whom} to reveal a share of chance (`reveal`).")
        asked = asked_of(self._referee.state, seat, message.decision)
        choice = read_choice(self._referee.game, self._referee.state, asked, message.choice)
        if self._referee.outdated:
            return self._referee.adopt_rules(self._table_state.now())
        note = Chosen(seat, asked.number, message.id, by, message.ack_seq, message.ack_head)
        if message.signed is not None and by == STANDING:
            given = message.signed
            note = standing.signed_ahead(self._referee.match, note, given.salt, given.text, given.signature)
        elif message.signed is not None:
            note = self._signed(note, message.signed)
        return self._referee.choose(seat, asked.number, choice, note, self._table_state.now())

    def _signed(self, note: Chosen, given: ChoiceSignature) -> Chosen:
        if self._referee.state.record == 1:
            return replace(note, signed=Signed(given.text, given.signature))
        try:
            mid, salt = sealing.unb64(self._referee.match), sealing.unb64(given.salt)
        except ValueError as wrong:
            raise NotSigned("The salt is 32 bytes as base64url.") from wrong
        made = signing.answer_commitment(mid, note.seat, note.number, salt, given.text.encode())
        opened = (given.salt, given.text)
        return replace(note, signed=opened, commitment=sealing.b64(made), signature=given.signature)

    async def judge(self, seat: Seat, message: TableMessage) -> Ruling[S] | None:
        """The ruling on an act, decided in a thread if the record has to be read.

        Raises `Refusal` if the act is not allowed.

        Returns None if, in the meantime, a commit whose asker is gone has changed the match.
        """
        act, at, seq = self._table_state.act(seat, message), self._table_state.now(), self._referee.seq
        try:
            return self._act(act)
        except PastAsked:
            pass
        try:
            ruling = await asyncio.to_thread(act_on_past, self._referee, self._store, act, at)
        except Refusal:
            if self._referee.seq == seq:
                raise
            return None
        return ruling if self._referee.seq == seq else None

    def failed(self) -> Ruling[S]:
        """The ruling that ends a match whose rules cannot continue. Raises `Refusal` if the match cannot be ended."""
        return self._referee.give_up(self._table_state.now())

    def ruled(self, act: OperatorRuled) -> Ruling[S]:
        """The ruling by which the host ends the match. Raises `Refusal` if the match cannot be ended."""
        return self._act(act)

    def due(self) -> Ruling[S] | None:
        """The ruling that is due by time; None when nothing is due. Raises `Refusal` if the rules refuse it."""
        due = self._table_state.due()
        return None if due is None else self._act(due)

    def _act(self, act: Event) -> Ruling[S]:
        referee, at = self._referee, self._table_state.now()
        return referee.adopt_rules(at) if referee.outdated else referee.act(act, at, unread)


def read_choice(game: Game[S], state: S, asked: Asked, answer: Any) -> Choice:
    """The choice that an answer to a decision means in the state or view. Raises `Refusal` if it means none."""
    if isinstance(answer, dict) and "do" in answer:
        try:
            return game.read_choice(answer)
        except NotAChoice as wrong:
            raise NotAChoice(f"{wrong.why}. Send one of the game's choices, or the number of an option.") from wrong
    form = game.form(asked, state)
    try:
        choice = form.read(_ANSWER.decode(_encode(answer)))
    except (msgspec.MsgspecError, OverflowError, RecursionError):
        choice = None
    number = numbered(answer) if choice is None and isinstance(form, One) else None
    if number is not None and abs(number) < NUMBERS:
        rule = game.revive_decision(asked).rule
        raise NotOffered(f"There is no option {number}; there are 0 to {form.count() - 1}.", rule)
    if choice is None:
        raise NotAChoice("The answer does not fit the question; answer as the prompt's fields say.")
    return choice
