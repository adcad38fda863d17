"""A server's messages (docs/protocol.md), as structs: unknown fields and kinds are ignored."""

from typing import Any, Final

import msgspec
from msgspec import Struct

SUBPROTOCOL: Final = "herald.v1+json"


class Head(Struct, frozen=True):
    """Where a record ends: the last line and the chain's hash after it; `signed` is the server's checkpoint of it."""

    seq: int
    hash: str
    signed: str = ""


HeadInfo = Head


class OpenCards(Struct, frozen=True):
    """The delay after which spectators may see all hands: seconds, lines, and whether the phase has to be over."""

    s: int = 0
    events: int = 0
    phase: bool = False


class SeatInfo(Struct, frozen=True):
    """A seat and its holder; `kind` is `person`, `bot`, or empty while nobody holds it."""

    seat: int
    name: str = ""
    kind: str = ""


class ViewerInfo(Struct, frozen=True, rename={"role": "as"}):
    """The client's role: `seat`, `caster`, `spectator` or `open`, and the eyes through which it sees."""

    role: str = ""
    seat: int | None = None
    directs: bool = False


class Delay(Struct, frozen=True):
    """The delay of a spectator: lines, seconds, and whether the phase has to be over."""

    events: int = 0
    s: int = 0
    phase: bool = False


class ClockInfo(Struct, frozen=True):
    """A seat's clock in ms, and whether it runs; the vacation that is being taken, and the rest of it."""

    ms: int
    run: bool = False
    away_ms: int = 0
    vacation_ms: int = 0


class OfferInfo(Struct, frozen=True):
    """An open offer: its author, its `terms` (by the name in `is`), the seats that agreed, and those that have to."""

    number: int
    seat: int
    terms: dict[str, Any]
    agreed: tuple[int, ...] = ()
    asked: tuple[int, ...] = ()


class TableInfo(Struct, frozen=True):
    """The agreements around a match, its open offers, the seats whose `reveal` it awaits, and the time left for it.

    `hints`: a seat may ask for the search's choice (`Match.hint`); `hinted` are the open decisions for which a seat has
    asked.
    """

    time: dict[str, Any] = {}
    paused_ms: int = 0
    offers: tuple[OfferInfo, ...] = ()
    reveal: tuple[int, ...] = ()
    reveal_ms: int = 0
    hints: bool = False
    hinted: tuple[int, ...] = ()


class ChatLine(Struct, frozen=True):
    """A line of chat."""

    n: int
    at: int
    who: str
    text: str
    name: str = ""


class GameInfo(Struct, frozen=True):
    """A game that can be played: its options with their defaults, and its bots, the strongest first.

    `seats` is the number of seats with the default options; `seats_by` gives another number by the option and the value
    that alone cause it.
    """

    game: str
    title: str
    about: str = ""
    seats: int = 2
    options: dict[str, Any] = {}
    bots: tuple[str, ...] = ()
    values: dict[str, tuple[str | int, ...]] = {}
    quick: dict[str, Any] = {}
    seats_by: dict[str, dict[str, int]] = {}
    open_cards_s: int = 0
    lasting: tuple[str, ...] = ()


class MatchInfo(Struct, frozen=True):
    """A line of the list of matches. `rated`: the match was created so that its result counts for ratings."""

    match: str
    game: str
    title: str = ""
    created_ms: int = 0
    seats: tuple[SeatInfo, ...] = ()
    result: str = ""
    delay: Delay | None = None
    hints: bool = False
    rated: bool = False
    open_cards: OpenCards | None = None


class Turn(Struct, frozen=True):
    """A match that continues; whether it waits for the seat, and when the seat's time is over, in ms."""

    match: str
    seat: int
    game: str = ""
    title: str = ""
    yours: bool = False
    due_ms: int = 0


class _Told(Struct, frozen=True, tag_field="t"):
    """A server's message."""


class Welcome(_Told, frozen=True, tag="welcome"):
    """The client is in a match. `keys`: the audience keys it may have, by mask."""

    match: str
    game: str
    title: str
    rules: str
    viewer: ViewerInfo
    seats: tuple[SeatInfo, ...]
    head: Head
    keys: dict[str, str]
    status: str = ""
    delay: Delay | None = None
    clocks: dict[str, ClockInfo] = {}
    table: TableInfo | None = None
    open_cards: OpenCards | None = None


class Snapshot(_Told, frozen=True, tag="snapshot"):
    """The whole Scene after line `seq`."""

    seq: int
    scene: dict[str, Any]
    head: Head
    clocks: dict[str, ClockInfo] = {}
    table: TableInfo | None = None


class Events(_Told, frozen=True, tag="events", rename={"first": "from", "last": "to"}):
    """Lines `from` to `to`, and the steps that change the Scene at `from` - 1. `salts`: the salts of open cards, by
    line.
    """

    first: int
    last: int
    items: tuple[tuple[str, tuple[tuple[int, str], ...]], ...]
    head: Head
    steps: tuple[dict[str, Any], ...] = ()
    clocks: dict[str, ClockInfo] = {}
    table: TableInfo | None = None
    salts: tuple[tuple[str, ...], ...] = ()


class Checkpoint(_Told, frozen=True, tag="checkpoint"):
    """The server's signature under the last line at a later time."""

    seq: int
    signed: str


class Accepted(_Told, frozen=True, tag="accepted"):
    """A request is committed: it is line `seq`."""

    id: str
    seq: int


class Foreseen(_Told, frozen=True, tag="foreseen"):
    """The consequences of a choice, in sentences; `roll` the dice, `lost` and `vain` the reasons against it.

    `final`: the sentence that the choice could not be taken back without the others' consent. Each is empty if nothing
    is certain.
    """

    id: str
    decision: int
    lines: tuple[str, ...] = ()
    roll: str = ""
    lost: str = ""
    vain: str = ""
    final: str = ""
    english: tuple[str, ...] = ()


class Point(Struct, frozen=True):
    """The number of times that the match was played out from a line, and by side the share won with its bounds."""

    line: int
    samples: int
    share: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


class TurningPoint(Struct, frozen=True):
    """A change of a side's chances between two points, ± `error`."""

    before: int
    line: int
    side: int
    change: float
    error: float


class Preferred(Struct, frozen=True):
    """A seat's answer `made` after a line, and the answer `other`, which the search prefers by `gain` ± `error`."""

    line: int
    seat: int
    made: str
    other: str
    gain: float
    error: float
    lang: str = ""


class Fortune(Struct, frozen=True):
    """The dice of a seat that had to show something: their number, the successes, and the expected successes with their
    spread.
    """

    seat: int
    dice: int
    successes: int
    expected: float
    spread: float


class Weighing(Struct, frozen=True):
    """A choice that was tried: how often its side won, ± `error`, and the frequency with which to choose it."""

    choice: str
    share: float
    error: float
    weight: float
    lang: str = ""


class Counsel(Struct, frozen=True):
    """The choices that the search would make for a seat's question, the best first."""

    seat: int
    ask: str
    choices: tuple[Weighing, ...]
    lang: str = ""


class Judged(_Told, frozen=True, tag="judged"):
    """The findings so far on a match that is over, or on one line of it: `done` parts of `of`."""

    id: str
    done: int
    of: int
    line: int = 0
    sides: tuple[tuple[int, ...], ...] = ()
    points: tuple[Point, ...] = ()
    end: int = 0
    won: tuple[int, ...] = ()
    turnings: tuple[TurningPoint, ...] = ()
    better: tuple[Preferred, ...] = ()
    luck: tuple[Fortune, ...] = ()
    advice: tuple[Counsel, ...] = ()

    def __repr__(self) -> str:
        return f"Judged({self.line}, {self.done} of {self.of})"


class Suggested(Struct, frozen=True):
    """A choice that was tried, in words and as `choose` takes it: one's own side's chance to win after it ± `error`,
    and how often to choose it.
    """

    choice: str
    answer: Any
    share: float
    error: float
    weight: float
    lang: str = ""


class Hinted(_Told, frozen=True, tag="hinted"):
    """The choices that the search would make, the best first, and the gain of the best over the second, ± `error`.

    `done` trials of `of`: 1 of 1 for the last result; fewer for an early result, which comes only on request.
    """

    id: str
    decision: int
    choices: tuple[Suggested, ...]
    gain: float = 0.0
    error: float = 0.0
    done: int = 1
    of: int = 1

    def __repr__(self) -> str:
        return f"Hinted({self.decision})"


class Passage(Struct, frozen=True):
    """The words of a lesson's voice, the things on the table that they mean, and the rows of the rules behind them."""

    say: str
    point: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()


class Studied(_Told, frozen=True, tag="studied"):
    """The state of a lesson: `at` its `way`, `off` it (`back` choices lead back to it) or its `end`.

    `heard` answers the last choice, `read` says what to do now; `likely` are choices that the rules refuse. `scene` is
    the table, `deltas` are its changes.
    """

    id: str
    title: str
    at: str
    language: str
    done: int
    steps: int
    read: tuple[Passage, ...] = ()
    heard: tuple[Passage, ...] = ()
    likely: tuple[Passage, ...] = ()
    back: int = 0
    next: str = ""
    scene: dict[str, Any] | None = None
    deltas: tuple[dict[str, Any], ...] = ()


class Refusal(_Told, frozen=True, tag="refused"):
    """A choice or an act was refused."""

    id: str
    code: str
    why: str
    rule: str = ""
    lang: str = ""


class Fault(_Told, frozen=True, tag="error"):
    """A message could not be served."""

    code: str
    why: str
    id: str = ""
    lang: str = ""


class Presence(_Told, frozen=True, tag="presence"):
    """The seats that are connected, the number of spectators, and the seats that share their view."""

    seats: tuple[int, ...] = ()
    spectators: int = 0
    casters: int = 0
    shared: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    thinking: tuple[int, ...] = ()
    directed: tuple[int, ...] = ()


class Directed(_Told, frozen=True, tag="directed"):
    """The view that a director chooses, as docs/protocol.md has it; None once the direction has ended.

    `said` is the text about it that the server has signed, and `signed` the server's key and signature.
    """

    direction: dict[str, Any] | None = None
    name: str = ""
    said: str = ""
    signed: str = ""


class Kept(_Told, frozen=True, tag="kept"):
    """A part of a commentary is stored; the number of bytes of its sound so far."""

    id: str
    bytes: int = 0


class Said(_Told, frozen=True, tag="said"):
    """Lines of chat."""

    lines: tuple[ChatLine, ...]


class Granted(_Told, frozen=True, tag="granted"):
    """A caster's token."""

    token: str


class Revoked(_Told, frozen=True, tag="revoked"):
    """No caster's token is valid any more."""


class Notified(_Told, frozen=True, tag="notified"):
    """The secret with which messages to the seat's address are signed."""

    secret: str = ""


class Turns(_Told, frozen=True, tag="turns"):
    """The requested matches that continue."""

    turns: tuple[Turn, ...]


class SeatsChanged(_Told, frozen=True, tag="seats"):
    """Somebody sat down."""

    seats: tuple[SeatInfo, ...]


class Pong(_Told, frozen=True, tag="pong"):
    """The answer to `ping`."""

    n: int = 0


class Games(_Told, frozen=True, tag="games"):
    """The games that can be played."""

    games: tuple[GameInfo, ...]


class Matches(_Told, frozen=True, tag="matches"):
    """The matches that are listed."""

    open: tuple[MatchInfo, ...]
    running: tuple[MatchInfo, ...]
    finished: tuple[MatchInfo, ...]


class Created(_Told, frozen=True, tag="created"):
    """A new match, the tokens of its seats, and the invitations to others, by seat, all of which are sent only once."""

    match: str
    tokens: dict[str, str]
    id: str = ""
    invitations: dict[str, str] = {}

    def __repr__(self) -> str:
        return f"Created({self.match})"


class Joined(_Told, frozen=True, tag="joined"):
    """The seat that was taken, and its token."""

    match: str
    seat: int
    token: str
    id: str = ""

    def __repr__(self) -> str:
        return f"Joined({self.match}, {self.seat})"


class InvitedSeat(Struct, frozen=True):
    """A seat of the match to which somebody is invited; `waits`: it is kept for an invitation."""

    seat: int
    name: str = ""
    kind: str = ""
    waits: bool = False


class Invited(_Told, frozen=True, tag="invited"):
    """The contents of an invitation: match, game, options, clock and seats; `by` is the seat of the inviting player."""

    match: str
    game: str
    title: str
    seat: int
    seats: tuple[InvitedSeat, ...]
    options: dict[str, Any] = {}
    time: dict[str, Any] = {}
    by: int | None = None
    until_ms: int = 0
    hints: bool = False
    closed: bool = False
    id: str = ""
    rated: bool = False
    open_cards: OpenCards | None = None

    @property
    def inviter(self) -> str:
        """The name of the inviting player; "" if it is not known."""
        return next((one.name for one in self.seats if one.seat == self.by), "")


class Withdrawn(_Told, frozen=True, tag="withdrawn"):
    """The invitation that opens the seat now; the earlier one opens nothing."""

    match: str
    seat: int
    invitation: str
    id: str = ""

    def __repr__(self) -> str:
        return f"Withdrawn({self.match}, {self.seat})"


class Renewed(_Told, frozen=True, tag="renewed"):
    """The seat is open to its new token alone."""

    id: str = ""


class Voucher(Struct, frozen=True):
    """The device `by` has signed, at the server `site`, that the device `key` belongs to the same person."""

    site: str
    by: str
    key: str
    signature: str


class PersonInfo(Struct, frozen=True):
    """The opening of a claim to a seat, and the handle of its person by the server's word."""

    seat: int
    line: int
    site: str
    key: str
    salt: str
    signature: str
    handle: str
    vouchers: tuple[Voucher, ...] = ()

    def __repr__(self) -> str:
        return f"PersonInfo({self.line})"


class PersonsTold(_Told, frozen=True, tag="persons-told"):
    """The persons behind the seats who show themselves here."""

    persons: tuple[PersonInfo, ...]
    id: str = ""


class KeptAnswer(Struct, frozen=True):
    """An answer ahead that the server keeps and has not used: its id and its instruction as JSON."""

    id: str
    text: str


class AheadTold(_Told, frozen=True, tag="ahead-told"):
    """The answers that the server keeps for one's own seat, in the order in which it would use them."""

    answers: tuple[KeptAnswer, ...]
    id: str = ""


class Devices(_Told, frozen=True, tag="devices"):
    """The number of devices on which one's own seat is open now."""

    n: int


class Rematch(_Told, frozen=True, tag="rematch"):
    """The seats that would like to play once more; when all do, the new `match`, one's own `seat` there and its
    `token`.
    """

    asked: tuple[int, ...]
    match: str = ""
    seat: int = 0
    token: str = ""

    def __repr__(self) -> str:
        return f"Rematch({self.asked}, {self.match})"


Told = (
    Welcome
    | Snapshot
    | Events
    | Checkpoint
    | Accepted
    | Foreseen
    | Judged
    | Hinted
    | Studied
    | Refusal
    | Fault
    | Presence
    | Said
    | Directed
    | Kept
    | Granted
    | Revoked
    | Notified
    | Turns
    | SeatsChanged
    | Pong
    | Games
    | Matches
    | Created
    | Joined
    | Invited
    | Withdrawn
    | Renewed
    | PersonsTold
    | AheadTold
    | Devices
    | Rematch
)

KINDS: Final = (
    Welcome, Snapshot, Events, Checkpoint, Accepted, Foreseen, Judged, Hinted, Studied, Refusal, Fault, Presence,
    Said, Directed, Kept, Granted, Revoked, Notified, Turns, SeatsChanged, Pong, Games, Matches, Created, Joined,
    Invited, Withdrawn, Renewed, PersonsTold, AheadTold, Devices, Rematch,
)  # fmt: skip
"""Every message that is known here."""

_KNOWN: Final = frozenset(str(kind.__struct_config__.tag) for kind in KINDS)


class _Named(Struct, frozen=True):
    t: str


_told: msgspec.json.Decoder[Told] = msgspec.json.Decoder(Told)
_named: msgspec.json.Decoder[_Named] = msgspec.json.Decoder(_Named)
_encode = msgspec.json.Encoder().encode


def read_told(frame: str | bytes) -> Told | None:
    """A server's message; None for an unknown kind. Raises `ValueError` for bytes that are no message."""
    try:
        return _told.decode(frame)
    except msgspec.ValidationError:
        if _named.decode(frame).t in _KNOWN:
            raise
        return None


def written(message: dict[str, Any]) -> str:
    """A client's message as a frame."""
    return _encode(message).decode()
