"""Who a client is in a match: found by its token alone, with the same work whatever the answer is."""

import secrets
from contextlib import suppress
from typing import Final, Literal

from msgspec import Struct

from domain.kernel import Seat
from projections.redaction import SPECTATOR, Viewer
from replay.record import sealing
from replay.store.errors import NoSuchMatch
from replay.store.log import Header, SeatRow, Store
from server.wire.errors import NotAdmitted
from server.wire.protocol import Hello

Role = Literal["seat", "caster", "spectator"]
TOKEN_BYTES: Final = 32
SEATS: Final = 8
GRANTS: Final = 4
"""Caster's tokens that a seat may have given at a time."""
SLOTS: Final = SEATS + SEATS * GRANTS
"""Tokens compared for every hello; where a match has fewer, the rest are nobody's."""
NOBODY: Final = bytes(TOKEN_BYTES)
REFUSAL: Final = "There is no such match, or not with this token."


class Guest(Struct, frozen=True):
    """Who a connection is in a match: a seat, a caster with a seat's eyes, or a spectator."""

    role: Role
    viewer: Viewer


WATCHER: Final = Guest("spectator", SPECTATOR)


def new_token() -> str:
    """256 random bits as text."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def token_hash(token: str) -> bytes:
    """What the store keeps of a token."""
    return sealing.tagged_hash("token", token.encode())


def identify(store: Store, hello: Hello) -> tuple[Header, Guest]:
    """The match and who the client is there. Raises `NotAdmitted`; whether the match or the token is wrong is not told.

    Every hello asks the store for the same three things, hashes one token and compares `SLOTS` hashes, before any
    match is folded: neither the answer nor the work before it tells a match that is not the client's from none.
    """
    header, rows = _asked(store, hello.match)
    offered = [(row.token_hash, Guest("seat", Viewer(Seat(row.seat)))) for row in rows if row.token_hash]
    offered += [(row.token_hash, Guest("caster", Viewer(Seat(row.seat)))) for row in store.watchers(hello.match)]
    offered += [(NOBODY, WATCHER)] * (SLOTS - len(offered))
    given, found = token_hash(hello.token), None
    for kept, guest in offered:
        if secrets.compare_digest(kept, given):
            found = guest
    if hello.viewer == "spectator" and not hello.token and header is not None and not header.closed:
        found = WATCHER
    if found is None or header is None:
        raise NotAdmitted(REFUSAL)
    return header, found


def _asked(store: Store, match: str) -> tuple[Header | None, tuple[SeatRow, ...]]:
    header: Header | None = None
    rows: tuple[SeatRow, ...] = ()
    with suppress(NoSuchMatch):
        header = store.header(match)
    with suppress(NoSuchMatch):
        rows = store.seats(match)
    return header, rows


def is_opened(reveal: str, viewer: Viewer) -> bool:
    """Whether the policy of a match that has ended opens its secrets to a viewer (docs/record.md 3)."""
    return reveal == "public" or (reveal == "seats" and viewer.seat is not None)
