"""Rows of attacks, worked examples among them."""

from typing import Any

from domain.joan_of_arc.rules.actions.charging import Charge
from domain.joan_of_arc.rules.attacks.improving import RollAgain
from domain.joan_of_arc.rules.attacks.retaliating import ReturnThese
from domain.joan_of_arc.state.attack_events import (
    AttackDeclared,
    AttackEnded,
    DiceRerolled,
    DiceThrown,
    ResultAllocated,
    ResultsCancelled,
    ResultsDiscarded,
    TerrorApplied,
    UnitDodged,
)
from domain.joan_of_arc.state.events import (
    ActionResolved,
    BuildingCollapsed,
    BuildingDamaged,
    CharacterCaptured,
    UnitDestroyed,
    UnitDisrupted,
    UnitsMoved,
    UnitWaited,
    UnitWounded,
)
from domain.kernel.events import DiceRolled
from tests.domain.joan_of_arc.fixtures import L0, L1, L2, L3, L4
from tests.domain.joan_of_arc.table import GAME, Table, given


def fight(
    dice: str, ours: list[str], theirs: list[str], *, order: str = "command", at: str = L1, **position: Any
) -> Table:
    """The first player orders L1 against who stands beside it."""
    seat0 = {"orders": f"2 {order}, 1 reactivation", "units": ours, **position.pop("board", {})}
    seat1 = {"units": theirs, **position.pop("their_board", {})}
    return given(dice, seat0=seat0, seat1=seat1, **position).do(f"PlayOrder {order} {at}")


def taken(table: Table) -> list[tuple[str, str]]:
    return [(event.given.unit, str(event.given.face)) for event in table.of(ResultAllocated)]


def test_ja_107_ja_108_ja_121_ja_125_ja_126_ja_127_ja_128_ja_138_ja_148_ja_149_ja_d23_ja_d25_ja_x10_melee() -> None:
    ours, theirs = ["e1: e_knights @L1", "e2: e_billmen @L1"], ["f1: f_voulgiers @L2", "f2: f_voulgiers @L2"]
    table = fight("red=K red=P red=D white=S white=B", ours, theirs).do(f"Melee {L2}", f"Melee {L2}")
    assert table.of(AttackDeclared)[0].starts == (("e1", L1), ("e2", L1))
    assert [[die.unit for die in event.dice] for event in table.of(DiceThrown)] == [["e1", "e1", "e2"], ["f1", "f2"]]
    assert table.offers() == ["UseShields 1", "UseShields 0"]
    table.do("UseShields 1")
    assert [str(die.face) for die in table.of(ResultsCancelled)[0].left] == ["disrupt", "push"]
    assert (table.kinds(), table.offers()) == (["1 ResultTaker"], ["GiveResult f1", "GiveResult f2"])
    table.do("GiveResult f1")
    assert taken(table) == [("f1", "disrupt"), ("f2", "push")]
    assert [(event.unit, event.by) for event in table.of(UnitDisrupted)] == [("f1", 0)]
    assert (table.at("f2"), table.kinds()) == ("L3", ["0 FollowUpChoice"])
    table.do("FollowUp e1 e2")
    assert (table.at("e1"), table.at("e2")) == ("L2", "L2")
    assert table.of(ActionResolved)[-1].attacked == L2


def test_ja_123_ja_129_ja_131_ja_q21_ja_x11_results_on_a_unit_with_several_hps() -> None:
    ours, theirs = ["e1: e_knights @L1", "e2: e_knights @L1"], ["f1: f_peasants @L2", "g1: f_household_guard @L2"]
    table = fight("red=K red=K red=K red=D yellow=B black=D", ours, theirs).do(f"Melee {L2}", f"Melee {L2}")
    table.do("GiveResult f1", "LeaveResults")
    assert taken(table) == [("f1", "kill"), ("g1", "kill"), ("g1", "kill")]
    assert [[str(face) for face in event.faces] for event in table.of(ResultsDiscarded)] == [["disrupt"]]
    assert (table.at("f1"), table.at("g1"), table.state.scores) == ("graveyard", "graveyard", {"english": 2})


def test_ja_138_ja_139_ja_d30_ja_x12_a_push_needs_space() -> None:
    hemmed = fight("red=P white=D", ["e1: e_billmen @L3"], ["f1: f_voulgiers @L4"], at=L3).do(f"Melee {L4}")
    assert hemmed.at("f1") == "disrupted"
    crowd = [f"p{number}: f_peasants @E" for number in range(8)]
    theirs = ["f1: f_voulgiers @C", *crowd]
    table = fight("red=P white=D", ["e1: e_billmen @W"], theirs, at="-1,0:a", map="flower").do("Melee 0,0:a")
    assert (table.kinds(), len(table.offers()), "PushTo 1,0:a" in table.offers()) == (["0 PushDestination"], 4, False)


def test_ja_143_ja_144_ja_145_ja_146_ja_147_ja_283_ja_d28_ja_d57_ja_q27_ja_x13_retaliation() -> None:
    ours = ["e1: e_billmen @L1", "e2: e_billmen @L1", "e3: e_billmen @L0"]
    table = fight("red=K red=S black=K white=D", ours, ["lh: f_la_hire @L2"]).do(f"Melee {L2}", f"Melee {L2}")
    assert (table.kinds(), len(table.offers())) == (["1 ReturnedResults"], 4)
    table.do("ReturnThese 0 1")
    assert (table.kinds(), table.offers()) == (["0 ResultTaker"], ["GiveResult e1", "GiveResult e2"])
    table.do("GiveResult e1")
    assert [(event.unit, event.wounds) for event in table.of(UnitWounded)] == [("lh", 1)]
    assert (table.at("e1"), table.at("e2"), table.unit("e2").sent_by) == ("graveyard", "disrupted", 1)
    assert table.state.scores == {"french": 1}


def test_ja_d57_ja_q27_the_defender_says_which_results_strike_back_all_by_default() -> None:
    ours = ["e1: e_billmen @L1", "e2: e_billmen @L1", "e3: e_billmen @L0"]
    table = fight("red=S red=S black=K white=D", ours, ["lh: f_la_hire @L2"]).do(f"Melee {L2}", f"Melee {L2}")
    asked = GAME.revive_decision(table.asked())
    assert asked.default(table.state) == ReturnThese(("0", "1"))
    table.do("ReturnThese 1", "GiveResult e2")
    assert [table.at(name) for name in ("e1", "e2")] == ["L1", "disrupted"]
    none = fight("red=S red=S black=K white=D", ours, ["lh: f_la_hire @L2"]).do(f"Melee {L2}", f"Melee {L2}")
    none.do("ReturnThese")
    assert [none.at(name) for name in ("e1", "e2")] == ["L1", "L1"]


def test_ja_d23_ja_126_ja_q20_ja_q62_the_defender_picks_which_result_of_a_kind_is_cancelled() -> None:
    seat1 = {"orders": "1 command", "units": ["x1: f_crossbowmen @L1", "s1: e_skirmishers @L1"]}
    seat0 = {"units": ["e1: e_billmen @L2", "e2: e_billmen @L2"]}
    table = given("white=D red=D white=S white=B", seat0=seat0, seat1=seat1)
    table.do(f"PlayOrder command {L1}", f"Shoot {L2}", f"Shoot {L2}", "UseShields 1")
    assert (table.kinds(), table.offers()) == (["0 CancelledResults"], ["CancelThese 0", "CancelThese 1"])
    table.do("CancelThese 1")
    assert [die.unit for die in table.of(ResultsCancelled)[0].left] == ["x1"]
    assert table.kinds() == ["1 ResultTaker"]


def test_ja_126_results_that_are_as_good_as_each_other_need_no_choice() -> None:
    ours, theirs = ["e1: e_billmen @L1", "e2: e_billmen @L1"], ["f1: f_voulgiers @L2", "f2: f_voulgiers @L2"]
    table = fight("red=K red=K white=S white=B", ours, theirs).do(f"Melee {L2}", f"Melee {L2}", "UseShields 1")
    assert table.kinds() == ["1 ResultTaker"]


def test_ja_331_ja_332_ja_276_ja_x14_stakes_help_bowmen_and_bar_the_follow_up() -> None:
    theirs = ["b1: e_bowmen @L1", "b2: e_bowmen @L1", "m1: e_men_at_arms @L1"]
    ours = {"orders": "1 command", "units": ["k1: f_knights @L2"]}
    dice = "red=K red=D white=S yellow=B white=D yellow=S black=K"
    table = given(dice, seat0={"units": theirs}, seat1=ours, edges={"L1-L2": "stakes english"})
    table.do(f"PlayOrder command {L2}", f"Melee {L1}", "LeaveDice", "UseShields 2")
    assert [(die.unit, die.colour) for die in table.of(DiceThrown)[1].dice] == [
        ("b1", "white"),
        ("b1", "yellow"),
        ("b2", "white"),
        ("b2", "yellow"),
        ("m1", "black"),
    ]
    assert not table.of(UnitsMoved)


def test_ja_116_ja_117_ja_114_ja_x09_direct_and_arcing_shots() -> None:
    seat1 = {"orders": "1 command", "units": ["b1: e_bowmen @L0", "x1: f_crossbowmen @L0"]}
    seat0 = {"units": ["e1: e_billmen @L1", "e2: e_billmen @L2", "e3: e_billmen @L3"]}
    wood = {"L1": {"terrain": "forest", "elements": {"tree": 1}}}
    table = given(seat0=seat0, seat1=seat1, areas=wood).do(f"PlayOrder command {L0}")
    assert [text for text in table.offers() if "Shoot" in text] == [f"Shoot {L1}", f"Shoot {L2}"]
    table.do("Wait")
    assert [text for text in table.offers() if "Shoot" in text] == [f"Shoot {L1}"]


def test_ja_102_ja_103_ja_104_ja_105_ja_106_ja_q15_one_attack_of_one_kind_on_an_area() -> None:
    ours = ["b1: e_bowmen @L1", "e1: e_billmen @L1"]
    table = fight("yellow=B white=B white=B", ours, ["f1: f_voulgiers @L2", "f2: f_voulgiers @L0"])
    assert {f"Shoot {L2}", f"Melee {L2}", f"Melee {L0}"} <= set(table.offers())
    table.do(f"Shoot {L2}")
    assert f"Melee {L2}" not in table.offers()
    assert f"Melee {L0}" in table.offers()


def test_ja_204_ja_203_ja_207_ja_262_ja_294_ja_x20_cavalry_charge_over_plain() -> None:
    ours, theirs = ["k1: e_knights @L0"], ["f1: f_voulgiers @L3"]
    assert not [text for text in fight("", ours, theirs, at=L0).offers() if "Charge" in text]
    table = fight("red=S red=P white=B red=K", ours, theirs, order="charge", at=L0)
    table.answer(Charge((L1, L2), L3)).answer(RollAgain("charge k1", 0))
    assert (table.at("f1"), table.of(DiceRerolled)[0].source) == ("graveyard", "charge k1")
    table.do("FollowUp k1")
    assert table.at("k1") == "L3"


def test_ja_109_ja_309_ja_139_ja_q16_ja_q17_ja_x23_fight_for_a_church() -> None:
    inside = "2,0:a/church"
    theirs = ["f1: f_voulgiers @L2/church", "f2: f_voulgiers @L2/church"]
    ours = ["e1: e_men_at_arms @L2", "e2: e_men_at_arms @L2"]
    areas = {"L2": {"terrain": "village", "building": "church"}}
    dice = "red=K yellow=P red=D yellow=B white=B white=D black=S"
    table = fight(dice, ours, theirs, at=L2, areas=areas).do(f"Melee {inside}", f"Melee {inside}")
    table.do("UseShields 1", "GiveResult f1")
    assert (table.at("f1"), table.at("f2")) == ("disrupted", "disrupted")
    table.do("FollowUp e2")
    assert table.at("e2") == "L2/church"


def test_ja_289_ja_290_ja_291_ja_292_ja_288_ja_d15_terror_takes_dice() -> None:
    ours = ["e1: e_billmen @L1", "k1: e_knights @L1", "r: m_revenants @L1"]
    table = fight("black=S black=S", ours, ["g: e_black_prince_2 @L2"])
    table.do(f"Melee {L2}", f"Melee {L2}", f"Melee {L2}")
    assert (table.kinds(), table.offers()) == (["1 FrightChoice"], ["Frighten e1", "Frighten k1"])
    table.roll("red=S red=S black=S black=S").do("Frighten e1", "Frighten k1")
    assert [(event.unit, event.die) for event in table.of(TerrorApplied)] == [("e1", None), ("k1", "red")]
    assert [(event.unit, event.rule) for event in table.of(UnitWaited)] == [("e1", "JA-290")]
    assert [die.unit for die in table.of(DiceThrown)[0].dice] == ["k1", "r"]


def test_ja_288_ja_292_terror_is_rolled_where_nobody_can_be_frightened() -> None:
    ours, theirs = ["r: m_revenants @L1"], ["g: e_black_prince_2 @L2"]
    table = fight("black=S black=S red=D black=D black=D", ours, theirs).do(f"Melee {L2}")
    assert table.of(DiceRolled)[0].rule == "JA-288"
    assert "FrightChoice" not in str(table.kinds())
    assert not table.of(TerrorApplied)


def test_ja_266_ja_267_ja_q58_ja_d19_who_dodges_takes_nothing() -> None:
    table = fight("red=K yellow=B white=S", ["e1: e_billmen @L1"], ["s: e_skirmishers @L2"]).do(f"Melee {L2}")
    assert table.offers() == ["StandFirm", f"DodgeTo {L3}"]
    table.do(f"DodgeTo {L3}")
    assert table.kinds() == ["0 FollowUpChoice"]
    assert [event.unit for event in table.of(UnitDodged)] == ["s"]
    assert table.at("s") == "L3"


def test_ja_269_ja_279_ja_295_ja_d18_ja_d20_rerolls_of_feint_parry_and_forest() -> None:
    wood = {"L2": {"terrain": "forest", "elements": {"tree": 1}}}
    ours, theirs = ["t: e_talbot @L1"], ["m: e_men_at_arms @L2"]
    table = fight("red=S red=S black=D", ours, theirs, areas=wood).do(f"Melee {L2}")
    assert (table.kinds(), len(table.offers())) == (["0 RollEffects"], 3)
    table.roll("red=K").answer(RollAgain("feint t", 0))
    assert (table.kinds(), len(table.offers())) == (["1 RollEffects"], 3)
    table.roll("black=D").answer(RollAgain("parry m", 0))
    table.roll("black=S").answer(RollAgain("terrain", 0))
    assert [event.source for event in table.of(DiceRerolled)] == ["feint t", "parry m", "terrain"]


def test_ja_284_ja_q60_ruthless_turns_disrupts_into_kills_for_legend_tokens() -> None:
    ours = ["bp: e_black_prince_1 @L1"]
    table = fight("red=D red=D white=B", ours, ["f1: f_voulgiers @L2"], board={"legend": 1}).do(f"Melee {L2}")
    assert table.offers() == ["LeaveDice", "TurnToKill 0", "TurnToKill 1"]
    table.do("TurnToKill 1")
    assert (table.at("f1"), table.state.boards[0].legend) == ("graveyard", 0)


def test_ja_q60_a_die_that_ruthless_has_changed_is_not_rolled_again() -> None:
    ours = ["bp: e_black_prince_1 @L1"]
    board = {"legend": 1, "reroll": True}
    table = fight("red=D red=D white=B", ours, ["f1: f_voulgiers @L2"], board=board).do(f"Melee {L2}")
    table.do("TurnToKill 1", "UseToken")
    assert table.state.attack is not None
    assert [die.settled for die in table.state.attack.attack_dice] == [False, True]
    assert "RollThese 0" in table.offers()
    assert not [text for text in table.offers() if "1" in text.split()]


def test_ja_188_ja_284_an_intrigue_token_is_swapped_to_be_ruthless() -> None:
    ours = ["bp: e_black_prince_1 @L1"]
    table = fight("red=D red=D white=B", ours, ["f1: f_voulgiers @L2"], board={"intrigue": 1}).do(f"Melee {L2}")
    assert table.offers() == ["LeaveDice", "ExchangeForLegend"]
    table.do("ExchangeForLegend", "TurnToKill 1")
    board = table.state.boards[0]
    assert (table.at("f1"), board.legend, board.intrigue) == ("graveyard", 0, 0)


def test_ja_188_ja_284_without_a_disrupt_of_the_ruthless_there_is_nothing_to_swap_for() -> None:
    ours = ["bp: e_black_prince_1 @L1"]
    table = fight("red=S red=S white=B", ours, ["f1: f_voulgiers @L2"], board={"intrigue": 1}).do(f"Melee {L2}")
    assert "0 RollEffects" not in table.kinds()


def test_ja_285_ja_q61_slayer_adds_a_wound_to_a_character_that_took_a_kill() -> None:
    ours, theirs = ["bp: e_black_prince_2 @L1"], ["lh: f_la_hire @L2"]
    table = fight("black=K red=K red=S black=D white=D", ours, theirs).do(f"Melee {L2}", "ReturnThese")
    assert table.unit("lh").wounds == 3


def test_ja_q61_ja_q63_slayer_strikes_where_one_of_two_kills_was_not_cancelled_by_tough() -> None:
    ours, theirs = ["bp: e_black_prince_2 @L1"], ["j: f_joan_2 @L2 wounds:2"]
    hit = fight("black=K red=K red=S black=D black=D black=S", ours, theirs).do(f"Melee {L2}")
    assert hit.at("j") == "graveyard"
    spared = fight("black=K red=S red=S black=D black=D black=S", ours, ["j: f_joan_2 @L2 wounds:3"])
    spared.do(f"Melee {L2}")
    assert spared.at("j") == "L2"


def test_ja_q77_ja_293_the_reroll_token_may_be_used_on_a_tough_die() -> None:
    ours, theirs = ["e1: e_billmen @L1"], ["j: f_joan_2 @L2 wounds:3"]
    table = fight("red=K black=K black=K black=D", ours, theirs, their_board={"reroll": True})
    table.do(f"Melee {L2}", "LeaveDice")
    assert table.kinds() == ["1 RerollOffer"]
    table.roll("black=S").do("RerollDie")
    assert (table.at("j"), table.state.boards[1].reroll) == ("L2", False)


def test_ja_293_ja_q63_tough_cancels_the_last_kill_by_a_shield() -> None:
    ours, theirs = ["e1: e_billmen @L1"], ["j: f_joan_2 @L2 wounds:3"]
    saved = fight("red=K black=K black=K black=S", ours, theirs).do(f"Melee {L2}")
    assert saved.at("j") == "L2"
    lost = fight("red=K black=K black=K black=D", ours, theirs).do(f"Melee {L2}")
    assert lost.at("j") == "graveyard"


def test_ja_253_ja_254_ja_255_ja_d26_a_bodyguard_takes_a_kill_over() -> None:
    theirs = ["c: f_gilles_1 @L2 wounds:2", "g: f_household_guard @L2 wounds:1"]
    table = fight("red=K red=S black=K black=K", ["k1: e_knights @L1"], theirs).do(f"Melee {L2}")
    table.do("GiveResult c")
    assert (table.kinds(), table.offers()) == (["1 GuardOffer"], ["LeaveResults", "TakeOver c kill"])
    table.do("TakeOver c kill")
    assert (table.at("c"), table.at("g")) == ("L2", "graveyard")


def test_ja_287_ja_q62_ja_d24_results_of_targeting_dice_are_the_attackers_to_give() -> None:
    seat1 = {"orders": "1 command", "units": ["x1: f_crossbowmen @L1"]}
    seat0 = {"units": ["e1: e_billmen @L2", "e2: e_black_prince_1 @L2"]}
    table = given("red=K white=B black=K white=B", seat0=seat0, seat1=seat1)
    table.do(f"PlayOrder command {L1}", f"Shoot {L2}")
    assert (table.kinds(), table.offers()) == (["1 ResultTaker"], ["GiveResult e1", "GiveResult e2"])


def test_ja_298_ja_q67_ja_d27_a_die_strikes_back_from_a_hill() -> None:
    hill = {"L2": {"terrain": "hill"}}
    table = fight("red=S white=D", ["e1: e_billmen @L1", "e2: e_billmen @L0"], ["f1: f_voulgiers @L2"], areas=hill).do(
        f"Melee {L2}"
    )
    assert table.offers() == ["StrikeBack disrupt", "HoldGround"]
    table.do("StrikeBack disrupt")
    assert table.at("e1") == "disrupted"


def test_ja_301_ja_q68_ja_d21_a_swamp_swallows_a_shield() -> None:
    swamp = {"L2": {"terrain": "swamp"}}
    table = fight("red=K white=S", ["e1: e_billmen @L1"], ["f1: f_voulgiers @L2"], areas=swamp).do(f"Melee {L2}")
    table.do("SwallowShield")
    assert table.at("f1") == "graveyard"


def test_ja_336_ja_337_a_wall_gives_a_shield_and_bars_the_follow_up() -> None:
    table = fight("red=K white=B", ["e1: e_billmen @L1"], ["f1: f_voulgiers @L2"], edges={"L1-L2": "wall"})
    table.do(f"Melee {L2}", "UseShields 1")
    assert table.at("f1") == "L2"
    free = fight("red=K white=B", ["e1: e_billmen @L1"], ["f1: f_voulgiers @L2"], edges={"L1-L2": "wall"})
    free.do(f"Melee {L2}", "UseShields 0")
    assert (free.at("f1"), free.at("e1")) == ("graveyard", "L1")


def test_ja_151_no_follow_up_after_shooting() -> None:
    table = fight("yellow=D white=D white=B", ["b1: e_bowmen @L1"], ["f1: f_voulgiers @L2"]).do(f"Shoot {L2}")
    assert (table.at("f1"), table.at("b1")) == ("disrupted", "L1")
    assert len(table.of(AttackEnded)) == 1


def test_ja_344_ja_x26_concentrated_fire() -> None:
    theirs = [f"f{number}: f_peasants @L3" for number in range(1, 7)]
    ours = ["b1: e_bowmen @L2", "b2: e_bowmen @L2"]
    dice = "yellow=P white=D yellow=B white=B red=K " + "yellow=B " * 6
    table = fight(dice, ours, theirs, at=L2, rules={"concentrated_fire": True}).do(f"Shoot {L3}", f"Shoot {L3}")
    table.do("GiveResult f1", "GiveResult f2", "GiveResult f3")
    assert [table.at(f"f{number}") for number in (1, 2, 3, 4)] == ["graveyard", "disrupted", "L4", "L3"]


def test_ja_344_six_units_and_not_five_draw_concentrated_fire_neutral_ones_too() -> None:
    for number, dice in ((4, 3), (5, 4)):
        theirs = [f"f{at}: f_peasants @L3" for at in range(number)]
        table = fight(
            "yellow=B white=B red=S " + "yellow=B " * number,
            ["b1: e_bowmen @L2"],
            theirs,
            at=L2,
            rules={"concentrated_fire": True},
            civilians=["c: c_villager @L3"],
        ).do(f"Shoot {L3}")
        assert len(table.of(DiceThrown)[0].dice) == dice - 1


def test_ja_q54_what_a_bodyguard_was_given_itself_another_may_take() -> None:
    theirs = ["g1: f_household_guard @L2", "g2: f_household_guard @L2", "f1: f_voulgiers @L2"]
    ours = ["k1: e_knights @L1", "k2: e_knights @L1"]
    dice = "red=K red=K red=S red=S white=B black=D black=D"
    table = fight(dice, ours, theirs).do(
        f"Melee {L2}", f"Melee {L2}", "GiveResult f1", "GiveResult g1", "TakeOver f1 kill"
    )
    assert (table.kinds(), table.offers()) == (["1 GuardOffer"], ["LeaveResults", "TakeOver g1 kill"])


def test_ja_347_ja_x27_ja_d31_ransom_captures_instead_of_destroying() -> None:
    ours, theirs = ["e1: e_knights @L1"], ["joan: f_joan_1 @L2 wounds:2"]
    table = fight("red=K red=S black=D", ours, theirs, rules={"ransom": True}).do(f"Melee {L2}")
    assert table.offers() == ["Slay", "Capture"]
    table.do("Capture")
    assert [(event.unit, event.captor) for event in table.of(CharacterCaptured)] == [("joan", 0)]
    assert (table.at("joan"), table.state.scores) == ("captive", {})


def test_ja_347_ja_q78_an_attacker_who_falls_to_retaliation_is_not_captured() -> None:
    ours, theirs = ["t: e_talbot @L1 wounds:2"], ["lh: f_la_hire @L2"]
    table = fight("red=S red=S black=K white=B", ours, theirs, rules={"ransom": True})
    table.do(f"Melee {L2}", "LeaveDice", "ReturnThese 0")
    assert table.at("t") == "graveyard"


def test_ja_q78_ja_141_who_stays_for_the_final_wound_may_be_captured() -> None:
    ours, theirs = ["e1: e_billmen @L1"], ["joan: f_joan_1 @L2 wounds:2"]
    table = fight("red=P black=D", ours, theirs, rules={"ransom": True}).do(f"Melee {L2}", "Stay joan")
    assert table.offers() == ["Slay", "Capture"]
    table.do("Capture")
    assert (table.at("joan"), table.kinds()) == ("captive", ["0 FollowUpChoice"])
    slain = fight("red=P black=D", ours, theirs, rules={"ransom": True}).do(f"Melee {L2}", "Stay joan", "Slay")
    assert [(event.unit, event.rule) for event in slain.of(UnitDestroyed)] == [("joan", "JA-141")]


def test_ja_350_a_scenario_may_reward_captures() -> None:
    ours, theirs = ["e1: e_knights @L1"], ["joan: f_joan_1 @L2 wounds:2"]
    victory = {"captured": {"vp": 2, "legend": 1}}
    table = fight("red=K red=S black=D", ours, theirs, rules={"ransom": True}, victory=victory)
    table.do(f"Melee {L2}", "Capture")
    assert (table.state.scores, table.state.boards[0].legend) == ({"english": 2}, 1)


def test_ja_261_ja_q78_who_is_carried_by_a_captive_is_destroyed() -> None:
    ours = ["e1: e_knights @L1"]
    theirs = ["arc: m_archangel @L2 wounds:3", "c: f_gilles_1 @L2 carrier:arc"]
    table = fight("red=K red=S black=D black=D", ours, theirs, rules={"ransom": True})
    table.do(f"Melee {L2}", "ReturnThese", "Capture")
    assert (table.at("arc"), table.at("c")) == ("captive", "graveyard")


def test_ja_q26_the_owner_decides_who_stays_in_any_order_then_the_attacker_pushes_in_any() -> None:
    ours = ["k1: e_knights @W", "k2: e_knights @W"]
    theirs = ["g1: f_household_guard @C", "g2: f_household_guard @C", "f1: f_voulgiers @C", "f2: f_voulgiers @C"]
    dice = "red=P red=P red=P red=P white=D white=D black=D black=D"
    table = fight(dice, ours, theirs, at="-1,0:a", map="flower").do("Melee 0,0:a", "Melee 0,0:a")
    table.do("GiveResult f1", "GiveResult f2", "GiveResult g1")
    assert table.offers() == ["GiveWay g1", "Stay g1", "GiveWay g2", "Stay g2"]
    table.do("Stay g2", "GiveWay g1")
    assert (table.kinds(), len(table.offers())) == (["0 PushDestination"], 3 * 5)
    table.do("PushTo f2 1,0:a", "PushTo g1 1,0:a", "PushTo f1 0,-1:a")
    assert [table.at(name) for name in ("f1", "f2", "g1", "g2")] == ["NW", "E", "E", "C"]
    assert table.unit("g2").wounds == 1


def test_ja_q26_room_is_looked_at_again_for_each_unit_that_is_pushed() -> None:
    ours = ["k1: e_knights @L1"]
    theirs = ["f1: f_voulgiers @L2", "f2: f_voulgiers @L2", *(f"p{number}: f_peasants @L3" for number in range(7))]
    table = fight("red=P red=P white=D white=D", ours, theirs).do(f"Melee {L2}", "GiveResult f1")
    table.do(f"PushTo f2 {L3}")
    assert [table.at(name) for name in ("f1", "f2")] == ["disrupted", "L3"]


def test_ja_388_ja_q80_ja_387_ja_d22_ja_x28_a_war_machine_batters_a_church() -> None:
    areas = {"L4": {"terrain": "village", "building": "church"}}
    ours = ["tr: e_trebuchet @L0"]
    table = fight("red=K red=D", ours, ["f1: f_voulgiers @L1"], at=L0, areas=areas).do(f"Shoot {L4}", "Batter 1 1")
    assert [(event.area, event.count) for event in table.of(BuildingDamaged)] == [(L4, 2)]
    areas["L4"]["damage"] = 2  # type: ignore[assignment]  # a number among texts
    again = fight("red=K red=P", ours, ["f1: f_voulgiers @L1"], at=L0, areas=areas).do(f"Shoot {L4}", "Batter 1 0")
    assert [event.area for event in again.of(BuildingCollapsed)] == [L4]
    struck = given(
        "red=D white=B", seat0={"units": ours}, seat1={"orders": "1 command", "units": ["f1: f_voulgiers @L1"]}
    )
    struck.do(f"PlayOrder command {L1}", f"Melee {L0}")
    assert (struck.at("tr"), len(struck.of(UnitDestroyed))) == ("graveyard", 1)


def test_ja_196_ja_197_ja_d50_the_reroll_token_rolls_any_dice_of_a_roll_again() -> None:
    table = fight("red=S red=S white=B", ["k1: e_knights @L1"], ["f1: f_voulgiers @L2"], board={"reroll": True})
    table.do(f"Melee {L2}")
    assert table.offers() == ["LeaveDice", "UseToken"]
    table.roll("red=K red=S").do("UseToken", "RollThese 0 1")
    assert (table.at("f1"), table.state.boards[0].reroll) == ("graveyard", False)
