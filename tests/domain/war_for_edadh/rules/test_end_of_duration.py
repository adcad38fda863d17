"""Sections I, L, M, N and S: the eleven steps of the End of Duration."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.kernel import Hidden
from domain.war_for_edadh.cards.cards import SHIPPED, Level, StratagemEffect
from domain.war_for_edadh.rules.choosing import choosable
from domain.war_for_edadh.rules.discarding import Discard, Retire, StopRetiring, discardable
from domain.war_for_edadh.rules.end_of_duration import StopSwapping, Swap
from domain.war_for_edadh.rules.standards import FlipStandard, KeepStandards
from domain.war_for_edadh.rules.stratagems import Counter, PickStratagems, budget, legal_picks
from domain.war_for_edadh.rules.support import JoinUnits, KeepApart, PlaceBehind, SwitchUnits
from domain.war_for_edadh.state import events as e
from domain.war_for_edadh.state.queries import initiative, next_position
from domain.war_for_edadh.state.stats import bonus_row_allowed, row_of
from tests.domain.war_for_edadh.table import Table, columns, given, state_of

END: dict[str, Any] = {"start": "EndOfDuration", "position": "melee"}
THREE = columns("A1 DZ01", "A2 DZ01", "A3 DZ01")
ENEMY = columns("B1 AN01", "B2 AN01", "B3 AN01")


def end(first: dict[str, Any] | None = None, second: dict[str, Any] | None = None, **more: Any) -> Table:
    return given({**END, "seat0": first or {}, "seat1": second or {}, **more})


def test_we_107_ed3_comes_before_ed4_and_ed5() -> None:
    table = end({"dmg": 12, "instant": ["A9"], "pile": ["A9 DZ01"]})
    order = [type(event).__name__ for event in table.events]
    assert order.index("DmgChanged") < order.index("PilesCounted") < order.index("PilesRemoved")


def test_we_108_a_promoted_battle_masters_cards_enter_face_up() -> None:
    table = end({"battle_master": "BM01", "promoted": True, "holding": ["SG08"]})
    assert [lying.code for lying in table.side(0).in_play] == ["SG08"]
    assert not table.side(0).promoted


def test_we_109_we_280_others_go_back_unseen() -> None:
    table = end({"battle_master": "BM01", "holding": ["SG08"], "deck": ["SG01"]})
    returned = table.one(e.HoldingReturned)
    assert (returned.count, returned.deck) == (1, ("SG01", "SG08"))
    assert "SG08" not in str(returned.__class__.__struct_defaults__)


def test_we_110_we_183_an_instant_card_works_and_returns_to_the_deck() -> None:
    table = end({"battle_master": "BM01", "promoted": True, "holding": ["SG12"], "mp": 20})
    assert table.one(e.StratagemReturned).code == "SG12"
    assert table.side(0).mp == 24
    assert table.side(0).deck == ("SG12",)


def test_we_111_only_c_cards_that_lay_there_a_whole_duration_may_be_countered() -> None:
    ours = {"battle_master": "BM01", "promoted": True, "holding": ["SG03"]}
    table = end(ours, {"in_play": ["SG04", "SG05", "SG06@2", "SG09"]}, duration=1)
    assert table.offers(0) == [Counter("SG04"), Counter("SG05")]
    table.when(0, Counter("SG05"))
    assert table.side(1).countered == ("SG05",)
    assert [lying.code for lying in table.side(1).in_play] == ["SG04", "SG06", "SG09"]


def test_we_112_a_countered_card_cannot_be_picked_again() -> None:
    state = state_of({**END, "seat0": {"battle_master": "BM01", "deck": ["SG01"], "countered": ["SG04"]}})
    assert all("SG04" not in picked for picked in legal_picks(state, 0))


@pytest.mark.parametrize(("dmg", "over"), [(30, False), (31, True)])
def test_we_113_equal_is_no_loss(dmg: int, over: bool) -> None:
    table = end({"mp": 30, "dmg": dmg, "columns": [["A1 DZ11"], ["A2 DZ11"], ["A3 DZ11"]]})
    assert bool(table.all(e.CombatEnded)) is over


def test_we_114_we_115_both_lose_at_once_and_nothing_follows() -> None:
    table = end({"mp": 5, "dmg": 6}, {"mp": 5, "dmg": 6})
    assert (table.one(e.CombatEnded).winner, table.one(e.CombatEnded).rule) == (-1, "WE-114")
    assert not table.all(e.PilesCounted)


def test_we_116_instant_discards_lower_the_counter_by_their_dv() -> None:
    assert end({"dmg": 11, "pile": ["A9 DZ01"], "instant": ["A9"]}).one(e.DmgChanged).dmg == 0


def test_we_116_we_050_never_below_0() -> None:
    assert end({"dmg": 4, "pile": ["A9 DZ01"], "instant": ["A9"]}).one(e.DmgChanged).dmg == 0


@pytest.mark.parametrize(("dmg", "due"), [(11, False), (12, True)])
def test_we_118_a_discard_is_due_strictly_above_the_lowest_dv(dmg: int, due: bool) -> None:
    table = end({"dmg": dmg, "columns": THREE})
    assert ("0 Removal" in table.kinds()) is due


def test_we_121_we_q28_only_the_longest_columns_lose_a_card() -> None:
    table = end({"dmg": 12, "columns": columns("A1 DZ01, A4 DZ01", "A2 DZ01", "A3 DZ01, A5 DZ01")})
    assert table.offers(0) == [Discard("A1"), Discard("A3")]


@pytest.mark.parametrize(("mp", "allowed"), [(30, True), (31, False)])
def test_we_122_a_troop_may_be_retired_at_mp_30_or_less(mp: int, allowed: bool) -> None:
    assert ("0 Removal" in end({"mp": mp}).kinds()) is allowed


def test_we_125_we_q30_a_retirement_may_remove_the_need_to_discard() -> None:
    table = end({"mp": 20, "dmg": 12, "columns": columns("A1 DZ01, A4 DZ11", "A2 DZ11", "A3 DZ11")})
    assert table.offers(0) == [Discard("A1"), Retire("A1")]
    table.when(0, Retire("A1"))
    assert StopRetiring() in table.offers(0)


def test_we_124_we_q29_a_retired_troop_does_not_count_for_shaken() -> None:
    table = end({"mp": 20}).when(0, Retire("A1")).when(0, StopRetiring())
    assert table.all(e.PilesCounted)[0].counts == (0, 0)


def test_we_162_we_q59_combined_cards_may_leave_in_any_order() -> None:
    sides = {"seat0": {"dmg": 12, "columns": columns("A1 DZ01, A4 DZ01", "A2 DZ01", "A3 DZ01"), "loose": ["A2"]}}
    assert list(discardable(state_of({**END, **sides}), 0)) == ["A1", "A2"]


def test_we_201_a_rear_card_the_opponent_picked_leaves_before_its_column() -> None:
    sides = {"seat0": {"columns": columns("A1 DZ01, A4 DZ01", "A2 DZ01", "A3 DZ01"), "due_first": ["A4"]}}
    assert list(discardable(state_of({**END, **sides}), 0)) == ["A4"]


def test_we_126_the_combat_master_counts_in_the_pile() -> None:
    table = end({"combat_master": "CM01", "master_lost": True, "master_in_pile": True})
    assert table.all(e.PilesCounted)[0].counts == (1, 0)


def test_we_127_we_128_a_standard_lowers_the_count_for_this_test_only() -> None:
    table = end({"pile": ["A9 DZ01"], "standards": ["SD01"]})
    assert table.kinds() == ["0 Resolve"]
    table.when(0, FlipStandard("SD01"))
    counted = table.all(e.PilesCounted)[0]
    assert (counted.counts, counted.adjusted, counted.shaken) == ((1, 0), (0, 0), (False, False))
    assert table.side(0).standards_used == ("SD01",)


def test_we_285_we_q31_both_standards_are_committed_in_secret() -> None:
    table = end({"pile": ["A9 DZ01"], "standards": ["SD01"]}, {"pile": ["B9 AN01"], "standards": ["SD05"]})
    assert table.kinds() == ["0 Resolve", "1 Resolve"]
    table.when(0, FlipStandard("SD01"))
    assert not table.all(e.ResShown)
    table.when(1, KeepStandards())
    assert table.all(e.PilesCounted)[0].shaken == (False, True)


def test_we_132_being_shaken_changes_nothing_else() -> None:
    table = given({"position": "ballistic", "seat0": {"shaken": True}})
    assert len(table.offers(0)) == 12


@pytest.mark.parametrize(("mp", "over"), [(1, False), (0, True)])
def test_we_134_mp_of_0_loses_in_ed6(mp: int, over: bool) -> None:
    table = end({"mp": mp, "columns": [["A1 DZ01"], [], []]}, {"mp": 60})
    if "0 Removal" in table.kinds():
        table.when(0, StopRetiring())
    assert bool(table.all(e.CombatEnded)) is over


def test_we_135_no_troops_left_loses() -> None:
    table = end({"columns": [[], [], []], "pile": ["A9 DZ01"]}, {"pile": ["B9 AN01"]})
    assert (table.one(e.CombatEnded).winner, table.one(e.CombatEnded).rule) == (1, "WE-135")


def test_we_136_both_meet_a_condition_is_a_draw() -> None:
    table = end({"columns": [[], [], []]}, {"columns": [[], [], []]})
    assert (table.one(e.CombatEnded).winner, table.one(e.CombatEnded).rule) == (-1, "WE-136")


def test_we_q33_a_rout_against_an_exhausted_enemy_is_a_draw() -> None:
    table = end({"shaken": True, "pile": ["A9 DZ01"]}, {"mp": 0, "columns": [["B1 AN01"], [], []]})
    if "1 Removal" in table.kinds():
        table.when(1, StopRetiring())
    assert table.one(e.CombatEnded).winner == -1


def test_we_137_both_piles_leave_the_game() -> None:
    table = end({"pile": ["A9 DZ01"]}, {"pile": ["B9 AN01"]})
    assert (table.side(0).pile, table.side(0).removed) == ((), ("A9",))


def test_we_139_we_q35_only_the_cards_picked_now_count_against_the_proficiency() -> None:
    state = state_of({**END, "seat0": {"battle_master": "BM02", "deck": ["SG04", "SG05", "SG12"]}})
    assert budget(state, 0) == 3
    assert set(legal_picks(state, 0)) == {(), ("SG04",), ("SG05",)}
    rich = state_of({**END, "position": "charge", "seat0": {"battle_master": "BM01", "deck": ["SG04", "SG05"]}})
    assert ("SG04", "SG05") in set(legal_picks(rich, 0))


def test_we_140_we_q42_a_combat_master_picks_combat_tactics_only() -> None:
    state = state_of({**END, "seat0": {"combat_master": "CM01", "deck": ["SG04", "SG13", "SG14", "SG15"]}})
    assert set(legal_picks(state, 0)) == {(), ("SG13",), ("SG14",), ("SG15",), ("SG13", "SG15")}


def test_we_141_without_a_master_nobody_is_asked() -> None:
    assert "StratagemSelection" not in str(end().kinds())


def test_we_142_an_x_card_of_the_opponent_bars_its_name() -> None:
    position = {**END, "seat0": {"battle_master": "BM01", "deck": ["SG04"]}, "seat1": {"in_play": ["SG04"]}}
    assert list(legal_picks(state_of(position), 0)) == [()]


def test_we_144_we_145_the_terrain_bars_formations_and_aerials() -> None:
    marsh = {**END, "ground": "TE03", "seat0": {"battle_master": "BM01", "deck": ["SG05"]}}
    assert list(legal_picks(state_of(marsh), 0)) == [()]
    kites = {"battle_master": "BM01", "deck": ["SG08"], "columns": columns("A1 DZ10", "A2 DZ10", "A3 DZ10")}
    assert list(legal_picks(state_of({**END, "ground": "TE01", "seat0": kites}), 0)) == [()]
    assert ("SG08",) in list(legal_picks(state_of({**END, "seat0": kites}), 0))


def test_we_147_restrictions_hold_at_the_moment_of_picking() -> None:
    state = state_of({**END, "seat0": {"battle_master": "BM01", "deck": ["SG01", "SG02", "SG03", "SG07", "SG12"]}})
    assert list(legal_picks(state, 0)) == [()]
    poor = {"battle_master": "BM01", "deck": ["SG12"], "mp": 30}
    assert ("SG12",) in list(legal_picks(state_of({**END, "seat0": poor}), 0))


def test_we_148_we_149_the_secondary_symbol_lies_face_down() -> None:
    table = end({"battle_master": "BM01", "deck": ["SG06", "SG11"], "in_play": ["SG10"]})
    table.when(0, PickStratagems(("SG06",)))
    assert table.one(e.StratagemsPicked).face_up == ("SG06",)
    down = end({"battle_master": "BM01", "deck": ["SG06", "SG11"]}).when(0, PickStratagems(("SG11",)))
    assert (down.one(e.StratagemsPicked).face_up, down.one(e.StratagemsPicked).face_down) == ((), 1)


def test_we_150_we_x22_one_of_each_name_in_play() -> None:
    state = state_of({**END, "seat0": {"battle_master": "BM01", "deck": ["SG05"], "in_play": ["SG04"]}})
    assert ("SG04",) not in list(legal_picks(state, 0))


def test_we_151_we_036_everything_turns_up_but_standards() -> None:
    flipped = {"columns": columns("A1 DZ01 flipped", "A2 DZ01", "A3 DZ01"), "combat_master": "CM01"}
    table = end({**flipped, "master_flipped": True, "standards": ["SD01"], "standards_used": ["SD01"]}).when(
        0, PickStratagems()
    )
    assert not [troop for troop in table.state.troops.values() if troop.flipped]
    assert (table.side(0).master_flipped, table.side(0).standards_used) == (False, ("SD01",))


def test_we_152_no_swaps_at_melee() -> None:
    assert "SwapOffer" not in str(end().kinds())
    assert given({**END, "position": "ballistic"}).kinds() == ["0 SwapOffer"]


def test_we_q66_each_card_swaps_once() -> None:
    side = {"columns": columns("A1 DZ01, A2 DZ01, A3 DZ01, A4 DZ01", "A5 DZ01", "A6 DZ01")}
    table = given({**END, "position": "charge", "seat0": side}).when(0, Swap("A1", "A2"))
    assert table.offers(0) == [StopSwapping(), Swap("A3", "A4")]
    table.when(0, Swap("A3", "A4"))
    assert table.side(0).columns[0] == ("A2", "A1", "A4", "A3")


@pytest.mark.parametrize(
    ("position", "movement", "then"),
    [
        ("range", "", "ballistic"),
        ("range", "hold", "range"),
        ("ballistic", "", "charge"),
        ("ballistic", "retreat", "range"),
        ("charge", "", "melee"),
        ("charge", "retreat", "ballistic"),
        ("melee", "", "melee"),
    ],
)
def test_we_057_we_058_we_059_we_193_we_194_we_195_we_196_movement(position: str, movement: str, then: str) -> None:
    assert next_position(state_of({**END, "position": position, "movement": movement}))[0] == then


@pytest.mark.parametrize(
    ("position", "movement", "duration", "sent_back", "then"),
    [
        ("range", "hold", 1, 0, "range"),
        ("range", "hold", 2, 0, "charge"),
        ("range", "", 2, 0, "charge"),
        ("range", "", 3, 2, "ballistic"),
        ("ballistic", "", 4, 3, "ballistic"),
        ("ballistic", "", 5, 3, "charge"),
        ("ballistic", "retreat", 5, 3, "range"),
    ],
)
def test_we_q82_two_durations_at_ballistic_are_counted_from_the_start_or_the_last_retreat(
    position: str, movement: str, duration: int, sent_back: int, then: str
) -> None:
    given_now = {"position": position, "movement": movement, "duration": duration, "sent_back": sent_back}
    assert next_position(state_of({**END, **given_now}))[0] == then


def test_we_q82_a_retreat_is_remembered_until_the_next() -> None:
    both = {"battle_master": "BM01", "promoted": True, "holding": ["SG02"], "columns": THREE}
    table = given({**END, "position": "charge", "duration": 3, "seat0": both, "seat1": {"columns": ENEMY}})
    table.when(0, PickStratagems())
    assert (table.state.sent_back, table.state.position) == (3, "ballistic")


def test_we_q46_two_retreats_go_back_once() -> None:
    both = {"battle_master": "BM01", "promoted": True, "holding": ["SG02"], "columns": THREE}
    table = given({**END, "position": "charge", "seat0": both, "seat1": {**both, "columns": ENEMY}})
    table.when(0, PickStratagems()).when(1, PickStratagems())
    assert table.one(e.UnitsMoved).position == "ballistic"


def test_we_185_we_060_from_charge_the_bonus_rows_are_ready() -> None:
    table = given({**END, "position": "charge", "seat0": {"columns": columns("A1 DZ07", "A2 DZ07", "A3 DZ07")}})
    table.when(1, StopSwapping()) if table.kinds() == ["1 SwapOffer"] else None
    assert table.all(e.BonusRowsReady)
    assert row_of(table.state, "A1").att == 9


def test_we_186_we_228_counter_mounts_bars_the_bonus_row() -> None:
    riders = {"columns": columns("A1 DZ07", "A2 DZ07", "A3 DZ07"), "fresh": True}
    assert bonus_row_allowed(state_of({"position": "melee", "seat0": riders}), 0)
    assert not bonus_row_allowed(state_of({"position": "melee", "ground": "TE01", "seat0": riders}), 0)
    brace = {"in_play": ["SG10"]}
    assert not bonus_row_allowed(state_of({"position": "melee", "seat0": riders, "seat1": brace}), 0)


@pytest.mark.parametrize(("enemy", "kept"), [(["B8 AN01"], False), (["B8 AN01", "B9 AN01"], True)])
def test_we_187_we_188_the_row_lasts_while_the_enemy_loses_more_troops(enemy: list[str], kept: bool) -> None:
    table = end({"fresh": True, "pile": ["A9 DZ01"], "combat_master": "CM01"}, {"pile": enemy})
    assert table.one(e.BonusRowsTested).fresh == (kept, False)


@pytest.mark.parametrize(("used", "kept"), [(True, True), (False, False)])
def test_we_187_a_row_that_was_declined_in_a_further_duration_is_lost(used: bool, kept: bool) -> None:
    more = end({"fresh": True, "row_used": used}, {"pile": ["B9 AN01"]}, fresh_again=True)
    assert more.one(e.BonusRowsTested).fresh == (kept, False)
    assert not more.side(0).row_used
    first = end({"fresh": True, "row_used": used}, {"pile": ["B9 AN01"]})
    assert first.one(e.BonusRowsTested).fresh == (True, False)


def test_we_q24_higher_mp_then_lower_dmg_then_seat_0() -> None:
    assert initiative(state_of({"seat1": {"mp": 51}})) == (1, 0)
    assert initiative(state_of({"seat0": {"dmg": 1}})) == (1, 0)
    assert initiative(state_of()) == (0, 1)


def support(**more: Any) -> dict[str, Any]:
    return {"support": columns("S1 DZ02, S4 DZ02", "S2 DZ02", "S3 DZ02"), **more}


def test_we_154_we_243_we_q67_the_support_unit_joins_behind_the_shortest_columns() -> None:
    table = given(
        {**END, "position": "charge", "seat0": {**support(), "columns": columns("A1 DZ01", "A2 DZ01", "A3 DZ01")}}
    )
    while "SwapOffer" in str(table.kinds()):
        table.when(table.state.asked[0].seat, StopSwapping())
    assert table.offers(0) == [KeepApart(), JoinUnits()]
    table.when(0, JoinUnits())
    assert {c.troop for c in table.offers(0) if isinstance(c, PlaceBehind)} == {"S1", "S2", "S3"}
    table.when(0, PlaceBehind("S1", 3))
    assert {c.column for c in table.offers(0) if isinstance(c, PlaceBehind)} == {1, 2}
    assert {c.troop for c in table.offers(0) if isinstance(c, PlaceBehind)} == {"S2", "S3"}
    table.when(0, PlaceBehind("S3", 1))
    assert table.side(0).columns[1] == ("A2", "S2")
    assert {c.troop for c in table.offers(0) if isinstance(c, PlaceBehind)} == {"S4"}


def test_we_244_units_are_switched_only_after_ones_own_retreat() -> None:
    ordered = {"movement": "retreat", "retreats": [True, False]}
    position = {**END, "position": "charge", **ordered, "seat0": {**support(), "columns": THREE}}
    table = given(position, at="WE-154")
    assert SwitchUnits() in table.offers(0)
    assert SwitchUnits() not in given({**position, "retreats": [False, True]}, at="WE-154").offers(0)
    table.when(0, SwitchUnits())
    assert table.side(0).columns[0] == ("S1", "S4")


def test_we_238_we_x21_the_support_unit_is_never_further_forward() -> None:
    gunners = {"support": columns("S1 DZ01", "S2 DZ01", "S3 DZ01")}
    for level, may in (("ballistic", True), ("charge", False)):
        found = choosable(state_of({"position": level, "seat0": gunners}), 0)
        assert any(troop.startswith("S") for troop in found) is may


def test_we_q63_the_support_unit_takes_an_empty_main_units_place() -> None:
    table = end({**support(mp=20), "columns": columns("A1 DZ01", "", "")}).when(0, Retire("A1"))
    assert table.one(e.SupportTakesOver).seat == 0
    assert table.side(0).columns[1] == ("S2",)


def test_we_242_retirements_may_come_from_both_units() -> None:
    offers = end({**support(mp=20), "columns": THREE}).offers(0)
    assert {Retire("A1"), Retire("S1")} <= set(offers)


def test_we_245_both_units_share_one_pile_and_score_card() -> None:
    table = end({**support(mp=20, dmg=0), "columns": THREE}).when(0, Retire("S1"))
    assert (table.side(0).mp, table.side(0).retired) == (24, ("S1",))


def test_we_279_the_opponent_sees_how_many_cards_lie_face_down() -> None:
    from domain.war_for_edadh import GAME
    from domain.war_for_edadh.positions.positions import POSITIONS

    seen = POSITIONS.view(state_of({"seat0": {"holding": ["SG08"], "deck": ["SG01"]}}), None)
    assert isinstance(seen.sides[0].holding, Hidden)
    assert (seen.sides[0].holding_count, seen.sides[0].deck_size) == (1, 1)
    assert GAME.slots[e.StratagemsPicked]


def test_we_241_we_q65_the_unit_is_named_when_a_retirement_may_make_a_discard_due() -> None:
    troops = {"OA01": {"dv": 20}, "OA02": {"dv": 11}}
    side = {"columns": columns("A1 OA01, A4 OA02", "A2 OA01", "A3 OA01"), "support": columns("S1 OA01", "", "")}
    due = {**END, "position": "ballistic", "troops": troops}
    assert given({**due, "seat0": {**side, "dmg": 12, "mp": 30}}).kinds() == ["1 UnitNaming"]
    assert given({**due, "seat0": {**side, "dmg": 12, "mp": 31}}).kinds() != ["1 UnitNaming"]
    assert given({**due, "seat0": {**side, "dmg": 11, "mp": 30}}).kinds() != ["1 UnitNaming"]


def mixed() -> dict[str, Any]:
    """Options with an Instant effect on a card that has another effect, at Melee only."""
    rally = next(card for card in SHIPPED.stratagems if card.code == "SG12")
    lasting = StratagemEffect("stat", "own", 1, "att")
    card = replace(rally, effects=(*rally.effects, lasting), levels=(Level.MELEE,))
    others = tuple(card for card in SHIPPED.stratagems if card.code != "SG12")
    return {"cards": msgspec.to_builtins(replace(SHIPPED, stratagems=(*others, card)))}


def test_we_110_an_instant_effect_is_carried_out_though_the_card_has_another_and_we_183_stays() -> None:
    table = given({**END, "seat0": {"battle_master": "BM01", "in_play": ["SG12"], "mp": 20}}, mixed())
    assert table.side(0).mp == 24
    assert [lying.code for lying in table.side(0).in_play] == ["SG12"]


def test_we_061_an_instant_effect_needs_a_level_of_its_card() -> None:
    side = {"battle_master": "BM01", "in_play": ["SG12"], "mp": 40}
    assert given({**END, "position": "charge", "seat0": side}, mixed()).side(0).mp == 40
