"""What the cards hold, and the rulings where the book is silent or unclear."""

from collections import Counter
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.kernel import HIDDEN, Hidden, Mask, NotPending, Seat, decide
from domain.war_for_edadh import GAME
from domain.war_for_edadh.cards.armies import army_defects, most_level_2, most_level_3
from domain.war_for_edadh.cards.cards import SHIPPED, Copies, Level, TroopCard, index_of
from domain.war_for_edadh.positions.positions import PLAIN_ROW
from domain.war_for_edadh.rules.choosing import ChooseTroop, choosable
from domain.war_for_edadh.rules.combat_masters import BonusOffer, HoldBonus, LendBonus
from domain.war_for_edadh.rules.combining import Combine, helpers
from domain.war_for_edadh.rules.discarding import Discard
from domain.war_for_edadh.rules.instant_discard import MoveIntoGap
from domain.war_for_edadh.rules.round import LayCards
from domain.war_for_edadh.rules.rows import UseRow
from domain.war_for_edadh.rules.stratagems import PickStratagems, counterable, legal_picks
from domain.war_for_edadh.rules.tie_break import effective, winner_of
from domain.war_for_edadh.state import events as e
from domain.war_for_edadh.state.options import Options
from domain.war_for_edadh.state.queries import facing, place
from domain.war_for_edadh.state.stats import bonus_row_allowed, mastery_of, row_of, rows_open
from server.conformance.walks import Walk
from tests.domain.war_for_edadh.table import columns, given, state_of

INDEX = index_of(None)
END: dict[str, Any] = {"start": "EndOfDuration", "position": "melee"}


def test_we_017_a_troop_card_names_faction_type_species_mount_and_code() -> None:
    riders = INDEX.troops["DZ06"]
    named = (riders.faction, riders.type, riders.species, riders.mount_species, riders.code)
    assert named == ("Dzaa Empire", "r", "Dzaan", "courser", "DZ06")


def test_we_018_we_019_cost_level_type_and_rarity_are_printed() -> None:
    lancers = INDEX.troops["DZ07"]
    assert (lancers.cost, lancers.level, lancers.type, lancers.rarity) == (7, 2, "r", 2)


def test_we_q70_no_rarity_above_2_is_read() -> None:
    wrong = {**msgspec.to_builtins(INDEX.troops["DZ01"]), "rarity": 3}
    with pytest.raises(msgspec.ValidationError, match="rarity"):
        msgspec.convert(wrong, TroopCard)


def test_we_022_the_dv_is_taken_off_when_a_card_is_discarded() -> None:
    table = given({**END, "seat0": {"dmg": 20, "columns": columns("A1 DZ01", "A2 DZ01", "A3 DZ01")}})
    assert table.when(0, Discard("A1")).all(e.TroopDiscarded)[0].dmg == 20 - INDEX.troops["DZ01"].dv


def test_we_023_we_025_we_027_we_028_we_029_every_figure_is_read_from_the_row() -> None:
    row = INDEX.troops["DZ12"].rows[Level.MELEE]
    figures = (row.ml, row.guard_value, row.guard_penetration, row.stat("att_dmg"), row.stat("def_dmg"), row.stat("cb"))
    assert figures == (5, 3, 3, 11, 1, 2)


def test_we_030_melee_range_changes_nothing() -> None:
    troops = {"OA01": {"dv": 30, "row": {"att": 9, "range": 1}}, "OB01": {"dv": 30, "row": {"range": 3}}}
    sides = {
        "seat0": {"columns": columns("A1 OA01", "A2 OA01", "A3 OA01")},
        "seat1": {"columns": columns("B1 OB01", "B2 OB01", "B3 OB01")},
    }
    table = given({"position": "melee", "troops": troops, **sides}).lay(9, 8).choose("A1")
    assert table.one(e.BlowResolved).rule == "WE-087"


def test_we_031_a_symbol_works_at_its_own_level() -> None:
    spears = INDEX.troops["DZ02"]
    kind = spears.compositions[0].kind
    found = {level: spears.composition(kind, level) is not None for level in spears.rows}
    assert list(found.values()) == [False, False, True]


def test_we_032_we_q56_what_no_rule_uses_is_stored() -> None:
    scouts = INDEX.troops["AN09"]
    assert (scouts.skirmish, scouts.speed, INDEX.troops["DZ06"].dismounted) == (True, 6, "DZ01")


def test_we_035_the_reverse_holds_two_more_rows() -> None:
    assert INDEX.troops["DZ07"].first_melee_row is not None
    assert INDEX.troops["DZ05"].vs_mounts_row is not None


def test_we_038_we_041_we_042_we_044_terrain_cards_hold_what_is_printed() -> None:
    ruin = INDEX.terrain["TE07"]
    assert (ruin.level, ruin.move, ruin.secondary, ruin.element, ruin.tactics_area) == (1, 3, True, "land", "land")
    assert "hide_semi" in ruin.effects


def test_we_045_we_046_we_047_masters_and_standards_hold_what_is_printed() -> None:
    assert (INDEX.combat_masters["CM01"].combat_tactics, INDEX.standards["SD04"].res) == (2, 2)
    assert INDEX.battle_masters["BM01"].proficiencies["siege"].ml == 3


def test_we_048_a_stratagem_holds_what_is_printed() -> None:
    brace = INDEX.stratagems["SG10"]
    assert (brace.counterable, brace.x, brace.secondary, brace.flags) == (True, True, False, ("tower", "moon"))


def test_we_184_a_card_assigned_to_a_combat_master_needs_one() -> None:
    base = {"battle_master": "BM01", "deck": ["SG13"]}
    assert list(legal_picks(state_of({**END, "seat0": base}), 0)) == [()]
    both = {**base, "combat_master": "CM01"}
    assert ("SG13",) in list(legal_picks(state_of({**END, "seat0": both}), 0))


def test_we_229_counter_aerial_binds_both_players_and_we_232_a_combined_one_whose_half_it_is() -> None:
    kites = {"battle_master": "BM01", "deck": ["SG08"], "columns": columns("A1 DZ10", "A2 DZ10", "A3 DZ10")}
    for ground, barred in (
        ("TE01", True),
        ({"code": "TE05", "under": [{"code": "TE01", "seat": 0}]}, True),
        ({"code": "TE05", "under": [{"code": "TE01", "seat": 1}]}, False),
    ):
        picks = list(legal_picks(state_of({**END, "ground": ground, "seat0": kites}), 0))
        assert (picks == [()]) is barred


def test_we_051_the_places_of_a_player_are_all_kept() -> None:
    side = state_of().sides[0]
    for name in ("columns", "pile", "mp", "combat_master", "promoted", "deck", "holding", "in_play", "standards"):
        assert hasattr(side, name)


def test_we_063_we_276_the_secondary_card_is_laid_and_shown_with_the_mastery_card() -> None:
    table = given({"position": "ballistic", "seat0": {"combat_master": "CM02"}}).when(0, LayCards(9, "mst"))
    assert not table.all(e.CardLaid)
    table.when(1, LayCards(8))
    assert table.all(e.CardLaid)[0].laid.secondary == "mst"


def test_we_066_mst_counts_for_the_loser_of_the_round_too() -> None:
    position = {"position": "ballistic", "seat0": {"combat_master": "CM02"}}
    table = given(position, {"without_compositions": True}).lay(8, 9, "mst").choose("B1", "A1")
    assert table.kinds() == ["0 BonusOffer"]


def test_we_277_nothing_of_an_intended_bonus_is_stored() -> None:
    assert set(BonusOffer.__struct_fields__) == {"by", "bonus", "sides"}
    position = {"position": "ballistic", "seat0": {"combat_master": "CM02"}}
    table = given(position, {"without_compositions": True}).lay(9, 8, "mst")
    assert table.state.round.announced == ("", "")


def test_we_070_we_q02_only_the_printed_value_of_the_enemy_alters() -> None:
    assert effective(INDEX, 4, 11) == 16
    assert all(winner_of(INDEX, a, b) != -1 for a in range(1, 13) for b in range(1, 13) if (a - b) % 6)


def test_we_072_a_flipped_card_cannot_be_chosen() -> None:
    side = {"columns": columns("A1 DZ01 flipped", "A2 DZ01", "A3 DZ01")}
    assert choosable(state_of({"position": "ballistic", "seat0": side}), 0) == ("A2", "A3")


def test_we_q78_nobody_may_decline_to_choose() -> None:
    table = given({"position": "ballistic"}).lay(9, 8)
    assert all(isinstance(choice, ChooseTroop) for choice in table.offers(0))


def test_we_117_we_200_only_front_rank_cards_leave_in_ed4() -> None:
    side = {"dmg": 12, "columns": columns("A1 DZ01, A4 DZ01", "A2 DZ01, A5 DZ01", "A3 DZ01, A6 DZ01")}
    assert given({**END, "seat0": side}).offers(0) == [Discard("A1"), Discard("A2"), Discard("A3")]


def test_we_138_we_q39_picks_are_made_at_once_and_x_looks_at_what_lay_before() -> None:
    both = {"battle_master": "BM01", "deck": ["SG04"]}
    table = given({**END, "position": "charge", "seat0": both, "seat1": {**both, "battle_master": "BM03"}})
    assert table.kinds() == ["0 StratagemSelection", "1 StratagemSelection"]
    table.when(0, PickStratagems(("SG04",)))
    assert not table.all(e.StratagemsPicked)
    table.when(1, PickStratagems(("SG04",)))
    assert [event.face_up for event in table.all(e.StratagemsPicked)] == [("SG04",), ("SG04",)]


def test_we_153_we_q05_swaps_come_after_the_cards_have_turned_up() -> None:
    table = given({**END, "position": "charge"})
    assert table.kinds() == ["0 SwapOffer"]
    assert table.all(e.CardsTurnedUp)


def test_we_155_the_next_duration_starts_at_the_new_level() -> None:
    table = given({**END, "position": "ballistic", "seat0": {"columns": columns("A1 DZ01", "A2 DZ01", "A3 DZ01")}})
    while "SwapOffer" in str(table.kinds()):
        table.when(table.state.asked[0].seat, table.offers(table.state.asked[0].seat)[0])
    assert table.state.position == "charge"
    assert table.kinds() == ["0 MasteryLay", "1 MasteryLay"]


def test_we_189_a_card_that_moves_up_uses_its_bonus_row_too() -> None:
    side = {"fresh": True, "columns": columns("A1 DZ01, A4 DZ07", "A2 DZ01", "A3 DZ01")}
    state = state_of({"position": "melee", "seat0": side})
    assert row_of(state, "A4").att == 9
    assert bonus_row_allowed(state, 0)


def test_we_185_we_q54_the_bonus_row_is_used_in_the_first_duration_and_may_be_later() -> None:
    side = {"columns": columns("A1 DZ07", "A2 DZ07", "A3 DZ07")}
    melee = {"position": "melee", "round": {"chosen": ["A1", "B1"]}}
    first = state_of({**melee, "seat0": {**side, "fresh": True}})
    assert (row_of(first, "A1").cb, rows_open(first, 0)) == (3, ())
    later = state_of({**melee, "fresh_again": True, "seat0": {**side, "fresh": True}})
    assert (row_of(later, "A1").cb, rows_open(later, 0)) == (1, ("first_melee",))
    used = state_of({**melee, "fresh_again": True, "rows": ["first_melee", ""], "seat0": {**side, "fresh": True}})
    assert row_of(used, "A1").cb == 3
    assert row_of(used, "A2").cb == 1
    lost = state_of({**melee, "seat0": side})
    assert (row_of(lost, "A1").cb, rows_open(lost, 0)) == (1, ())


def test_we_q85_both_rows_are_open_to_a_mounted_spear_hedge_later() -> None:
    row = {**msgspec.to_builtins(INDEX.troops["DZ02"].vs_mounts_row)}
    symbols = [
        {"level": "melee", "kind": "spear_hedge", "scope": "R2", "amount": 1},
        {"level": "melee", "kind": "mounts"},
    ]
    own = {"OA01": {"compositions": symbols, "first_melee_row": row, "vs_mounts_row": row}}
    sides = {
        "seat0": {"fresh": True, "columns": columns("A1 OA01, A4 OA01", "A2 OA01", "A3 OA01")},
        "seat1": {"fresh": True, "columns": columns("B1 OA01, B4 OA01", "B2 OA01", "B3 OA01")},
    }
    table = given({"position": "melee", "fresh_again": True, "troops": own, **sides}).lay(9, 8).choose("A1")
    assert table.kinds() == ["0 RowOffer", "1 RowOffer"]
    assert table.offers(0) == [UseRow("first_melee"), UseRow("vs_mounts"), UseRow("melee")]
    table.when(0, UseRow("vs_mounts"))
    assert not table.all(e.RowUsed)
    table.when(1, UseRow("melee"))
    assert [(event.seat, event.row) for event in table.all(e.RowUsed)] == [(0, "vs_mounts"), (1, "melee")]


def test_we_q54_a_helper_lends_the_mastery_level_of_the_row_that_it_must_use() -> None:
    rider = {"ml": 5, **{key: value for key, value in PLAIN_ROW.items() if key != "ml"}}
    own = {"OA01": {"row": {"ml": 1}, "first_melee_row": rider}}
    side = {"fresh": True, "columns": columns("A1 OA01", "A2 OA01", "A3 OA01")}
    levels = [
        mastery_of(state_of({"position": "melee", "troops": own, "fresh_again": again, "seat0": side}), "A2")
        for again in (False, True)
    ]
    assert levels == [5, 1]


def test_we_q53_a_combat_master_in_the_pile_does_not_keep_the_row() -> None:
    enemy = {"combat_master": "CM03", "master_lost": True, "master_in_pile": True}
    table = given({**END, "seat0": {"fresh": True}, "seat1": enemy})
    assert table.one(e.BonusRowsTested).fresh == (False, False)


def test_we_237_a_combination_is_one_terrain_card() -> None:
    ground = {"code": "TE05", "under": [{"code": "TE02", "seat": 0}]}
    assert state_of({"ground": ground}).ground is not None
    state = state_of({**END, "ground": ground, "seat0": {"battle_master": "BM01", "deck": ["SG04"]}})
    assert ("SG04",) in list(legal_picks(state, 0))


def test_we_254_each_seat_selects_out_of_its_own_units_only() -> None:
    table = given({"start": "Match", "combat": 0, "duration": 0})
    assert table.kinds() == ["0 ArmySelection", "1 ArmySelection"]
    table.when(0, table.offers(0)[2]).when(1, table.offers(1)[2])
    for seat in (0, 1):
        form = GAME.revive_decision(table.asked(seat)).form(table.state)
        table.when(seat, next(iter(form)))
    assert table.kinds() == ["0 UnitSelection", "1 UnitSelection"]


def test_we_286_helpers_are_open_before_the_opponent_chooses() -> None:
    larger = {"columns": columns("A1 DZ01", "A2 DZ01", "A3 DZ01")}
    smaller = {"columns": columns("B1 AN01", "B2 AN01", "")}
    position = {"position": "ballistic", "rounds": 2, "larger": 0, "helpers": 1, "seat0": larger, "seat1": smaller}
    table = given(position).lay(9, 8).choose("A1").when(0, Combine("A2", "cb", 2))
    assert table.one(e.TroopCombined).helper == "A2"
    assert table.kinds() == ["1 TroopSelection"]


def test_we_q64_one_helper_of_the_other_unit_at_most() -> None:
    side = {"support": columns("S1 DZ01", "S2 DZ01", "S3 DZ01")}
    table = given({"position": "ballistic", "seat0": side}, {"without_compositions": True}).lay(9, 8).choose("A1")
    table.when(0, Combine("S1", "cb", 2))
    assert helpers(table.state, Seat(0)) == ()
    assert table.state.rounds == 3


def test_we_q64_we_217_rate_of_fire_works_from_the_rear_of_a_support_unit() -> None:
    side = {"support": columns("S1 DZ01, S4 DZ01", "S2 DZ01, S5 DZ06", "S3 DZ01")}
    state = state_of({"position": "ballistic", "seat0": side})
    found = {troop for troop in choosable(state, 0) if troop.startswith("S")}
    assert found == {"S1", "S2", "S3", "S4"}


@pytest.mark.parametrize(("column", "other"), [(1, 3), (2, 2), (3, 1)])
def test_we_q07_column_c_faces_column_4_minus_c(column: int, other: int) -> None:
    assert facing(column) == other


def test_we_q08_the_facing_side_may_answer_with_an_allowed_rear_card() -> None:
    table = given({"position": "melee", "seat1": {"columns": columns("B1 AN01", "B2 AN01", "B3 AN01, B6 AN08")}})
    table.lay(9, 8).choose("A1")
    assert table.offers(1) == [ChooseTroop("B3"), ChooseTroop("B6")]


def test_we_q09_we_q11_a_guard_is_automatic_and_spends_both_troops() -> None:
    troops = {"OB01": {"row": {"ml": 6}}}
    position = {
        "position": "ballistic",
        "troops": troops,
        "seat1": {"columns": columns("B1 OB01", "B2 OB01", "B3 OB01")},
    }
    table = given(position, {"without_compositions": True}).lay(9, 4).choose("A1", "B1")
    assert table.one(e.GuardTested).guarded
    assert {troop.id for troop in table.state.troops.values() if troop.flipped} == {"A1", "B1"}


def test_we_q12_an_altered_attackers_printed_value_is_not_compared() -> None:
    table = given({"position": "ballistic"}, {"without_compositions": True}).lay(4, 12).choose("A1", "B1")
    assert table.one(e.CardsCompared).values == (16, 12)
    assert len(table.all(e.GuardTested)) == 1
    plain = given({"position": "ballistic"}, {"without_compositions": True}).lay(1, 8).choose("A1", "B1")
    assert len(plain.all(e.GuardTested)) == 1


def test_we_q16_mp_may_fall_below_0_without_ending_anything() -> None:
    table = given({"position": "ballistic", "seat0": {"mp": 3}}, {"without_compositions": True}).lay(12, 11)
    assert table.side(0).mp == -7
    assert table.kinds() == ["0 TroopSelection"]


def test_we_q17_in_a_draw_both_are_tested() -> None:
    troops = {code: {"dv": 5, "row": {"att": 9, "att_dmg": 9}} for code in ("OA01", "OB01")}
    sides = {
        "seat0": {"mp": 60, "columns": columns("A1 OA01", "A2 OA01", "A3 OA01")},
        "seat1": {"columns": columns("B1 OB01", "B2 OB01", "B3 OB01")},
    }
    table = given({"position": "ballistic", "troops": troops, **sides}).lay(5, 11).choose("A1", "B1")
    assert [event.seat for event in table.all(e.TroopInstantDiscarded)] == [0, 1]


def test_we_q18_only_one_card_leaves() -> None:
    troops = {"OA01": {"row": {"att": 9, "att_dmg": 20}}, "OB01": {"dv": 30, "row": {}}}
    masters = {code: {"dv": dv, "rows": {"ballistic": {"mp": 1}}} for code, dv in (("OC01", 11), ("OC02", 30))}
    sides = {
        "seat0": {"combat_master": "OC01", "columns": columns("A1 OA01", "A2 OA01", "A3 OA01")},
        "seat1": {"combat_master": "OC02", "columns": columns("B1 OB01", "B2 OB01", "B3 OB01")},
    }
    table = given({"position": "ballistic", "troops": troops, "masters": masters, **sides}).lay(9, 8, "mst", "mst")
    table.choose("A1", "B1").when(0, table.offers(0)[0]).when(1, HoldBonus())
    assert not table.all(e.MasterInstantDiscarded)
    assert not table.all(e.TroopInstantDiscarded)


def test_we_q19_only_adjacent_columns_fill_a_gap() -> None:
    troops = {"OA01": {"row": {"att": 9, "att_dmg": 20}}, "OB01": {"dv": 5, "row": {}}}
    sides = {
        "seat0": {"columns": columns("A1 OA01", "A2 OA01", "A3 OA01")},
        "seat1": {"columns": columns("B1 OB01", "B2 OB01, B4 OB01", "B3 OB01, B5 OB01")},
    }
    table = given({"position": "ballistic", "troops": troops, **sides}).lay(9, 8).choose("A1", "B1")
    assert table.one(e.GapFilled).troop == "B4"
    assert MoveIntoGap("B5") != MoveIntoGap("B4")


def test_we_q20_a_rear_card_chosen_by_its_owner_leaves_from_its_rank() -> None:
    troops = {"OA01": {"row": {"att": 9, "att_dmg": 20}}}
    sides = {
        "seat0": {"columns": columns("A1 OA01", "A2 OA01", "A3 OA01")},
        "seat1": {"columns": columns("B1 AN02, B4 AN01, B7 AN02", "B2 AN02", "B3 AN02")},
    }
    table = given({"position": "ballistic", "troops": troops, **sides}).lay(9, 8).choose("A1", "B4")
    assert table.side(1).columns[0] == ("B1", "B7")
    assert table.state.troops[table.side(1).columns[0][0]].flipped


def test_we_q51_ranks_are_places() -> None:
    state = state_of({"seat0": {"columns": columns("A1 DZ01, A4 DZ01", "A2 DZ01", "A3 DZ01")}})
    assert (place(state, "A4"), place(state, "A1")) == (("main", 1, 2), ("main", 1, 1))


def test_we_q23_we_q43_returned_cards_are_not_shown_and_the_decks_size_is() -> None:
    event = given({**END, "seat0": {"battle_master": "BM01", "holding": ["SG08"]}}).all(e.HoldingReturned)[0]
    seen = GAME.redact(event, Mask(0))
    assert isinstance(seen, e.HoldingReturned)
    assert (seen.deck, seen.deck_size, seen.count) == (HIDDEN, 1, 1)


def test_we_q25_ed2_ends_the_combat_before_ed6() -> None:
    table = given({**END, "seat0": {"mp": -1}})
    assert (table.one(e.CombatEnded).rule, table.one(e.CombatEnded).winner) == ("WE-113", 1)


def test_we_q38_a_name_in_holding_is_no_longer_in_the_deck() -> None:
    state = state_of({**END, "seat0": {"battle_master": "BM01", "deck": ["SG12"], "holding": ["SG08"], "mp": 30}})
    assert set(legal_picks(state, 0)) == {(), ("SG12",)}


def test_we_q40_a_lasting_card_stays_in_play() -> None:
    table = given({**END, "seat0": {"in_play": ["SG04"]}})
    assert [lying.code for lying in table.side(0).in_play] == ["SG04"]


def test_we_q41_what_enters_in_this_ed1_is_safe() -> None:
    state = state_of({**END, "duration": 2, "seat1": {"in_play": ["SG04@3", "SG05@2"]}})
    assert counterable(state, 0) == ("SG05",)


def test_we_q44_cards_picked_before_the_first_round_may_be_promoted_in_the_first_duration() -> None:
    position = {"duration": 1, "seat0": {"battle_master": "BM01", "holding": ["SG08"]}}
    assert LayCards(9, "tcts") in given(position).offers(0)


@pytest.mark.parametrize(
    ("position", "movement", "duration", "codes"),
    [
        ("range", "", 0, {"SG01"}),
        ("range", "", 1, {"SG02"}),
        ("range", "hold", 1, {"SG01"}),
        ("range", "hold", 2, {"SG02"}),
        ("ballistic", "", 2, {"SG02"}),
        ("ballistic", "retreat", 2, {"SG01"}),
        ("charge", "", 3, set()),
        ("charge", "retreat", 3, {"SG02"}),
        ("melee", "", 4, set()),
    ],
)
def test_we_q45_we_147_hold_and_retreat_by_the_coming_position(
    position: str, movement: str, duration: int, codes: set[str]
) -> None:
    now = {"position": position, "movement": movement, "duration": duration, "sent_back": 0}
    state = state_of({**END, **now, "seat0": {"battle_master": "BM01", "deck": ["SG01", "SG02"]}})
    assert {code for picked in legal_picks(state, 0) for code in picked} == codes


def test_we_q84_only_the_terrain_keeps_a_formation_from_being_picked() -> None:
    own = {"battle_master": "BM01", "deck": ["SG06"]}
    broken = {**END, "seat0": own, "seat1": {"in_play": ["SG11"]}}
    assert ("SG06",) in list(legal_picks(state_of(broken), 0))
    assert list(legal_picks(state_of({**broken, "ground": "TE03"}), 0)) == [()]


def test_we_q86_in_a_draw_a_troop_without_attack_does_nothing_and_takes_its_half() -> None:
    sides = {
        "seat0": {"mp": 60, "columns": columns("A1 OA01", "A2 OA01", "A3 OA01")},
        "seat1": {"columns": columns("B1 OB01", "B2 OB01", "B3 OB01")},
    }
    troops = {"OA01": {"row": {"att": 0, "def": 5}}, "OB01": {"row": {"att": 9, "att_dmg": 9}}}
    table = given({"position": "ballistic", "troops": troops, **sides}).lay(5, 11).choose("A1", "B1")
    blows = [(event.seat, event.rule, event.parts) for event in table.all(e.BlowResolved)]
    assert [(seat, rule) for seat, rule, _ in blows] == [(1, "WE-092"), (0, "WE-087")]
    assert not blows[0][2]
    assert (table.side(0).dmg, table.side(1).dmg) == (12, 0)


def test_we_q68_the_cap_is_80_unless_the_match_says_otherwise() -> None:
    assert Options().cap == 80


def test_we_q69_a_free_level_3_place_is_no_level_2_place() -> None:
    assert (most_level_3(6), most_level_2(6)) == (1, 2)


def test_we_x41_eleven_troops() -> None:
    assert (most_level_3(11), most_level_2(11)) == (1, 4)


def test_we_x20_two_of_rarity_1_allow_one_of_any_type_of_rarity_2() -> None:
    for rare in ("DZ05", "DZ07", "DZ10"):
        listed = (Copies("DZ02", 2), Copies(rare, 1))
        army = replace(INDEX.armies["Dzaa quick start"], units=(), troops=listed)
        assert "WE-272" not in {defect.rule for defect in army_defects(army, INDEX)}


def test_we_q72_each_player_has_one_action_for_the_terrain() -> None:
    walk = Walk(GAME, 8, {"game": "best_of_3"})
    for _ in walk.steps():
        pass
    vetoes = [event for event in walk.events if isinstance(event, e.TerrainSetAside) and event.rule == "WE-252"]
    combats = sum(isinstance(event, e.TerrainShuffled) for event in walk.events)
    assert all(number <= combats for number in Counter(event.seat for event in vetoes).values())


def test_we_q76_a_committed_card_cannot_be_taken_back() -> None:
    table = given({"position": "ballistic"})
    asked = table.asked(0)
    table.when(0, LayCards(9))
    with pytest.raises(NotPending):
        decide(GAME, table.state, Seat(0), asked.number, LayCards(8), table.chance)


def test_lending_is_told_with_its_amount() -> None:
    position = {"position": "ballistic", "seat0": {"combat_master": "CM02"}}
    table = given(position, {"without_compositions": True}).lay(9, 8, "mst").choose("A1", "B1")
    table.when(0, LendBonus("mp"))
    assert table.one(e.BonusApplied).amount == 2
    assert len(SHIPPED.combat_masters) == 4
    assert not isinstance(table.side(0).deck, Hidden)
