"""Ledger 0.4, and the dice that skills, terrain and what stands there add to an attack or a defence."""

import pytest

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.board.table import EdgeStanding, units_in
from domain.joan_of_arc.cards.dice import NONE, Dice
from domain.joan_of_arc.rules.attacks.rolls import (
    Roller,
    Thrown,
    barricade,
    clouds,
    cohesion,
    concentrated_fire,
    frightened_by,
    in_order,
    rainbow,
    stakes,
    support,
    terror,
    wall_shields,
    walls_around,
)
from tests.domain.joan_of_arc.fixtures import FLOWER, L1, L2, NE, SA, SB, SPLIT, C, E, W, lie, line, stand, table, unit

CHURCH = AreaId("2,0:a/church")
VILLAGE = line(L2={"terrain": "village", "building": "church"})


def test_dice_are_counted_by_colour_and_added() -> None:
    assert Dice(red=2, white=1) + Dice(black=1, white=1) == Dice(black=1, red=2, white=2)
    assert Dice(white=1, gigantic=1, red=2).in_order() == ("gigantic", "red", "red", "white")


def test_ja_107_ja_108_ja_119_dice_lie_by_unit_and_colour_and_common_ones_last() -> None:
    rolled = in_order(
        (Roller("f#2", Dice(white=1)), Roller("f#1", Dice(red=1, black=1), Dice(yellow=1, white=1))),
        (Dice(white=1), Dice(red=1)),
    )
    assert [(die.unit, die.colour) for die in rolled] == [
        ("f#1", "black"),
        ("f#1", "red"),
        ("f#1", "yellow"),
        ("f#1", "white"),
        ("f#2", "white"),
        ("", "white"),
        ("", "red"),
    ]


def test_ids_are_plain_strings_so_ten_comes_before_two() -> None:
    rolled = in_order((Roller("e#2", Dice(red=1)), Roller("e#10", Dice(red=1))))
    assert rolled == (Thrown("red", "e#10"), Thrown("red", "e#2"))


@pytest.mark.parametrize(("number", "dice"), [(2, NONE), (3, Dice(white=1)), (6, Dice(white=1))])
def test_ja_265_cohesion_needs_three_of_one_name(number: int, dice: Dice) -> None:
    assert cohesion([unit(f"e{n} e_billmen") for n in range(number)]) == dice


def test_ja_q57_cohesion_gives_a_die_for_each_name() -> None:
    two = [unit(f"{n} {card}") for card in ("e_billmen", "f_voulgiers") for n in range(3)]
    assert cohesion(two) == Dice(white=2)
    assert cohesion([*two[:2], *two[3:5]]) == NONE
    assert cohesion([unit(f"{n} e_bowmen") for n in range(3)]) == NONE


def test_ja_286_support_needs_three_in_one_hex_and_counts_its_areas_together() -> None:
    found = table(SPLIT, {SA: "2 e_bowmen", SB: "e_bowmen", E: "2 e_bowmen"})
    by_area = {area: [(each, area) for each in units_in(found, area)] for area in (SA, SB, E)}
    assert support([*by_area[SA], *by_area[SB]], found) == Dice(white=1)
    assert support([*by_area[SA], *by_area[E]], found) == NONE
    assert support([*by_area[SA], *by_area[SB], *by_area[E]], found) == Dice(white=1)


@pytest.mark.parametrize(("number", "dice"), [(5, NONE), (6, Dice(red=1))])
def test_ja_344_fire_is_concentrated_on_six(number: int, dice: Dice) -> None:
    assert concentrated_fire([unit(f"f{n} f_peasants") for n in range(number)]) == dice


def test_ja_309_ja_327_ja_q17_walls_help_those_inside_against_those_outside() -> None:
    found = table(VILLAGE)
    assert walls_around(found, CHURCH, (L2,)) == Dice(black=1)
    assert walls_around(found, CHURCH, (L2, CHURCH)) == Dice(black=1)
    assert walls_around(found, CHURCH, (CHURCH,)) == NONE
    assert walls_around(found, L2, (L1,)) == NONE
    assert walls_around(lie(found, L2, rubble=True), CHURCH, (L2,)) == NONE


def test_ja_217_ja_328_ja_q43_a_barricade_gives_each_defender_a_white_die() -> None:
    found = lie(table(VILLAGE), L2, barricade="english")
    assert barricade(found, L2) == Dice(white=1)
    assert barricade(found, L1) == NONE


def test_ja_331_ja_x14_stakes_help_the_bowmen_of_their_side_against_who_comes_across() -> None:
    found = stand(table(FLOWER), 0, 0, 0, EdgeStanding("stakes", "english"))
    bowmen, men_at_arms = unit("b e_bowmen"), unit("m e_men_at_arms")
    assert stakes(found, C, (E,), bowmen) == Dice(yellow=1)
    assert stakes(found, C, (E, NE), bowmen) == Dice(yellow=1)
    assert stakes(found, C, (NE,), bowmen) == NONE
    assert stakes(found, C, (E,), men_at_arms) == NONE
    assert stakes(found, C, (E,), unit("b e_bowmen", "french")) == NONE


def test_ja_336_ja_q71_a_wall_gives_one_shield_however_many_cross() -> None:
    found = stand(table(FLOWER), 0, 0, 0, EdgeStanding("wall"))
    found = stand(found, 0, 0, 3, EdgeStanding("wall"))
    assert wall_shields(found, C, (E, W)) == 1
    assert wall_shields(found, C, (NE,)) == 0


def test_ja_358_ja_359_ja_q73_clouds_help_a_defence_and_a_rainbow_the_holy() -> None:
    found = table(line(), sky=("sky2", "sky6"))
    cloud, bow = AreaId("sky:0,0:a"), AreaId("sky:1,0:a")
    assert (clouds(found, cloud), clouds(found, bow)) == (Dice(black=1), NONE)
    assert rainbow(found, bow, unit("a m_archangel")) == Dice(black=1)
    assert rainbow(found, bow, unit("i m_imps")) == NONE
    assert rainbow(found, cloud, unit("a m_archangel")) == NONE


def test_ja_291_the_highest_terror_counts() -> None:
    assert terror([unit("t m_tarasque"), unit("d m_dragon"), unit("e e_billmen")]) == 2
    assert terror([unit("e e_billmen")]) == terror([]) == 0


@pytest.mark.parametrize(
    ("card", "x", "frightened"),
    [
        ("e_billmen", 1, True),
        ("e_black_prince_1", 1, False),
        ("e_black_prince_1", 2, True),
        ("e_trebuchet", 2, False),
        ("m_revenants", 2, False),
    ],
)
def test_ja_249_ja_275_ja_292_who_is_immune_to_terror(card: str, x: int, *, frightened: bool) -> None:
    assert frightened_by(unit(f"u {card}"), x) is frightened
