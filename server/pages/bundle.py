"""Matches as replay bundles (docs/scene.md 6): a track of Scene and Steps per permitted viewpoint."""

from typing import TYPE_CHECKING, Any

import msgspec

from domain.kernel import MatchCreated, Seat
from projections.languages import ENGLISH
from projections.redaction import SPECTATOR, Viewer
from replay.files import export
from replay.record.referee import read_event
from replay.store.errors import NoSuchMatch
from replay.store.store import Store
from server.pages.armies import ARMIES, army_answer
from server.pages.lessons import GUIDES, LESSONS, learning_answer
from server.pages.serving import RECORD
from server.pages.tracks import bundled, track

if TYPE_CHECKING:
    from projections.face import Face
    from server.lobby.lobby import Lobby
    from server.pages.serving import Api


def bundle(
    face: "Face[Any]",
    store: Store,
    match: str,
    only: str = "",
    *,
    upto: int | None = None,
    language: str = ENGLISH,
) -> dict[str, Any]:
    """A match as a bundle: the public viewpoint, and all seats' viewpoints once the match is over and open.

    `only` names one viewpoint: `pub`, `p0`, `p1` ...; `upto`: the last line that is shown; `language`: the language of
    its texts. Raises `NoSuchMatch`.
    """
    header = store.header(match)
    entries = store.read(match, limit=upto)
    first = read_event(face.game, entries[0])
    views: list[tuple[str, str, Viewer]] = [("pub", "", SPECTATOR)]
    if header.status == "finished" and isinstance(first, MatchCreated) and first.reveal == "public":
        for row in store.seats.holders(match):
            views.append((f"p{row.seat}", row.name if row.kind else "", Viewer(Seat(row.seat))))
    if only:
        views = [view for view in views if view[0] == only]
    tracks = {name: track(face, entries, viewer, language) for name, _, viewer in views}
    title = header.title or face.game.spec.title
    return bundled(header.game, title, [(name, label) for name, label, _ in views], tracks)


def _record(lobby: "Lobby", match: str) -> bytes | None:
    """The record as everybody may hold it; with every secret once the match is over and its policy opens them."""
    try:
        end = lobby.registry.spectators_end(match)
        return b"".join(export.write(export.for_viewer(lobby.store, match, SPECTATOR, upto=end)))
    except NoSuchMatch:
        return None


def bundle_api(lobby: "Lobby") -> "Api":
    """The addresses that need the match lobby: `/api/bundle/<match>`, with `?view=pub` for one viewpoint and `&lang=de`
    for a language, `/api/record/<match>`, and those below `ARMIES`, `LESSONS` and `GUIDES`.
    """

    def api(path: str, query: dict[str, str]) -> bytes | None:
        if path.startswith(ARMIES):
            return army_answer(lobby.faces, path, query)
        if path.startswith((LESSONS, GUIDES)):
            return learning_answer(lobby.faces, path, query)
        if path.startswith(RECORD):
            return _record(lobby, path.removeprefix(RECORD))
        prefix = "/api/bundle/"
        if not path.startswith(prefix):
            return None
        try:
            match = path.removeprefix(prefix)
            end = lobby.registry.spectators_end(match)
            face = lobby.faces[lobby.store.header(match).game]
            made = bundle(
                face, lobby.store, match, query.get("view", ""), upto=end, language=query.get("lang", ENGLISH)
            )
        except (NoSuchMatch, KeyError):
            return None
        return msgspec.json.encode(made) if made["tracks"] else None

    return api
