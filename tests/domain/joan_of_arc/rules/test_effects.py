"""Effect operations outside attacks (ledger 6.13), played by the cards that have them."""

from typing import Any

from domain.joan_of_arc import GAME
from domain.joan_of_arc.cards.dice import Face
from domain.joan_of_arc.cards.hooks import DieTest, Gain, Lose, Wound
from domain.joan_of_arc.rules.effects.running import Effects
from domain.joan_of_arc.state.events import (
    EffectSkipped,
    EquipmentDiscarded,
    EquipmentGained,
    FirePlaced,
    ResourceGained,
    UnitDestroyed,
    UnitHealed,
    UnitRallied,
    UnitsActivated,
    UnitsMoved,
    UnitWaiting,
    UnitWounded,
)
from domain.joan_of_arc.state.state import UnitId
from domain.kernel import Play, Seat
from tests.domain.joan_of_arc.fixtures import L0, L1, L2, L4
from tests.domain.joan_of_arc.table import Table, given, rolled
from tests.domain.script import Script


def turn(*units: str, **ours: Any) -> Table:
    """The first player's turn, with plenty of tokens."""
    seat0 = {"orders": "2 command", "legend": 5, "units": list(units) or ["e1: e_billmen @L0"], **ours}
    position: dict[str, Any] = {"rallies": {"english": ["L1"]}}
    return given(seat0=seat0, seat1={"units": ["f1: f_voulgiers @L4"]}, **position)


def run(table: Table, *operations: Any, unit: str = "", dice: str = "") -> Play[Any]:
    """Operations of an answer, carried out in the middle of a position."""
    play = Play(GAME, table.state, Script(rolled(dice)))
    play.resume(Effects(Seat(0), operations, UnitId(unit)))
    return play


def test_move_units_moves_a_troop_without_an_action() -> None:
    table = turn("e1: e_billmen @L0", "t: e_talbot @L0", hand=["lt_forced_pace"]).do("PlayLegend lt_forced_pace")
    assert table.offers() == ["MoveNobody", f"MoveUnit e1 {L1}"]
    table.do(f"MoveUnit e1 {L1}")
    assert [(event.units, event.kind) for event in table.of(UnitsMoved)] == [(("e1",), "effect")]
    assert table.kinds() == ["0 OrderChoice"]


def test_move_units_of_an_intrigue_moves_each_of_two_once() -> None:
    units = ("e1: e_billmen @L0", "e2: e_billmen @L0")
    table = turn(*units, intrigue=2, intrigue_card="i_english").do("TriggerIntrigue 2", f"MoveUnit e1 {L1}")
    assert [text for text in table.offers() if "e1" in text] == []
    table.do("MoveNobody")
    assert table.at("e2") == "L0"


def test_heal_restores_a_chosen_character_up_to_its_wounds() -> None:
    units = ("t: e_talbot @L0 wounds:1", "b: e_black_prince_1 @L0 wounds:3", "c: e_fastolf @L0")
    table = turn(*units, hand=["lm_miracle"]).do("PlayLegend lm_miracle")
    assert table.offers() == ["NameCharacter t", "NameCharacter b"]
    table.do("NameCharacter t")
    assert [(event.unit, event.wounds) for event in table.of(UnitHealed)] == [("t", 0)]


def test_ja_180_holy_water_heals_its_wearer() -> None:
    table = turn("t: e_talbot @L0 wounds:2 +em_holy_water").do("UseEquipment t em_holy_water")
    assert table.unit("t").wounds == 0


def test_ja_161_an_effect_that_can_do_nothing_is_skipped() -> None:
    table = turn(hand=["lm_miracle", "lt_second_wind"]).do("PlayLegend lm_miracle")
    assert [(event.effect, event.rule) for event in table.of(EffectSkipped)] == [("heal", "JA-161")]
    assert table.kinds() == ["0 OrderChoice"]


def test_ja_161_ja_q33_a_discard_that_cannot_be_paid_is_skipped_and_the_rest_applies() -> None:
    play = run(turn(intrigue=0), Lose("intrigue", 1), Gain("xp", 2))
    assert [event.rule for event in play.events if isinstance(event, EffectSkipped)] == ["JA-161"]
    assert [(event.resource, event.count) for event in play.events if isinstance(event, ResourceGained)] == [("xp", 2)]


def test_ja_223_hellfire_burns_an_area_beside_an_own_unit() -> None:
    table = turn(hand=["lm_hellfire"]).do("PlayLegend lm_hellfire")
    assert table.offers() == [f"BurnArea {L1}"]
    table.do(f"BurnArea {L1}")
    assert [(event.seat, event.area) for event in table.of(FirePlaced)] == [(0, L1)]


def test_jump_unit_lets_a_character_without_big_jump() -> None:
    units = ("t: e_talbot @L0", "m: m_tarasque @L1", "e1: e_billmen @L0")
    table = turn(*units, hand=["lm_wings"]).do("PlayLegend lm_wings")
    assert [text for text in table.offers() if "JumpTo" in text] == [f"JumpTo t {L1}", f"JumpTo t {L2}"]
    table.do(f"JumpTo t {L2}")
    assert table.at("t") == "L2"


def test_infirmary_to_waiting_before_the_doom_dice() -> None:
    units = ["e1: e_billmen @L0", "e2: e_billmen disrupted"]
    table = given(start="Camp", seat0={"legend": 1, "hand": ["lt_field_surgeon"], "units": units})
    table.do("PlayLegend lt_field_surgeon", "CareFor e2")
    assert [event.unit for event in table.of(UnitWaiting)] == ["e2"]
    assert table.at("e2") == "waiting"


def test_take_back_from_the_infirmary_without_a_roll() -> None:
    units = ("e1: e_billmen @L0", "t: e_talbot disrupted wounds:1")
    table = turn(*units, intrigue=4, intrigue_card="i_english").do("TriggerIntrigue 3", "CareFor t")
    assert [(event.unit, event.area, event.wounds) for event in table.of(UnitRallied)] == [("t", L1, 2)]


def test_ja_170_activate_area_in_the_opponents_turn_places_no_order() -> None:
    units = ["f1: f_voulgiers @L4", "f2: f_voulgiers @L4", "f3: f_voulgiers @L4"]
    seat1 = {"intrigue": 2, "intrigue_card": "i_french", "units": units}
    table = given(seat0={"orders": "2 command", "units": ["e1: e_billmen @L0"]}, seat1=seat1)
    table.do(f"PlayOrder command {L0}", "Wait", "TriggerIntrigue 2", f"ActivateHere {L4}", "ActivateThese f1 f3")
    assert [(event.order, event.units) for event in table.of(UnitsActivated)][1] == ("command", ("f1", "f3"))
    assert table.kinds() == ["1 Declaration"]
    table.do("Move 3,0:a", "Move 3,0:a")
    assert [table.at(name) for name in ("f1", "f2", "f3")] == ["L3", "L4", "L3"]
    assert L4 not in table.state.placed


def test_ja_176_ja_177_ja_178_ja_q37_ja_d45_ja_x17_a_third_equipment_card_makes_one_of_three_go() -> None:
    units = ["g: f_gilles_1 @L4 +em_relic +et_great_shield"]
    seat1 = {"intrigue": 4, "intrigue_card": "i_french", "units": units, "orders": "1 command"}
    table = given(seat0={"units": ["e1: e_billmen @L0"]}, seat1=seat1, decks={"myth": ["em_holy_water"]})
    table.do("TriggerIntrigue 3")
    assert [(event.unit, event.card) for event in table.of(EquipmentGained)] == [("g", "em_holy_water")]
    assert table.offers() == ["LayDown em_relic", "LayDown et_great_shield", "LayDown em_holy_water"]
    table.do("LayDown em_relic")
    assert [event.card for event in table.of(EquipmentDiscarded)] == ["em_relic"]
    assert table.unit("g").equipment == ("et_great_shield", "em_holy_water")


def test_ja_160_a_test_applies_what_stands_beside_the_face() -> None:
    test = DieTest("red", {Face.SHIELD: (Gain("xp", 2),), Face.KILL: (Wound("speaker", 1),)})
    gained = run(turn(), test, dice="red=S")
    assert [(event.resource, event.count) for event in gained.events if isinstance(event, ResourceGained)] == [
        ("xp", 2)
    ]
    hurt = run(turn("t: e_talbot @L0"), test, unit="t", dice="red=K")
    assert [(event.unit, event.wounds) for event in hurt.events if isinstance(event, UnitWounded)] == [("t", 1)]
    dead = run(turn("t: e_talbot @L0 wounds:2"), test, unit="t", dice="red=K")
    assert [(event.unit, event.by) for event in dead.events if isinstance(event, UnitDestroyed)] == [("t", None)]


def test_ja_264_ja_d44_charisma_rolls_the_die_of_an_answer_again() -> None:
    test = DieTest("red", {Face.SHIELD: (Gain("xp", 2),)})
    play = run(turn("j: f_joan_1 @L0"), test, unit="j", dice="red=K red=S")
    assert [asked.kind for asked in play.state.asked] == ["CharismaReroll"]
