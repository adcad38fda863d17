"""The answers that one match has given, so that a repeated message gets its first answer."""

from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec
from msgspec import Struct

from domain.kernel import (
    AbsenceClaimed,
    Act,
    Agreed,
    Chosen,
    Declined,
    Event,
    Game,
    HintAsked,
    NotAChoice,
    Offered,
    Resigned,
    Seat,
    State,
    VacationEnded,
    VacationTaken,
)
from domain.kernel.form import Answer, Form
from domain.kernel.state import plain
from domain.kernel.table import STANDING
from replay.record import signing
from server.wire.act_messages import Agree, Claim, Decline, Hint, Offer, Resign, TableMessage, Vacation
from server.wire.acts import meant
from server.wire.protocol import Choose

SEAT: Final = "seat"
"""The origin of messages from a seat's own client; the server's bot and clock have separate origins."""
ACTS: Final[dict[type[Event], type[Struct]]] = {
    Resigned: Resign,
    Offered: Offer,
    Agreed: Agree,
    Declined: Decline,
    AbsenceClaimed: Claim,
    VacationEnded: Vacation,
    VacationTaken: Vacation,
    HintAsked: Hint,
}
BESIDE: Final = ("ack_seq", "ack_head", "signed", "signature")
"""Fields that can differ when a message is repeated: they name the last line that the sender has verified."""


class AnsweredMessage(Struct):
    """The line that answered a message, the record's data about the message, and, if this server received the message,
    its hash. The hash is needed because the record does not store the text of an unsigned choice.

    `said`: hashes of the record's data about the message's text: of an act's text, or of the opening of a signed
    choice.
    """

    seq: int
    event: type[Event]
    number: int
    choice: int
    said: tuple[int, ...]
    sent: int = 0
    form: Form | None = None


class Answers:
    """The line of each choice and act by seat, origin and id; a client's ids are separate from the server's."""

    def __init__(self, game: Game[Any], before: Callable[[int], Awaitable[State]]) -> None:
        """`before`: gives the state before a line, from the record."""
        self._game, self._before = game, before
        self._known: dict[tuple[int, str, str], AnsweredMessage] = {}
        self._hinted: dict[tuple[int, int], int] = {}

    def note(self, event: Chosen | Act, seq: int) -> None:
        """Remember the line of a choice or an act."""
        if isinstance(event, HintAsked):
            self._hinted[event.seat, event.number] = seq
        if not event.id:
            return
        if isinstance(event, Chosen):
            opened = event.signed if isinstance(event.signed, tuple) else ()
            words = tuple(_print(msgspec.json.decode(text)) for text in opened[1:])
            found = AnsweredMessage(seq, type(event), event.number, _print(event.choice), words)
        else:
            words = (_print(signing.said(event)), _print(signing.undoes_last(event)))
            found = AnsweredMessage(
                seq, type(event), event.number if isinstance(event, Agreed | Declined) else 0, 0, words
            )
        self._known[event.seat, origin_of(event.by) if isinstance(event, Chosen) else SEAT, event.id] = found

    def line(self, seat: int, origin: str, name: str) -> int:
        """The line that answered an id; 0 if there is none."""
        found = self._known.get((seat, origin, name))
        return 0 if found is None else found.seq

    def hinted(self, seat: int, number: int) -> int:
        """The line in which a seat asked for a hint to a decision; 0 if it has not."""
        return self._hinted.get((seat, number), 0)

    def keep(self, seat: int, origin: str, message: Choose | TableMessage) -> None:
        """Note that a message was just accepted, so that it can be repeated with the same text."""
        found = self._known.get((seat, origin, message.id))
        if found is not None:
            found.sent = _words(message)

    async def is_same(self, seat: int, origin: str, message: Choose | TableMessage) -> bool:
        """Whether the message is the one that used its id first: compared by text or, for a choice, by meaning."""
        found = self._known[seat, origin, message.id]
        if found.sent and found.sent == _words(message):
            return True
        if isinstance(message, Choose):
            if found.event is not Chosen or message.decision != found.number:
                return False
            return _print(message.choice) in found.said or await self._meaning(found, message.choice) == found.choice
        return ACTS.get(found.event) is type(message) and _print(signing.said(meant(message, Seat(seat)))) in found.said

    async def _meaning(self, found: AnsweredMessage, answer: Any) -> int:
        """A hash of the choice that an answer means; 0 if it means no choice."""
        try:
            if isinstance(answer, dict) and "do" in answer:
                return _print(plain(self._game.read_choice(answer)))
            choice = (await self._form(found)).read(msgspec.convert(answer, Answer))
        except (NotAChoice, msgspec.ValidationError):
            return 0
        return 0 if choice is None else _print(plain(choice))

    async def _form(self, found: AnsweredMessage) -> Form:
        """The decision that the choice answered.

        It is read only on demand, because it is rarely needed and costs a fold.
        """
        if found.form is None:
            state = await self._before(found.seq)
            asked = next(asked for asked in state.asked if asked.number == found.number)
            found.form = self._game.revive_decision(asked).form(state)
        return found.form


def origin_of(by: str) -> str:
    """The origin of a choice, by its author.

    An answer signed ahead counts as the seat's own message, with the seat's ids.
    """
    return SEAT if by == STANDING else by


def _words(message: Choose | TableMessage) -> int:
    fields = msgspec.to_builtins(message)
    return _print({name: value for name, value in fields.items() if name not in BESIDE})


def _print(value: Any) -> int:
    """A number that distinguishes values within one process; never 0."""
    return hash(msgspec.json.encode(value, order="deterministic")) or 1
