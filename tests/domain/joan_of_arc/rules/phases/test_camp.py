"""Rows of the camp phase: doom dice, rallying, fire, collapse, victory."""

from typing import Any

from domain.joan_of_arc.state.events import (
    BuildingCollapsed,
    DoomRolled,
    PointsScored,
    UnitCalled,
    UnitDestroyed,
    UnitDisrupted,
    UnitRallied,
    UnitsMoved,
    UnitWaiting,
)
from domain.kernel import DiceRolled
from tests.domain.joan_of_arc.fixtures import L0, L1, L4
from tests.domain.joan_of_arc.table import Table, given

WOUNDED = [
    "f1: f_voulgiers disrupted sent_by:0",
    "f2: f_crossbowmen disrupted sent_by:0",
    "gi: f_gilles_1 disrupted wounds:2 sent_by:0",
    "f3: f_peasants disrupted sent_by:0",
]
HAMLET = {"terrain": "village", "building": "small_house", "elements": {"tree": 2}}


def camp(dice: str = "", french: list[str] | None = None, **position: Any) -> Table:
    """The camp phase, with an English unit on L0 and the French rally point on L4."""
    ours = {"units": ["e1: e_billmen @L0"]}
    found = {"seat0": ours, "seat1": {"units": french or []}, "rallies": {"french": ["L4"]}, **position}
    return given(dice, start="Camp", **found)


def test_ja_225_ja_226_ja_227_ja_228_ja_230_ja_231_ja_142_ja_d53_ja_x22_the_casualties_check() -> None:
    table = camp("doom=death doom=disrupt doom=rally doom=delayed_rally", WOUNDED)
    assert table.kinds() == ["1 DoomChoice"]
    table.do("RollDoom f1", "RollDoom f2", "RollDoom gi")
    assert [event.unit for event in table.of(UnitCalled)] == ["f1", "f2", "gi", "f3"]
    assert [str(event.face) for event in table.of(DoomRolled)] == ["death", "disrupt", "rally", "delayed_rally"]
    assert [table.at(name) for name in ("f1", "f2", "gi", "f3")] == ["graveyard", "disrupted", "L4", "waiting"]
    assert table.unit("gi").wounds == 2
    assert table.state.scores == {"english": 1}


def test_ja_232_ja_q47_who_waited_comes_back_without_a_roll_before_any_die() -> None:
    french = ["f3: f_peasants waiting", "f2: f_crossbowmen disrupted"]
    table = camp("doom=disrupt", french)
    kinds = [type(event) for event in table.events if isinstance(event, UnitRallied | UnitCalled)]
    assert kinds == [UnitRallied, UnitCalled]
    assert (table.at("f3"), table.at("f2")) == ("L4", "disrupted")


def test_ja_229_ja_235_without_an_area_to_rally_in_a_unit_waits() -> None:
    table = camp("doom=rally", ["f2: f_crossbowmen disrupted"], rallies={"french": ["L0"]})
    assert [event.unit for event in table.of(UnitWaiting)] == ["f2"]


def test_ja_236_ja_237_ja_281_ja_q48_ja_d54_a_unit_with_rally_is_a_rally_point() -> None:
    table = camp("doom=rally", ["j: f_joan_1 @L2", "f2: f_crossbowmen disrupted"])
    assert table.offers() == ["RallyAt 2,0:a", f"RallyAt {L4}"]
    table.do("RallyAt 2,0:a")
    assert table.at("f2") == "L2"


def test_ja_274_death_disrupts_the_immortal() -> None:
    table = camp("doom=death", ["r: m_revenants disrupted"])
    assert (table.at("r"), table.of(UnitDestroyed)) == ("disrupted", [])


def test_ja_238_ja_239_ja_240_ja_241_ja_242_a_fire_burns_tree_barricade_and_who_stands_there() -> None:
    areas = {"L0": {**HAMLET, "fire": 1, "barricade": "english"}}
    table = camp("red=K", areas=areas)
    rolled = table.of(DiceRolled)
    assert [(event.rule, event.kinds) for event in rolled] == [("JA-240", ("red",))]
    assert [(event.unit, event.by) for event in table.of(UnitDestroyed)] == [("e1", 1)]
    lying = table.state.field.lying[L0]
    assert (lying.elements, lying.barricade, lying.damage, lying.fire) == (("tree",), None, 1, True)
    assert table.state.scores == {"french": 1}


def test_ja_q45_ja_d56_the_owner_names_where_fire_drives_a_unit() -> None:
    units = ["e1: e_billmen @L1"]
    table = camp("red=P", seat0={"units": units}, areas={"L1": {"fire": 1}})
    assert table.kinds() == ["0 PushDestination"]
    table.do(f"PushTo e1 {L0}")
    assert [(event.kind, event.path) for event in table.of(UnitsMoved)] == [("push", (L0,))]


def test_ja_140_ja_141_ja_q24_ja_d29_a_unit_with_hps_may_stay_for_a_wound() -> None:
    table = camp("red=P", seat0={"units": ["t: e_talbot @L1 wounds:2"]}, areas={"L1": {"fire": 1}})
    assert (table.kinds(), table.offers()) == (["0 StayOffer"], ["GiveWay t", "Stay t"])
    table.do("Stay t")
    assert (table.at("t"), table.state.scores) == ("graveyard", {"french": 3})


def test_ja_139_a_push_that_leads_nowhere_is_a_disrupt() -> None:
    crowd = ["f1: f_voulgiers @L1"]
    table = camp("red=P", crowd, areas={"L0": {"fire": 1}})
    assert [(event.unit, event.by) for event in table.of(UnitDisrupted)] == [("e1", 1)]


def test_ja_q45_a_shield_does_nothing_and_ja_270_the_fireproof_do_not_roll() -> None:
    table = camp("red=S", ["m: m_tarasque @L4"], areas={"L0": {"fire": 1}, "L4": {"fire": 0}})
    assert [event.about for event in table.of(DiceRolled)] == [("e1",)]
    assert table.at("e1") == "L0"


def test_ja_243_ja_323_ja_324_ja_325_ja_327_ja_q46_ja_x21_a_burnt_house_falls_on_who_is_inside() -> None:
    areas = {"L1": {**HAMLET, "elements": {"tree": 1}, "damage": 1, "fire": 0}}
    table = camp("red=K white=S", areas=areas, seat0={"units": ["x1: e_billmen @L1/small_house"]})
    assert [event.area for event in table.of(BuildingCollapsed)] == [L1]
    lying = table.state.field.lying[L1]
    assert (lying.rubble, lying.fire, lying.elements) == (True, False, ())
    assert (table.at("x1"), table.state.field.fires) == ("L1/small_house", {})


def test_ja_q46_a_collapse_drives_survivors_out_and_nobody_hostile_is_rewarded() -> None:
    areas = {"L1": {**HAMLET, "elements": {}, "damage": 1, "fire": 0}}
    inside = ["x1: e_billmen @L1/small_house", "x2: e_billmen @L1/small_house"]
    table = camp("red=P white=B red=K white=D", areas=areas, seat0={"units": inside})
    assert (table.at("x1"), table.at("x2")) == ("L1", "graveyard")
    assert table.state.scores == {}


def test_ja_q63_tough_saves_from_fire_and_from_a_collapse_too() -> None:
    relic = ["t: e_talbot @L1 wounds:2 +em_relic"]
    saved = camp("red=K black=S", areas={"L1": {"fire": 1}}, seat0={"units": relic})
    assert saved.at("t") == "L1"
    lost = camp("red=K black=D", areas={"L1": {"fire": 1}}, seat0={"units": relic})
    assert lost.at("t") == "graveyard"


def test_ja_q46_own_defence_dice_in_a_collapse_are_those_of_equipment_too() -> None:
    areas = {"L1": {**HAMLET, "elements": {}, "damage": 1, "fire": 0}}
    inside = ["b: e_fastolf @L1/small_house wounds:2 +et_great_shield"]
    table = camp("red=K black=K white=S", areas=areas, seat0={"units": inside})
    assert table.at("b") == "L1/small_house"


def test_ja_273_ja_q59_the_immortal_are_disrupted_whatever_destroys_them_but_the_end() -> None:
    table = camp("red=K", ["r: m_revenants @L4"], areas={"L4": {"fire": 0}})
    assert (table.at("r"), table.state.scores) == ("disrupted", {})


def test_ja_233_ja_244_ja_247_ja_q49_the_last_round_empties_the_infirmary_and_ends_the_match() -> None:
    rounds = [f"round_{letter}" for letter in "abcdefgh"]
    french = ["f1: f_voulgiers disrupted sent_by:0", "w: f_peasants waiting sent_by:0"]
    table = camp("doom=disrupt", french, rallies={"french": ["L0"]}, discards={"rounds": rounds})
    assert [(event.unit, event.by, event.rule) for event in table.of(UnitDestroyed)] == [
        ("f1", 0, "JA-233"),
        ("w", 0, "JA-233"),
    ]
    result = table.state.result
    assert result is not None
    assert (result.winner, result.rule, table.state.scores) == (0, "JA-247", {"english": 2})


def test_ja_246_ja_q85_camp_scores_and_ja_245_instant_victory() -> None:
    victory = {
        "camp": [{"if": {"area_held": "0,0:a"}, "vp": 1}],
        "instant": [{"if": {"vp_at_least": 5}, "winner": "scorer"}],
    }
    table = camp(victory=victory, scores={"english": 4})
    assert [(event.side, event.points) for event in table.of(PointsScored)] == [("english", 1)]
    result = table.state.result
    assert result is not None
    assert (result.winner, result.rule) == (0, "JA-245")


def test_ja_245_a_unit_that_is_to_be_destroyed_is_named_by_its_whole_card() -> None:
    victory = {"instant": [{"if": {"unit_destroyed": "f_joan"}, "winner": "P1"}]}
    table = camp("doom=death", ["f_joan_1#1: f_joan_1 disrupted"], victory=victory)
    assert table.state.result is None
    victory["instant"][0]["if"] = {"unit_destroyed": "f_joan_1"}
    named = camp("doom=death", ["f_joan_1#1: f_joan_1 disrupted"], victory=victory)
    assert named.state.result is not None


def test_ja_q85_doom_dice_are_judged_one_by_one() -> None:
    victory = {"instant": [{"if": {"vp_at_least": 1}, "winner": "scorer"}]}
    table = camp("doom=death", WOUNDED, victory=victory).do("RollDoom f1")
    assert table.state.result is not None
    assert len(table.of(DoomRolled)) == 1
