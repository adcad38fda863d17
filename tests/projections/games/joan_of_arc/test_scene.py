"""The Scene of Joan of Arc: in the words of docs/scene.md, whole, small, and silent about what is hidden."""

import json
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from domain.joan_of_arc import GAME
from domain.joan_of_arc.cards.dice import Face
from domain.joan_of_arc.state import events as e
from domain.joan_of_arc.state.queries import card_of, setting_of, table_of
from domain.kernel import DecisionsOpened, Hidden, Seat
from projections.games.joan_of_arc.cues import cues
from projections.games.joan_of_arc.dice_shown import FACE_GLYPHS
from projections.games.joan_of_arc.face import FACE
from projections.games.joan_of_arc.ground import holds
from projections.games.joan_of_arc.layouts import EMPTY
from projections.games.joan_of_arc.refs import is_shown
from projections.games.joan_of_arc.scene import scene
from projections.games.joan_of_arc.words import plain_name, unit_name, unit_ref
from projections.glossary import glossary
from projections.i18n.language import language_of
from projections.scene import diff, fitting, merge
from projections.vocabulary import cue_defects, defects
from server.conformance.walks import PlayedGame
from server.conformance.watching import watch
from tests.projections.faces import terms_in, unnamed
from tests.projections.games.joan_of_arc.matches import CHOICES, TABLES, played, steps, viewers

NUMBERS = range(len(TABLES))
EVERY = 8
"""Of so many questions one is looked at."""
PATCH_BYTES = 40_000
GLYPHS = Path(__file__).parents[4] / "server" / "web" / "glyphs"


@pytest.mark.parametrize("number", NUMBERS)
def test_scenes_and_patches_hold_to_the_vocabulary(number: int) -> None:
    for viewer in viewers(number):
        last: dict[str, object] = {}
        views = [view for _, event, view in steps(number, viewer) if isinstance(event, DecisionsOpened)]
        for view in views[::EVERY]:
            new = scene(view, viewer)
            assert defects(new) == []
            patch = diff(last, new) or {}
            assert merge(last, patch) == new
            assert not last or len(json.dumps(patch)) < PATCH_BYTES
            last = new


@pytest.mark.parametrize("number", NUMBERS)
def test_every_area_and_every_unit_is_there_and_no_unit_stands_outside_the_maps(number: int) -> None:
    *_, (_, __, view) = steps(number, None)
    shown = scene(view, None)
    areas = {id_ for name in ("map", "sky") if name in shown["zones"] for id_ in shown["zones"][name]["geom"]["areas"]}
    board = table_of(view).board
    assert {id_ for id_, area in board.areas.items() if area.level != "interior"} <= areas
    for unit in view.field.units.values():
        assert (unit_ref(unit.id) in shown["pieces"]) == is_shown(view, unit.id)
    for piece in shown["pieces"].values():
        assert piece.get("zone") not in {"map", "sky"} or "on" in piece or piece["slot"] in areas


@pytest.mark.parametrize("number", NUMBERS)
def test_ja_392_ja_399_only_the_holders_cards_are_pieces(number: int) -> None:
    for viewer in viewers(number):
        *_, (_, __, view) = steps(number, viewer)
        held = [ref for ref, piece in scene(view, viewer)["pieces"].items() if piece.get("kind") == "legend"]
        mine = () if viewer is None else view.boards[viewer].hand
        assert len(held) == (0 if isinstance(mine, Hidden) else len(mine))


@pytest.mark.parametrize("number", NUMBERS)
def test_the_areas_of_a_hex_fill_it_and_do_not_overlap(number: int) -> None:
    *_, (_, __, view) = steps(number, None)
    zones, board = scene(view, None)["zones"], table_of(view).board
    for level, name in (("ground", "map"), ("sky", "sky")):
        for ids in board.hexes[level].values():  # type: ignore[index]
            filled = sum(size(zones[name]["geom"]["areas"][id_]["poly"]) for id_ in ids)
            assert filled == pytest.approx(1.5 * sqrt(3), abs=0.01)


def size(points: list[tuple[float, float]]) -> float:
    """The area of a polygon."""
    pairs = zip(points, [*points[1:], points[0]], strict=True)
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairs)) / 2


@pytest.mark.parametrize("number", NUMBERS)
def test_who_cannot_tell_worlds_apart_sees_the_same_scene_board_and_words(number: int) -> None:
    watch(PlayedGame(GAME, TABLES[number]), number, share=0.05, most=CHOICES, face=FACE)


def test_an_attack_shows_its_dice_and_an_arrow_to_what_is_attacked() -> None:
    views = [
        view for _, event, view in steps(0, None) if isinstance(event, DecisionsOpened) and view.attack is not None
    ]
    rolled = [view for view in views if view.attack is not None and view.attack.attack_dice]
    assert rolled
    for view in rolled:
        shown, attack = scene(view, None), view.attack
        assert attack is not None
        first, *_ = shown["zones"]["tray"]["geom"]["roll"]["groups"]
        assert first["owner"] == attack.by
        assert first["label"] == (unit_name(view, attack.starts[0][0]) if len(attack.starts) == 1 else "Attack")
        assert len(first["dice"]) == len(attack.attack_dice)
        assert {link["to"] for link in shown["links"].values()} == {f"map#{attack.target}"}


@pytest.mark.parametrize("number", NUMBERS)
def test_ja_107_the_tray_explains_the_faces_that_lie_in_it(number: int) -> None:
    seen = set()
    for _, event, view in steps(number, None):
        if not isinstance(event, DecisionsOpened):
            continue
        tray = scene(view, None)["zones"]["tray"]
        *faces, last = tray["terms"]
        lying = {die["f"] for group in tray["geom"].get("roll", {"groups": []})["groups"] for die in group["dice"]}
        assert last == "dice"
        assert len(faces) == len(set(faces)) == len(lying)
        assert {FACE_GLYPHS[Face(each.removeprefix("face-"))] for each in faces} == lying
        seen.update(faces)
    assert len(seen) > 3


def test_a_last_roll_says_whose_and_what_it_was() -> None:
    views = [view for _, event, view in steps(0, None) if isinstance(event, DecisionsOpened) and view.attack is None]
    said = {
        group["label"]
        for view in views
        for group in scene(view, None)["zones"]["tray"]["geom"].get("roll", {"groups": []})["groups"]
    }
    assert "Player 1: Defence" in said
    assert all(": " in each for each in said)


def test_every_glyph_that_is_drawn_is_among_those_of_the_game() -> None:
    names = {name for of in ("core", GAME.name) for name in json.loads((GLYPHS / f"{of}.json").read_text("utf-8"))}
    for number in NUMBERS:
        for viewer in viewers(number):
            views = [view for _, event, view in steps(number, viewer) if isinstance(event, DecisionsOpened)]
            for view in views[::EVERY]:
                assert glyphs_in(scene(view, viewer)) <= names


def glyphs_in(part: object) -> set[str]:
    """Every glyph that a part of a Scene names."""
    if isinstance(part, list | tuple):
        return {name for each in part for name in glyphs_in(each)}
    if not isinstance(part, dict):
        return set()
    named = {part[key] for key in ("g", "glyph", "f", "charge") if isinstance(part.get(key), str) and part[key]}
    return named | {name for value in part.values() for name in glyphs_in(value)}


@pytest.mark.parametrize("number", NUMBERS)
def test_all_that_is_shown_has_a_term_of_the_glossary(number: int) -> None:
    known = glossary(GAME.name)
    for viewer in viewers(number):
        views = [view for _, event, view in steps(number, viewer) if isinstance(event, DecisionsOpened)]
        for view in views[::EVERY]:
            shown = scene(view, viewer)
            assert list(unnamed(shown)) == []
            assert set(terms_in(shown)) - set(known) == set()
            for zone in shown["zones"].values():
                places = {**zone["geom"].get("areas", {}), **zone["geom"].get("edges", {})}
                bare = [id_ for id_, place in places.items() if not place.get("terms")]
                assert bare == []


@pytest.mark.parametrize("number", NUMBERS)
def test_cues_name_what_is_on_the_table(number: int) -> None:
    """Of whole commits: what an event names may be gone by their end, and then its cue is left out."""
    kinds = set()
    for viewer in viewers(number)[:2]:
        before: dict[str, object] = {}
        waiting: list[dict[str, Any]] = []
        for was, event, view in steps(number, viewer):
            waiting += cues(was, event)
            if isinstance(event, DecisionsOpened):
                after = scene(view, viewer)
                kept = fitting(waiting, before, after)
                assert [fault for cue in kept for fault in cue_defects(cue, before, after)] == []
                kinds |= {cue["k"] for cue in kept}
                before, waiting = after, []
    assert {"pulse", "banner", "gain"} <= kinds


def test_a_map_says_who_stands_where_to_who_hears_it() -> None:
    *_, (_, __, view) = steps(0, None)
    areas = scene(view, None)["zones"]["map"]["geom"]["areas"]
    for unit in view.field.units.values():
        if unit.spot == "board" and not unit.area.startswith("sky"):
            assert plain_name(card_of(view, unit).name) in areas[unit.area]["aria"]


def test_a_name_in_small_letters_lies_in_its_area() -> None:
    for number in NUMBERS:
        *_, (_, __, view) = steps(number, None)
        for area in scene(view, None)["zones"]["map"]["geom"]["areas"].values():
            assert "tag" not in area or holds(area["poly"], tuple(area["tagAt"]))


def test_on_a_phone_a_hand_without_cards_and_a_tray_without_dice_leave_the_room_to_the_map() -> None:
    found = set()
    for number in NUMBERS:
        for viewer in viewers(number)[1:]:
            assert viewer is not None
            for _, __, view in list(steps(number, viewer))[::EVERY]:
                shown = scene(view, viewer)
                at = shown["layouts"]["tall"]["at"]
                cards = any(piece.get("zone") == "hand" for piece in shown["pieces"].values())
                dice = "roll" in shown["zones"]["tray"]["geom"]
                assert (at["hand"][3] > EMPTY, at["tray"][3] > EMPTY) == (cards, dice)
                assert at["hand"][1] + at["hand"][3] < at["tray"][1] <= at["council"][1] - at["tray"][3]
                found.add((cards, dice))
    assert len(found) == 4


def test_the_viewer_s_own_board_lies_below_the_others() -> None:
    for number in NUMBERS:
        for viewer in viewers(number)[1:]:
            *_, (_, __, view) = steps(number, viewer)
            at = scene(view, viewer)["layouts"]["wide"]["at"]
            assert max(range(len(view.boards)), key=lambda seat: at[f"board{seat}"][1]) == viewer


def test_a_character_who_is_lost_is_a_loss_that_the_match_turns_on_and_a_troop_is_not() -> None:
    view = GAME.fold(played(0))
    index = setting_of(view).index
    kinds = {index.units[unit.card].kind: id_ for id_, unit in view.field.units.items()}
    lost = [cues(view, e.UnitDestroyed(kinds[kind], None, "JA-133")) for kind in ("character", "troop")]
    assert [[cue["t"] for cue in each if cue.get("tone") == "loss"] for each in lost] == [
        [f"Destroyed: {unit_name(view, kinds['character'])}."],
        [],
    ]
    (told,) = [cue for cue in cues(view, e.CharacterCaptured(kinds["character"], Seat(1))) if cue["k"] == "result"]
    assert told["t"] == f"{unit_name(view, kinds['character'])} is a captive of {view.players[1]}."
    german = language_of(GAME.name, "de")
    assert german is not None
    assert "lang" not in german.cue(told)
    assert "lang" not in german.cue(lost[0][-1])
