"""The face of War for Edaðh: well-formed Scenes, a sentence for every event, a board within its width, no secret."""

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel import Asked, DecisionsOpened, Event, Hidden, MatchEnded, Part, Seat
from domain.war_for_edadh import GAME
from domain.war_for_edadh.positions.positions import POSITIONS
from domain.war_for_edadh.state import events as e
from domain.war_for_edadh.state.queries import cards_of
from domain.war_for_edadh.state.state import TroopId
from domain.war_for_edadh.state.stats import star
from projections.games.war_for_edadh import FACE
from projections.games.war_for_edadh.narration import SENTENCES
from projections.games.war_for_edadh.scene import CHARGES, GLYPHS, TERRAIN
from projections.games.war_for_edadh.words import QUESTIONS, WAITING, troop_name
from projections.scene import diff, fitting, merge
from projections.vocabulary import cue_defects, defects
from projections.words import player
from tests.projections.games.war_for_edadh.face import OPTIONS, laid, match, pauses
from tests.projections.matches import VIEWERS, walk

SHEETS = Path(__file__).parents[4] / "server" / "web" / "glyphs"


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("number", range(len(OPTIONS)))
def test_scenes_hold_to_the_vocabulary(number: int, viewer: Seat | None) -> None:
    assert pauses(number, viewer)
    for _, scene in pauses(number, viewer):
        assert defects(scene) == []


@pytest.mark.parametrize("viewer", VIEWERS)
def test_patches_lead_from_scene_to_scene(viewer: Seat | None) -> None:
    for (_, old), (_, new) in pairwise(pauses(0, viewer)):
        patch = diff(old, new) or {}
        assert merge(old, patch) == new


@pytest.mark.parametrize("viewer", VIEWERS)
def test_cues_name_what_is_there(viewer: Seat | None) -> None:
    cues: list[dict[str, Any]] = []
    seen = set()
    scene = FACE.scene(GAME.fold(match(0)[:1]), viewer)
    for old, event, view in walk(GAME, match(0), viewer):
        cues += FACE.cues(old, event)
        if isinstance(event, DecisionsOpened | MatchEnded):
            new = FACE.scene(view, viewer)
            for cue in fitting(cues, scene, new):
                seen.add(cue["k"])
                assert cue_defects(cue, scene, new) == []
            cues, scene = [], new
    assert {"pulse", "hit", "banner", "result"} <= seen


def test_every_event_has_a_sentence() -> None:
    assert set(SENTENCES) == set(GAME.spec.events)


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("number", range(len(OPTIONS)))
def test_sentences_are_whole_and_name_no_class(number: int, viewer: Seat | None) -> None:
    told = [FACE.narrate(old, view, event, viewer) for old, event, view in walk(GAME, match(number), viewer)]
    translated = [sentence for sentence in told if sentence]
    assert len(translated) > 20
    assert all(sentence.endswith((".", "!")) for sentence in translated)
    assert not [sentence for sentence in translated if "HIDDEN" in sentence or "hidden" in sentence]


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("number", range(len(OPTIONS)))
def test_the_board_stays_within_its_width(number: int, viewer: Seat | None) -> None:
    for view, _ in pauses(number, viewer):
        assert max(map(len, FACE.board(view, viewer).split("\n"))) <= 100


def test_pairs_of_numbers_say_what_they_are() -> None:
    boards = [FACE.board(view, Seat(0)) for view, _ in pauses(0, Seat(0))]
    cells = [cell for board in boards for cell in board.split("|") if re.search(r" ML\d", cell)]
    assert cells
    assert all(re.match(r" att (\d+/\d+|\*) def \d+/\d+ ML", cell) for cell in cells)
    assert all(
        "att attack/damage, def Defence/Defence Damage" in board for board in boards if re.search(r" ML\d", board)
    )


@pytest.mark.parametrize("number", range(len(OPTIONS)))
def test_every_question_and_option_is_put_in_words(number: int) -> None:
    classes = {choice.__name__ for choice in GAME.spec.choices}
    asked = [a for view, _ in pauses(number, Seat(0)) for a in view.asked if a.seat == 0]
    assert asked
    for view, scene in pauses(number, Seat(0)):
        if scene["prompt"]["mode"] == "you":
            assert scene["prompt"]["ask"].endswith("?")
            labels = [o["label"] for f in scene["prompt"]["fields"] for o in f.get("options", ())]
            assert not (classes - {"Veto", "Counter"}) & set(labels), view.asked


def test_every_decision_has_a_question() -> None:
    kinds = {decision.__name__ for decision in GAME.spec.decisions}
    assert kinds - set(QUESTIONS) == {"BonusOffer", "StandardOffer"}


def test_others_are_told_what_is_decided_for_every_kind_of_decision() -> None:
    assert set(WAITING) == {decision.__name__ for decision in GAME.spec.decisions}


def test_every_glyph_exists() -> None:
    sheets = [json.loads((SHEETS / f"{name}.json").read_text()) for name in ("core", "war_for_edadh")]
    names = {name for sheet in sheets for name in sheet.get("glyphs", sheet)}
    used = {*GLYPHS.values(), *TERRAIN.values(), *CHARGES.values()}
    used |= {
        piece["glyph"] for _, scene in pauses(0, Seat(0)) for piece in scene["pieces"].values() if "glyph" in piece
    }
    assert used <= names


def test_every_troop_has_a_glyph() -> None:
    assert set(GLYPHS) == set(cards_of(GAME.fold(match(0)[:1])).troops)


@pytest.mark.parametrize("number", [0, 2])
def test_we_279_face_down_stratagems_are_not_named_to_the_opponent(number: int) -> None:
    watched = 0
    for view, scene in pauses(number, Seat(0)):
        other = view.sides[1]
        assert isinstance(other.holding, Hidden) or not other.holding_count
        held = [piece for key, piece in scene["pieces"].items() if key.startswith("held1")]
        assert len(held) == other.holding_count
        for piece in held:
            watched += 1
            assert piece["face"] == "down"
            assert "title" not in piece
    assert watched


def test_we_275_a_card_laid_first_lies_face_down_for_the_other() -> None:
    full = match(0)
    views = [view for _, _, view in walk(GAME, full, Seat(0))]
    waiting = [
        view
        for view in views
        if view.asked and any(a.asked.kind == "MasteryLay" for a in view.answered if a.asked.seat)
    ]
    assert waiting
    for view in waiting:
        piece = FACE.scene(view, Seat(0))["pieces"]["laid1"]
        assert piece["face"] == "down"
        assert "ends" not in piece


def test_the_scene_says_why_the_damage_is_what_it_is() -> None:
    parts = [["WE-087", 9, "Attack Damage"], ["WE-096", -1, "terrain"]]
    roll = FACE.scene(laid(damage=[[], parts]), Seat(0))["zones"]["tray"]["geom"]["roll"]
    assert [(group["dice"][0]["f"], group.get("sum", "")) for group in roll["groups"]] == [("9", ""), ("4", "takes 8")]
    assert roll["result"].endswith("+9 Attack Damage (WE-087), −1 terrain (WE-096) = 8")
    lowered = FACE.scene(laid(damage=[[], parts], taken=[0, 6]), Seat(0))["zones"]["tray"]["geom"]["roll"]
    assert lowered["result"].endswith("−2 formations and Stratagems (WE-098) = 6")


def test_the_scene_says_that_a_counter_is_lowered() -> None:
    parts = [["WE-088", 0, "Defence Damage"], ["WE-096", -1, "terrain"]]
    roll = FACE.scene(laid(damage=[[], parts]), Seat(0))["zones"]["tray"]["geom"]["roll"]
    assert roll["groups"][1]["sum"] == "Dmg −1"
    assert roll["result"].endswith("= −1")


def test_the_scene_says_that_a_round_was_guarded_or_out_of_range() -> None:
    guarded = FACE.scene(laid(guarded=True), None)["zones"]["tray"]["geom"]["roll"]
    assert "guards (WE-084)" in guarded["result"]
    far = FACE.scene(laid(shielded=[False, True]), None)["zones"]["tray"]["geom"]["roll"]
    assert "is out of range (WE-192)" in far["result"]


def test_the_terrain_says_what_both_halves_do_here() -> None:
    assert FACE.scene(laid(), Seat(0))["pieces"]["terrain"]["sub"] == "above +1, guard 0; below -1, guard 1"
    assert FACE.scene(laid(), Seat(1))["pieces"]["terrain"]["sub"] == "above -1, guard 1; below +1, guard 0"


def test_the_secondary_card_lies_in_the_hand_and_says_which_end_may_be_laid() -> None:
    ends = FACE.scene(laid(), Seat(0))["pieces"]["m7"]["ends"]
    assert [end["label"] for end in ends] == ["mst: Combat Master, not now", "tcts: Battle Master"]
    assert "m7" not in FACE.scene(POSITIONS.read({}, {})[0], Seat(0))["pieces"]


def own_scenes() -> list[dict[str, Any]]:
    return [scene for number in range(len(OPTIONS)) for _, scene in pauses(number, Seat(0))]


def test_what_is_read_aloud_of_cards_and_terrain_says_what_is_drawn() -> None:
    for piece in (piece for scene in own_scenes() for piece in scene["pieces"].values()):
        if piece["zone"] == "hand":
            assert ("used" in piece.get("state", [])) == piece["label"].endswith(", used")
            for end in piece["ends"]:
                assert [word for word in end["note"].split(" · ") if word not in end["label"]] == []
        elif piece["zone"] == "ter":
            assert piece.get("sub", "") in piece["label"]


def test_an_option_to_lay_a_card_says_what_it_costs() -> None:
    told = 0
    for scene in own_scenes():
        for option in (o for field in scene.get("prompt", {}).get("fields", []) for o in field.get("options", [])):
            card, _, half = option.get("at", [""])[0].partition("/")
            if half:
                label = scene["pieces"][card]["ends"][int(half)]["label"]
                worth, _, against = option["tip"][0].partition("; ")
                assert worth == label.partition(", ")[2]
                tips = dict(tip for tip in scene["pieces"][card]["ends"][int(half)]["tip"])
                assert against == (
                    f"loses to {tips['Loses to:']}"
                    if "Loses to:" in tips
                    else f"beats {tips['Counts:'].partition(' against ')[2]} too"
                    if "Counts:" in tips
                    else ""
                )
                told += bool(against)
    assert told


def test_the_result_of_a_round_says_what_it_brought() -> None:
    parts = [["WE-087", 9, "Attack Damage"]]
    view = laid(damage=[[], parts])
    assert [cue["sub"] for cue in FACE.cues(view, e.RoundEnded(1))] == [f"{player(view, 1)} takes 9"]
    lost = replace(view, sides=(view.sides[0], replace(view.sides[1], pile=(TroopId("B1"),))))
    said = f"{player(view, 1)} takes 9 and loses {troop_name(view, 'B1')}"
    assert [cue["sub"] for cue in FACE.cues(lost, e.RoundEnded(1))] == [said]


def test_a_blow_without_an_attack_says_the_mp_that_it_costs() -> None:
    cards = {"position": "range", "values": [4, 9], "attacker": 1, "chosen": ["A1", "B4"]}
    view = laid(**{key: value for key, value in cards.items() if key != "position"})
    (result,) = FACE.cues(view, e.RoundEnded(1))
    assert star(view, 1)
    assert result["sub"] == f"{player(view, 0)} loses 5 MP"
    (lost,) = FACE.cues(view, e.MpChanged(Seat(0), 40, (Part("WE-091", -5),)))
    assert (lost["ref"], lost["t"]) == ("A1", "−5")
    assert FACE.cues(view, e.MpChanged(Seat(0), 40, (Part("WE-011", -5),))) == []


def test_a_unit_that_is_shaken_is_told_as_a_result() -> None:
    counted = e.PilesCounted((0, 1), (0, 1), (False, True), (False, False))
    (cue,) = FACE.cues(laid(), counted)
    assert (cue["t"], cue["sub"], cue["seat"]) == (f"{player(laid(), 1)}'s Unit is Shaken", "Cards lost: 0 to 1", 0)
    assert FACE.cues(laid(), e.PilesCounted((1, 1), (1, 1), (False, False), (False, False))) == []


def test_a_mastery_card_is_laid_when_it_is_confirmed() -> None:
    asked = ((view.asked, scene["prompt"]) for view, scene in pauses(0, Seat(0)))
    prompt = next(prompt for open_, prompt in asked if any(a.kind == "MasteryLay" and a.seat == 0 for a in open_))
    assert (prompt["confirm"], prompt["fields"][0]["look"]) == ("Lay face down", "chips")
    assert {option["label"] for option in prompt["fields"][0]["options"]} == {str(cv) for cv in range(1, 13)}


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (
            e.GuardTested(Seat(1), True, (Part("WE-081", 1, "mastery"),), True),
            "and is out of range: no damage (WE-192)",
        ),
        (e.DamageTaken(Seat(1), -2, 7, (Part("WE-096", -2, "terrain"),)), "Dmg Counter is lowered by"),
        (e.RowUsed(Seat(0), "vs_mounts"), "uses its Spear Hedge against Mounts row (WE-Q85)"),
    ],
)
def test_what_a_round_may_come_to_is_told(event: Event, said: str) -> None:
    state = POSITIONS.read({}, {})[0]
    assert said in str(FACE.narrate(state, GAME.fold((event,), state), event, None))


def test_a_counter_that_is_lowered_is_no_hit() -> None:
    state = POSITIONS.read({"round": {"chosen": ["A1", "B1"]}}, {})[0]
    assert FACE.cues(state, e.DamageTaken(Seat(1), 2, 9, ()))
    assert not FACE.cues(state, e.DamageTaken(Seat(1), -2, 7, ()))


@pytest.mark.parametrize(("army", "said"), [("Dzaa quick start", "has no master"), ("Dzaa four ranks", "Which Strat")])
def test_who_has_no_stratagem_to_choose_is_told_why(army: str, said: str) -> None:
    state = POSITIONS.read({"start": "Match", "seat0": {"army": army}}, {})[0]
    asked = Asked(1, Seat(0), "DeckSelection", {"by": 0})
    assert said in FACE.question(state, asked)
    hidden = POSITIONS.view(state, Seat(1))
    assert FACE.question(hidden, asked).startswith("Which Strat")
