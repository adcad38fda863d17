"""What every game's face must do, whichever game it is."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from domain.kernel import (
    Asked,
    DecisionsOpened,
    Event,
    MatchCreated,
    MatchEnded,
    One,
    Open,
    Seat,
    SeatTaken,
    begin,
)
from projections.face import Face
from projections.glossary import glossary, reason
from projections.registry import faces
from projections.scene import diff, fitting, merge
from projections.vocabulary import cue_defects, defects
from server.conformance.walks import Seeded
from tests.projections.faces import terms_in, unnamed
from tests.projections.matches import play, walk

FACES = faces()
STEP_BYTES = 40_000
MOST = 150
"""Pauses of a match that are looked at, about."""


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


class Pause(NamedTuple):
    """A moment at which somebody is asked, or the end: what is animated since the last, the view, its Scene."""

    cues: list[dict[str, Any]]
    event: Event
    view: Any
    scene: dict[str, Any]


@cache
def pauses(name: str, viewer: Seat | None) -> list[Pause]:
    """The pauses of the match as a viewer has them; of a long one some `MOST` pairs of neighbours, and the end."""
    face, events = FACES[name], match(name)
    every = max(1, sum(isinstance(event, DecisionsOpened) for event in events) // MOST)
    found: list[Pause] = []
    cues: list[dict[str, Any]] = []
    number = 0
    for before, event, after in walk(face.game, events, viewer):
        cues += face.cues(before, event)
        if isinstance(event, DecisionsOpened | MatchEnded):
            number += 1
            if isinstance(event, MatchEnded) or number % every < 2:
                is_next = every == 1 or number % every == 1
                found.append(Pause(cues if is_next else [], event, after, face.scene(after, viewer)))
            cues = []
    return found


def test_scenes_patches_and_cues_hold_to_the_vocabulary(face: Face[Any]) -> None:
    for viewer in viewers(face):
        scene: dict[str, Any] = {}
        for cues, _, _, new in pauses(face.game.name, viewer):
            patch = diff(scene, new) or {}
            assert defects(new) == []
            assert merge(scene, patch) == new
            assert not scene or len(json.dumps(patch)) < STEP_BYTES
            if scene:
                assert [wrong for cue in fitting(cues, scene, new) for wrong in cue_defects(cue, scene, new)] == []
            scene = new
        assert scene["prompt"]["mode"] == "over"


def test_options_of_prompts_read_back_as_choices(face: Face[Any]) -> None:
    for viewer in viewers(face):
        for _, event, view, scene in pauses(face.game.name, viewer):
            asked = next((asked for asked in view.asked if asked.seat == viewer), None)
            if not isinstance(event, DecisionsOpened):
                continue
            assert (scene["prompt"]["mode"] == "you") == (asked is not None)
            if asked is not None:
                assert_answered_as_offered(face, view, asked, scene["prompt"])


def names_as(label: str, said: str) -> bool:
    """Whether a label below a heading is a part of the words said elsewhere, or says their act, with its object."""
    act, *others = said.split()
    if {*label.replace(":", "").split()} <= {act, *others}:
        return True
    return label in said or (label.startswith(act) and {*others} - {"at", "in", "melee", "against"} <= {*label.split()})


def assert_answered_as_offered(face: Face[Any], view: Any, asked: Asked, prompt: dict[str, Any]) -> None:
    """What a prompt offers are the choices of the question's form, by number, each said in its own words."""
    form = face.game.revive_decision(asked).form(view)
    assert face.question(view, asked)
    if isinstance(form, One):
        options = prompt["fields"][0]["options"]
        files = [option["file"]["do"] for option in options if "file" in option]
        assert files == ([form.own.__name__] if isinstance(form, Open) else [])
        options = sorted((option for option in options if "file" not in option), key=lambda option: int(option["id"]))
        assert [form.read(option["id"]) for option in options] == list(form)
        for option, said in zip(options, [face.option(view, asked, c) for c in form], strict=True):
            assert option["label"] == said or ("grp" in option and names_as(option["label"].lower(), said.lower()))


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
            if key in {"g", "glyph", "charge"} and isinstance(inner, str) and inner:
                yield inner
            yield from pictures(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from pictures(inner)


def test_every_picture_is_in_a_glyph_sheet(face: Face[Any]) -> None:
    known = sheet("core") | sheet(face.game.name)
    used: set[str] = set()
    for viewer in viewers(face):
        for before, event, _ in walk(face.game, match(face.game.name), viewer):
            used |= set(pictures(face.cues(before, event)))
        for pause in pauses(face.game.name, viewer):
            used |= set(pictures(pause.scene))
    assert used <= known, used - known


def test_all_that_is_shown_has_a_term_of_the_glossary(face: Face[Any]) -> None:
    known = glossary(face.game.name)
    for viewer in viewers(face) if known else ():
        for pause in pauses(face.game.name, viewer):
            assert list(unnamed(pause.scene)) == []
            assert set(terms_in(pause.scene)) - set(known) == set()


def test_a_prompt_says_what_it_is_for_with_the_rows_that_say_so(face: Face[Any]) -> None:
    for _, event, view, scene in pauses(face.game.name, Seat(0)):
        if isinstance(event, DecisionsOpened) and scene["prompt"]["mode"] == "you":
            (asked,) = [asked for asked in view.asked if asked.seat == 0]
            rule = face.game.revive_decision(asked).rule
            assert scene["prompt"]["why"] == reason(face.game.name, asked.kind, rule)


@pytest.mark.parametrize(
    ("game", "why"),
    [("disciples_legacy", "to begin with: most HP"), ("vera_discordia", "to begin with: the shortest rules")],
)
def test_the_army_to_begin_with_comes_first_and_says_why(game: str, why: str) -> None:
    face = FACES[game]
    events: list[Event] = [MatchCreated(game, {}, ("", "")), SeatTaken(Seat(0), "Abel"), SeatTaken(Seat(1), "Doviso")]
    state = begin(face.game, face.game.fold(events), Seeded(1)).state
    options = face.scene(state, state.asked[0].seat)["prompt"]["fields"][0]["options"]
    assert [option.get("end") for option in options][:2] == [why, None]
    assert {option["id"] for option in options if option["id"].isdigit()} == {
        str(n) for n in range(len(options) - (options[-1]["id"] == "own"))
    }, "it is answered as before"
