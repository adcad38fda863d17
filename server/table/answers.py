"""What was answered already in one match: a message that comes again is answered as the first time."""

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
    NotAChoice,
    Offered,
    Resigned,
    VacationEnded,
    VacationTaken,
)
from domain.kernel.state import plain
from server.wire.protocol import Agree, Choose, Claim, Decline, Offer, Resign, TableMessage, Vacation

SEAT: Final = "seat"
"""The origin of what a seat's own client sends; the server's bot and clock answer for a seat under their own."""
ACTS: Final[dict[type[Event], type[Struct]]] = {
    Resigned: Resign,
    Offered: Offer,
    Agreed: Agree,
    Declined: Decline,
    AbsenceClaimed: Claim,
    VacationEnded: Vacation,
    VacationTaken: Vacation,
}
BESIDE: Final = ("ack_seq", "ack_head", "signed", "signature")
"""Fields of a message that may be others when it is sent again: what its sender has verified meanwhile."""


class Answered(Struct):
    """The line that answered a message, what the record says of it, and a print of the message where this server
    had it: the record does not keep in which words a choice was sent."""

    seq: int
    event: type[Event]
    number: int
    choice: int
    sent: int = 0


class Answers:
    """The line of each choice and act by seat, origin and id: a client's ids are apart from the server's own."""

    def __init__(self, game: Game[Any]) -> None:
        self._game = game
        self._known: dict[tuple[int, str, str], Answered] = {}

    def note(self, event: Chosen | Act, seq: int) -> None:
        """Remember the line of a choice or an act."""
        if not event.id:
            return
        if isinstance(event, Chosen):
            origin, number, choice = event.by, event.number, _print(event.choice)
        else:
            origin, number, choice = SEAT, event.number if isinstance(event, Agreed | Declined) else 0, 0
        self._known[event.seat, origin, event.id] = Answered(seq, type(event), number, choice)

    def line(self, seat: int, origin: str, name: str) -> int:
        """The line that answered an id; 0 where none did."""
        found = self._known.get((seat, origin, name))
        return 0 if found is None else found.seq

    def keep(self, seat: int, origin: str, message: Choose | TableMessage) -> None:
        """The message was accepted just now: it may come again in these words."""
        found = self._known.get((seat, origin, message.id))
        if found is not None:
            found.sent = _words(message)

    def is_same(self, seat: int, origin: str, message: Choose | TableMessage) -> bool:
        """Whether the message is the one that its id was used for.

        After a restart an answer to a prompt is told by its decision alone, and an act by its kind and number.
        """
        found = self._known[seat, origin, message.id]
        if found.sent and found.sent == _words(message):
            return True
        if isinstance(message, Choose):
            if found.event is not Chosen or message.decision != found.number:
                return False
            is_plain = isinstance(message.choice, dict) and "do" in message.choice
            return self._plain(message.choice) == found.choice if is_plain else not found.sent
        number = message.number if isinstance(message, Agree | Decline) else 0
        return not found.sent and ACTS.get(found.event) is type(message) and number == found.number

    def _plain(self, choice: dict[str, Any]) -> int:
        try:
            return _print(plain(self._game.read_choice(choice)))
        except NotAChoice:
            return 0


def _words(message: Choose | TableMessage) -> int:
    fields = msgspec.to_builtins(message)
    return _print({name: value for name, value in fields.items() if name not in BESIDE})


def _print(value: Any) -> int:
    """Tells values apart within one process; never 0."""
    return hash(msgspec.json.encode(value, order="deterministic")) or 1
