"""The wire protocol: every message of subprotocol `herald.v1+json`. docs/protocol.md is made from this module.

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
"""The maximum size of a client's frame, in bytes; a larger frame closes the connection (1009)."""


class Hello(In, frozen=True, tag="hello"):
    """Enter a match with a seat's, a caster's or a director's token, or as a spectator; within five seconds of
    connecting. `open`: enter as a spectator of open cards, if the seats have agreed to open cards.

    `name`: of a spectator in chat and presence (without a name, only counted), or of a player who sits down by a link.
    `since`: the last line that the client already has; the lines after it follow. `caps`: the client's capabilities:
    `scene` for Scenes and Steps; without it, only lines are sent. `lang`: the language of Scenes, lines of the
    chronicle and refusals, as two letters; texts that Herald lacks in it are in English.

    `key`: if this hello takes a seat, the public key that signs for the seat from then on. `device`: a random name that
    a client stores. By it, the server counts the devices on which a seat is open; without `device`, each connection
    counts as a device."""

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
    """A choice as its seat signs it (docs/record.md 5): the answer as JSON, the salt of the client's commitment to the
    answer, and the Ed25519 signature over the commitment. In a match of version 1, only `text` is signed, and there is
    no salt."""

    text: Annotated[str, Meta(max_length=8192)]
    signature: Annotated[str, Meta(max_length=86)]
    salt: Bytes32 = ""

    def __repr__(self) -> str:
        return "ChoiceSignature()"


class Choose(In, frozen=True, tag="choose"):
    """Answer a decision. `id` is drawn by the client. A repeated message gets the same answer as the first; a message
    that reuses the id for another decision or choice is refused (`id-used`).

    `choice` is an answer in the form of docs/scene.md 4 (an option's number, item ids, or item to slot), or a choice as
    plain data with its name in `do`. `ack_seq` and `ack_head` are the last line that the client has verified, and the
    head after it. `signed` is needed if the seat has a key."""

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
    `table.reveal` names the client's seat. `table.reveal_ms` gives how long the match waits: 60 seconds, after which
    the match is void; with `shares`, without limit. A message with an `id` is answered by `accepted`, other messages
    only by the lines."""

    entropy: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{43}$")]

    def __repr__(self) -> str:
        return "Reveal()"


class Share(In, frozen=True, tag="share"):
    """Fix the seat's share of chance: send the commitment to 32 bytes, signed if the seat has a key (docs/record.md 4).

    A match that was created with `shares` begins when every person's client has done so."""

    entropy: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{43}$")]
    signature: Signature = ""

    def __repr__(self) -> str:
        return "Share()"


class SetKey(In, frozen=True, tag="key"):
    """Sign with another key from now on: an Ed25519 public key, signed with the former one.

    Without a former key, or if it is lost, there is no signature; the new key counts from here on, as everybody sees.
    """

    key: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{43}$")]
    signature: Signature = ""


class Need(In, frozen=True, tag="need"):
    """Send the lines after `since` and the Scene again, because the client saw a gap."""

    since: Seq


class Grant(In, frozen=True, tag="grant"):
    """Let somebody watch the seat's view without choosing; answered by `granted` with a caster's token.

    Everybody in the match sees in `presence` that the seat is shared. `directs`: the token is a director's token. Its
    holder watches like any spectator, sees none of the seat's secrets, and chooses the view of spectators (`direct`).
    """

    directs: bool = False


class Revoke(In, frozen=True, tag="revoke"):
    """Revoke every caster's and director's token of the seat; connections that use these tokens are closed with
    4010."""


class Chat(In, frozen=True, tag="chat"):
    """Say something in the sender's chat room: seats talk to seats, spectators to spectators. Chat is not part of the
    record."""

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
    """Ask which of the client's matches wait for the client's move."""

    seats: Annotated[tuple[HeldSeat, ...], Meta(max_length=32)]


class Ping(In, frozen=True, tag="ping"):
    """Answered by `pong` with the same number."""

    n: Seq = 0


class ListGames(In, frozen=True, tag="games"):
    """Ask for the games that can be played. `lang`: the language of answers before a `hello`, as in `hello`."""

    lang: Language = "en"


class ListMatches(In, frozen=True, tag="matches"):
    """Ask for the open, running and finished matches that are listed. `lang` is as in `games`."""

    lang: Language = "en"


class SeatWish(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The holder of a seat in a new match: the creator, an invited person, anybody who joins, or a bot of a kind.

    `invited`: the first person to sit down with the invitation in `created`, using a token that this person's client
    draws. `friend`, for programs that hold several seats: the creator gets the token; with a `name`, the seat is taken.

    For the creator: `key`, an Ed25519 public key that will sign the seat's choices; `entropy`, for a seat without a
    key, the commitment to the seat's own share of chance, which the seat will reveal (docs/record.md 4). A seat with a
    key sends the commitment signed, as `share`. Without a share, the server contributes one, unless the match waits for
    it (`shares`).
    """

    kind: Literal["me", "friend", "open", "bot", "invited"]
    name: Name = ""
    bot: Annotated[str, Meta(max_length=32)] = ""
    key: Bytes32 = ""
    entropy: Bytes32 = ""


class Create(In, frozen=True, tag="create"):
    """Create a match; answered by `created` with the tokens of the seats `me` and `friend`, and with the invitations.

    `reveal`: the viewers who can learn every secret of the match once it has ended. `closed`: besides the players, only
    casters see the match; to everybody else it does not exist. `delay_events`, `delay_s`: spectators see a state that
    is this many lines and seconds old, until the match has ended. `time`: how time is measured, and the consequence
    when it runs out.
    `shares`: the match begins when every person's client has given a share of chance. `scenario`: the text of a
    scenario file (docs/scenarios.md). The match begins in its position, with its options unless `options` names others;
    `case` is one of its cases, by default the first. `hints`: each seat can ask for the search's choice (`hint`), and
    everybody sees this request. `rated`: the result counts; this requires `shares` and a public `reveal`, and allows no
    `hints` and no `scenario`. `open_cards`: spectators see all hands with this delay, as line 1 states; a delay below
    the game's shortest (`open_cards_s` in `games`) needs `open_cards_sooner`.
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
    """Begin a new match from another match's state after line `seq`, or at the last pause before it (docs/replay.md).

    Answered by `created`. `token` identifies the client, as in `hello`; without it, the client is a spectator. The new
    match begins with the client's knowledge, and unknown secrets are drawn again. Once the old match has ended and its
    secrets are open to the client, the new one begins with everything; then `eyes` can name another viewer's knowledge:
    `all`, `spectator`, `seat0` ... Only a branch of an ended match can be `listed`. `shares` and `hints` are as in
    `create`; a branch of a running match without hints has none.
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

    `token`: drawn and stored by the client before the request. After a lost answer, the client can repeat the request
    and gets the same answer. Without `token`, the server draws one. `key` and `entropy` are as for a seat in `create`.
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

    Hash and checkpoint are base64url; the checkpoint consists of time, public key and signature (docs/record.md 5).
    """

    seq: int
    hash: str
    signed: str = ""


class SeatInfo(Struct, frozen=True, omit_defaults=True):
    """A seat: its holder's name, and whether a person, a bot or nobody yet holds it."""

    seat: int
    name: str = ""
    kind: str = ""


class ViewerInfo(Struct, frozen=True, omit_defaults=True):
    """The client's role here: `seat`; `spectator`; `open`, a spectator of open cards; or `caster`, who sees the view of
    `seat` but cannot choose. `directs`: whether the client may choose the view of spectators."""

    viewer: str = msgspec.field(name="as")
    seat: int | None = None
    directs: bool = False


class Delay(Struct, frozen=True, omit_defaults=True):
    """Spectators see a state that is at least `events` lines and `s` seconds old; the delay ends with the match.

    `phase`: whether spectators also see nothing of the current phase until it is over.
    """

    events: int = 0
    s: int = 0
    phase: bool = False


class ClockInfo(Struct, frozen=True, omit_defaults=True):
    """The reading of a seat's clock, in ms, and whether the clock runs. `away_ms`: how long the seat's current vacation
    still lasts; `vacation_ms`: the vacation that the seat has left."""

    ms: int
    run: bool = False
    away_ms: int = 0
    vacation_ms: int = 0


class OfferInfo(Struct, frozen=True, omit_defaults=True):
    """An open offer: its number, its author's seat, its terms, and the seats that have agreed or still have to."""

    number: int
    seat: int
    terms: OfferTerms
    agreed: tuple[int, ...] = ()
    asked: tuple[int, ...] = ()


class TableInfo(Struct, frozen=True, omit_defaults=True):
    """The agreements around the match: time control, maximum length of a pause in ms (0: no pause), open offers.

    `reveal`: the seats whose `reveal` a full match waits for. `reveal_ms`: how long the match waits before it is void;
    0: without limit. Every share is fixed by then, so a client with only Scenes reveals its share if its seat is named.
    `hints`: whether a seat can ask for the search's choice. `hinted`: the open decisions for which a seat has asked.
    """

    time: TimeControl = TimeControl()
    paused_ms: int = 0
    offers: tuple[OfferInfo, ...] = ()
    reveal: tuple[int, ...] = ()
    reveal_ms: int = 0
    hints: bool = False
    hinted: tuple[int, ...] = ()


class Welcome(Out, frozen=True, tag="welcome"):
    """The client has entered. `keys` are the audience keys that the client may hold, by mask, for its checks of seals.

    `delay` is present while this client is delayed. `status` is the status in the match list. `open_cards`: the delay
    with which spectators who enter as `open` see all hands.
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
    """The complete Scene after line `seq`.

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
    """Lines `from` to `to`: the text of each line, and the openings that this viewer holds; Steps with Scenes.

    `head` is the chain's hash after line `to`, also in every portion of a backlog. `signed` is present if the server
    signed at that line and its last signature is known: with every commit, and with the last portion. The first of
    `steps` patches the Scene at line `from` - 1; each later step patches the result of the step before. `clocks` are as
    they were at the last line; `table` is present when it has changed. `salts`, for a spectator of open cards, who
    holds no key: by line, the salt of each opening (docs/record.md 3).
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
    """The server's signature under the last line at a later time: it shows that the match is idle, not that the stream
    is frozen."""

    seq: int
    signed: str


class Accepted(Out, frozen=True, tag="accepted"):
    """The choice is committed as line `seq`. Its consequences have been sent before this message."""

    id: str
    seq: int


class Refused(Out, frozen=True, tag="refused"):
    """The choice was refused. `why`: what to do; `lang`: the language of `why`, if it is not the connection's; `rule`:
    a ledger id."""

    id: str
    code: str
    why: str
    rule: str = ""
    lang: str = ""


class Error(Out, frozen=True, tag="error"):
    """A message could not be served; nothing has changed. `id` is the message's id, if it could be read. `lang`: as
    in `refused`."""

    code: str
    why: str
    id: str = ""
    lang: str = ""


class Presence(Out, frozen=True, tag="presence"):
    """The seats that are connected, and the number of spectators. `names`: the names of spectators who gave one.

    `shared`: seats that let casters see their view; `casters`: how many casters are connected; `thinking`: seats whose
    bots are still choosing; `directed`: seats that let somebody direct. Delayed spectators are sent neither `seats` nor
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
    """A line of chat: its number in the chat room, its time in ms, its author (`seat0`, or `s7` for a spectator), and a
    name."""

    n: int
    at: int
    who: str
    text: str
    name: str = ""

    def __repr__(self) -> str:
        return f"ChatLine({self.n}, {self.who!r})"


class Said(Out, frozen=True, tag="said"):
    """Lines of chat in the client's chat room: the latest lines on entering, then each new line."""

    lines: tuple[ChatLine, ...]

    def __repr__(self) -> str:
        return f"Said({len(self.lines)} lines)"


class Notified(Out, frozen=True, tag="notified"):
    """The secret that signs messages to the address; it is not sent again. It is "" if no address is set any more."""

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
    """The requested matches that are not over. There is no entry for a token that opens no seat."""

    turns: tuple[Turn, ...]


class Granted(Out, frozen=True, tag="granted"):
    """A caster's token for the client's seat; it is not sent again."""

    token: str

    def __repr__(self) -> str:
        return "Granted()"


class Revoked(Out, frozen=True, tag="revoked"):
    """Every caster's token of the client's seat is void."""


class SeatsChanged(Out, frozen=True, tag="seats"):
    """Somebody sat down."""

    seats: tuple[SeatInfo, ...]


class Pong(Out, frozen=True, tag="pong"):
    """The answer to `ping`."""

    n: int


class GameInfo(Struct, frozen=True):
    """A game that can be played; `options` are its options with their defaults, `bots` the names of its bots.

    An option is left out if it needs more than a plain value. `values` are all possible values of an option, if these
    are few; `quick` are the options of a short first match. `seats` is the number of seats with the defaults;
    `seats_by` gives, by option and value, the number of seats if this value alone changes it. `lang`: the language of
    `about`, if it is not translated into the connection's. `open_cards_s`: the shortest delay of open cards, in
    seconds; `lasting`: the secrets that are worth knowing for longer than that; players should learn of these first.
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
    """An entry of the match list. `rated`, `open_cards` and (in open matches) `hints`, `options` and `time` are as in
    `create`; `lang`: the language of the result's reason. An open match has a free seat, and a player was connected
    recently. `guests`: the seats of people whom the record does not name; `handles`: public handles, by seat."""

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
    """A new match, the tokens of its seats, and its invitations, by seat. Store the tokens and invitations, because
    they are not sent again. `id`: the request's id."""

    match: str
    tokens: dict[str, str]
    id: str = ""
    invitations: dict[str, str] = {}

    def __repr__(self) -> str:
        return f"Created({self.match})"


class Joined(Out, frozen=True, tag="joined"):
    """The client has the seat. `token`: the seat's token. `id`: the request's id."""

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
    """A client's message. Raises `BadMessage`, with the place and the fault, if the frame is no message."""
    if isinstance(frame, bytes):
        raise BadMessage("Send text frames; this protocol is JSON.")
    try:
        return _decoder.decode(frame)
    except msgspec.ValidationError as wrong:
        # A text sent in a wrong place could be a token, so it is not repeated.
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
    """A server's message, for clients written in Python. Raises `msgspec.DecodeError` if the frame is no message."""
    return _server.decode(frame)
