"""Rows that hold over several sections: what is asked when, what is never allowed, in what order things happen."""

from typing import Any

from msgspec.structs import replace

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.board.scenarios import SHIPPED_SCENARIOS
from domain.joan_of_arc.board.table import used
from domain.joan_of_arc.cards.hooks import Skill
from domain.joan_of_arc.rules.actions import charging, hastening, jumping
from domain.joan_of_arc.rules.actions.charging import Charge
from domain.joan_of_arc.rules.attacks.rolls import clouds, rainbow
from domain.joan_of_arc.state.attack_events import AttackDeclared, DiceThrown, ResultsCancelled, TerrorApplied
from domain.joan_of_arc.state.events import (
    CivilianRecruited,
    EquipmentDiscarded,
    OrderPlayed,
    OrdersGained,
    PhaseBegan,
    PointsScored,
    RallyPointMoved,
    TurnBegan,
    UnitDestroyed,
    UnitsMoved,
    UnitWaited,
)
from domain.joan_of_arc.state.evolve_state import with_units
from domain.joan_of_arc.state.options import Options
from domain.joan_of_arc.state.queries import acting, setting_of, table_of
from domain.joan_of_arc.state.state import Grant, UnitId
from domain.kernel import DiceRolled
from server.conformance.walks import Walk
from tests.domain.joan_of_arc import fixtures
from tests.domain.joan_of_arc.fixtures import L0, L1, L2, L3
from tests.domain.joan_of_arc.table import GAME, Table, given

FOE = {"units": ["f1: f_voulgiers @L4"]}


def ordered(units: list[str], at: str = L0, order: str = "command", dice: str = "", **position: Any) -> Table:
    """The first player orders an area."""
    seat0 = {"orders": f"2 {order}, 1 reactivation", "units": units, **position.pop("board", {})}
    return given(dice, **{"seat0": seat0, "seat1": FOE, **position}).do(f"PlayOrder {order} {at}")


def versus(dice: str, ours: list[str], theirs: list[str], **position: Any) -> Table:
    """The first player orders L1 against who stands beside it."""
    return ordered(ours, L1, dice=dice, seat1={"units": theirs, **position.pop("their_board", {})}, **position)


def test_ja_017_ja_q01_the_common_pool_never_runs_out() -> None:
    decks = {"council": ["wc_muster", "wc_spurs", "wc_drill"], "rounds": ["round_a"]}
    units = ["e1: e_billmen @L0"]
    table = given(start="Council", decks=decks, seat0={"orders": "60 command", "xp": 70, "units": units}, seat1=FOE)
    table.do("TakeCouncilCard wc_muster")
    assert [event.count for event in table.of(OrdersGained) if event.seat == 0] == [3, 1]
    assert table.state.boards[0].orders.command == 64


def test_ja_031_a_building_keeps_its_size_when_somebody_goes_in() -> None:
    areas = {"L1": {"terrain": "village", "building": "church"}}
    table = ordered(["e1: e_billmen @L1"], L1, areas=areas)
    table.do(f"Move {L1}/church")
    found = fixtures.table(fixtures.line(L1={"terrain": "village", "building": "church"}))
    assert (table.at("e1"), used(found, L1)) == ("L1/church", 2)
    assert used(table_of(table.state), L1) == 2


def test_ja_038_ja_q06_the_first_player_stays_first_round_after_round() -> None:
    walk = Walk(GAME, 2, {"scenario": "s1_ford_at_brossay"})
    list(walk.steps())
    seats = [event.seat for event in walk.events if isinstance(event, TurnBegan)]
    assert len(seats) > 4
    assert set(seats[::2]) == {1}


def test_ja_056_an_order_is_fully_resolved_before_the_next_is_played() -> None:
    table = ordered(["e1: e_billmen @L0", "e2: e_billmen @L1"])
    assert table.kinds() == ["0 Declaration"]
    assert table.refused(f"PlayOrder command {L1}") == "JA-081"
    table.do("Wait")
    assert (table.kinds(), len(table.of(OrderPlayed))) == (["0 OrderChoice"], 1)


def test_ja_085_a_bonus_action_is_taken_once_an_activation() -> None:
    units = ["bp: e_black_prince_1 @L1", "e1: e_billmen @L0", "e2: e_billmen @L2"]
    table = ordered(units, L1).do("Wait", "Command bp", "CommandThese e1", "Wait")
    assert table.kinds() == ["0 OrderChoice"]


def test_ja_110_ja_113_ja_d13_only_who_has_an_attack_of_the_kind_may_make_it() -> None:
    near = {"units": ["f1: f_voulgiers @L1"]}
    engine = ordered(["t: e_trebuchet @L0"], seat1=near)
    assert {text.partition(" ")[0] for text in engine.offers()} & {"Melee", "Shoot"} == {"Shoot"}
    swords = ordered(["e1: e_billmen @L0"], seat1=near)
    assert {text.partition(" ")[0] for text in swords.offers()} & {"Melee", "Shoot"} == {"Melee"}
    both = ordered(["b1: e_bowmen @L0"], seat1=near)
    assert {f"Melee {L1}", f"Shoot {L1}"} <= set(both.offers())


def test_ja_115_ja_295_ja_296_a_forest_changes_the_roll_of_who_is_shot_at_and_stops_what_flies_on() -> None:
    wood = {"L2": {"terrain": "forest", "elements": {"tree": 1}}}
    theirs = ["f1: f_peasants @L2", "f2: f_peasants @L3"]
    table = versus("yellow=D white=B yellow=B", ["b1: e_bowmen @L1"], theirs, areas=wood).do(f"Shoot {L2}")
    assert table.kinds() == ["1 RollEffects"]
    bare = versus("yellow=D white=B yellow=B", ["b1: e_bowmen @L1"], theirs).do(f"Shoot {L2}")
    assert bare.kinds() == ["0 OrderChoice"]
    seat1 = {"orders": "1 command", "units": ["x: f_crossbowmen @L0"]}
    shots = given(seat0={"units": ["e1: e_billmen @L2"]}, seat1=seat1, areas={"L1": {**wood["L2"]}})
    assert f"Shoot {L2}" not in shots.do(f"PlayOrder command {L0}").offers()


def test_ja_120_each_unit_adds_its_own_powers() -> None:
    table = versus("red=S red=S red=S red=S white=B", ["t1: e_talbot @L1", "t2: e_talbot @L1"], ["f1: f_voulgiers @L2"])
    table.do(f"Melee {L2}", f"Melee {L2}")
    assert table.offers() == [
        "LeaveDice",
        "RollAgain feint t1 0",
        "RollAgain feint t1 1",
        "RollAgain feint t2 2",
        "RollAgain feint t2 3",
    ]


def test_ja_122_ja_124_the_attackers_effects_come_before_the_defenders() -> None:
    table = versus("red=S red=S black=D", ["t: e_talbot @L1"], ["m: e_men_at_arms @L2"]).do(f"Melee {L2}")
    assert table.kinds() == ["0 RollEffects"]
    assert table.do("LeaveDice").kinds() == ["1 RollEffects"]


def test_ja_132_ja_q22_kills_of_both_sides_come_first_then_the_defenders_pushes_then_the_attackers() -> None:
    ours, theirs = ["e1: e_billmen @L1", "e2: e_billmen @L1"], ["lh: f_la_hire @L2"]
    table = versus("red=P red=S black=K white=P", ours, theirs).do(f"Melee {L2}", f"Melee {L2}")
    table.do("ReturnThese 0 1", "GiveResult e1", "GiveWay lh", f"PushTo e2 {L0}")
    told = [event for event in table.events if isinstance(event, UnitDestroyed | UnitsMoved)]
    assert [event.unit if isinstance(event, UnitDestroyed) else event.units[0] for event in told] == ["e1", "lh", "e2"]


def test_ja_150_ja_d32_a_follow_up_respects_the_room_there_is() -> None:
    for bushes, both in ((6, True), (7, False)):
        areas = {"L2": {"elements": {"bush": bushes}}}
        ours = ["e1: e_billmen @L1", "e2: e_billmen @L1"]
        table = versus("red=K red=S white=B", ours, ["f1: f_voulgiers @L2"], areas=areas)
        table.do(f"Melee {L2}", f"Melee {L2}")
        assert ("FollowUp e1 e2" in table.offers()) is both
        assert "FollowUp e1" in table.offers()


def test_ja_174_two_commanders_of_an_area_do_not_command_the_same_unit() -> None:
    units = ["bp: e_black_prince_1 @L1", "t: e_talbot @L1", "e1: e_billmen @L0", "e2: e_billmen @L2"]
    table = ordered(units, L1).do("Wait", "Wait", "Command bp", "CommandThese e1", "Wait", "Command t")
    assert table.offers() == ["CommandThese e2"]


def test_ja_181_what_a_destroyed_character_wore_is_discarded() -> None:
    table = versus("red=K red=S black=D white=B", ["k: e_knights @L1"], ["j: f_joan_1 @L2 wounds:2 +et_great_shield"])
    table.do(f"Melee {L2}")
    assert [(event.unit, event.card) for event in table.of(EquipmentDiscarded)] == [("j", "et_great_shield")]
    assert table.state.piles["tactics"].discards == ("et_great_shield",)


def test_ja_191_ja_q87_an_empty_legend_deck_is_made_of_its_discards() -> None:
    cards = [card.id for card in setting_of(given(seat0={}, seat1=FOE).state).index.cards.legend]
    decks = {"council": ["wc_ballad", "wc_drill", "wc_spies"]}
    units: dict[str, Any] = {"seat0": {"units": ["e1: e_billmen @L0"]}, "seat1": FOE}
    table = given(start="Council", decks=decks, discards={"legend": cards}, **units)
    assert table.state.piles["legend"].left == 0
    table.do("TakeCouncilCard wc_ballad")
    pile = table.state.piles["legend"]
    assert (table.state.boards[0].hand_size, pile.left, pile.discards) == (1, len(cards) - 1, ())


def with_skill(table: Table, unit: str, skill: Skill, x: int = 1) -> None:
    """The unit has a skill for the turn."""
    table.state = with_units(table.state, (UnitId(unit),), grants=(Grant(skill, x, "end_of_turn"),))


def test_ja_205_infantry_charges_over_one_area() -> None:
    table = ordered(["e1: e_billmen @L0"], order="charge", seat1={"units": ["f1: f_voulgiers @L2"]})
    with_skill(table, "e1", Skill.CHARGE)
    found = list(charging.offers(table.state, table.unit("e1"), acting(table.state)))
    assert found == [Charge((L1,)), Charge((L1,), L2)]


def test_ja_224_the_camp_phase_checks_casualties_then_fire_then_victory() -> None:
    victory = {"camp": [{"if": {"area_held": "0,0:a"}, "vp": 1}]}
    table = given(
        "doom=disrupt red=S",
        start="Camp",
        victory=victory,
        seat0={"units": ["e1: e_billmen @L0"]},
        seat1={"units": ["f1: f_voulgiers disrupted"]},
        areas={"L0": {"fire": 0}},
    )
    told = [event for event in table.events if isinstance(event, PhaseBegan | DiceRolled | PointsScored)]
    assert [getattr(event, "rule", "camp") for event in told][:4] == ["camp", "JA-225", "JA-240", "JA-246"]


def test_ja_352_a_sky_plan_of_the_scenario_is_used() -> None:
    wyrm = SHIPPED_SCENARIOS["s3_wyrm_of_rougemont"]
    ground = wyrm.ground()
    assert ground is not None
    assert ground.sky is not None
    own = replace(wyrm, map=replace(ground, sky=replace(ground.sky, mode="plan", tiles=("sky6", "sky1", "sky2"))))
    for seed in (1, 2):
        walk = Walk(GAME, seed, {"own": own})
        assert walk.state.sky == ("sky6", "sky1", "sky2")
    assert Options(own=own).own is not None


def test_ja_357_a_blue_sky_has_no_effect_and_clouds_have() -> None:
    table = fixtures.table(fixtures.FLOWER, sky=("sky1", "sky2"))
    blue, grey = AreaId("sky:0,0:a"), AreaId("sky:1,0:a")
    holy = fixtures.unit("a m_archangel", "french")
    assert clouds(table, blue).in_order() == rainbow(table, blue, holy).in_order() == ()
    assert clouds(table, grey).in_order() == ("black",)


def test_ja_386_nothing_moves_a_war_machine_more_than_one_area() -> None:
    table = ordered(["t: e_trebuchet @L0"])
    for skill, offers in ((Skill.HASTE, hastening.offers), (Skill.JUMP, jumping.offers)):
        with_skill(table, "t", skill, 3)
        assert not list(offers(table.state, table.unit("t"), acting(table.state)))
    card = ordered(["t: e_trebuchet @L0"], board={"hand": ["lt_forced_pace"], "legend": 3})
    card.do("Wait", "PlayLegend lt_forced_pace")
    assert card.offers() == ["MoveNobody", f"MoveUnit t {L1}"]


def test_ja_d10_ja_q14_who_stays_behind_is_the_owners_choice() -> None:
    units = ["bp: e_black_prince_1 @W", "e1: e_billmen @W", "e2: e_billmen @W", "e3: e_billmen @NW"]
    table = ordered(
        units,
        "-1,0:a",
        map="flower",
        seat1={"units": ["f1: f_voulgiers @E"]},
        areas={"C": {"elements": {"bush": 6}}},
    )
    table.do("Wait", "Move 0,0:a", "Move 0,0:a", "Command bp", "CommandThese e3", "Move 0,0:a")
    assert (table.kinds(), table.offers()) == (["0 WhoMoves"], ["MoveThese", "MoveThese e1", "MoveThese e2"])
    table.do("MoveThese e2")
    assert [table.at(name) for name in ("e1", "e2", "e3")] == ["W", "C", "C"]
    assert [event.unit for event in table.of(UnitWaited) if event.rule == "JA-Q14"] == ["e1"]


def short_of_room() -> Table:
    """Two knights that are to charge through an area in which another takes the room of one of them before."""
    table = given(
        "red=S red=S white=B",
        map="flower",
        seat0={"orders": "1 charge", "units": ["e0: e_billmen @W", "k1: e_knights @W", "k2: e_knights @W"]},
        seat1={"units": ["f1: f_voulgiers @E"]},
        areas={"C": {"elements": {"bush": 6}}},
    )
    way = Charge((AreaId("0,0:a"), AreaId("0,1:a")), AreaId("1,0:a"))
    table.do("PlayOrder charge -1,0:a", "Move 0,0:a").answer(way).answer(way)
    return table.do("Resolve e0")


def test_ja_q14_ja_q42_which_of_several_chargers_finds_room_is_the_owners_choice() -> None:
    table = short_of_room()
    assert (table.kinds(), table.offers()) == (["0 WhoMoves"], ["MoveThese", "MoveThese k1", "MoveThese k2"])
    table.do("MoveThese k2")
    assert [table.at(name) for name in ("k1", "k2")] == ["W", "SE"]
    assert [(event.unit, event.rule) for event in table.of(UnitWaited)] == [("k1", "JA-Q14")]
    assert table.offers() == ["LeaveDice", "RollAgain charge k2 0", "RollAgain charge k2 1"]


def test_ja_q14_where_no_charger_is_to_move_there_is_no_attack() -> None:
    table = short_of_room().do("MoveThese")
    assert [(event.unit, event.rule) for event in table.of(UnitWaited)] == [("k1", "JA-Q14"), ("k2", "JA-Q14")]
    assert not table.of(AttackDeclared)


def test_ja_d16_ja_q64_the_attacker_says_which_die_a_frightened_unit_rolls() -> None:
    table = versus("black=S black=S", ["f: e_fastolf @L1", "e1: e_billmen @L1"], ["g: e_black_prince_2 @L2"])
    table.do(f"Melee {L2}", f"Melee {L2}", "Frighten f")
    assert (table.kinds(), table.offers()) == (["0 DieChoice"], ["RollOnly red", "RollOnly white"])
    table.do("RollOnly white")
    assert table.offers() == ["Frighten e1"]
    table.roll("white=B black=D black=D").do("Frighten e1")
    assert [(event.unit, event.die) for event in table.of(TerrorApplied)] == [("f", "white"), ("e1", None)]
    assert [die.unit for die in table.of(DiceThrown)[0].dice] == ["f"]


def test_ja_d35_the_attacker_says_what_a_gigantic_die_breaks() -> None:
    areas = {"C": {"terrain": "village", "building": "small_house", "elements": {"tree": 1}}}
    seat0 = {"orders": "2 command", "units": ["d: m_dragon @W"]}
    table = given("gigantic=T", map="flower", seat0=seat0, seat1={"units": ["f1: f_voulgiers @E"]}, areas=areas)
    table.do("PlayOrder command -1,0:a command", "Trample 0,0:a")
    assert (table.kinds(), table.offers()) == (["0 WreckChoice"], ["BreakElement tree", "BreakBuilding"])


def test_ja_q13_a_bonus_action_stands_just_before_or_just_after_the_units_own_action() -> None:
    units = ["bp: e_black_prince_1 @L1", "e1: e_billmen @L1", "e2: e_billmen @L0"]
    table = ordered(units, L1).do("Wait", "Wait", "Command bp", "CommandThese e2", "Wait")
    assert [event.unit for event in table.of(UnitWaited)] == ["e2", "bp", "e1"]
    after = ordered(units, L1).do("Wait", "Wait", "Resolve bp")
    assert "Command bp" in after.offers()
    after.do("Resolve e1")
    assert after.kinds() == ["0 OrderChoice"]


def test_ja_303_no_bonus_action_follows_a_charge_that_a_swamp_stopped() -> None:
    bog, units = {"L1": {"terrain": "swamp"}}, ["t: e_talbot @L0", "c: c_priest @L1"]
    seat0 = {"orders": "1 charge, 1 reactivation", "units": units}
    table = given(seat0=seat0, seat1=FOE, areas=bog).do(f"PlayOrder charge {L0}")
    table.answer(Charge((L1, L2)))
    assert (table.at("t"), table.kinds()) == ("L1", ["0 OrderChoice"])


def test_ja_q19_shields_of_the_attack_roll_do_nothing() -> None:
    table = versus("red=S white=S", ["e1: e_billmen @L1"], ["f1: f_voulgiers @L2"]).do(f"Melee {L2}")
    assert [event.left for event in table.of(ResultsCancelled)] == [()]
    assert (table.at("f1"), table.at("e1")) == ("L2", "L1")


def test_ja_q28_a_follow_up_recruits_and_a_rally_does_not() -> None:
    table = versus("red=K white=B", ["e1: e_billmen @L1"], ["f1: f_voulgiers @L2"], civilians=["c: c_villager @L2"])
    table.do(f"Melee {L2}", "FollowUp e1")
    assert [(event.seat, event.units) for event in table.of(CivilianRecruited)] == [(0, ("c",))]
    camp = given(
        "doom=rally",
        start="Camp",
        seat0={"units": ["e1: e_billmen @L0"]},
        seat1={"units": ["f1: f_voulgiers disrupted"]},
        rallies={"french": ["L4"]},
        civilians=["c: c_villager @L4"],
    )
    assert (camp.at("f1"), camp.of(CivilianRecruited)) == ("L4", [])


def test_ja_q30_recruited_civilians_are_activated_and_defend_but_are_not_commanded() -> None:
    own = ordered(["e1: e_billmen @L0", "c: c_villager @L0"]).do(f"Move {L1}")
    assert f"Move {L1}" in own.offers()
    units = ["bp: e_black_prince_1 @L1", "e1: e_billmen @L0", "c: c_villager @L0"]
    led = ordered(units, L1).do("Wait", "Command bp")
    assert led.offers() == ["CommandThese e1"]
    fought = versus("red=K red=D yellow=B white=B", ["k: e_knights @L1"], ["f1: f_voulgiers @L2", "c: c_villager @L2"])
    fought.do(f"Melee {L2}")
    assert fought.offers() == ["GiveResult c", "GiveResult f1"]


def test_ja_q44_fire_collapses_a_building_at_its_resistance_not_at_its_capacity() -> None:
    for damage, rubble in ((1, False), (2, True)):
        areas = {"L0": {"terrain": "village", "building": "church", "damage": damage, "fire": 1}}
        table = given(start="Camp", seat0={"units": ["e1: e_billmen @L1"]}, seat1=FOE, areas=areas)
        assert table.state.field.lying[L0].rubble is rubble


def test_ja_q79_a_second_move_in_a_turn_is_refused_to_a_war_machine_and_a_push_is_none() -> None:
    table = ordered(["t: e_trebuchet @L0"], board={"stakes": 0}).do(f"Move {L1}", f"PlayOrder reactivation {L1}")
    assert table.at("t") == "L1"
    assert table.kinds() == ["0 Declaration"]
    assert not [text for text in table.offers() if text.startswith("Move")]
    seat1 = {"orders": "1 command", "units": ["f1: f_voulgiers @L0"]}
    seat0 = {"orders": "1 interrupt", "units": ["t: e_trebuchet @L1"]}
    turn: dict[str, Any] = {"with": {"seat": 1}}
    pushed = given("red=P white=B", seat0=seat0, seat1=seat1, **turn).do(
        f"PlayOrder command {L0}", f"Melee {L1}", "FollowUp"
    )
    pushed.do(f"Interrupt {L2}")
    assert f"Move {L3}" in pushed.offers()


def test_ja_234_a_banner_may_stay_where_it_is() -> None:
    decks = {"council": ["wc_banners", "wc_drill", "wc_spurs"], "rounds": ["round_a"]}
    units: dict[str, Any] = {"seat0": {"units": ["e1: e_billmen @L0"]}, "seat1": FOE}
    table = given(start="Council", decks=decks, rallies={"english": ["L2"]}, **units)
    table.do("TakeCouncilCard wc_banners", "LeaveBanner")
    assert table.of(RallyPointMoved) == []
