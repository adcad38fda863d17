"""What every game's face must do, whichever game it is."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from domain.kernel import DecisionsOpened, Event, MatchEnded, One, Open, Seat
from projections.face import Face
from projections.registry import faces
from projections.scene import diff, fitting, merge
from projections.vocabulary import cue_defects, defects
from tests.projections.matches import play, walk

FACES = faces()
STEP_BYTES = 40_000


@pytest.fixture(params=FACES)
def face(request: pytest.FixtureRequest) -> Face[Any]:
    """The face of each game."""
    return FACES[request.param]


@cache
def match(name: str) -> tuple[Event, ...]:
    """A match of the game."""
    return tuple(play(FACES[name].game, 5))


def viewers(face: Face[Any]) -> list[Seat | None]:
    return [None, *(Seat(seat) for seat in range(face.game.seats))]


def test_events_are_told_in_sentences(face: Face[Any]) -> None:
    for viewer in viewers(face):
        for before, event, after in walk(face.game, match(face.game.name), viewer):
            told = face.narrate(before, after, event, viewer)
            assert "HIDDEN" not in told
            assert "\n" not in told
            assert not told or told[-1] in ".!?", told


def test_scenes_patches_and_cues_hold_to_the_vocabulary(face: Face[Any]) -> None:
    for viewer in viewers(face):
        scene: dict[str, Any] = {}
        cues: list[dict[str, Any]] = []
        for before, event, after in walk(face.game, match(face.game.name), viewer):
            cues += face.cues(before, event)
            if not isinstance(event, DecisionsOpened | MatchEnded):
                continue
            new = face.scene(after, viewer)
            patch = diff(scene, new) or {}
            assert defects(new) == []
            assert merge(scene, patch) == new
            assert not scene or len(json.dumps(patch)) < STEP_BYTES
            if scene:
                assert [wrong for cue in fitting(cues, scene, new) for wrong in cue_defects(cue, scene, new)] == []
            scene, cues = new, []
        assert scene["prompt"]["mode"] == "over"


def test_options_of_prompts_read_back_as_choices(face: Face[Any]) -> None:
    for viewer in viewers(face):
        for _, event, view in walk(face.game, match(face.game.name), viewer):
            if not isinstance(event, DecisionsOpened):
                continue
            prompt = face.scene(view, viewer)["prompt"]
            asked = next((asked for asked in view.asked if asked.seat == viewer), None)
            assert (prompt["mode"] == "you") == (asked is not None)
            if asked is None:
                continue
            form = face.game.revive_decision(asked).form(view)
            assert face.question(view, asked)
            if isinstance(form, One):
                options = prompt["fields"][0]["options"]
                files = [option["file"]["do"] for option in options if "file" in option]
                assert files == ([form.own.__name__] if isinstance(form, Open) else [])
                options = [option for option in options if "file" not in option]
                assert [form.read(option["id"]) for option in options] == list(form)
                for option, said in zip(options, [face.option(view, asked, c) for c in form], strict=True):
                    assert option["label"] == said or ("grp" in option and said.startswith(option["label"]))


def test_boards_are_plain_text(face: Face[Any]) -> None:
    for viewer in viewers(face):
        *_, (_, _, view) = walk(face.game, match(face.game.name), viewer)
        board = face.board(view, viewer)
        assert board
        assert "\x1b" not in board
        assert max(map(len, board.split("\n"))) <= 100


GLYPHS = Path(__file__).parents[2] / "server" / "web" / "glyphs"


def sheet(name: str) -> set[str]:
    file = GLYPHS / f"{name}.json"
    return set(json.loads(file.read_text())) if file.exists() else set()


def pictures(value: object) -> Iterator[str]:
    """The glyph names anywhere in a Scene or cue."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in {"g", "glyph", "charge"} and inner:
                yield inner
            yield from pictures(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from pictures(inner)


def test_every_picture_is_in_a_glyph_sheet(face: Face[Any]) -> None:
    known = sheet("core") | sheet(face.game.name)
    used: set[str] = set()
    for viewer in viewers(face):
        for before, event, view in walk(face.game, match(face.game.name), viewer):
            used |= set(pictures(face.cues(before, event)))
            if isinstance(event, DecisionsOpened):
                used |= set(pictures(face.scene(view, viewer)))
    assert used <= known, used - known
