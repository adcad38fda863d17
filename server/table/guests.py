"""The role of a client in a match, determined by its token alone, with the same work for every answer."""

import re
import secrets
from collections.abc import Sequence
from typing import Final, Literal

from msgspec import Struct

from domain.kernel import Seat
from projections.redaction import OPEN, SPECTATOR, Viewer
from replay.record import sealing
from replay.store.matches import Header
from replay.store.seats import SeatRow, WatchRow
from replay.store.store import Store
from server.wire.errors import NotAdmitted
from server.wire.protocol import Hello

Role = Literal["seat", "caster", "spectator"]
TOKEN_BYTES: Final = 32
SEATS: Final = 8
GRANTS: Final = 4
"""The maximum number of valid caster's tokens of a seat, and also of its director's tokens."""
DIRECTED: Final = SEATS
"""A seat's tokens for directors are stored under the seat's number plus this number."""
SLOTS: Final = SEATS + 2 * SEATS * GRANTS
"""The number of tokens compared for every hello; if a match has fewer, dummies fill up the rest."""
NOBODY: Final = bytes(TOKEN_BYTES)
INVITED_DAYS: Final = 90
"""An unused invitation ends after this many days, at midnight UTC."""
DAY_MS: Final = 86_400_000
REFUSAL: Final = "There is no such match, or not with this token."
NOT_OPEN: Final = "This invitation opens nothing: it was used, withdrawn, or is not whole; or there is no such match."
_INVITATION: Final = re.compile(r"([A-Za-z0-9_-]{43})([-0-7])(\d{5})")


class Guest(Struct, frozen=True):
    """The role of a connection in a match: a seat, a caster who sees a seat's shared view, or a spectator (possibly of
    open cards).

    `held`: the hash of the token that admitted it. `directs_for`: the seat that allows the spectator to direct.
    """

    role: Role
    viewer: Viewer
    held: bytes = b""
    directs_for: int | None = None

    @property
    def directs(self) -> bool:
        """Whether the connection may choose the view of spectators."""
        return self.directs_for is not None

    @property
    def grant(self) -> int | None:
        """The number under which the grant that admitted the connection is stored; None if no grant admitted it."""
        if self.directs_for is not None:
            return self.directs_for + DIRECTED
        return self.viewer.seat if self.role == "caster" else None

    def __repr__(self) -> str:
        return f"Guest({self.role!r}, {self.viewer!r})"


WATCHER: Final = Guest("spectator", SPECTATOR)
OPEN_WATCHER: Final = Guest("spectator", OPEN)


def new_token() -> str:
    """256 random bits as text."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def token_hash(token: str) -> bytes:
    """The hash of a token that the store keeps."""
    return sealing.tagged_hash("token", token.encode())


def invitation_hash(text: str) -> bytes:
    """The hash of an invitation that the store keeps. It is tagged, so that it can never be used as a token's hash."""
    return sealing.tagged_hash("invitation", text.encode())


class Invitation(Struct, frozen=True):
    """The parts of an invitation's text: the secret, the seat of the inviting player, and the last day on which the
    invitation is open.

    The hash of the entire text is stored, so that nobody can change the day or the seat in it.
    """

    secret: str
    by: int | None
    day: int

    def __repr__(self) -> str:
        return f"Invitation({self.by}, {self.day})"

    @property
    def text(self) -> str:
        """The invitation's text in a link."""
        return f"{self.secret}{'-' if self.by is None else self.by}{self.day:05}"

    @property
    def until_ms(self) -> int:
        """The time when the invitation ends."""
        return (self.day + 1) * DAY_MS

    @classmethod
    def new(cls, by: int | None, at: int, secret: str = "") -> "Invitation":
        """A new invitation at a time in ms, with a secret that its holder has drawn, if one is given."""
        return cls(secret or new_token(), by, at // DAY_MS + INVITED_DAYS)

    @classmethod
    def read(cls, text: str) -> "Invitation | None":
        """The invitation in a text; None if there is none."""
        found = _INVITATION.fullmatch(text)
        return None if found is None else cls(found[1], None if found[2] == "-" else int(found[2]), int(found[3]))


class OpenedSeat(Struct, frozen=True):
    """The match and the seat that an invitation opens.

    `is_used`: whether the client that asks has already sat down with this invitation.
    """

    header: Header
    row: SeatRow
    is_used: bool = False

    def __repr__(self) -> str:
        return f"Offered({self.header.match}, {self.row.seat})"


def find_offered(store: Store, match: str, invitation: str, token: str = "") -> OpenedSeat:
    """The seat that an invitation opens, or that was taken with it and this token.

    Raises `NotAdmitted` if there is none.

    A token that waits for its holder, as in links of earlier versions, is also an invitation. The work is the same for
    every answer, as in `identify`.
    """
    asked = store.entrance(match)
    header, rows = asked.header, asked.rows
    waiting = [row for row in rows if row.token_hash and not row.kind]
    taken = [row for row in rows if row.token_hash and row.kind]
    tried = [
        (_matching(taken, token_hash(token)), True),
        (_matching(waiting, invitation_hash(invitation)), False),
        (_matching(waiting, token_hash(invitation)), False),
    ]
    for row, is_used in tried:
        if row is not None and header is not None:
            return OpenedSeat(header, row, is_used)
    raise NotAdmitted(NOT_OPEN)


def _matching(rows: Sequence[SeatRow], given: bytes) -> SeatRow | None:
    """The row with a hash, searched with the same number of comparisons in every case."""
    found = None
    free = SeatRow(0, token_hash=NOBODY)
    for row in (*rows, *(free for _ in range(SEATS - len(rows)))):
        if secrets.compare_digest(row.token_hash, given):
            found = row
    return found


def identify(store: Store, hello: Hello) -> tuple[Header, Guest]:
    """The match and the client's role. Raises `NotAdmitted` if the match or the token is wrong.

    Every hello asks the store for the same three things, hashes one token and compares `SLOTS` hashes before any match
    is folded. Neither the answer nor the work before it therefore distinguishes another client's match from a match
    that does not exist.
    """
    asked = store.entrance(hello.match)
    header, rows = asked.header, asked.rows
    offered = [
        (row.token_hash, Guest("seat", Viewer(Seat(row.seat)), row.token_hash)) for row in rows if row.token_hash
    ]
    offered += [(row.token_hash, _lent(row, hello)) for row in asked.watchers]
    offered += [(NOBODY, WATCHER)] * (SLOTS - len(offered))
    given, found = token_hash(hello.token), None
    for kept, guest in offered:
        if secrets.compare_digest(kept, given):
            found = guest
    if hello.viewer and not hello.token and header is not None and not header.closed:
        found = OPEN_WATCHER if hello.viewer == "open" else WATCHER
    if found is None or header is None:
        raise NotAdmitted(REFUSAL)
    return header, found


def _lent(row: WatchRow, hello: Hello) -> Guest:
    """The role that a seat's grant gives: a caster, or a spectator who directs but sees nothing of the seat's view."""
    if row.seat < DIRECTED:
        return Guest("caster", Viewer(Seat(row.seat)))
    return Guest("spectator", OPEN if hello.viewer == "open" else SPECTATOR, directs_for=row.seat - DIRECTED)


def is_opened(reveal: str, viewer: Viewer) -> bool:
    """Whether the policy of a match that has ended opens its secrets to a viewer (docs/record.md 3)."""
    return reveal == "public" or (reveal == "seats" and viewer.seat is not None)
