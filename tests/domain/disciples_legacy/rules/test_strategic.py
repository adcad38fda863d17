"""Sections A, H to L, O to Y of the ledger: the turn outside Battles."""

import pytest

from domain.disciples_legacy.rules.attacking import BlockOffer
from domain.disciples_legacy.rules.strategic import StrategicAction
from domain.disciples_legacy.state.events import (
    AttackBlocked,
    CityTapped,
    CostPaid,
    LeaderDismissed,
    LeaderSpent,
    MembersTapped,
    PartiesTraded,
    PlayerSkipped,
    SurplusLost,
    TurnBegan,
    UnitsDiscarded,
)
from tests.domain.disciples_legacy.table import Table, given

LONE = {"parties": [{"2": "K: knight_captain"}]}
LONE_LEGIONS = {"deck": "legions_a", "parties": [{"2": "K: dread_duke"}]}
THREE = {"parties": [{"2": "K: knight_captain"}, {"2": "R: longbow_ranger"}, {"2": "M: court_magus"}]}
FOE = {"parties": [{"2": "D: dread_duke"}, {"2": "E: imp_herald"}, {"2": "F: arch_fiend"}]}


def names(table: Table, *starts: str) -> list[str]:
    return [offer for offer in table.offers() if offer.startswith(starts)]


def test_dl_005_dl_006_dl_123_dl_129_a_leader_acts_once_a_turn() -> None:
    table = given(THREE, FOE).do("RecruitCity K market_town", "Pass")
    assert table.member("K").spent
    assert names(table, "RecruitCity K", "Assault K", "Shop K", "Trade K", "RecruitUnit K", "RecruitMinor K") == []
    assert table.refused("RecruitCity K market_town") == "DL-006"
    assert names(table, "RecruitCity R")


def test_dl_007_an_action_is_taken_in_the_own_turn_to_act() -> None:
    table = given(THREE, FOE)
    assert table.not_asked(1, "RecruitCity D ash_town")


def test_dl_008_nobody_spends_a_leader_during_a_battle() -> None:
    table = given(THREE, FOE).do("Assault K D", "DeclineBlock")
    spent = len(table.all(LeaderSpent))
    for text in ("Keep", "Keep", "Stand", "Stand", "Strike D K"):
        assert table.refused("RecruitCity R market_town") == "DL-008"
        table.do(text)
    assert len(table.all(LeaderSpent)) == spent


def test_dl_004_dl_009_a_spent_leader_taps_in_battle_and_untapping_leaves_it_spent() -> None:
    table = given(THREE, FOE).do("Assault K D", "DeclineBlock", "Keep", "Keep", "Stand", "Stand", "Strike D K")
    table.do("Strike K D")
    assert [event.members for event in table.all(MembersTapped)] == [("D",), ("K",)]
    assert table.member("K").spent
    assert not table.member("K").tapped
    assert not table.member("D").spent


def test_dl_010_dl_105_dl_130_when_all_leaders_are_spent_the_next_turn_begins() -> None:
    table = given(LONE, {"parties": [{"2": "D: dread_duke"}]})
    table.do("RecruitCity K market_town")
    assert table.all(TurnBegan) == []
    table.do("RecruitCity D ash_town")
    assert table.one(TurnBegan).turn == 2


def test_dl_106_dl_107_cities_untap_and_tokens_come_off_on_both_sides() -> None:
    tapped = {
        "parties": [{"2": "K: knight_captain spent"}],
        "capital": "sunspire tapped",
        "cities": ["T: market_town tapped"],
    }
    table = given(tapped, {"parties": [{"2": "D: dread_duke spent"}]}, start="Turn")
    assert not any(city.tapped for city in table.state.cities.values())
    assert not any(member.spent for member in table.state.members.values())


def test_dl_039_dl_208_a_dead_leader_has_no_action() -> None:
    table = given({"parties": [{"1": "squire", "2": "K: knight_captain dead"}, {"2": "R: longbow_ranger"}]}, FOE)
    assert names(table, "RecruitCity K", "Assault K") == []
    assert names(table, "RecruitCity R")


def test_dl_054_a_unit_never_acts_outside_battle() -> None:
    table = given({"parties": [{"1": "S: squire", "2": "K: knight_captain"}]}, FOE)
    assert all(offer.split()[1] != "S" for offer in table.offers() if " " in offer)


def test_dl_049_dl_052_a_minor_leader_does_only_what_its_card_prints() -> None:
    table = given({"parties": [{"2": "T: empire_thief"}]}, {"parties": [{"2": "D: dread_duke +fire_orb"}]})
    kinds = {offer.split()[0] for offer in table.offers()}
    assert kinds == {"Pass", "UseAbility", "Rearrange"}
    # Without a living Major Leader of its own nobody could receive a stolen Item (DL-Q61).
    assert names(table, "UseAbility T 0") == []


def test_dl_048_dl_q23_minor_leaders_are_no_targets_of_spells_but_of_attacks() -> None:
    theirs = {"parties": [{"2": "D: dread_duke"}, {"2": "H: legions_thief"}]}
    ours = {**LONE_LEGIONS, "mana": ["red_mana"], "parties": [{"2": "K: dread_duke"}, {"2": "P: legions_rod_planter"}]}
    table = given(ours, theirs)
    assert names(table, "Cast P fire_bolt") == ["Cast P fire_bolt D"]
    assert "Assault K H" in table.offers()
    summoned = given({"parties": [{"2": "K: knight_captain"}, {"2": "I: iron_guardian"}]}, theirs)
    assert names(summoned, "Assault I") == ["Assault I D"]


def test_dl_050_dl_169_never_more_than_three_major_leaders() -> None:
    three = given({**THREE, "discard": ["banner_herald"]}, FOE)
    assert names(three, "ReplaceLeader") == []
    two = given({"parties": THREE["parties"][:2], "discard": ["banner_herald"]}, FOE)
    assert names(two, "ReplaceLeader") == ["ReplaceLeader K banner_herald", "ReplaceLeader R banner_herald"]
    with pytest.raises(ValueError, match="too many Leaders"):
        given({"parties": [*THREE["parties"], {"2": "banner_herald"}]})


def test_dl_051_dl_137_a_third_minor_leader_only_in_place_of_its_namesake() -> None:
    minors = [{"2": "T: empire_thief"}, {"2": "I: iron_guardian"}]
    table = given({"parties": [{"2": "K: knight_captain"}, *minors]}, FOE)
    assert names(table, "RecruitMinor") == ["RecruitMinor K empire_thief"]
    table.do("RecruitMinor K empire_thief")
    assert table.one(LeaderDismissed).leader == "T"
    assert (
        given({"parties": [{"2": "K: knight_captain"}, minors[1]]}, FOE)
        .offers()
        .count("RecruitMinor K empire_rod_planter")
        == 1
    )


def test_dl_056_dl_065_dl_d09_units_and_minor_leaders_need_a_city_of_their_race() -> None:
    hand = ["market_town", "ash_town", "possessed", "squire", "legions_thief"]
    table = given({**LONE, "hand": hand}, FOE)
    assert names(table, "RecruitUnit", "RecruitMinor") == ["RecruitUnit K squire"]
    both = given({**LONE, "hand": hand, "cities": ["ash_town"]}, FOE)
    assert names(both, "RecruitUnit", "RecruitMinor") == [
        "RecruitUnit K possessed",
        "RecruitUnit K squire",
        "RecruitMinor K legions_thief",
    ]


def test_dl_063_dl_064_dl_d07_dl_082_a_city_gives_what_is_printed_on_it() -> None:
    side = {**LONE, "capital": "sunspire tapped", "cities": ["T: market_town", "B: abbey_town"]}
    table = given(side, FOE).do("RecruitUnit K knight")
    assert table.kinds() == ["0 Payment"]
    table.do("TapCity T")
    assert [(event.city, event.gives) for event in table.all(CityTapped)] == [("T", 2)]
    assert table.one(CostPaid).amount == 2
    assert table.all(SurplusLost) == []


def test_dl_083_dl_q06_dl_q64_surplus_is_lost_and_no_more_is_tapped_than_needed() -> None:
    side = {**LONE, "cities": ["T: market_town"]}
    table = given(side, FOE).do("RecruitUnit K knight", "TapCity C1")
    assert table.one(SurplusLost).amount == 1
    assert not table.city("T").tapped
    assert table.side(0).credit == 0


def test_dl_066_dl_153_a_capital_is_never_attacked_tapped_or_taken() -> None:
    ours = {"deck": "clans_a", "parties": [{"2": "K: hold_guardian"}, {"2": "T: clans_thief"}]}
    theirs = {**FOE, "cities": ["A: ash_town"]}
    table = given(ours, theirs)
    assert "Assault K A" in table.offers()
    assert "Assault K C2" not in table.offers()
    assert names(table, "UseAbility T 1") == ["UseAbility T 1 A"]


def test_dl_068_dl_069_dl_d23_dl_236_a_rod_planter_plants_what_the_hand_has() -> None:
    party = [{"2": "K: knight_captain"}, {"2": "P: empire_rod_planter"}]
    table = given({"parties": party, "hand": ["market_town", "white_mana", "red_mana"]}, FOE)
    assert names(table, "Plant") == ["Plant P white_mana", "Plant P red_mana"]
    assert names(given({"parties": party, "hand": ["market_town"]}, FOE), "Plant") == []
    assert names(given({**LONE, "hand": ["market_town", "white_mana"]}, FOE), "Plant") == []


def test_dl_073_dl_147_each_item_needs_a_city_of_its_race() -> None:
    hand = ["market_town", "tower_shield", "fire_orb"]
    table = given({**LONE, "hand": hand}, FOE)
    assert names(table, "Shop") == ["Shop K tower_shield"]
    both = given({**LONE, "hand": hand, "cities": ["ash_town"]}, FOE)
    assert names(both, "Shop") == ["Shop K tower_shield", "Shop K fire_orb", "Shop K tower_shield fire_orb"]


def test_dl_081_dl_q43_a_spell_needs_a_city_of_its_race_planting_and_founding_do_not() -> None:
    side = {
        "parties": [{"2": "K: knight_captain"}, {"2": "P: empire_rod_planter"}],
        "mana": ["red_mana"],
        "hand": ["ash_town", "red_mana", "weaken"],
    }
    table = given(side, FOE)
    assert names(table, "Cast") == []
    assert names(table, "Plant", "RecruitCity") == ["RecruitCity K ash_town", "Plant P red_mana"]
    assert names(given({**side, "cities": ["ash_town"]}, FOE), "Cast") == [
        "Cast P weaken D",
        "Cast P weaken E",
        "Cast P weaken F",
    ]


def test_dl_079_dl_q41_one_copy_of_a_summon_over_all() -> None:
    ours = {
        **LONE_LEGIONS,
        "mana": ["red_mana", "red_mana"],
        "parties": [{"2": "K: dread_duke"}, {"2": "P: legions_rod_planter"}],
    }
    assert names(given(ours, FOE), "Cast P summon_pit_beast") == ["Cast P summon_pit_beast"]
    theirs = {"parties": [*FOE["parties"], {"2": "B: pit_beast"}]}
    assert names(given(ours, theirs), "Cast P summon_pit_beast") == []


def test_dl_080_dl_d25_the_own_summon_may_be_healed_instead() -> None:
    parties = [{"2": "K: dread_duke"}, {"2": "P: legions_rod_planter"}, {"2": "B: pit_beast damage:4"}]
    ours = {**LONE_LEGIONS, "mana": ["red_mana", "red_mana"], "parties": parties}
    table = given(ours, FOE)
    assert set(names(table, "Cast P summon_pit_beast")) == {"Cast P summon_pit_beast", "Cast P summon_pit_beast B"}
    table.do("Cast P summon_pit_beast B")
    assert table.member("B").damage == 0
    assert table.side(0).cast
    kept = given(ours, FOE).do("Cast P summon_pit_beast")
    assert kept.member("B").damage == 4
    assert sum(member.card == "pit_beast" for member in kept.state.members.values()) == 1


def test_dl_088_dl_090_dl_d03_dl_q46_dl_q62_a_party_is_rearranged_before_an_action_for_nothing() -> None:
    table = given({"parties": [{"1": "S: squire", "2": "K: knight_captain", "3": "T: squire"}]}, FOE)
    table.do("Rearrange K", "Move S 2", "Keep")
    assert table.party("K").slots[:2] == ("K", "S")
    assert table.kinds() == ["0 StrategicAction"]
    assert not table.member("K").spent
    assert "Rearrange K" not in table.offers()
    table.do("Pass", "RecruitCity D ash_town")
    assert "Rearrange K" in table.offers()


def test_dl_q62_a_giant_changes_columns_with_who_stands_there() -> None:
    table = given({"parties": [{"1": "G: titan", "2": "K: knight_captain", "5": "S: squire"}]}, FOE)
    table.do("Rearrange K", "Move G 2", "Keep")
    assert table.party("K").slots == ("K", "G", "", "S", "G", "")


def test_dl_124_dl_q17_dl_q18_who_has_run_out_is_skipped_and_the_other_may_finish() -> None:
    table = given({"parties": [{"2": "K: knight_captain spent"}]}, {"parties": FOE["parties"]}, to_act=1)
    assert "Finish" not in table.offers()
    table.do("RecruitCity D ash_town")
    assert table.one(PlayerSkipped).seat == 0
    assert table.kinds() == ["1 StrategicAction"]
    assert "Finish" in table.offers()
    table.do("Finish")
    assert table.one(TurnBegan).turn == 2


def test_dl_124_without_finish_the_other_goes_on_to_the_end() -> None:
    table = given({"parties": [{"2": "K: knight_captain spent"}]}, FOE, to_act=1)
    for leader in "DEF":
        assert table.all(TurnBegan) == []
        table.do(f"RecruitCity {leader} ash_town")
    assert table.one(TurnBegan).turn == 2


def test_dl_q16_who_alone_has_actions_left_may_pass_once() -> None:
    table = given({"parties": [{"2": "K: knight_captain spent"}]}, FOE, to_act=1)
    table.do("RecruitCity D ash_town", "Pass")
    assert table.kinds() == ["1 StrategicAction"]
    assert "Pass" not in table.offers()


def test_dl_q18_a_minor_leader_without_an_action_does_not_hold_the_turn_open() -> None:
    hand = ["market_town"]
    ours = {"parties": [{"2": "K: knight_captain spent"}, {"2": "P: empire_rod_planter"}], "hand": hand}
    table = given(ours, {"parties": [{"2": "D: dread_duke"}]}, to_act=1)
    table.do("RecruitCity D ash_town")
    assert table.one(TurnBegan).turn == 2


def test_dl_128_dl_d06_what_a_major_leader_may_do() -> None:
    ours = {
        "parties": [{"1": "squire", "2": "K: knight_captain"}, {"2": "R: longbow_ranger"}],
        "cities": ["market_town"],
        "discard": ["court_magus"],
    }
    table = given(ours, {**FOE, "cities": ["A: ash_town"], "mana": ["M: red_mana"]})
    kinds = {offer.split()[0] for offer in table.offers() if " K" in offer}
    assert kinds == {
        "RecruitCity",
        "RecruitMinor",
        "RecruitUnit",
        "Shop",
        "Trade",
        "Assault",
        "ReplaceLeader",
        "Rearrange",
    }
    assert {"Assault K D", "Assault K A", "Assault K M"} <= set(table.offers())


def test_dl_d06_the_default_passes_then_founds_a_known_city() -> None:
    table = given(THREE, FOE)
    decision = StrategicAction(table.state.first)
    assert type(decision.default(table.state)).__name__ == "Pass"
    later = given({**THREE, "passed": True, "known": ["abbey_town"]}, FOE)
    assert decision.default(later.state).card == "abbey_town"  # type: ignore[attr-defined]
    first = given({**THREE, "passed": True}, FOE)
    assert decision.default(first.state).card == "market_town"  # type: ignore[attr-defined]


def test_dl_134_only_a_city_of_the_hand_is_founded() -> None:
    table = given({**LONE, "hand": ["market_town"]}, FOE)
    assert table.refused("RecruitCity K abbey_town") == "DL-134"


def test_dl_135_dl_136_dl_q42_dl_q45_a_minor_leader_enters_unspent_in_slot_2() -> None:
    table = given(LONE, FOE).do("RecruitMinor K empire_thief")
    thief = table.member("A2")
    assert (thief.card, thief.kind, thief.spent, thief.damage) == ("empire_thief", "minor", False, 0)
    assert table.party("A2").slots[1] == "A2"


def test_dl_138_dl_d10_dl_q05_a_unit_joins_the_leaders_party_for_its_printed_cost() -> None:
    table = given(LONE, FOE).do("RecruitUnit K knight")
    assert table.one(CostPaid).amount == 2
    assert table.offers() == [f"PlaceUnit {slot}" for slot in (1, 3, 4, 5, 6)]
    table.do("PlaceUnit 4")
    assert table.member("A2").party == "K"
    assert table.party("K").slots[3] == "A2"


def test_dl_140_dl_q54_dl_d11_without_room_for_a_giant_units_leave() -> None:
    cards = {"major_leaders": {"marshal": {"leadership": 5}}}
    party = {"1": "G: titan", "2": "K: marshal", "3": "H: titan"}
    ours = {"parties": [party], "cities": ["market_town"], "hand": ["market_town", "titan"]}
    table = given(ours, FOE, cards=cards).do("RecruitUnit K titan", "TapCity C1")
    assert table.kinds() == ["0 OverflowDiscard"]
    assert table.party("K").waiting == "A4"
    assert set(table.offers()) == {"DiscardUnits G", "DiscardUnits H", "DiscardUnits A4"}
    table.do("DiscardUnits G")
    assert table.one(UnitsDiscarded).units == ("G",)
    assert table.party("K").slots == ("A4", "K", "H", "A4", "", "H")


def test_dl_142_dl_d12_items_are_bought_one_to_three_at_a_time() -> None:
    hand = ["market_town", "tower_shield", "healing_draught", "phoenix_vial", "battle_standard"]
    table = given({**LONE, "hand": hand, "cities": ["market_town", "market_town"]}, FOE)
    sizes = {len(offer.split()) - 2 for offer in names(table, "Shop")}
    assert sizes == {1, 2, 3}


def test_dl_071_a_second_copy_of_a_bought_item_is_discarded() -> None:
    ours = {"parties": [{"2": "K: knight_captain +tower_shield"}], "hand": ["market_town", "tower_shield"]}
    table = given(ours, FOE).do("Shop K tower_shield")
    assert table.member("K").items == ("tower_shield",)
    assert table.side(0).discard == ("tower_shield",)


def test_dl_148_dl_d13_only_the_acting_leader_of_a_trade_is_spent() -> None:
    ours = {"parties": [{"1": "S: squire", "2": "K: knight_captain"}, {"2": "R: longbow_ranger spent"}]}
    table = given(ours, FOE).do("Trade K R", "GiveUnit S", "SettleTrade")
    assert table.member("S").party == "R"
    assert table.member("K").spent
    assert table.all(LeaderSpent)[-1].leader == "K"
    assert len(table.all(PartiesTraded)) == 1


def test_dl_148_dl_q65_two_leaders_with_nothing_do_not_trade() -> None:
    assert names(given(THREE, FOE), "Trade") == []


def test_dl_151_a_trade_leaves_no_leader_two_copies_of_an_item() -> None:
    ours = {"parties": [{"2": "K: knight_captain +tower_shield"}, {"2": "R: longbow_ranger +tower_shield"}]}
    table = given(ours, FOE).do("Trade K R", "GiveItem K tower_shield", "SettleTrade")
    assert table.member("R").items == ("tower_shield",)
    assert table.member("K").items == ()
    assert table.side(0).discard == ("tower_shield",)


def test_dl_q34_dl_212_dl_215_a_party_left_without_the_living_by_a_trade_is_wiped_out() -> None:
    ours = {"parties": [{"1": "S: squire", "2": "K: knight_captain dead +fire_orb"}, {"2": "R: longbow_ranger"}]}
    table = given(ours, FOE).do("Trade R K", "GiveUnit S", "SettleTrade")
    assert "K" not in table.state.parties
    assert set(table.side(0).discard) == {"knight_captain", "fire_orb"}


def test_dl_152_dl_157_dl_d14_a_party_with_a_dead_leader_and_a_living_unit_is_attacked() -> None:
    theirs = {"parties": [{"1": "P: possessed", "2": "D: dread_duke dead"}, {"2": "E: imp_herald spent"}]}
    table = given(LONE, theirs)
    assert {"Assault K D", "Assault K E"} <= set(table.offers())
    table.do("Assault K D")
    assert table.member("K").spent
    assert table.kinds() == ["0 BattleFormation"]


def test_dl_154_dl_q31_a_captured_city_keeps_its_state() -> None:
    theirs = {"parties": [{"2": "D: dread_duke spent"}], "cities": ["A: ash_town", "B: ash_town tapped"]}
    table = given(THREE, theirs).do("Assault K A", "Assault R B")
    assert [(table.city(name).seat, table.city(name).tapped) for name in "AB"] == [(0, False), (0, True)]
    fresh = given(LONE, FOE).do("RecruitCity K market_town")
    assert not fresh.city("C3").tapped


def test_dl_158_only_attacks_can_be_blocked() -> None:
    ours = {"parties": [{"2": "K: knight_captain"}, {"2": "T: empire_thief"}, {"2": "R: longbow_ranger"}]}
    table = given(ours, FOE).do("RecruitCity K market_town")
    assert table.kinds() == ["1 StrategicAction"]
    table.do("Pass", "UseAbility T 1")
    assert table.kinds() == ["1 StrategicAction"]


def test_dl_159_dl_162_dl_d15_dl_q19_a_block_is_a_reaction_inside_the_attackers_action() -> None:
    theirs = {**FOE, "cities": ["A: ash_town"]}
    table = given(THREE, theirs).do("Assault K A")
    assert table.kinds() == ["1 BlockOffer"]
    assert type(BlockOffer(table.state.first, "A").default(table.state)).__name__ == "DeclineBlock"
    table.do("Block D", "Keep", "Keep", "Retreat", "FinishRound")
    assert table.one(AttackBlocked).leader == "D"
    assert table.kinds() == ["1 StrategicAction"]
    assert table.city("A").seat == 1


def test_dl_163_dl_164_no_block_without_an_unblocked_attack() -> None:
    table = given(THREE, FOE)
    assert table.refused("Block K") == "DL-164"
    table.do("Assault K D", "Block E")
    assert table.refused("Block F") == "DL-164"


def test_dl_165_dl_d27_dl_q35_only_the_own_discard_pile_gives_a_leader_back() -> None:
    ours = {"parties": [{"2": "K: knight_captain"}], "discard": ["court_magus", "squire", "court_magus"]}
    table = given(ours, {**FOE, "discard": ["pit_counsellor"]})
    assert names(table, "ReplaceLeader") == ["ReplaceLeader K court_magus"]


def test_dl_q67_a_giant_without_a_free_column_joins_and_as_few_as_can_be_move() -> None:
    ours = {
        "parties": [{"1": "S: squire", "2": "K: knight_captain", "3": "T: squire"}],
        "hand": ["market_town", "titan"],
    }
    table = given({**ours, "cities": ["market_town"]}, FOE).do("RecruitUnit K titan", "TapCity C1")
    assert table.kinds() == ["1 StrategicAction"]
    before, after = ("S", "K", "T", "", "", ""), table.party("K").slots
    assert after.count("A4") == 2
    assert sum(after.index(name) != before.index(name) for name in "SKT") == 1


def test_dl_q67_after_a_discard_whoever_stays_keeps_the_slot() -> None:
    ours = {"parties": [{"1": "S: squire", "2": "H: banner_herald", "6": "T: squire"}]}
    table = given(ours, FOE).do("RecruitUnit H archer", "PlaceUnit 3", "DiscardUnits T")
    assert table.party("H").slots == ("S", "H", "A4", "", "", "")
