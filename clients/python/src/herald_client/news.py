"""The news that a client receives while it follows a match."""

from typing import Any

from msgspec import Struct

from herald_client.messages import ChatLine, ClockInfo, OfferInfo, Presence, SeatInfo, TableInfo, Welcome
from herald_client.record import Line, Result
from herald_client.statements import Pointed


class Entered(Struct, frozen=True):
    """The match was entered, for the first time or again after a break."""

    welcome: Welcome


class Lost(Struct, frozen=True):
    """The connection is lost; `code` is the socket's. The client reconnects in `again_s` seconds."""

    code: int
    again_s: float


class Lines(Struct, frozen=True):
    """New lines of the record, verified, in their order."""

    lines: tuple[Line, ...]


class Shown(Struct, frozen=True):
    """The Scene has changed; `steps` led to it, none if it came whole."""

    scene: dict[str, Any]
    steps: tuple[dict[str, Any], ...] = ()


class Asked(Struct, frozen=True):
    """One's own seat is asked; once for each decision, and again if the answer was refused."""

    prompt: dict[str, Any]


class Clocked(Struct, frozen=True):
    """The present readings of the clocks, by seat."""

    clocks: dict[int, ClockInfo]


class Tabled(Struct, frozen=True):
    """The agreements around the match, the open offers, the seats whose share of chance is awaited."""

    table: TableInfo


class Offered(Struct, frozen=True):
    """An offer that one's own seat has to answer; once."""

    offer: OfferInfo


class Seated(Struct, frozen=True):
    """The holders of the seats."""

    seats: tuple[SeatInfo, ...]


class Presented(Struct, frozen=True):
    """The people present."""

    presence: Presence


class Chatted(Struct, frozen=True):
    """Lines of one's own room's chat."""

    lines: tuple[ChatLine, ...]


class Complained(Struct, frozen=True):
    """The server could not serve a message that no call waits for."""

    code: str
    why: str
    id: str = ""


class Ended(Struct, frozen=True):
    """The match is over."""

    result: Result


News = (
    Entered
    | Lost
    | Lines
    | Shown
    | Asked
    | Clocked
    | Tabled
    | Offered
    | Seated
    | Presented
    | Chatted
    | Pointed
    | Complained
    | Ended
)
