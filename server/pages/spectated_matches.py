"""Matches of a server as spectators see them, for previews of links and for pictures."""

from typing import TYPE_CHECKING

from projections.redaction import SPECTATOR
from replay.record.referee import read_event
from replay.store.errors import NoSuchMatch
from server.pages.sharing import Find, SpectatedMatch

if TYPE_CHECKING:
    from server.lobby.lobby import Lobby


def found_in(lobby: "Lobby") -> Find:
    """Finds the matches of a lobby; closed ones are not found. It reads a match, so it must run in a thread."""

    def find(match: str, wanted: int) -> SpectatedMatch | None:
        try:
            end = lobby.registry.spectators_end(match)
            header = lobby.store.header(match)
            ends = [one for one in (end, wanted or None) if one is not None]
            entries = lobby.store.read(match, limit=min(ends) if ends else None)
        except NoSuchMatch:
            return None
        face = lobby.faces.get(header.game)
        if face is None:
            return None
        events = [face.game.redact(read_event(face.game, entry), SPECTATOR.mask) for entry in entries]
        return SpectatedMatch(face, header.title, events, header.status == "finished")

    return find
