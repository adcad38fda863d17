"""The track of a replay: the first Scene of one viewpoint, and its Steps (docs/scene.md 6)."""

from typing import TYPE_CHECKING, Any, Final

import msgspec

from domain.kernel import SEAT_ACTS, SERVER_ACTS, Clocks, State, follow
from projections.languages import ENGLISH
from projections.redaction import Viewer
from replay.record import sealing
from replay.record.line import codec_of
from replay.store.log import Entry
from server.table.audience import Audience
from server.wire.clock_readings import clock_infos

if TYPE_CHECKING:
    from projections.face import Face

COMMIT_STARTS: Final = frozenset(
    {"Chosen", "SeatTaken", "EntropyCommitted", *(act.__name__ for act in (*SEAT_ACTS, *SERVER_ACTS))}
)
POSITION: Final = "SeatBriefed"
BEFORE_POSITION: Final = frozenset({POSITION, "BranchOpened", "ScenarioOpened", "OfferAccepted"})
"""Steps after which a position belongs to their action; after other Steps it is a Step of its own."""


def commits(entries: list[Entry]) -> list[list[Entry]]:
    """The lines grouped as they were appended: a choice or an act at the table, and its consequences."""
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
    codec, groups = codec_of(face.game), commits(entries)
    first = [codec.read_entry(entry) for entry in groups[0]]
    audience = Audience(face, viewer, first)
    audience.draw(is_wanted=True)
    frame = audience.snapshot(groups[0][-1].seq, sealing.genesis(b"\0" * 16), language=language)
    scene = msgspec.json.decode(frame)["scene"]
    steps = []
    state = face.game.fold(first)
    created: Any = face.game.created(first[0])  # type: ignore[arg-type]
    clocks = follow(face.game, None, created, first[1:], groups[0][-1].at, 2)
    for group in groups[1:]:
        events = [codec.read_entry(entry) for entry in group]
        step = audience.step(group[-1].seq, events, language)
        for entry, event in zip(group, events, strict=True):
            clocks = follow(face.game, clocks, state, (event,), entry.at, entry.seq)
            state = face.game.fold((event,), state)
        _set_clocks(step, clocks, state)
        steps.append(step)
    return {"scene": scene, "steps": steps}


def _set_clocks(step: dict[str, Any], clocks: Clocks | None, state: State) -> None:
    """Put the clocks' readings at a line into its Step; in a replay no clock runs."""
    for seat, clock in clock_infos(clocks, state, clocks.at if clocks is not None else 0).items():
        step["set"].setdefault("seats", {}).setdefault(seat, {})["clock"] = {"ms": clock.ms, "run": False}


def bundled(game: str, title: str, views: list[tuple[str, str]], tracks: dict[str, Any]) -> dict[str, Any]:
    """A bundle of these tracks; `views`: the name of each, and its label."""
    return {
        "herald": 1,
        "game": game,
        "title": title,
        "views": [[name, label] for name, label in views],
        "glyphs": ["core", game],
        "marks": [],
        "tracks": tracks,
    }
