"""Sections B to E and U of the ledger: what the data says, and what army building allows."""

import msgspec
import pytest
from msgspec.structs import replace

from domain.war_for_edadh.cards.armies import CAP, army_defects, most_level_2, most_level_3, total_cost
from domain.war_for_edadh.cards.cards import FILES, SHIPPED, Army, Copies, Kind, Level, index_of, read_file
from domain.war_for_edadh.checks.card_checks import read_cards
from domain.war_for_edadh.errors import CardsInvalid

INDEX = index_of(None)


def shipped() -> dict[str, bytes]:
    return {name: read_file(name) for name in FILES}


def beats(a: int, b: int) -> bool:
    def value(mine: int, theirs: int) -> int:
        altered = INDEX.ends[mine].altered_cv
        return altered.value if altered and theirs in altered.against else mine

    return INDEX.mastery_of[a] != INDEX.mastery_of[b] and value(a, b) > value(b, a)


def army(name: str) -> Army:
    return INDEX.armies[name]


def rules(found: Army, cap: int | None = None) -> set[str]:
    return {defect.rule for defect in army_defects(found, INDEX, cap=cap)}


def troops(**copies: int) -> Army:
    listed = tuple(Copies(code, number) for code, number in copies.items())
    bare = Army("test", "Dzaa Empire", listed, 0)
    return replace(bare, total=total_cost(bare, INDEX))


def test_shipped_cards_have_no_defect() -> None:
    assert read_cards(shipped()) == SHIPPED


def test_we_007_six_cards_whose_ends_are_one_to_twelve() -> None:
    assert len(SHIPPED.mastery) == 6
    assert sorted(INDEX.ends) == list(range(1, 13))


def test_we_009_the_pairs_differ_by_six() -> None:
    assert all(card.ends[1].cv - card.ends[0].cv == 6 for card in SHIPPED.mastery)


@pytest.mark.parametrize("a", range(1, 13))
def test_we_q01_every_relation_follows_the_clock_of_twelve(a: int) -> None:
    for b in range(1, 13):
        assert beats(a, b) == ((a - b) % 12 in range(1, 6))


def test_we_011_we_012_we_013_we_014_the_printed_cells_of_4_and_10() -> None:
    four, ten = INDEX.ends[4], INDEX.ends[10]
    assert (four.mp, four.guard, four.damage) == (2, (8, 9), 2)
    assert four.altered_cv is not None
    assert (four.altered_cv.value, four.altered_cv.against) == (16, (11, 12))
    assert ten.mp == 8
    assert ten.altered_mp is not None
    assert (ten.altered_mp.value, ten.altered_mp.against) == (1, (1, 2, 3))


def test_we_026_a_troop_without_att_has_neither_weapon_nor_range() -> None:
    rows = [row for troop in SHIPPED.troops for row in troop.rows.values() if row.att is None]
    assert rows
    assert all(row.weapon is None and row.range is None and row.att_dmg is None for row in rows)


def test_we_202_r4_works_to_the_fourth_rank_and_not_in_the_fifth() -> None:
    fire = INDEX.troops["AN01"].composition(Kind.RATE_OF_FIRE, Level.BALLISTIC)
    assert fire is not None
    assert fire.works_in(3)
    assert not fire.works_in(4)


def test_we_203_r_star_works_in_any_rank() -> None:
    wolves = INDEX.troops["AN08"].composition(Kind.WAR_BEAST, Level.MELEE)
    assert wolves is not None
    assert wolves.works_in(9)


def test_we_190_every_troop_with_mounts_has_a_bonus_row() -> None:
    mounted = [t for t in SHIPPED.troops if t.composition(Kind.MOUNTS, Level.MELEE)]
    assert mounted
    assert all(troop.first_melee_row for troop in mounted)


def test_we_265_the_starter_armies_cost_167() -> None:
    assert [total_cost(army(f"{side} starter"), INDEX) for side in ("Dzaa", "Ang")] == [167, 167]


@pytest.mark.parametrize("name", [name for name in INDEX.armies if "starter" not in name])
def test_we_266_ready_armies_keep_every_rule_at_the_cap(name: str) -> None:
    assert not rules(army(name), CAP)


def test_we_266_an_army_over_the_cap_is_refused_and_one_at_it_is_not() -> None:
    assert "WE-266" not in rules(army("Ang four ranks"), 80)
    assert "WE-266" in rules(army("Ang four ranks"), 79)


def test_we_267_we_271_eleven_troops_allow_one_level_3_and_four_level_2() -> None:
    assert (most_level_3(11), most_level_2(11)) == (1, 4)


@pytest.mark.parametrize(("number", "level_2"), [(6, 2), (7, 2), (8, 2), (9, 3), (10, 3), (11, 4), (12, 4)])
def test_we_268_we_269_we_270_what_is_left_over(number: int, level_2: int) -> None:
    assert most_level_2(number) == level_2


def test_we_272_two_of_rarity_1_allow_one_of_rarity_2() -> None:
    assert "WE-272" not in rules(troops(DZ01=2, DZ02=2, DZ04=1, DZ05=1))
    assert "WE-272" in rules(troops(DZ01=2, DZ02=1, DZ04=1, DZ05=1))


def test_we_273_a_unit_has_three_troops_at_least() -> None:
    found = army("Ang quick start")
    unit = replace(found.units[0], columns=(("AN01",), ("AN02",), ()))
    assert "WE-273" in rules(replace(found, units=(unit,)))
    assert "WE-273" not in rules(found)


def test_we_274_a_fielded_army_has_one_combat_master() -> None:
    found = army("Ang four ranks")
    assert "WE-274" in rules(replace(found, combat_masters=("CM03", "CM04")))


def test_we_179_a_set_has_one_standard_of_each_level() -> None:
    index = index_of(SHIPPED)
    assert "WE-179" in {d.rule for d in army_defects(replace(army("Ang starter"), standards=("SD05", "SD05")), index)}


def test_we_250_an_army_has_two_main_units_at_most() -> None:
    found = army("Ang quick start")
    assert "WE-250" in rules(replace(found, units=found.units * 3))


def test_we_250_an_army_has_two_support_units_at_most() -> None:
    found = army("Ang quick start")
    support = replace(found.units[0], role="support")
    assert "WE-250" not in rules(replace(found, units=(*found.units, support, support)))
    assert "WE-250" in rules(replace(found, units=(*found.units, support, support, support)))


def test_every_defect_of_an_army_is_told_at_once() -> None:
    broken = replace(army("Ang four ranks"), total=1, combat_masters=("CM03", "CM04"), standards=("SD01",))
    assert {"WE-265", "WE-274", "WE-Q83"} <= rules(broken)


def test_a_broken_file_names_file_card_and_field() -> None:
    files = shipped()
    found = msgspec.json.decode(files["troops"])
    found[0]["psy"] = 99
    found[1]["dismounted"] = "DZ99"
    files["troops"] = msgspec.json.encode(found)
    with pytest.raises(CardsInvalid) as caught:
        read_cards(files)
    (defect,) = caught.value.defects
    assert (defect.file, defect.card, defect.field) == ("troops.json", "DZ01", "psy")


def test_every_defect_of_the_cards_is_told_at_once() -> None:
    files = shipped()
    found = msgspec.json.decode(files["troops"])
    found[1]["dismounted"] = "DZ99"
    del found[5]["first_melee_row"]
    files["troops"] = msgspec.json.encode(found)
    with pytest.raises(CardsInvalid) as caught:
        read_cards(files)
    assert [(d.card, d.field) for d in caught.value.defects] == [("DZ02", "dismounted"), ("DZ06", "first_melee_row")]
