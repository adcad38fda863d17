"""The messages about persons: signing in, devices, handles, and a person's matches; part of `server.wire.protocol`.

A person's messages name their `session`. Any connection can therefore serve them, at any server over the same store.
`key`: a device's Ed25519 public key; `signature`: the device's signature over the message that docs/people.md states.
"""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from domain.kernel import TimeControl
from server.wire.notice_messages import ChannelInfo, QuietInfo
from server.wire.person_messages import ClaimOpening, Shown, Signed, Voucher
from server.wire.safety_messages import ReportInfo, Shunned, StaffEntry
from server.wire.standing_messages import AnswerAhead
from server.wire.words import In, MatchId, Name, NewSecret, Out, Signature, Token

Handle = Annotated[str, Meta(min_length=1, max_length=64)]
Code = Annotated[str, Meta(min_length=1, max_length=64)]
Group = Literal["yours", "waiting", "open", "finished"]


class AskChallenge(In, frozen=True, tag="challenge"):
    """Ask for the challenge that a device signs; answered by `challenged`. A connection has one challenge at a time."""


class SignUp(In, frozen=True, tag="sign-up"):
    """A new person with a handle and a first device; answered by `signed-in`, with a recovery code. `name`: the
    device's name, which only its person sees."""

    key: NewSecret
    signature: Signed
    handle: Handle
    name: Name = ""

    def __repr__(self) -> str:
        return "SignUp()"


class SignIn(In, frozen=True, tag="sign-in"):
    """Begin a session of a device; answered by `signed-in`."""

    key: NewSecret
    signature: Signed

    def __repr__(self) -> str:
        return "SignIn()"


class Recover(In, frozen=True, tag="recover"):
    """Add a device by a recovery code; answered by `signed-in`, with a new recovery code."""

    key: NewSecret
    signature: Signed
    code: Code
    name: Name = ""

    def __repr__(self) -> str:
        return "Recover()"


class AskPairing(In, frozen=True, tag="ask-pairing"):
    """Ask, as a new device, to be added by a code that another device shows; answered by `pairing`. Once the other
    device has confirmed the new one, the new one signs in with its key.
    """

    key: NewSecret
    signature: Signed
    code: Code
    name: Name = ""

    def __repr__(self) -> str:
        return "AskPairing()"


class PasskeyIn(In, frozen=True, tag="passkey-in"):
    """Add a device by a passkey, and begin its session; answered by `signed-in`. `credential`: the result of
    `navigator.credentials.get` for the challenge that docs/people.md states, as JSON (`toJSON`).
    """

    key: NewSecret
    signature: Signed
    credential: dict[str, Any]
    name: Name = ""

    def __repr__(self) -> str:
        return "PasskeyIn()"


class OfSession(In, frozen=True):
    """A message of a person who is signed in. `session`: the token of `signed-in`."""

    session: NewSecret

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class ReadAccount(OfSession, frozen=True, tag="account"):
    """Ask for the person's account; answered by `account-told`."""


class SignOut(OfSession, frozen=True, tag="sign-out"):
    """End this session; answered by `done`."""


class Rename(OfSession, frozen=True, tag="rename"):
    """Change the person's handle; answered by `account-told`."""

    handle: Handle


class RevokeDevice(OfSession, frozen=True, tag="revoke-device"):
    """Revoke one of the person's devices; answered by `account-told`."""

    key: NewSecret


class OfferPairing(OfSession, frozen=True, tag="offer-pairing"):
    """Let one new device ask, within ten minutes, to be added to the account; answered by `pairing-offered`."""


class ConfirmPairing(OfSession, frozen=True, tag="confirm-pairing"):
    """Add the device that has asked, once both devices show the same number; answered by `account-told`. `signature`:
    this device's statement that the new device belongs to the same person (docs/people.md). With it, others need not
    trust the server.
    """

    key: NewSecret
    signature: Signature = ""


class RenewCode(OfSession, frozen=True, tag="renew-code"):
    """Draw a new recovery code; the earlier one becomes void. Answered by `recovery-code`."""


class AddPasskey(OfSession, frozen=True, tag="add-passkey"):
    """Store a new passkey of the person's; answered by `account-told`. `credential`: the result of
    `navigator.credentials.create` for the challenge that docs/people.md states, as JSON.
    """

    credential: dict[str, Any]
    name: Name = ""


class DropPasskey(OfSession, frozen=True, tag="drop-passkey"):
    """Revoke one of the person's passkeys; answered by `account-told`. `passkey`: its id."""

    passkey: Annotated[str, Meta(max_length=1400)]


class KeepSeat(OfSession, frozen=True, tag="keep-seat"):
    """Note a seat, by its token, among the person's matches, or remove the note; answered by `done`.

    Nobody else learns of the note, and the seat's token opens the seat as before. `claim`: the opening of the line that
    records that this device's person holds the seat. `signature`: made by the seat's key over `["entry", KEY]`, where
    KEY is this device's key. With this signature, or if the seat has no key, `enter-seat` opens the seat later.
    """

    match: MatchId
    token: Token
    on: bool = True
    claim: ClaimOpening | None = None
    signature: Signature = ""


class EnterSeat(OfSession, frozen=True, tag="enter-seat"):
    """Enter one of the person's seats on this device without its link; answered by `seat-entered`.

    `token`: drawn by the client, and stored before the request. The new token opens the seat from now on, and the
    earlier token opens nothing. A repeated request with the same token gets the same answer.
    """

    match: MatchId
    token: NewSecret


class ListMine(OfSession, frozen=True, tag="my-matches"):
    """Ask for the person's matches; answered by `my-matches-told`.

    `group`: only the matches of one group; `text`: only those whose title, game or players contain this text; `after`:
    skip this many matches.
    """

    group: Literal["", "yours", "waiting", "open", "finished"] = ""
    text: Annotated[str, Meta(max_length=64)] = ""
    after: Annotated[int, Meta(ge=0, le=100_000)] = 0


class CalendarLink(OfSession, frozen=True, tag="calendar-link"):
    """Draw a link to a calendar of the person's deadlines, replacing the earlier link, or withdraw the link; answered
    by `calendar-told`."""

    on: bool = True


class ExportMe(OfSession, frozen=True, tag="export-me"):
    """Ask for all data that the server stores about the person; answered by `exported`."""


class DeleteMe(OfSession, frozen=True, tag="delete-me"):
    """Delete the person's account permanently. `handle`: the handle, typed once more. Answered by `deleted`. Records
    stay.
    """

    handle: Handle


AccountMessage = (
    AskChallenge
    | SignUp
    | SignIn
    | Recover
    | AskPairing
    | PasskeyIn
    | AddPasskey
    | DropPasskey
    | ReadAccount
    | SignOut
    | Rename
    | RevokeDevice
    | OfferPairing
    | ConfirmPairing
    | RenewCode
    | KeepSeat
    | EnterSeat
    | ListMine
    | CalendarLink
    | ExportMe
    | DeleteMe
)


class Challenged(Out, frozen=True, tag="challenged"):
    """The challenge that a device has to sign once, within `s` seconds, for this site and origin as the server sees
    them. `passkeys`: whether this server accepts passkeys.
    """

    challenge: str
    site: str
    origin: str
    s: int
    id: str = ""
    passkeys: bool = False

    def __repr__(self) -> str:
        return "Challenged()"


class SignedIn(Out, frozen=True, tag="signed-in"):
    """A session has begun. `recovery`: a recovery code. Neither the token nor the code is sent again. `until_ms`:
    when the session ends.
    """

    session: str
    until_ms: int
    handle: str
    recovery: str = ""
    id: str = ""

    def __repr__(self) -> str:
        return "SignedIn()"


class Pairing(Out, frozen=True, tag="pairing"):
    """The device waits until another device, which shows the same `number`, confirms it."""

    number: str
    id: str = ""

    def __repr__(self) -> str:
        return "Pairing()"


class PairingOffered(Out, frozen=True, tag="pairing-offered"):
    """The code for a new device, and the time at which it expires."""

    code: str
    until_ms: int
    id: str = ""

    def __repr__(self) -> str:
        return "PairingOffered()"


class DeviceInfo(Struct, frozen=True, omit_defaults=True):
    """One of the person's devices: when it was added, last signed in and revoked, in ms. `here`: this session's
    device.
    """

    key: str
    name: str
    added_ms: int
    used_ms: int = 0
    revoked_ms: int = 0
    here: bool = False


class FormerHandle(Struct, frozen=True):
    """A handle that the person has given up; it stays reserved until a time in ms."""

    handle: str
    until_ms: int


class NoticeInfo(Struct, frozen=True):
    """A change of the account: `device-added`, `device-revoked`, `recovered`, `code-renewed`, `handle`,
    `passkey-added`, `passkey-used` or `passkey-dropped`. `about`: the key, handle or name concerned.
    """

    at_ms: int
    what: str
    about: str


class PairingInfo(Struct, frozen=True):
    """A device that waits to be confirmed. The number to compare is computed from the code and the key."""

    key: str
    name: str
    until_ms: int


class PasskeyInfo(Struct, frozen=True, omit_defaults=True):
    """One of the person's passkeys: its id, and when it was added and last used, in ms."""

    id: str
    name: str
    added_ms: int
    used_ms: int = 0


class AccountTold(Out, frozen=True, tag="account-told"):
    """The person's account: handles, devices, the last changes, a device that asks to be added, and passkeys.
    `can_passkeys`: whether this server accepts passkeys; `at_table`: as in `show-profile`.
    """

    handle: str
    devices: tuple[DeviceInfo, ...]
    former: tuple[FormerHandle, ...] = ()
    notices: tuple[NoticeInfo, ...] = ()
    asks: PairingInfo | None = None
    id: str = ""
    passkeys: tuple[PasskeyInfo, ...] = ()
    can_passkeys: bool = False
    at_table: str = "noted"

    def __repr__(self) -> str:
        return "AccountTold()"


class SeatEntered(Out, frozen=True, tag="seat-entered"):
    """The person's seat, which the token in the request opens.

    `shown`: the viewers to whom the last claim of the person's devices shows who holds the seat; empty without a claim.
    """

    match: str
    seat: int
    game: str
    title: str = ""
    id: str = ""
    shown: Literal["", "nobody", "opponents", "everybody"] = ""


class RecoveryCode(Out, frozen=True, tag="recovery-code"):
    """The recovery code that is valid from now on; it is not sent again."""

    recovery: str
    id: str = ""

    def __repr__(self) -> str:
        return "RecoveryCode()"


Outcome = Literal["won", "lost", "drawn", "void", ""]


class MyMatch(Struct, frozen=True, omit_defaults=True):
    """One of the person's matches: the person's seat, the players by seat, and the match's group. Times are in ms.

    `due_ms`: the end of the person's time, if it is the person's move and a clock runs. For a finished match,
    `outcome`: the result for the person (a void match has none, not even a draw); `change`: the change of the person's
    rating, in points, once it counts; `rated`, `listed`: as in `create`.
    """

    match: str
    seat: int
    game: str
    title: str
    group: Group
    players: tuple[str, ...]
    created_ms: int
    changed_ms: int
    result: str = ""
    due_ms: int = 0
    outcome: Outcome = ""
    change: float | None = None
    listed: bool = True


class InvitationTold(Struct, frozen=True, omit_defaults=True):
    """An unanswered invitation from one person to another to take a seat of a match.

    `handle`: the other person's handle; `mine`: whether the receiver of this message sent the invitation. `at_ms`: when
    the invitation was sent. `options`, `time`, `rated`: the match's values, as in `create`.
    """

    invitation: str
    handle: str
    match: str
    seat: int
    game: str
    at_ms: int
    mine: bool = False
    options: dict[str, Any] = {}
    time: TimeControl | None = None
    rated: bool = False


class MyMatches(Out, frozen=True, tag="my-matches-told"):
    """The person's matches, the most recently changed first, the number of matches in each group, and whether more
    follow. Void matches are in the group `finished`, but are counted separately, as `void`.

    `invitations`: the invitations from and to the person, sent with the first page.
    """

    matches: tuple[MyMatch, ...]
    counts: dict[str, int]
    more: bool = False
    id: str = ""
    invitations: tuple[InvitationTold, ...] = ()

    def __repr__(self) -> str:
        return f"MyMatches({len(self.matches)})"


class SessionInfo(Struct, frozen=True):
    """A session: its device's key, and when it began and ends, in ms."""

    key: str
    began_ms: int
    until_ms: int


class OwnSeat(Struct, frozen=True):
    """A seat that the person has noted, and the time of the note in ms."""

    match: str
    seat: int
    at_ms: int


class OwnClaim(Struct, frozen=True):
    """The opening of the person's claim to a seat, and its viewers."""

    match: str
    line: int
    seat: int
    site: str
    key: str
    salt: str
    signature: str
    shown: Shown

    def __repr__(self) -> str:
        return f"OwnClaim({self.match}, {self.line})"


class ToldMove(Struct, frozen=True):
    """A move about which a notice was sent over a channel or is about to be sent: its match, seat and decision, its
    time, and the end of that seat's time. Times are in ms.
    """

    channel: str
    match: str
    seat: int
    decision: int
    title: str
    at_ms: int
    due_ms: int
    told: bool


class SignedAhead(Struct, frozen=True):
    """The stored answers that a seat has signed ahead. All were signed after the line `ack_seq` and its head."""

    match: str
    seat: int
    ack_seq: int
    ack_head: str
    answers: tuple[AnswerAhead, ...]

    def __repr__(self) -> str:
        return "SignedAhead()"


class Exported(Out, frozen=True, tag="exported"):
    """All data that the server stores about a person beside its records, which are exported by match (docs/replay.md).

    `rated_as`: the random name under which the person's rated results are listed; empty if there are none. `shunned`,
    `entries` and `reports`: the persons blocked and muted, the staff's acts about the person, and the person's own
    reports; `calendar_ms`: the time since which a link opens the calendar. `shown`: the settings of the profile, as
    JSON; `search`: the terms of a search for opponents, as JSON. `channels`, `quiet`, `told`: how and when the person
    is notified of moves, and the moves about which notices were sent. `ahead`: the answers that the person's seats have
    signed ahead.
    """

    person: str
    handle: str
    former: tuple[FormerHandle, ...]
    devices: tuple[DeviceInfo, ...]
    sessions: tuple[SessionInfo, ...]
    notices: tuple[NoticeInfo, ...]
    seats: tuple[OwnSeat, ...]
    id: str = ""
    rated_as: str = ""
    shunned: tuple[Shunned, ...] = ()
    entries: tuple[StaffEntry, ...] = ()
    calendar_ms: int = 0
    reports: tuple[ReportInfo, ...] = ()
    claims: tuple[OwnClaim, ...] = ()
    passkeys: tuple[PasskeyInfo, ...] = ()
    vouchers: tuple[Voucher, ...] = ()
    invitations: tuple[InvitationTold, ...] = ()
    shown: str = ""
    search: str = ""
    channels: tuple[ChannelInfo, ...] = ()
    quiet: QuietInfo = QuietInfo()
    told: tuple[ToldMove, ...] = ()
    ahead: tuple[SignedAhead, ...] = ()

    def __repr__(self) -> str:
        return "Exported()"


class CalendarTold(Out, frozen=True, tag="calendar-told"):
    """The path of the calendar at this server (RFC 5545), which is not sent again; "" if the link was withdrawn."""

    path: str = ""
    id: str = ""

    def __repr__(self) -> str:
        return "CalendarTold()"


class Done(Out, frozen=True, tag="done"):
    """The request was carried out. `id`: the request's id."""

    id: str = ""


class Deleted(Out, frozen=True, tag="deleted"):
    """The account is deleted. `later`: whether the database has yet to overwrite the account's bytes."""

    later: bool = False
    id: str = ""


AccountAnswer = (
    Challenged
    | SignedIn
    | Pairing
    | PairingOffered
    | AccountTold
    | RecoveryCode
    | MyMatches
    | SeatEntered
    | Exported
    | CalendarTold
    | Done
    | Deleted
)
