"""The wire: every message of subprotocol `herald.v1+json`. docs/protocol.md is made from this module.

A message is one JSON text frame; `t` names its kind. Unknown fields in a client's message are an error.
"""

import re
from typing import Annotated, Any, Final, Literal, get_args

import msgspec
from msgspec import Meta, Struct

from domain.kernel import OfferTerms, OpenCards, TimeControl
from server.wire.account_messages import AccountAnswer, AccountMessage
from server.wire.act_messages import TableMessage
from server.wire.analysis_messages import Judge, Judged
from server.wire.direction_messages import Direct, Directed, Kept, Remark, Voice
from server.wire.errors import BadMessage
from server.wire.foresight_messages import Foresee, Foreseen
from server.wire.hint_messages import Hinted, StopHint
from server.wire.inviting import Devices, Invited, ReadInvitation, Renew, Renewed, Withdraw, Withdrawn
from server.wire.lesson_messages import Consider, Studied, Study
from server.wire.notice_messages import NoticeAnswer, NoticeMessage
from server.wire.opponent_messages import OpponentAnswer, OpponentMessage
from server.wire.person_messages import ClaimSeat, PersonsTold, ReadPersons
from server.wire.rematch_messages import Again, Rematch
from server.wire.safety_messages import Report, Reported, SafetyAnswer, SafetyMessage
from server.wire.standing_messages import Ahead, AheadTold
from server.wire.words import Bytes32, Device, Id, In, Language, MatchId, MaybeId, Name, Out, Seq, Signature, Token

SUBPROTOCOL: Final = "herald.v1+json"
FRAME_LIMIT: Final = 64 * 1024
"""The most bytes in a client's frame; a larger one closes the connection (1009)."""


class Hello(In, frozen=True, tag="hello"):
    """Enter a match: with a seat's token, a caster's, or as a spectator. To be sent within five seconds of connecting.
    As `open`: a spectator of open cards, if the seats have agreed to them; with a director's token, a director.

    `name`: of a spectator, in chat and presence (without it, only counted); or of a player who sits down by a link.

    `since`: the last line already held; the lines after it follow. `caps`: the client's abilities: `scene` for Scenes
    and Steps, otherwise lines only. `lang`: the language of Scenes, lines of the chronicle and refusals, as two
    letters; texts that Herald lacks in it are in English.

    `key`: if this hello sits down, the public key that signs for the seat from then on. `device`: a random name that a
    client keeps, so that the holder of a seat learns the number of devices on which it is open; without `device` each
    connection counts as one.
    """

    match: MatchId
    token: Token = ""
    viewer: Literal["", "spectator", "open"] = msgspec.field(default="", name="as")
    since: Seq | None = None
    caps: Annotated[tuple[Annotated[str, Meta(max_length=16)], ...], Meta(max_length=8)] = ()
    name: Name = ""
    lang: Language = "en"
    key: Bytes32 = ""
    device: Device = ""

    def __repr__(self) -> str:
        return f"Hello({self.match})"


class ChoiceSignature(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A choice as its seat signs it (docs/record.md 5): the answer as JSON, the salt of the client's commitment to it,
    and the Ed25519 signature over that. In a match of version 1 only `text` is signed, and there is no salt."""

    text: Annotated[str, Meta(max_length=8192)]
    signature: Annotated[str, Meta(max_length=86)]
    salt: Bytes32 = ""

    def __repr__(self) -> str:
        return "ChoiceSignature()"


class Choose(In, frozen=True, tag="choose"):
    """Answer a decision. `id` is the client's own. If it is sent twice, it is answered as the first time; for another
    decision or another choice it is refused (`id-used`).

    `choice` is an answer in the form of docs/scene.md 4 (an option's number, item ids, or item to slot), or a choice as
    plain data with its name in `do`. `ack_seq` and `ack_head` are the last line the client has verified. `signed` is
    needed if the seat has a key.
    """

    id: Id
    decision: Seq
    choice: Any
    ack_seq: Seq = 0
    ack_head: Bytes32 = ""
    signed: ChoiceSignature | None = None

    def __repr__(self) -> str:
        return f"Choose({self.id!r}, {self.decision})"


class Reveal(In, frozen=True, tag="reveal"):
    """Reveal the seat's share of chance, 32 bytes, once every seat's `EntropyCommitted` has been seen, or once
    `table.reveal` names the client's seat. `table.reveal_ms` says how long the match waits: 60 seconds, after which it
    is void; with `shares`, without end. A message with an `id` is answered by `accepted`, others only by the lines.
    """

    entropy: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{43}$")]

    def __repr__(self) -> str:
        return "Reveal()"


class Share(In, frozen=True, tag="share"):
    """Fix the seat's share of chance: the commitment to 32 bytes, signed if the seat has a key (docs/record.md 4).

    A match that was created with `shares` begins when every person's client has done so.
    """

    entropy: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{43}$")]
    signature: Signature = ""

    def __repr__(self) -> str:
        return "Share()"


class SetKey(In, frozen=True, tag="key"):
    """Sign with another key from now on: an Ed25519 public key, signed with the former one.

    Without a signature, because there was none before or it is lost, the key counts from here on, as everybody sees.
    """

    key: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{43}$")]
    signature: Signature = ""


class Need(In, frozen=True, tag="need"):
    """Send the lines after `since` again, and the Scene: the client saw a gap."""

    since: Seq


class Grant(In, frozen=True, tag="grant"):
    """Let somebody watch one's own seat's view without choosing: answered by `granted` with a caster's token.

    Everybody in the match sees in `presence` that the seat is shared. `directs`: the token is a director's. Its holder
    watches as any spectator does, sees nothing of the seat's, and chooses the view of spectators (`direct`).
    """

    directs: bool = False


class Revoke(In, frozen=True, tag="revoke"):
    """Take back every caster's and director's token of one's seat; connections that use one are closed with 4010."""


class Chat(In, frozen=True, tag="chat"):
    """Say something to one's own room: seats to seats, spectators to spectators. It is no part of the record."""

    text: Annotated[str, Meta(min_length=1, max_length=500)]

    def __repr__(self) -> str:
        return "Chat()"


class Mute(In, frozen=True, tag="mute"):
    """Until this connection ends, mute somebody (`who` as chat lines name it, or `*` for all), or hear them again."""

    who: Annotated[str, Meta(min_length=1, max_length=16)]
    on: bool = True


class Notify(In, frozen=True, tag="notify"):
    """For the holder of a seat: send an HTTPS POST to `url` when it is the seat's move; "": stop (docs/hosting.md).

    Answered by `notified`. A server sends such requests only if its operator allows it.
    """

    url: Annotated[str, Meta(max_length=500)]

    def __repr__(self) -> str:
        return "Notify()"


class HeldSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat by its match and token."""

    match: MatchId
    token: Token

    def __repr__(self) -> str:
        return f"HeldSeat({self.match})"


class ListTurns(In, frozen=True, tag="turns"):
    """Ask which of one's own matches wait for the client's move."""

    seats: Annotated[tuple[HeldSeat, ...], Meta(max_length=32)]


class Ping(In, frozen=True, tag="ping"):
    """Answered by `pong` with the same number."""

    n: Seq = 0


class ListGames(In, frozen=True, tag="games"):
    """Ask for the games that can be played. `lang`: the language of answers before a `hello`, as there."""

    lang: Language = "en"


class ListMatches(In, frozen=True, tag="matches"):
    """Ask for the open, running and finished matches that are listed. `lang` is as in `games`."""

    lang: Language = "en"


class SeatWish(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The holder of a seat in a new match: the creator, an invited person, anybody who joins, or a bot of a kind.

    `invited`: the first to sit down with the invitation in `created`, under a token of their own. `friend`, for
    programs that hold several seats: the creator gets the seat's token; with a `name` the seat is taken at once.

    For the creator: `key`, an Ed25519 public key that will sign the seat's choices; `entropy`, for a seat without a
    key, the commitment to the seat's own share of chance, which it will reveal (docs/record.md 4): a seat with a key
    sends it signed, as `share`. Without a share, the server contributes one, unless the match waits for it (`shares`).
    """

    kind: Literal["me", "friend", "open", "bot", "invited"]
    name: Name = ""
    bot: Annotated[str, Meta(max_length=32)] = ""
    key: Bytes32 = ""
    entropy: Bytes32 = ""


class Create(In, frozen=True, tag="create"):
    """Create a match; answered by `created` with the tokens of the seats `me` and `friend`, and with invitations.

    `reveal`: the viewers who may hold every secret of the match once it has ended. `closed`: only casters watch; for
    everybody else the match does not exist. `delay_events`, `delay_s`: spectators see a state that is this many lines
    and seconds old, until the match has ended. `time`: how time is measured, and the consequence when it is over.
    `shares`: the match begins when every person's client has given a share of chance. `scenario`: the text of a
    scenario file (docs/scenarios.md) in whose position the match begins, with its options unless `options` names
    others; `case` is one of its cases, by default the first. `hints`: each seat may ask for the search's choice
    (`hint`), as everybody sees. `rated`: its result counts; it requires `shares` and a public `reveal`, and allows no
    `hints` and no `scenario`. `open_cards`: line 1 says that spectators see all hands with this delay; a delay below
    the game's own (`open_cards_s` in `games`) needs `open_cards_sooner`.
    """

    game: Annotated[str, Meta(max_length=64)]
    seats: Annotated[tuple[SeatWish, ...], Meta(min_length=1, max_length=8)]
    options: dict[str, Any] = {}
    listed: bool = True
    title: Annotated[str, Meta(max_length=80)] = ""
    reveal: Literal["public", "seats", "auditor"] = "public"
    closed: bool = False
    delay_events: Annotated[int, Meta(ge=0, le=1000)] = 0
    delay_s: Annotated[int, Meta(ge=0, le=86_400)] = 0
    time: TimeControl = TimeControl()
    shares: bool = False
    scenario: Annotated[str, Meta(max_length=48_000)] = ""
    case: Annotated[str, Meta(max_length=64)] = ""
    hints: bool = False
    rated: bool = False
    open_cards: OpenCards | None = None
    open_cards_sooner: bool = False


class Branch(In, frozen=True, tag="branch"):
    """Begin a new match from the state of another after line `seq`, or at the last pause before it (docs/replay.md).

    Answered by `created`. `token` identifies the client, as in `hello`; without it, a spectator. It begins with the
    client's knowledge, and the rest is drawn anew; it begins with everything once the match has ended and its secrets
    are open to the client. Then `eyes` may name others: `all`, `spectator`, `seat0` ... Only such a branch is `listed`.
    `shares` and `hints` are as in `create`; a branch of a running match without hints has none.
    """

    match: MatchId
    seq: Seq
    seats: Annotated[tuple[SeatWish, ...], Meta(min_length=1, max_length=8)]
    token: Token = ""
    eyes: Annotated[str, Meta(max_length=16)] = ""
    listed: bool = False
    title: Annotated[str, Meta(max_length=80)] = ""
    shares: bool = False
    hints: bool = False

    def __repr__(self) -> str:
        return f"Branch({self.match}, {self.seq})"


class Join(In, frozen=True, tag="join"):
    """Take an open seat, or the seat of an `invitation`; answered by `joined` with its token.

    `token`: drawn and stored by the client before it asks, so that after a lost answer it can ask again and gets the
    same answer; without one, the server draws it. `key` and `entropy` are as in the wish for a seat.
    """

    match: MatchId
    seat: Annotated[int, Meta(ge=0, le=7)] = 0
    name: Name = ""
    key: Bytes32 = ""
    entropy: Bytes32 = ""
    invitation: Token = ""
    token: Bytes32 = ""

    def __repr__(self) -> str:
        return f"Join({self.match}, {self.seat})"


ClientMessage = (
    Hello
    | Choose
    | Reveal
    | Share
    | SetKey
    | TableMessage
    | Notify
    | ListTurns
    | Need
    | Foresee
    | Judge
    | StopHint
    | Study
    | Consider
    | Grant
    | Revoke
    | Chat
    | Mute
    | Direct
    | Remark
    | Voice
    | Ping
    | ListGames
    | ListMatches
    | Create
    | Branch
    | Join
    | ReadInvitation
    | Withdraw
    | Renew
    | Again
    | AccountMessage
    | SafetyMessage
    | NoticeMessage
    | Report
    | OpponentMessage
    | ClaimSeat
    | ReadPersons
    | Ahead
)
CLIENT_MESSAGES: Final[tuple[type[Struct], ...]] = get_args(ClientMessage)


class HeadInfo(Struct, frozen=True, omit_defaults=True):
    """The end of the record: the last line and the chain's hash after it; `signed` is the server's checkpoint of it.

    Both are base64url; the checkpoint is time, public key and signature (docs/record.md 5).
    """

    seq: int
    hash: str
    signed: str = ""


class SeatInfo(Struct, frozen=True, omit_defaults=True):
    """A seat: its holder's name, and whether that is a person, a bot or nobody yet."""

    seat: int
    name: str = ""
    kind: str = ""


class ViewerInfo(Struct, frozen=True, omit_defaults=True):
    """The client's role here: `seat`, `spectator`, `open`, a spectator of open cards, or `caster`, which sees what
    `seat` sees but cannot choose. `directs`: it may choose what spectators look at."""

    viewer: str = msgspec.field(name="as")
    seat: int | None = None
    directs: bool = False


class Delay(Struct, frozen=True, omit_defaults=True):
    """Spectators see a state at least `events` lines and `s` seconds old; the delay ends with the match.

    `phase`: they also see nothing of the present phase until it is over.
    """

    events: int = 0
    s: int = 0
    phase: bool = False


class ClockInfo(Struct, frozen=True, omit_defaults=True):
    """The reading of a seat's clock, in ms; whether it runs. `away_ms`: how long its vacation still lasts;
    `vacation_ms`: the vacation it has left."""

    ms: int
    run: bool = False
    away_ms: int = 0
    vacation_ms: int = 0


class OfferInfo(Struct, frozen=True, omit_defaults=True):
    """An open offer: its number, its author's seat, its terms, the seats that agreed, and the seats that have to."""

    number: int
    seat: int
    terms: OfferTerms
    agreed: tuple[int, ...] = ()
    asked: tuple[int, ...] = ()


class TableInfo(Struct, frozen=True, omit_defaults=True):
    """The agreements around the match: the time control, ms that a pause lasts at most (0: none), the open offers.

    `reveal`: the seats whose `reveal` a full match waits for; `reveal_ms`: how long it waits before it is void; 0:
    without end. Every share is fixed by then, so a client with only Scenes reveals its share if its seat is named.
    `hints`: a seat may ask for the search's choice; `hinted` are the open decisions for which a seat has asked.
    """

    time: TimeControl = TimeControl()
    paused_ms: int = 0
    offers: tuple[OfferInfo, ...] = ()
    reveal: tuple[int, ...] = ()
    reveal_ms: int = 0
    hints: bool = False
    hinted: tuple[int, ...] = ()


class Welcome(Out, frozen=True, tag="welcome"):
    """The client has entered. `keys` are the audience keys that it may have, by mask; with them it checks seals.

    `delay` is present while this client is delayed. `status` is that of the match list. `open_cards`: the delay with
    which spectators who say hello as `open` see all hands.
    """

    match: str
    game: str
    title: str
    rules: str
    viewer: ViewerInfo
    seats: tuple[SeatInfo, ...]
    head: HeadInfo
    keys: dict[str, str]
    status: str = ""
    delay: Delay | None = None
    clocks: dict[str, ClockInfo] = {}
    table: TableInfo | None = None
    open_cards: OpenCards | None = None

    def __repr__(self) -> str:
        return f"Welcome({self.match}, {self.viewer})"


class Snapshot(Out, frozen=True, tag="snapshot"):
    """The whole Scene after line `seq`.

    `clocks`, by seat, overlays `clock` of the Scene's seats; there are none in a match without clocks.
    """

    seq: int
    scene: dict[str, Any]
    head: HeadInfo
    clocks: dict[str, ClockInfo] = {}
    table: TableInfo | None = None

    def __repr__(self) -> str:
        return f"Snapshot({self.seq})"


WireItem = tuple[str, tuple[tuple[int, str], ...]]


class Events(Out, frozen=True, tag="events", rename={"first": "from", "last": "to"}):
    """Lines `from` to `to`: each its text and the openings this viewer holds; Steps for clients with Scenes.

    `head` is the chain's after line `to`, in every portion of a backlog too; `signed` is present if the server signed
    at that line and its last signature is known: with every commit, and with the last portion. The first of `steps`
    patches the Scene at line `from` - 1, each of the others the one before it. `clocks` are as they were at the last
    line; `table` is present when it has changed. `salts`, for a spectator of open cards, who holds no key: by line the
    salt of each of its openings (docs/record.md 3).
    """

    first: int
    last: int
    items: tuple[WireItem, ...]
    head: HeadInfo
    steps: tuple[dict[str, Any], ...] = ()
    clocks: dict[str, ClockInfo] = {}
    table: TableInfo | None = None
    salts: tuple[tuple[str, ...], ...] = ()

    def __repr__(self) -> str:
        return f"Events({self.first}, {self.last})"


class Checkpoint(Out, frozen=True, tag="checkpoint"):
    """The server's signature under the last line at a later time: the match is idle, the stream is not frozen."""

    seq: int
    signed: str


class Accepted(Out, frozen=True, tag="accepted"):
    """The choice is committed: it is line `seq`. Its consequences have been sent before this."""

    id: str
    seq: int


class Refused(Out, frozen=True, tag="refused"):
    """The choice was refused. `why`: what to do, in `lang` if not in the connection's language; `rule`: a ledger id."""

    id: str
    code: str
    why: str
    rule: str = ""
    lang: str = ""


class Error(Out, frozen=True, tag="error"):
    """A message could not be served; nothing has changed. `id` is the message's own, if it could be read. `lang`: as
    in `refused`."""

    code: str
    why: str
    id: str = ""
    lang: str = ""


class Presence(Out, frozen=True, tag="presence"):
    """The seats that are connected, and the number of spectators; `names` of those who gave one.

    `shared`: seats that let casters see their view; `casters`: how many casters are connected; `thinking`: seats whose
    bots take their time; `directed`: seats that let somebody direct. Delayed spectators are sent neither `seats` nor
    `thinking`.
    """

    seats: tuple[int, ...]
    spectators: int
    casters: int = 0
    shared: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    thinking: tuple[int, ...] = ()
    directed: tuple[int, ...] = ()


class ChatLine(Struct, frozen=True, omit_defaults=True):
    """A line of chat: its number in the room, time in ms, its author (`seat0`, `s7` for a spectator), and a name."""

    n: int
    at: int
    who: str
    text: str
    name: str = ""

    def __repr__(self) -> str:
        return f"ChatLine({self.n}, {self.who!r})"


class Said(Out, frozen=True, tag="said"):
    """Lines of one's own room's chat: the last ones on entering, then each as it is said."""

    lines: tuple[ChatLine, ...]

    def __repr__(self) -> str:
        return f"Said({len(self.lines)} lines)"


class Notified(Out, frozen=True, tag="notified"):
    """The secret that signs messages to the address. It is not sent again; "" if no address is set any more."""

    secret: str = ""

    def __repr__(self) -> str:
        return "Notified()"


class Turn(Struct, frozen=True, omit_defaults=True):
    """A match that is not over: whether it waits for the seat (`yours`), and the end of the seat's time, in ms."""

    match: str
    seat: int
    game: str
    title: str
    yours: bool = False
    due_ms: int = 0


class Turns(Out, frozen=True, tag="turns"):
    """The requested matches that are not over. A token that opens no seat gets no entry."""

    turns: tuple[Turn, ...]


class Granted(Out, frozen=True, tag="granted"):
    """A caster's token for the client's seat; it is not sent again."""

    token: str

    def __repr__(self) -> str:
        return "Granted()"


class Revoked(Out, frozen=True, tag="revoked"):
    """Every caster's token of one's own seat is void."""


class SeatsChanged(Out, frozen=True, tag="seats"):
    """Somebody sat down."""

    seats: tuple[SeatInfo, ...]


class Pong(Out, frozen=True, tag="pong"):
    """The answer to `ping`."""

    n: int


class GameInfo(Struct, frozen=True):
    """A game that can be played; `options` are its options with their defaults, `bots` the names of its bots.

    An option is left out if it cannot be changed alone, because it needs more than a plain value. `values` are all
    possible values of an option, if these are few; `quick` are the options of a short first match. `seats` is the
    number of seats with the defaults; `seats_by` gives, by option and value, another number of seats that this value
    alone brings about. `lang`: the language of `about`, if it is not translated into the connection's. `open_cards_s`:
    the shortest delay of open cards, in seconds; `lasting`: the secrets worth knowing for longer than that, of which
    players should be told first.
    """

    game: str
    title: str
    about: str
    seats: int
    options: dict[str, Any]
    bots: tuple[str, ...]
    values: dict[str, tuple[str | int, ...]] = {}
    quick: dict[str, Any] = {}
    seats_by: dict[str, dict[str, int]] = {}
    lang: str = ""
    open_cards_s: int = 0
    lasting: tuple[str, ...] = ()


class Games(Out, frozen=True, tag="games"):
    """The games that can be played."""

    games: tuple[GameInfo, ...]


class MatchInfo(Struct, frozen=True, omit_defaults=True):
    """A line of the match list. `rated`, `open_cards`, in open matches `hints`, `options` and `time`: as in `create`;
    `lang`: the language of the result's reason. Open matches have a free seat, and one of their players is or was
    lately connected. `guests`: the seats of people whom the record does not name; `handles`, by seat: of persons who
    show themselves to everybody.
    """

    match: str
    game: str
    title: str
    created_ms: int
    seats: tuple[SeatInfo, ...]
    result: str = ""
    delay: Delay | None = None
    hints: bool = False
    lang: str = ""
    rated: bool = False
    open_cards: OpenCards | None = None
    options: dict[str, Any] = {}
    time: TimeControl | None = None
    guests: tuple[int, ...] = ()
    handles: dict[int, str] = {}

    def __repr__(self) -> str:
        return f"MatchInfo({self.match})"


class Matches(Out, frozen=True, tag="matches"):
    """The matches that are listed."""

    open: tuple[MatchInfo, ...]
    running: tuple[MatchInfo, ...]
    finished: tuple[MatchInfo, ...]


class Created(Out, frozen=True, tag="created"):
    """A new match, the tokens of its seats, and its invitations, by seat. Store them: they are not sent again.

    `id`: of the request.
    """

    match: str
    tokens: dict[str, str]
    id: str = ""
    invitations: dict[str, str] = {}

    def __repr__(self) -> str:
        return f"Created({self.match})"


class Joined(Out, frozen=True, tag="joined"):
    """The client has the seat; its token. `id`: of the request."""

    match: str
    seat: int
    token: str
    id: str = ""

    def __repr__(self) -> str:
        return f"Joined({self.match}, {self.seat})"


ServerMessage = (
    Welcome
    | Snapshot
    | Events
    | Checkpoint
    | Accepted
    | Foreseen
    | Judged
    | Hinted
    | Studied
    | Refused
    | Error
    | Presence
    | Said
    | Directed
    | Kept
    | Granted
    | Notified
    | Turns
    | Revoked
    | SeatsChanged
    | Pong
    | Games
    | Matches
    | Created
    | Joined
    | Invited
    | Withdrawn
    | Renewed
    | Devices
    | Rematch
    | AccountAnswer
    | SafetyAnswer
    | NoticeAnswer
    | Reported
    | OpponentAnswer
    | PersonsTold
    | AheadTold
)
SERVER_MESSAGES: Final[tuple[type[Struct], ...]] = get_args(ServerMessage)

ECHO: Final = re.compile(r"Invalid value .*(?= - at )|Invalid value '.*'", re.DOTALL)

_decoder: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)
_encode = msgspec.json.Encoder().encode


class _Named(Struct, frozen=True):
    id: MaybeId = ""


_named: msgspec.json.Decoder[_Named] = msgspec.json.Decoder(_Named)
_server: msgspec.json.Decoder[ServerMessage] = msgspec.json.Decoder(ServerMessage)


def read_message(frame: str | bytes) -> ClientMessage:
    """A client's message. Raises `BadMessage` with the place and the fault."""
    if isinstance(frame, bytes):
        raise BadMessage("Send text frames; this protocol is JSON.")
    try:
        return _decoder.decode(frame)
    except msgspec.ValidationError as wrong:
        # A text sent in a wrong place may be a token: it is not repeated.
        why = f"Not a message of {SUBPROTOCOL}: {ECHO.sub('Invalid value', str(wrong))}."
        raise BadMessage(why, _id_of(frame)) from wrong
    except (msgspec.DecodeError, RecursionError) as wrong:
        raise BadMessage(f"The frame is not JSON: {wrong}.") from wrong


def _id_of(frame: str) -> str:
    """The id in a frame that is no message, so that its sender knows which one failed; empty if there is none."""
    try:
        return _named.decode(frame).id
    except (msgspec.MsgspecError, RecursionError):
        return ""


def write_message(message: ServerMessage) -> str:
    """A server's message as a frame."""
    return _encode(message).decode()


def write_client_message(message: ClientMessage) -> str:
    """A client's message as a frame."""
    return _encode(message).decode()


def read_server_message(frame: str | bytes) -> ServerMessage:
    """A server's message, for clients written in Python. Raises `msgspec.DecodeError`."""
    return _server.decode(frame)
