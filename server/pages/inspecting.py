"""The inspector of a server with `--develop`: the author's own view of a match, folded as a client folds it."""

from typing import TYPE_CHECKING, Any

import msgspec
from websockets.datastructures import Headers

from projections.redaction import SPECTATOR, Viewer
from replay.errors import RecordError
from replay.record.referee import read_event
from server.table.guests import identify
from server.wire.errors import NotAdmitted
from server.wire.protocol import Hello

if TYPE_CHECKING:
    from projections.face import Face
    from replay.store.log import Entry
    from server.lobby.lobby import Lobby

VIEW = "/inspect/view"
"""`/inspect/view?m=MATCH&seq=LINE`; the token is in the header, because addresses are logged."""
BEARER = "Bearer "


def folded(face: "Face[Any]", entries: "list[Entry]", viewer: Viewer) -> Any:
    """A viewer's state after these lines: the fold of only those events that the viewer was sent."""
    events = (read_event(face.game, entry) for entry in entries)
    return face.game.fold([face.game.redact(event, viewer.mask) for event in events])


def view_of(lobby: "Lobby", query: dict[str, str], headers: Headers) -> bytes | None:
    """The view of the client that asks, after a line, as JSON; None for an unknown match or a wrong token."""
    match, token = query.get("m", ""), headers.get("Authorization", "").removeprefix(BEARER)
    try:
        header, guest = identify(lobby.store, Hello(match, token, "" if token else "spectator"))
        end = lobby.registry.spectators_end(match) if guest.viewer == SPECTATOR else None
        entries = lobby.store.read(match, limit=end)
        held = entries[: max(1, int(query.get("seq", len(entries))))]
        view = folded(lobby.faces[header.game], held, guest.viewer) if held else None
    except (NotAdmitted, RecordError, KeyError, ValueError):
        return None
    return msgspec.json.encode({"seq": len(held), "view": view})
