"""Matches as replay bundles (docs/scene.md 6): a track of Scene and Steps per permitted viewpoint."""

from typing import TYPE_CHECKING, Any, Final

import msgspec

from domain.kernel import SEAT_ACTS, SERVER_ACTS, Clocks, MatchCreated, Seat, State, follow
from projections.languages import ENGLISH
from projections.redaction import SPECTATOR, Viewer
from replay.files import export
from replay.record import sealing
from replay.record.referee import read_event
from replay.store.errors import NoSuchMatch
from replay.store.log import Entry
from replay.store.store import Store
from server.pages.armies import ARMIES, army_answer
from server.pages.lessons import GUIDES, LESSONS, learning_answer
from server.pages.serving import RECORD
from server.table.audience import Audience
from server.wire.acts import clock_infos

if TYPE_CHECKING:
    from projections.face import Face
    from server.lobby.lobby import Lobby
    from server.pages.serving import Api

COMMIT_STARTS: Final = frozenset(
    {"Chosen", "SeatTaken", "EntropyCommitted", *(act.__name__ for act in (*SEAT_ACTS, *SERVER_ACTS))}
)
POSITION: Final = "SeatBriefed"
BEFORE_POSITION: Final = frozenset({POSITION, "BranchOpened", "ScenarioOpened", "OfferAccepted"})
"""After these a position is part of what they began; else it is one of its own."""


def commits(entries: list[Entry]) -> list[list[Entry]]:
    """The lines grouped as they were appended: a choice, or something done at the table, and what came of it."""
    groups: list[list[Entry]] = []
    for entry in entries:
        if not groups or _starts(entry.type, groups[-1][-1].type):
            groups.append([])
        groups[-1].append(entry)
    return groups


def _starts(kind: str, before: str) -> bool:
    return (kind in COMMIT_STARTS and kind != before) or (kind == POSITION and before not in BEFORE_POSITION)


def track(face: "Face[Any]", entries: list[Entry], viewer: Viewer, language: str = ENGLISH) -> dict[str, Any]:
    """The first Scene and the Steps of one viewpoint in a language."""
    groups = commits(entries)
    first = [read_event(face.game, entry) for entry in groups[0]]
    audience = Audience(face, viewer, first)
    audience.draw(is_wanted=True)
    frame = audience.snapshot(groups[0][-1].seq, sealing.genesis(b"\0" * 16), language=language)
    scene = msgspec.json.decode(frame)["scene"]
    steps = []
    state = face.game.fold(first)
    created: Any = face.game.created(first[0])  # type: ignore[arg-type]
    clocks = follow(face.game, None, created, first[1:], groups[0][-1].at, 2)
    for group in groups[1:]:
        events = [read_event(face.game, entry) for entry in group]
        step = audience.step(group[-1].seq, events, language)
        for entry, event in zip(group, events, strict=True):
            clocks = follow(face.game, clocks, state, (event,), entry.at, entry.seq)
            state = face.game.fold((event,), state)
        _set_clocks(step, clocks, state)
        steps.append(step)
    return {"scene": scene, "steps": steps}


def _set_clocks(step: dict[str, Any], clocks: Clocks | None, state: State) -> None:
    """Put what the clocks showed at a line into its Step; in a replay none runs."""
    for seat, clock in clock_infos(clocks, state, clocks.at if clocks is not None else 0).items():
        step["set"].setdefault("seats", {}).setdefault(seat, {})["clock"] = {"ms": clock.ms, "run": False}


def bundle(
    face: "Face[Any]",
    store: Store,
    match: str,
    only: str = "",
    *,
    upto: int | None = None,
    language: str = ENGLISH,
) -> dict[str, Any]:
    """A match as a bundle: the public viewpoint, and every seat's once the match is over and its secrets are public.

    `only` names one viewpoint: `pub`, `p0`, `p1` ...; `upto`: no line after that one; `language`: of what is read.
    Raises `NoSuchMatch`.
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
    return {
        "herald": 1,
        "game": header.game,
        "title": header.title or face.game.spec.title,
        "views": [[name, label] for name, label, _ in views],
        "glyphs": ["core", header.game],
        "marks": [],
        "tracks": {name: track(face, entries, viewer, language) for name, _, viewer in views},
    }


def _record(lobby: "Lobby", match: str) -> bytes | None:
    """The record as everybody may hold it; with every secret once the match is over and its policy says so."""
    try:
        end = lobby.registry.spectators_end(match)
        return b"".join(export.write(export.for_viewer(lobby.store, match, SPECTATOR, upto=end)))
    except NoSuchMatch:
        return None


def bundle_api(lobby: "Lobby") -> "Api":
    """The addresses that are asked of the match lobby: `/api/bundle/<match>`, with `?view=pub` for one viewpoint and
    `&lang=de` for a language, `/api/record/<match>`, and those below `ARMIES`, `LESSONS` and `GUIDES`.
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
