"""The Scenes of Vera Discordia: well formed, small, quick, and without a hidden fact."""

import json
import random
import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel import Asked, DecisionsOpened, DiceRolled, Hidden, MatchEnded, One, Pick, Result, Seat
from domain.kernel.form import AnyForm, Assign, Formation
from domain.vera_discordia import GAME
from domain.vera_discordia.positions.resample import resample
from domain.vera_discordia.state.queries import cards_of
from domain.vera_discordia.state.state import VeraState
from projections.games.vera_discordia.prompts import ORDERS
from projections.games.vera_discordia.scene import CHARGES, GLYPHS, TERRAIN
from projections.games.vera_discordia.words import card_of
from projections.i18n.language import language_of
from projections.scene import diff, fitting, merge
from projections.vocabulary import cue_defects, defects
from tests.projections.matches import VERA_FACE, VIEWERS, vera, walk

Scene = dict[str, Any]
SEEDS = (3, 9, 10, 13)


@cache
def stops(seed: int, viewer: Seat | None) -> tuple[tuple[VeraState, Scene], ...]:
    """The view and Scene at each pause of a match."""
    return tuple(
        (view, VERA_FACE.scene(view, viewer))
        for _, event, view in walk(GAME, vera(seed), viewer)
        if isinstance(event, DecisionsOpened | MatchEnded)
    )


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("seed", SEEDS)
def test_scenes_hold_to_the_vocabulary(seed: int, viewer: Seat | None) -> None:
    assert stops(seed, viewer)
    for _, scene in stops(seed, viewer):
        assert defects(scene) == []


@pytest.mark.parametrize("viewer", VIEWERS)
def test_patches_lead_from_scene_to_scene(viewer: Seat | None) -> None:
    scenes = [scene for _, scene in stops(3, viewer)]
    for old, new in pairwise(scenes):
        patch = diff(old, new) or {}
        assert merge(old, patch) == new
        assert len(json.dumps(patch)) < 20_000


@pytest.mark.parametrize("viewer", VIEWERS)
def test_cues_name_what_is_there(viewer: Seat | None) -> None:
    before, scene = [], VERA_FACE.scene(GAME.fold(vera(5)[:1]), viewer)
    seen = set()
    for old, event, view in walk(GAME, vera(5), viewer):
        before += VERA_FACE.cues(old, event)
        if isinstance(event, DecisionsOpened | MatchEnded):
            new = VERA_FACE.scene(view, viewer)
            for cue in fitting(before, scene, new):
                seen.add(cue["k"])
                assert cue_defects(cue, scene, new) == []
            before, scene = [], new
    assert {"arrow", "hit", "roll", "banner", "result"} <= seen


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("seed", SEEDS)
def test_no_closed_unit_is_named(seed: int, viewer: Seat | None) -> None:
    states = [GAME.fold(vera(seed)[:1])]
    for event in vera(seed)[1:]:
        states.append(GAME.fold((event,), states[-1]))
    watched = 0
    pauses = [s for e, s in zip(vera(seed), states, strict=True) if isinstance(e, DecisionsOpened | MatchEnded)]
    for state, (view, scene) in zip(pauses, stops(seed, viewer), strict=True):
        known = {unit.card for unit in view.units.values()} | {c for side in view.sides for c in side.reserve}
        known |= {c for side in view.sides for cards in (side.recruits, side.covert) for c in _seen(cards)}
        secret = {unit.card for unit in state.units.values()} - known
        text = json.dumps(scene)
        for card in secret:
            assert not isinstance(card, Hidden)
            watched += 1
            assert not re.search(rf'\b{card_of(state, card).name}(?=[",(]| \()', text)
    assert watched, "there are Closed Units"


def _seen(cards: object) -> tuple[Any, ...]:
    return cards if isinstance(cards, tuple) else ()


@pytest.mark.parametrize("viewer", VIEWERS)
def test_worlds_a_viewer_cannot_tell_apart_look_the_same(viewer: Seat | None) -> None:
    """A Scene is made from the view: the whole state, resampled or not, is never looked at."""
    rng = random.Random(7)
    mine = GAME.view(vera(3)[: len(vera(3)) // 2], _mask(viewer))
    text = json.dumps(VERA_FACE.scene(mine, viewer))
    for _ in range(3):
        world = resample(mine, viewer, rng.randrange)
        assert world != mine
        assert json.dumps(VERA_FACE.scene(mine, viewer)) == text


def _mask(viewer: Seat | None) -> Any:
    return 0 if viewer is None else 1 << viewer


def _own(seed: int) -> Iterator[tuple[VeraState, Asked, AnyForm, dict[str, Any]]]:
    for viewer in VIEWERS[1:]:
        for view, scene in stops(seed, viewer):
            asked = next((asked for asked in view.asked if asked.seat == viewer), None)
            if asked is None:
                assert scene["prompt"]["mode"] != "you"
                assert "fields" not in scene["prompt"]
            else:
                yield view, asked, GAME.revive_decision(asked).form(view), scene["prompt"]


@pytest.mark.parametrize("seed", SEEDS)
def test_every_prompt_can_be_answered(seed: int) -> None:
    forms = set()
    for _, asked, form, prompt in _own(seed):
        forms.add(type(form))
        (field,) = prompt["fields"]
        assert prompt["id"] == str(asked.number)
        for answer in _answers(form, field):
            choice = form.read(answer)
            assert choice is not None
            assert form.check(choice) == "", (asked.kind, answer)
    assert {One, Pick, Assign} <= forms


def _answers(form: AnyForm, field: dict[str, Any]) -> list[Any]:
    """Answers as the client makes them out of the ids of a field."""
    match form:
        case One():
            return [option["id"] for option in field["options"]]
        case Pick():
            items = [item["id"] for item in field["items"]]
            return [items[: field["max"]], items[: field["min"]]]
        case Assign():
            items = [item["id"] for item in field["items"]]
            return [dict(zip(items, (slot["id"] for slot in field["slots"]), strict=False))]
        case Formation():
            return []


@pytest.mark.parametrize("seed", SEEDS)
def test_options_that_touch_the_same_things_differ_in_words(seed: int) -> None:
    for _, asked, form, prompt in _own(seed):
        if isinstance(form, One):
            words = [option["label"] for option in prompt["fields"][0]["options"]]
            assert len(set(words)) == len(words), (asked.kind, words)


def test_waiting_says_who_and_nothing_of_what() -> None:
    for viewer in VIEWERS:
        for view, scene in stops(3, viewer):
            prompt = scene["prompt"]
            if prompt["mode"] == "wait":
                assert view.players[prompt["seat"]] in prompt["ask"]
                assert set(prompt) == {"id", "seat", "mode", "ask"}


def test_the_end_is_announced() -> None:
    for viewer in VIEWERS:
        assert stops(3, viewer)[-1][1]["prompt"]["mode"] == "over"


def test_the_end_says_whose_general_fell_or_whose_motivation_is_gone() -> None:
    rules = {"the General fell": "VD-283", "no Motivation left": "VD-284", "the General was not deployed": "VD-129"}
    for reason, rule in rules.items():
        ended = replace(stops(3, None)[-1][0], result=Result(winner=0, reason=reason, rule=rule))
        why = VERA_FACE.scene(ended, None)["prompt"]["why"]
        assert "loser" in why
        assert rule in why


def test_the_roll_for_initiative_says_what_lost_units_and_the_general_add_and_who_has_it() -> None:
    view = stops(3, None)[-1][0]
    sides = tuple(
        replace(side, destroyed=lost, general=general)
        for side, lost, general in zip(view.sides, (3, 0), ("isaut", "vale"), strict=True)
    )
    roll = DiceRolled("VD-133", "Initiative", 1, "", 6, (1, 3), None)
    shown = VERA_FACE.scene(replace(view, sides=sides, roll=roll, initiative=Seat(0)), None)
    told = shown["zones"]["tray"]["geom"]["roll"]
    assert [group.get("sum") for group in told["groups"]] == ["+3 lost Units", "+2 Leadership"]
    assert told["result"] == f"{view.players[0]} has the initiative"
    german = language_of("vera_discordia", "de")
    assert german is not None
    assert german.text("+1 lost Units, +2 Leadership") == "+1 für verlorene Einheiten, +2 Führung"
    assert german.text("Vera has the initiative") == "Vera hat die Initiative"


def test_every_unit_and_faction_has_a_picture_in_the_sheet() -> None:
    sheet = Path(__file__).parents[4] / "server" / "web" / "glyphs"
    known = {name for file in ("core", "vera_discordia") for name in json.loads((sheet / f"{file}.json").read_text())}
    printed = cards_of(GAME.fold(vera(3)[:1]))
    types = {card.type_id for card in printed.types.values()}
    assert types == set(GLYPHS)
    assert set(printed.factions) == set(CHARGES)
    assert {*GLYPHS.values(), *CHARGES.values(), *TERRAIN.values(), *ORDERS.values()} <= known


@pytest.mark.parametrize("seed", SEEDS)
def test_of_equal_pieces_all_name_the_one_that_options_name(seed: int) -> None:
    equal = 0
    for viewer in (Seat(0), Seat(1)):
        for _, scene in stops(seed, viewer):
            pieces = scene["pieces"]
            for piece in pieces.values():
                if "same" in piece:
                    first = pieces[piece["same"]]
                    assert first["label"] == piece["label"]
                    assert first["zone"].removesuffix("2") == piece["zone"].removesuffix("2"), "the hand in two rows"
                    assert "same" not in first
                    equal += 1
    assert equal


@pytest.mark.parametrize("seed", SEEDS)
def test_one_answer_is_forced_unless_it_is_secret_or_declines(seed: int) -> None:
    for view, _, form, prompt in _own(seed):
        options = prompt["fields"][0].get("options", [])
        is_one = isinstance(form, One) and len(options) == 1
        declines = any(option.get("tone") == "quiet" or "at" not in option for option in options)
        assert prompt.get("forced", False) == (is_one and not declines and not view.sealed)
