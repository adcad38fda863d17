"""Branches a match for a client, using only things that the client may see of the match (docs/replay.md)."""

import asyncio
import secrets
from typing import Any, Final

from msgspec.structs import replace

from domain.kernel import Event, Game, MatchCreated, Seat
from projections.redaction import SPECTATOR, Viewer
from replay.errors import RecordInvalid
from replay.files.export import EVERYTHING
from replay.playback.branch import Trunk, beginning, pause_before
from replay.playback.errors import CannotBranch
from replay.record.creation import Beginning
from replay.record.dealt_chance import event_words, is_held
from replay.record.referee import read_event
from replay.store.log import Log
from server.lobby.ancestry import goes_on_without_hints
from server.lobby.errors import CannotCreate
from server.lobby.lobby import Lobby
from server.table.guests import is_opened
from server.wire.protocol import Branch, Create, Created, Hello

NO_HINTS: Final = (
    "This position is of a match that goes on and has no hints: branch it without hints, or when that match is over."
)


async def branch(lobby: Lobby, wish: Branch) -> Created:
    """A new match that begins from a position of another match.

    The new match begins from the client's own view, or from any view once the old match has ended and its secrets are
    open to the client. Raises `NotAdmitted` if the client may not see the match, and `CannotCreate`, with the necessary
    change, if the request cannot be carried out.
    """
    live_match, guest = await lobby.entry.admit(Hello(wish.match, wish.token, "" if wish.token else "spectator"))
    if guest.role == "caster":
        raise CannotCreate(
            "A seat shares its view to be watched: branch the match with a seat's token, or without one."
        )
    viewer = guest.viewer
    header = await asyncio.to_thread(lobby.store.header, wish.match)
    first = read_event(live_match.face.game, (await asyncio.to_thread(lobby.store.read, wish.match, 0, 1))[0])
    assert isinstance(first, MatchCreated), "a record begins with MatchCreated"
    if is_held(first, header):
        raise CannotCreate(f"This is a table of {event_words(first)}, which is not closed yet; branch it after that.")
    if wish.hints and await asyncio.to_thread(goes_on_without_hints, lobby.store, live_match.face.game, wish.match):
        raise CannotCreate(NO_HINTS)
    opened = header.status == "finished" and is_opened(first.reveal, viewer)
    eyes = _eyes(wish.eyes, viewer, len(first.seats), opened=opened)
    try:
        begin, line = await asyncio.to_thread(
            _begin, lobby.store, live_match.face.game, wish, eyes, live_match.visible_head.seq_for(viewer)
        )
    except (CannotBranch, RecordInvalid) as wrong:
        raise CannotCreate(f"The match cannot be branched there: {wrong}") from wrong
    reveal = first.reveal if opened or first.reveal == "auditor" else "seats"
    title = wish.title or f"After line {line} of {wish.match[:8]}"
    listed = wish.listed and opened
    # The policy comes from a record, whose reader has checked it.
    create = Create(header.game, wish.seats, first.options, listed, title, reveal, header.closed)  # type: ignore[arg-type]
    return await lobby.factory.create(replace(create, shares=wish.shares, hints=wish.hints), begin)


def _eyes(wanted: str, own: Viewer, seats: int, *, opened: bool) -> Viewer | None:
    """The viewer whose view is used; None for everything. Raises `CannotCreate` if the client may not use that view at
    all.
    """
    if not wanted:
        return None if opened else own
    if wanted == own.label:
        return own
    if not opened:
        raise CannotCreate("This match is not open to you: branch it through your own eyes.")
    if wanted == EVERYTHING:
        return None
    known = {viewer.label: viewer for viewer in (SPECTATOR, *(Viewer(Seat(seat)) for seat in range(seats)))}
    if wanted not in known:
        raise CannotCreate(f"There are no eyes {wanted!r}; there are {', '.join((EVERYTHING, *known))}.")
    return known[wanted]


def _begin(store: Log, game: Game[Any], wish: Branch, eyes: Viewer | None, end: int) -> tuple[Beginning[Any], int]:
    """The branch's beginning, and the line from which it continues."""
    if wish.seq > end:
        raise CannotBranch(f"There is no line {wish.seq}; the match has lines 1 to {end}.")
    entries = store.read(wish.match, limit=wish.seq)
    events: list[Event] = [read_event(game, entry) for entry in entries]
    trunk = Trunk(wish.match, events, [entry.line for entry in entries])
    line = pause_before(game, events, wish.seq)
    return beginning(game, trunk, line, eyes, secrets.randbelow), line
