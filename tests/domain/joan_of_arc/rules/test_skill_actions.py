"""Rows of skill actions: haste, jump, prayer, heal, engineers, stakes, forced march."""

from typing import Any

from domain.joan_of_arc.state.events import (
    BarricadeBuilt,
    FirePlaced,
    FirePutOut,
    RerollTokenUsed,
    ResourceGained,
    StakesPlaced,
    UnitHealed,
    UnitsMoved,
    UnitWaited,
)
from domain.kernel import DiceRolled
from tests.domain.joan_of_arc.fixtures import L0, L1, L2
from tests.domain.joan_of_arc.table import Table, given

FOE = {"units": ["f1: f_voulgiers @L4"]}


def ordered(*units: str, at: str = L0, dice: str = "", board: dict[str, Any] | None = None, **position: Any) -> Table:
    """The first player orders an area, where these units stand."""
    seat0 = {"orders": "3 command, 1 reactivation", "units": list(units), **(board or {})}
    return given(dice, **{"seat0": seat0, "seat1": FOE, **position}).do(f"PlayOrder command {at}")


def of_kind(table: Table, kind: str) -> list[str]:
    return [text.partition(" ")[2] for text in table.offers() if text.split()[0] == kind]


def test_ja_199_ja_200_ja_271_ja_d39_haste_goes_through_two_areas_that_could_each_be_entered() -> None:
    table = ordered("h: e_hobelars @L0")
    assert of_kind(table, "Haste") == [f"{L1} {L2}"]
    table.do(f"Haste {L1} {L2}")
    assert [(event.path, event.kind) for event in table.of(UnitsMoved)] == [((L1, L2), "haste")]
    blocked = ordered("h: e_hobelars @L0", seat1={"units": ["f1: f_voulgiers @L1"]})
    assert not of_kind(blocked, "Haste")


def test_ja_q38_the_whole_group_needs_room_on_the_way() -> None:
    full: dict[str, Any] = {"areas": {"L1": {"elements": {"bush": 7}}}}
    table = ordered("h1: e_hobelars @L0", "h2: e_hobelars @L0", **full).do(f"Haste {L1} {L2}")
    assert not of_kind(table, "Haste")


def test_ja_201_ja_202_ja_277_ja_q39_a_jump_lands_near_enough_whatever_lies_between() -> None:
    seat1 = {"units": ["f1: f_voulgiers @L1"]}
    table = ordered("w: m_werewolf @L0", seat1=seat1)
    assert of_kind(table, "Jump") == [L2]
    table.do(f"Jump {L2}")
    assert (table.at("w"), table.of(UnitsMoved)[0].kind) == ("L2", "jump")


def test_ja_210_ja_280_ja_d40_a_prayer_takes_a_token() -> None:
    table = ordered("fr: f_friar @L0", board={"reroll": True})
    table.do("Pray legend")
    assert [(event.resource, event.count, event.rule) for event in table.of(ResourceGained)] == [
        ("legend", 1, "JA-210")
    ]


def test_ja_211_ja_212_ja_272_ja_d41_a_healer_heals_another_wounded_character_beside_it() -> None:
    units = ("fr: f_friar @L0 wounds:1", "t: e_talbot @L0 wounds:2", "b: e_fastolf @L0", "x: e_fastolf @L1 wounds:1")
    table = ordered(*units, board={"reroll": True}).do("Wait")
    assert of_kind(table, "HealOther") == ["t"]
    table.do("HealOther t", "Wait", "Resolve fr")
    assert [(event.unit, event.wounds) for event in table.of(UnitHealed)] == [("t", 1)]


def test_ja_090_a_healer_waits_when_nobody_is_wounded_any_more() -> None:
    units = ("h1: f_friar @L0", "h2: f_friar @L0", "t: e_talbot @L0 wounds:1")
    table = ordered(*units, board={"reroll": True}).do("HealOther t", "HealOther t", "Wait", "Resolve h1", "Resolve h2")
    assert [(event.unit, event.rule) for event in table.of(UnitWaited)] == [("h2", "JA-090"), ("t", "JA-089")]


def test_ja_088_ja_213_ja_214_ja_215_ja_216_ja_268_ja_q43_ja_d42_an_engineer_builds_one_barricade() -> None:
    wood: dict[str, Any] = {"areas": {"L0": {"terrain": "forest", "elements": {"tree": 1}}}}
    table = ordered("s1: e_sappers @L0", "s2: e_sappers @L0", **wood)
    table.do("BuildBarricade")
    assert "BuildBarricade" not in table.offers()
    table.do("Wait", "Resolve s1")
    assert [(event.area, event.side) for event in table.of(BarricadeBuilt)] == [(L0, "english")]
    assert "BuildBarricade" not in ordered("s1: e_sappers @L0").offers()
    assert "BuildBarricade" not in ordered("e1: e_billmen @L0", **wood).offers()


def test_ja_221_ja_223_ja_q90_ja_x21_setting_fire_and_moving_on_at_once() -> None:
    table = ordered("s1: e_sappers @L1", at=L1).do(f"SetFire {L0}")
    assert [(event.seat, event.area) for event in table.of(FirePlaced)] == [(0, L1)]
    assert table.at("s1") == "L0"
    assert not of_kind(ordered("s1: e_sappers @L1", at=L1, areas={"L1": {"fire": 0}}), "SetFire")


def test_ja_q90_the_move_after_a_fire_uses_up_its_destination() -> None:
    table = ordered("e1: e_billmen @L0", "s1: e_sappers @L0").do(f"Move {L1}")
    assert of_kind(table, "SetFire") == [""]


def test_ja_222_an_engineer_puts_a_fire_out() -> None:
    table = ordered("s1: e_sappers @L0", areas={"L0": {"fire": 1}}).do("PutOut")
    assert [event.area for event in table.of(FirePutOut)] == [L0]
    assert (table.state.field.fires, table.state.field.lying[L0].fire) == ({}, False)


def test_ja_334_ja_q70_ja_d52_waiting_bowmen_place_stakes_of_the_reserve_on_bare_edges() -> None:
    table = ordered("b1: e_bowmen @L1", "b2: e_bowmen @L1", at=L1, board={"stakes": 1}, edges={"L1-L2": "wall"})
    assert of_kind(table, "PlantStakes") == ["0,0/0"]
    table.do("PlantStakes 0,0/0")
    assert not of_kind(table, "PlantStakes")
    table.do("Wait", "Resolve b1")
    assert [(event.seat, event.edge) for event in table.of(StakesPlaced)] == [(0, "0,0/0")]
    assert table.state.boards[0].stakes == 0


def test_ja_215_commanded_engineers_build_a_barricade_in_each_area() -> None:
    units = ["bp: e_black_prince_1 @C", "s1: e_sappers @NE", "s2: e_sappers @NW"]
    woods = {"NE": {"terrain": "forest"}, "NW": {"terrain": "forest"}}
    seat0 = {"orders": "1 command", "units": units}
    table = given(map="flower", seat0=seat0, seat1={"units": ["f1: f_voulgiers @E"]}, areas=woods)
    table.do("PlayOrder command 0,0:a", "Wait", "Command bp", "CommandThese s1 s2", "BuildBarricade")
    assert "BuildBarricade" in table.offers()


def march(dice: str, **board: Any) -> Table:
    table = ordered("b1: e_bowmen @L0", "b2: e_bowmen @L0", dice=dice, board=board, rules={"forced_march": True})
    return table.do(f"March {L1} {L2}", f"March {L1} {L2}")


def test_ja_339_ja_340_ja_343_ja_d09_ja_x26_a_forced_march_by_one_die_for_the_group() -> None:
    table = march("yellow=B")
    assert table.offers() == ["MarchOn 2", "MarchOn 1", "MarchOn 0"]
    table.do("MarchOn 2")
    assert [(event.rule, event.kinds, event.about) for event in table.of(DiceRolled)] == [
        ("JA-340", ("yellow",), ("b1", "b2"))
    ]
    assert [(event.units, event.path) for event in table.of(UnitsMoved)] == [(("b1", "b2"), (L1, L2))]


def test_ja_343_the_owner_may_go_less_far_than_the_die_allows() -> None:
    assert march("yellow=S").do("MarchOn 1").at("b1") == "L1"
    stayed = march("yellow=S").do("MarchOn 0")
    assert (stayed.at("b1"), [event.rule for event in stayed.of(UnitWaited)]) == ("L0", ["JA-343", "JA-343"])


def test_ja_341_ja_342_a_push_leads_one_area_and_a_disrupt_nowhere() -> None:
    assert march("yellow=P").at("b1") == "L1"
    halted = march("yellow=D")
    assert (halted.at("b1"), [event.rule for event in halted.of(UnitWaited)]) == ("L0", ["JA-342", "JA-342"])


def test_ja_338_ja_339_no_forced_march_without_the_rule_for_riders_or_with_haste() -> None:
    assert not of_kind(ordered("b1: e_bowmen @L0"), "March")
    assert not of_kind(ordered("k1: e_knights @L0", rules={"forced_march": True}), "March")
    assert not of_kind(ordered("w: m_werewolf @L0", rules={"forced_march": True}), "March")


def test_ja_196_ja_197_ja_q77_the_reroll_token_rolls_a_single_die_again() -> None:
    table = march("yellow=D yellow=B", reroll=True)
    assert table.offers() == ["KeepDie", "RerollDie"]
    table.do("RerollDie", "MarchOn 2")
    assert [event.seat for event in table.of(RerollTokenUsed)] == [0]
    assert (table.at("b1"), table.state.boards[0].reroll) == ("L2", False)


def test_ja_196_ja_d50_a_doom_die_may_be_rolled_again() -> None:
    units = ["e1: e_billmen @L0", "e2: e_billmen disrupted"]
    table = given("doom=death doom=disrupt", start="Camp", seat0={"reroll": True, "units": units})
    table.do("RerollDie")
    assert table.at("e2") == "disrupted"
