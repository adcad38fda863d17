"""Sections H, J, K and O: the round from the cards to the Instant Discard."""

from typing import Any

import pytest

from domain.kernel import Seat
from domain.war_for_edadh.rules.blows import guard_chance
from domain.war_for_edadh.rules.choosing import BowOffer, ChooseTroop, NameColumn, SpareBow, UseBow, choosable
from domain.war_for_edadh.rules.combat_masters import (
    AnnounceBonus,
    DeclineMp,
    HoldBonus,
    LendBonus,
    PickFirst,
    TakeMp,
)
from domain.war_for_edadh.rules.combining import Combine, CombineNoMore, larger_side, rounds_of
from domain.war_for_edadh.rules.instant_discard import MoveIntoGap
from domain.war_for_edadh.rules.round import LayCards
from domain.war_for_edadh.rules.standards import FlipStandard, KeepStandards
from domain.war_for_edadh.rules.tie_break import LayTieCard
from domain.war_for_edadh.state import events as e
from tests.domain.war_for_edadh.table import columns, given, state_of, troop

BARE = {"position": "ballistic"}
MELEE = {"position": "melee"}
NO_COMPOSITIONS = {"without_compositions": True}
ONE = {"seat0": {"columns": columns("A1 OA01", "A2 OA01", "A3 OA01")}}
TWO = {"seat1": {"columns": columns("B1 OB01", "B2 OB01", "B3 OB01")}}


def duel(ours: dict[str, Any], theirs: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Three Troops of one kind against three of another."""
    troops = {"OA01": {"dv": 30, "row": ours}, "OB01": {"dv": 30, "row": theirs}}
    return {"position": "ballistic", "troops": troops, **ONE, **TWO, **more}


def master(code: str = "OC01", **bonuses: int) -> dict[str, Any]:
    rows = dict.fromkeys(("ballistic", "charge", "melee"), bonuses)
    return {code: {"rows": rows}}


def with_masters(ours: dict[str, Any], theirs: dict[str, Any], first: dict[str, int], second: dict[str, int]) -> Any:
    position = duel(ours, theirs, masters={**master("OC01", **first), **master("OC02", **second)})
    position["seat0"] = {**ONE["seat0"], "combat_master": "OC01"}
    position["seat1"] = {**TWO["seat1"], "combat_master": "OC02"}
    return position


def test_we_062_both_are_asked_at_once_and_sealed() -> None:
    table = given(BARE)
    assert table.kinds() == ["0 MasteryLay", "1 MasteryLay"]
    assert table.state.sealed


def test_we_275_a_committed_card_is_seen_by_nobody_and_cannot_be_changed() -> None:
    table = given(BARE).when(0, LayCards(7))
    assert not table.all(e.CardLaid)
    assert table.kinds() == ["1 MasteryLay"]


def test_we_008_any_of_twelve_ends_may_be_laid() -> None:
    assert given(BARE).offers(0) == [LayCards(cv) for cv in range(1, 13)]


def test_we_015_we_016_we_064_we_065_the_secondary_card_needs_a_master_who_is_not_flipped() -> None:
    both = {"combat_master": "CM01", "battle_master": "BM01"}
    ways = {c.secondary for c in given({**BARE, "seat0": both}).offers(0) if isinstance(c, LayCards)}
    assert ways == {"", "tcts", "mst"}
    flipped = {**both, "master_flipped": True, "battle_flipped": True}
    assert len(given({**BARE, "seat0": flipped}).offers(0)) == 12
    lost = {**both, "master_lost": True, "promoted": True}
    assert len(given({**BARE, "seat0": lost}).offers(0)) == 12


def test_we_067_tcts_promotes_the_attackers_battle_master_and_flips_the_defenders() -> None:
    sides = {"seat0": {"battle_master": "BM01"}, "seat1": {"battle_master": "BM03"}}
    table = given({**BARE, **sides}).lay(9, 8, "tcts", "tcts")
    assert (table.side(0).promoted, table.side(0).battle_flipped) == (True, False)
    assert (table.side(1).promoted, table.side(1).battle_flipped) == (False, True)


def test_we_067_in_a_draw_tcts_does_nothing() -> None:
    table = given({**BARE, "seat0": {"battle_master": "BM01", "mp": 40}}).lay(9, 3, "tcts")
    assert (table.side(0).promoted, table.side(0).battle_flipped) == (False, False)


def test_we_q22_tcts_rule_always_promotes_the_defender_too() -> None:
    table = given({**BARE, "seat0": {"battle_master": "BM01"}}, {"tcts_rule": "always"}).lay(8, 9, "tcts")
    assert table.side(0).promoted


def test_we_073_the_attacker_chooses_first_among_his_whole_front_rank() -> None:
    table = given(BARE).lay(9, 8)
    assert table.kinds() == ["0 TroopSelection"]
    assert given(BARE, {"without_compositions": True}).lay(9, 8).offers(0) == [ChooseTroop(f"A{n}") for n in (1, 2, 3)]


def test_we_074_in_a_draw_the_higher_mp_counter_chooses_first() -> None:
    table = given({**BARE, "seat1": {"mp": 51}}).lay(3, 3)
    assert table.kinds() == ["1 TroopSelection"]


def test_we_075_at_melee_the_facing_troop_is_chosen_with_the_column() -> None:
    table = given(MELEE, {"without_compositions": True}).lay(9, 8).choose("A1")
    assert [event.troop for event in table.all(e.TroopChosen)] == ["A1", "B3"]


def test_we_076_in_a_draw_at_melee_the_higher_mp_picks_the_column() -> None:
    table = given({**MELEE, "seat1": {"mp": 60}}, {"without_compositions": True}).lay(3, 3).choose("B1")
    assert [event.troop for event in table.all(e.TroopChosen)] == ["B1", "A3"]


def test_we_077_we_q03_a_tie_of_mp_is_broken_by_the_other_five_cards() -> None:
    table = given(BARE).lay(3, 3)
    assert table.kinds() == ["0 TieLay", "1 TieLay"]
    assert len(table.offers(0)) == 10
    assert table.refused(0, LayTieCard(9)) == "WE-077"
    table.when(0, LayTieCard(4)).when(1, LayTieCard(11))
    assert table.one(e.TieCompared).values == (16, 11)
    assert table.kinds() == ["0 TroopSelection"]
    assert [side.mp for side in table.state.sides] == [48, 48]


def test_we_q03_after_five_ties_the_die_decides() -> None:
    table = given(BARE, dice=[2]).lay(3, 3)
    for _ in range(5):
        table.when(0, LayTieCard(4)).when(1, LayTieCard(4))
    assert table.one(e.TieDrawn).winner == 1
    assert table.kinds() == ["1 TroopSelection"]


def test_we_078_we_q06_the_attacker_must_take_a_column_that_faces_somebody() -> None:
    position = {**MELEE, "rounds": 2, "seat1": {"columns": columns("B1 AN01", "", "B3 AN01")}}
    table = given(position, {"without_compositions": True}).lay(9, 8)
    assert table.offers(0) == [ChooseTroop("A1"), ChooseTroop("A3")]


def test_we_q06_without_any_the_nearest_card_answers() -> None:
    sides = {
        "seat0": {"columns": columns("A1 DZ01", "A2 DZ01 flipped", "A3 DZ01 flipped")},
        "seat1": {"columns": columns("B1 AN01", "B2 AN01", "B3 AN01 flipped")},
    }
    table = given({**MELEE, **sides}, {"without_compositions": True}).lay(9, 8)
    assert [event.troop for event in table.all(e.TroopChosen)] == ["A1", "B2"]


def test_we_079_we_024_both_absorb_their_mp_bonus() -> None:
    table = given(duel({"mp_bonus": 4}, {"mp_bonus": 1})).lay(9, 8).choose("A1", "B1")
    assert [side.mp for side in table.state.sides] == [50 - 7 + 4, 50 - 6 + 1]


@pytest.mark.parametrize(("mastery", "guarded"), [(2, False), (3, True)])
def test_we_081_only_a_strictly_higher_mastery_level_guards(mastery: int, guarded: bool) -> None:
    table = given(duel({"ml": 2}, {"ml": mastery})).lay(9, 4).choose("A1", "B1")
    assert table.one(e.GuardTested).guarded is guarded


@pytest.mark.parametrize(("shield", "guarded"), [(2, False), (3, True)])
def test_we_082_only_a_strictly_higher_guard_value_guards(shield: int, guarded: bool) -> None:
    table = given(duel({"guard_penetration": 2}, {"guard_value": shield})).lay(9, 4).choose("A1", "B1")
    assert table.one(e.GuardTested).guarded is guarded


@pytest.mark.parametrize(("penetration", "guarded"), [(2, False), (1, True)])
def test_we_083_the_terrain_guards_at_ballistic(penetration: int, guarded: bool) -> None:
    position = duel({"guard_penetration": penetration}, {}, ground="TE01")
    assert given(position).lay(9, 4).choose("A1", "B1").one(e.GuardTested).guarded is guarded


def test_we_039_terrain_neither_guards_nor_harms_at_melee() -> None:
    position = duel({"guard_penetration": 0}, {}, ground="TE07") | {"position": "melee"}
    table = given(position).lay(9, 4).choose("A1")
    assert not table.one(e.GuardTested).guarded
    assert "WE-096" not in {part.rule for event in table.all(e.DamageAdded) for part in event.parts}


def test_we_080_without_the_value_in_the_note_nobody_guards() -> None:
    assert not given(duel({}, {"ml": 6})).lay(10, 9).choose("A1", "B1").all(e.GuardTested)


def test_we_q10_nobody_guards_in_a_draw() -> None:
    table = given(duel({}, {"ml": 6})).lay(5, 11)
    assert not guard_chance(table.state)


def test_we_085_we_086_both_are_flipped_guarded_or_not() -> None:
    for values in ((9, 4), (9, 8)):
        table = given(duel({}, {"ml": 6})).lay(*values).choose("A1", "B1")
        assert table.all(e.TroopsFlipped)[0].troops == ("A1", "B1")


def test_we_089_only_the_defenders_counter_moves() -> None:
    table = given(duel({"att": 9, "att_dmg": 7}, {})).lay(9, 8).choose("A1", "B2")
    assert [side.dmg for side in table.state.sides] == [0, 9]


@pytest.mark.parametrize(("before", "moved"), [(0, 0), (1, -1), (9, -2)])
def test_we_098_we_q15_terrain_moves_the_counter_down_to_0_at_most(before: int, moved: int) -> None:
    position = duel({"att": 1, "att_dmg": 1}, {"def_dmg": 0}, ground="TE07")
    position["seat1"] = {**TWO["seat1"], "dmg": before}
    table = given(position).lay(2, 1).choose("A1", "B2")
    assert (table.one(e.DamageTaken).damage, table.side(1).dmg) == (moved, before + moved)


@pytest.mark.parametrize(("lowers", "dmg"), [("counter", 7), ("damage", 9)])
def test_we_q15_the_data_says_what_a_terrain_modifier_lowers(lowers: str, dmg: int) -> None:
    entry = {"ballistic": {"mod": -2, "guard": 0}, "charge": {"mod": 0, "guard": 0}}
    terrains = {"OT01": {"halves": [entry, entry], "lowers": lowers}}
    position = duel({"att": 1, "att_dmg": 1}, {"def_dmg": 0}, ground="OT01", terrains=terrains)
    position["seat1"] = {**TWO["seat1"], "dmg": 9}
    assert given(position).lay(2, 1).choose("A1", "B2").side(1).dmg == dmg


def test_we_q15_out_of_range_the_counter_may_still_be_lowered() -> None:
    position = with_masters({"range": 2}, {"range": 9, "def_dmg": 9}, {}, {"dmg": 2})
    position |= {"position": "range", "seat1": {**position["seat1"], "dmg": 9}}
    table = given(position).lay(9, 8, "", "mst").choose("A1", "B1").when(1, LendBonus("dmg", True))
    assert table.one(e.BlowResolved).out_of_range
    assert (table.one(e.DamageTaken).damage, table.side(1).dmg) == (-2, 7)


@pytest.mark.parametrize(("dv", "discarded"), [(10, False), (9, True)])
def test_we_099_damage_equal_to_the_dv_is_not_enough(dv: int, discarded: bool) -> None:
    position = duel({"att": 9, "att_dmg": 8}, {})
    position["troops"]["OB01"]["dv"] = dv
    table = given(position).lay(9, 8).choose("A1", "B2")
    assert bool(table.all(e.TroopInstantDiscarded)) is discarded


def test_we_100_the_attacker_is_never_instant_discarded() -> None:
    position = duel({"cb": 0}, {"cb": 6})
    position["troops"]["OA01"]["dv"] = 1
    table = given(position).lay(9, 8).choose("A1", "B2")
    assert table.side(0).dmg == 6
    assert not table.all(e.TroopInstantDiscarded)


def test_we_102_the_card_behind_moves_up_flipped() -> None:
    position = duel({"att": 9, "att_dmg": 20}, {})
    position["troops"]["OB01"]["dv"] = 5
    position["seat1"] = {"columns": columns("B1 OB01, B4 OB01", "B2 OB01", "B3 OB01")}
    table = given(position).lay(9, 8).choose("A1", "B1")
    assert table.side(1).columns == (("B4",), ("B2",), ("B3",))
    assert table.state.troops[table.side(1).columns[0][0]].flipped


def test_we_103_a_neighbours_rear_card_must_fill_the_gap() -> None:
    position = duel({"att": 9, "att_dmg": 20}, {})
    position["troops"]["OB01"]["dv"] = 5
    position["seat1"] = {"columns": columns("B1 OB01", "B2 OB01, B4 OB01, B5 OB01", "B3 OB01, B6 OB01")}
    table = given(position).lay(9, 8).choose("A1", "B1")
    assert table.offers(1) == [MoveIntoGap("B4"), MoveIntoGap("B5")]
    table.when(1, MoveIntoGap("B5"))
    assert table.side(1).columns == (("B5",), ("B2", "B4"), ("B3", "B6"))


def test_we_104_a_place_that_nobody_can_fill_stays_empty() -> None:
    position = duel({"att": 9, "att_dmg": 20}, {})
    position["troops"]["OB01"]["dv"] = 5
    position["seat1"] = {"columns": columns("B1 OB01", "B2 OB01", "B3 OB01, B6 OB01")}
    table = given(position).lay(9, 8).choose("A1", "B1")
    assert table.side(1).columns[0] == ()


def test_we_105_we_q04_all_twelve_ends_are_there_again() -> None:
    table = given(duel({}, {})).lay(9, 8).choose("A1", "B1")
    assert table.kinds() == ["0 MasteryLay", "1 MasteryLay"]
    assert len(table.offers(0)) == 12


def test_we_106_after_three_rounds_the_duration_ends() -> None:
    table = given(duel({}, {}))
    for own, enemy in (("A1", "B1"), ("A2", "B2")):
        table.lay(9, 8).choose(own, enemy)
    table.lay(9, 8)
    assert table.all(e.CardsTurnedUp)
    assert table.all(e.DurationBegun)[-1].number == 2


def test_we_q21_a_side_with_nothing_left_ends_the_duration() -> None:
    flipped = {"seat1": {"columns": columns("B1 AN01 flipped", "B2 AN01 flipped", "B3 AN01 flipped")}}
    table = given({**BARE, **flipped, "start": "Duration", "with": {"number": 1}, "round": {"number": 1}}, at="WE-004")
    assert table.all(e.RoundSkipped)


def test_we_156_we_157_we_159_rounds_come_from_both_front_ranks() -> None:
    assert [rounds_of(*pair) for pair in ((2, 2), (1, 1), (2, 3), (1, 3), (3, 3))] == [2, 1, 2, 1, 3]
    assert [larger_side(*pair) for pair in ((2, 2), (1, 3), (3, 2))] == [-1, 1, 0]


def test_we_159_one_against_three_may_combine_all() -> None:
    position = {
        **BARE,
        "start": "Duration",
        "duration": 0,
        "seat0": {"columns": columns("A1 DZ01", "", "")},
        "seat1": {"columns": columns("B1 AN01", "B2 AN01", "B3 AN01")},
    }
    table = given(position).lay(9, 8).choose("B1")
    table.when(1, Combine("B2", "def", 3))
    assert table.kinds() == ["1 CombiningOffer"]
    table.when(1, Combine("B3", "def", -3))
    boosts = [event.boost.amount for event in table.all(e.TroopCombined)]
    assert boosts == [3, -3]
    assert {"B1", "B2", "B3"} <= set(table.all(e.TroopsFlipped)[0].troops)


def test_we_q58_a_star_att_cannot_be_helped() -> None:
    position = {
        **BARE,
        "rounds": 1,
        "larger": 0,
        "helpers": 1,
        "seat0": {"columns": columns("A1 DZ03", "A2 DZ01", "")},
        "seat1": {"columns": columns("B1 AN01", "", "")},
    }
    table = given(position).lay(9, 8).choose("A1")
    assert "att" not in {c.stat for c in table.offers(0) if isinstance(c, Combine)}
    assert CombineNoMore() in table.offers(0)


def test_we_164_mp_at_absorb_and_we_172_the_master_is_flipped() -> None:
    table = given(with_masters({}, {}, {"mp": 3}, {})).lay(9, 8, "mst").choose("A1", "B1")
    table.when(0, LendBonus("mp"))
    assert table.side(0).mp == 50 - 7 + 2 + 3
    assert table.side(0).master_flipped


def test_we_165_mastery_on_the_defenders_side_of_the_guard_test() -> None:
    table = given(with_masters({}, {}, {}, {"ml": 1})).lay(9, 4, "", "mst").choose("A1", "B1")
    table.when(1, LendBonus("ml"))
    assert table.one(e.GuardTested).guarded


def test_we_166_attack_turns_a_miss_into_a_hit() -> None:
    table = given(with_masters({"att": 5}, {}, {"att": 1}, {})).lay(9, 8, "mst").choose("A1", "B1")
    table.when(0, LendBonus("att"))
    assert table.one(e.BlowResolved).rule == "WE-087"


def test_we_169_damage_lowers_the_defenders_counter() -> None:
    table = given(with_masters({}, {}, {}, {"dmg": 3})).lay(9, 8, "", "mst").choose("A1", "B1")
    table.when(1, LendBonus("dmg", True))
    assert table.one(e.DamageTaken).damage == 8 + 2 - 3


@pytest.mark.parametrize(("before", "dmg"), [(2, 0), (3, 0), (7, 4)])
def test_we_169_we_q60_a_guarding_defender_may_lower_his_counter(before: int, dmg: int) -> None:
    position = with_masters({}, {"ml": 6}, {}, {"dmg": 3})
    position["seat1"]["dmg"] = before
    table = given(position).lay(9, 4, "", "mst").choose("A1", "B1")
    assert table.offers(1) == [HoldBonus(), LendBonus("dmg", True)]
    assert table.when(1, LendBonus("dmg", True)).side(1).dmg == dmg


def test_we_q60_an_attacker_who_was_guarded_has_no_damage_bonus() -> None:
    table = given(with_masters({}, {"ml": 6}, {"dmg": 3}, {})).lay(9, 4, "mst").choose("A1", "B1")
    assert table.kinds() == ["0 MasteryLay", "1 MasteryLay"]
    assert table.side(0).master_flipped


def test_we_170_holding_a_bonus_tells_nothing() -> None:
    table = given(with_masters({}, {}, {"mp": 3}, {})).lay(9, 8, "mst").choose("A1", "B1").when(0, HoldBonus())
    assert not table.all(e.BonusApplied)


def test_we_171_the_late_bonus_may_be_declined() -> None:
    table = given(with_masters({}, {}, {"mp": 3}, {})).lay(9, 8, "mst").choose("A1", "B1").when(0, HoldBonus())
    table.when(0, DeclineMp())
    assert table.side(0).mp == 45


def test_we_163_a_bonus_once_used_is_not_offered_again() -> None:
    table = given(with_masters({}, {}, {"mp": 3, "att": 2}, {})).lay(9, 8, "mst").choose("A1", "B1")
    table.when(0, LendBonus("mp"))
    assert table.kinds() == ["0 MasteryLay", "1 MasteryLay"]


def test_we_173_the_attacker_announces_and_we_q61_a_lost_bonus_gives_nothing() -> None:
    table = given(with_masters({}, {"ml": 6}, {"dmg": 3, "mp": 2}, {"mp": 1})).lay(9, 4, "mst", "mst")
    table.choose("A1", "B1")
    assert table.kinds() == ["0 Announcement"]
    table.when(0, AnnounceBonus("dmg")).when(1, HoldBonus()).when(1, TakeMp())
    assert table.one(e.BonusLost).bonus == "dmg"


def test_we_174_in_a_draw_most_mp_says_who_picks_first() -> None:
    position = with_masters({}, {}, {"mp": 1}, {"mp": 1})
    position["seat1"]["mp"] = 55
    table = given(position).lay(3, 3, "mst", "mst").choose("B1", "A1")
    assert table.kinds() == ["1 FirstPicker"]
    table.when(1, PickFirst(0))
    assert table.kinds() == ["0 Announcement"]


def test_we_175_equal_mp_is_broken_by_cards() -> None:
    table = given(with_masters({}, {}, {"mp": 1}, {"mp": 1})).lay(3, 3, "mst", "mst")
    table.when(0, LayTieCard(5)).when(1, LayTieCard(4)).choose("A1", "B1")
    assert table.kinds() == ["0 TieLay", "1 TieLay"]
    table.when(0, LayTieCard(4)).when(1, LayTieCard(5))
    assert table.kinds() == ["1 FirstPicker"]


def test_we_176_a_lost_combat_master_lends_nothing_more() -> None:
    position = with_masters({"att": 9, "att_dmg": 18}, {}, {}, {"mp": 1})
    table = given(position).lay(9, 8, "mst", "mst").choose("A1", "B1")
    table.when(0, AnnounceBonus("mp")).when(1, HoldBonus())
    assert table.one(e.MasterInstantDiscarded).dv == 11
    assert table.side(1).master_in_pile
    table.when(1, TakeMp())
    assert len(table.offers(1)) == 12


def test_we_q62_without_a_row_mst_may_be_laid_for_nothing() -> None:
    position = {**BARE, "seat0": {"combat_master": "CM01"}}
    table = given(position, {"without_compositions": True}).lay(9, 8, "mst").choose("A1", "B1")
    assert table.kinds() == ["0 MasteryLay", "1 MasteryLay"]
    assert table.side(0).master_flipped


def test_we_177_we_178_a_standard_is_flipped_once_in_its_window() -> None:
    table = given({**BARE, "seat0": {"standards": ["SD02"]}})
    assert table.kinds() == ["0 StandardOffer"]
    table.when(0, FlipStandard("SD02"))
    assert table.side(0).mp == 53
    assert table.side(0).standards_used == ("SD02",)
    assert table.kinds() == ["0 MasteryLay", "1 MasteryLay"]


def test_we_q32_the_cloak_raises_def_before_cr4() -> None:
    position = duel({"att": 6}, {})
    position["seat1"] = {**TWO["seat1"], "standards": ["SD08"]}
    table = given(position).lay(9, 8).choose("A1", "B1")
    assert table.kinds() == ["1 StandardOffer"]
    table.when(1, FlipStandard("SD08"))
    assert (table.one(e.BlowResolved).rule, table.one(e.BlowResolved).defence) == ("WE-088", 7)


def test_we_q32_the_sunburst_lowers_own_damage_after_cr6() -> None:
    position = duel({"att": 9}, {})
    position["seat1"] = {**TWO["seat1"], "standards": ["SD04"]}
    table = given(position).lay(9, 8).choose("A1", "B1").when(1, FlipStandard("SD04"))
    assert table.one(e.DamageTaken).damage == 8 + 2 - 3


def test_we_177_a_standard_may_be_kept() -> None:
    table = given({**BARE, "seat0": {"standards": ["SD02"]}}).when(0, KeepStandards())
    assert table.side(0).standards_used == ()


@pytest.mark.parametrize(("reach", "rule"), [(6, "WE-192"), (5, "WE-087")])
def test_we_192_the_defender_must_reach_strictly_further(reach: int, rule: str) -> None:
    position = duel({"att": 9, "range": 5}, {"range": reach}) | {"position": "range"}
    assert given(position).lay(9, 8).choose("A1", "B1").one(e.BlowResolved).rule == rule


def test_we_040_we_192_the_terrain_range_counts_too() -> None:
    position = duel({"att": 9, "range": 4}, {"range": 6}, ground="TE01") | {"position": "range"}
    assert given(position).lay(9, 8).choose("A1", "B1").one(e.BlowResolved).rule == "WE-087"


def test_we_191_we_q48_range_matters_in_the_range_position_only() -> None:
    position = duel({"att": 9, "range": 5}, {"range": 6})
    assert given(position).lay(9, 8).choose("A1", "B1").one(e.BlowResolved).rule == "WE-087"


def test_we_218_a_bow_picks_any_card_of_the_column_named() -> None:
    table = given({**BARE, "seat0": {"columns": columns("A1 AN01", "A2 AN01", "A3 AN01")}}).lay(9, 8).choose("A1")
    assert table.kinds() == ["0 BowOffer"]
    table.when(0, UseBow())
    assert table.offers(1) == [NameColumn(1), NameColumn(2), NameColumn(3)]
    table.when(1, NameColumn(2))
    assert table.offers(0) == [ChooseTroop("B2"), ChooseTroop("B5")]
    table.when(0, ChooseTroop("B5"))
    assert table.side(1).due_first == ("B5",)
    assert table.side(1).spent == (2,)


def test_we_218_it_is_optional_and_we_q52_not_in_a_draw() -> None:
    archers = {"columns": columns("A1 AN01", "A2 AN01", "A3 AN01"), "mp": 60}
    assert given({**BARE, "seat0": archers}).lay(9, 8).choose("A1").when(0, SpareBow()).kinds() == ["1 TroopSelection"]
    assert given({**BARE, "seat0": archers}).lay(3, 3).choose("A1").kinds() == ["1 TroopSelection"]
    assert BowOffer(Seat(0)).rule == "WE-218"


def test_we_219_the_front_card_is_flipped_for_a_rear_one_that_leaves() -> None:
    troops = {"OA01": {"dv": 30, "row": {"att": 9, "att_dmg": 20, "weapon": "bow", "weapon_class": "bow", "range": 5}}}
    troops["OA01"]["compositions"] = [{"level": "ballistic", "kind": "rate_of_fire", "scope": "R2", "amount": 1}]
    table = given({**BARE, "troops": troops, **ONE}).lay(9, 8).choose("A1").when(0, UseBow()).when(1, NameColumn(2))
    table.when(0, ChooseTroop("B5"))
    assert table.side(1).columns[1] == ("B2",)
    assert table.state.troops[table.side(1).columns[1][0]].flipped


def test_we_217_we_199_a_rear_rate_of_fire_card_may_be_chosen_and_spends_its_column() -> None:
    position = {**BARE, "seat0": {"columns": columns("A1 DZ02, A4 DZ01", "A2 DZ02", "A3 DZ02")}}
    table = given(position).lay(9, 8)
    assert ChooseTroop("A4") in table.offers(0)
    table.choose("A4", "B1")
    assert "A1" not in choosable(table.state, 0)
    assert not table.state.troops[table.side(0).columns[0][0]].flipped


@pytest.mark.parametrize(("kind", "code"), [("spear_hedge", "WE-211"), ("war_beast", "WE-214")])
def test_we_211_we_214_a_rear_hedge_or_beast_may_be_chosen_at_melee(kind: str, code: str) -> None:
    assert code.startswith("WE-")
    own = troop("OA01", "melee", kind, "R2", 1)
    position = {**MELEE, "troops": own, "seat0": {"columns": columns("A1 DZ01, A4 OA01", "A2 DZ01", "A3 DZ01")}}
    assert "A4" in choosable(state_of(position), 0)
    far = {**MELEE, "troops": own, "seat0": {"columns": columns("A1 DZ01, A4 DZ01, A5 OA01", "A2 DZ01", "A3 DZ01")}}
    assert "A5" not in choosable(state_of(far), 0)


def test_we_239_a_support_card_needs_a_weapon_at_ballistic() -> None:
    support = {"support": columns("S1 DZ01", "S2 DZ02", "")}
    assert [t for t in choosable(state_of({**BARE, "seat0": support}), 0) if t.startswith("S")] == ["S1"]
    charge = {"position": "charge", "seat0": support}
    assert not [t for t in choosable(state_of(charge), 0) if t.startswith("S")]


def test_we_240_a_support_card_may_help_at_ballistic_once_a_round() -> None:
    support = {"support": columns("S1 DZ01", "S2 DZ01", "")}
    table = given({**BARE, "seat0": support}, {"without_compositions": True}).lay(9, 8).choose("A1")
    assert table.kinds() == ["0 CombiningOffer"]
    table.when(0, Combine("S1", "att", 2))
    assert table.kinds() == ["1 TroopSelection"]


def test_we_158_a_helper_of_the_other_unit_is_not_the_combining_of_the_larger_side() -> None:
    position = {
        "position": "ballistic",
        "rounds": 2,
        "larger": 0,
        "helpers": 1,
        "seat0": {"columns": columns("A1 DZ01", "A2 DZ01", "A3 DZ01"), "support": columns("S1 DZ01", "", "")},
    }
    table = given(position, NO_COMPOSITIONS).lay(9, 8).choose("S1")
    table.when(0, Combine("A1", "att", 2))
    assert not table.side(0).combined
    table = given(position, NO_COMPOSITIONS).lay(9, 8).choose("A1").when(0, Combine("A2", "att", 2))
    assert table.side(0).combined


def test_we_097_we_q58_a_conflict_bonus_is_never_below_0() -> None:
    position = {**duel({"cb": 0, "ml": 3}, {"cb": 0}), "rounds": 1, "larger": 0, "helpers": 2}
    table = given(position, NO_COMPOSITIONS).lay(9, 8).choose("A1")
    table.when(0, Combine("A2", "cb", -3)).when(0, CombineNoMore()).choose("B1")
    assert not [event for event in table.all(e.DamageAdded) if event.parts[0].rule == "WE-097"]
