"""Section D: Morale Checks. The check used is Close Ranks (a Defense order, a Direct Attack) unless said otherwise."""

import pytest

from domain.kernel import Part
from domain.vera_discordia.cards.cards import MoraleBonus
from domain.vera_discordia.rules.counterattack import HoldBack
from domain.vera_discordia.rules.morale import Check
from domain.vera_discordia.state.events import MoraleChecked, RanksClosed
from tests.domain.vera_discordia.table import Table, blue, execute, general, given, red, u


def close_ranks(face: int, *abilities: str, discord: bool = False) -> Table:
    """An attack of no dice on a Unit that tries to Close Ranks."""
    attacker = red("V1", "attack", *(["discord"] if discord else []), dice="")
    return given(attacker, blue("V1", "defense", *abilities)).when(0, execute("0V1"), [face])


def rout(face: int, *abilities: str, discord: bool = False) -> Table:
    """Four hits on a Unit of 6 life: it has 2 left and checks for Rout, unless it need not."""
    attacker = red("V1", "attack", *(["discord"] if discord else []), dice="mmmm")
    dice = [6, 6, 6, 6] + ([face] if face else [])
    return given(attacker, blue("V1", "", *abilities)).when(0, execute("0V1"), dice)


def passed(table: Table) -> bool:
    return table.of(MoraleChecked)[-1].passed


def test_vd_035_a_two_fails_and_a_three_passes() -> None:
    assert not passed(close_ranks(2))
    assert passed(close_ranks(3))


def test_vd_036_a_natural_six_passes_whatever_the_modifiers() -> None:
    assert passed(close_ranks(6, "tenacious", "cowardice", discord=True))
    assert not passed(close_ranks(5, "tenacious", "cowardice", discord=True))


def test_vd_037_a_natural_one_fails_whatever_the_modifiers() -> None:
    leader = general(leads=[MoraleBonus(2, "army")])
    table = given(red("V1", "attack", dice=""), blue("V1", "defense", "bravery"), generals=(general(), leader))
    assert not passed(table.when(0, execute("0V1"), [1]))


def test_vd_038_vd_313_bravery_passes_on_a_two() -> None:
    assert not passed(close_ranks(1, "bravery"))
    assert passed(close_ranks(2, "bravery"))


def test_vd_039_vd_323_cowardice_needs_a_four() -> None:
    assert not passed(close_ranks(3, "cowardice"))
    assert passed(close_ranks(4, "cowardice"))


def test_vd_040_vd_357_tenacious_passes_the_rout_check_without_a_die() -> None:
    table = rout(0, "tenacious")
    assert table.one(MoraleChecked) == MoraleChecked(u("1V1"), "VD-221", True, None, (Part("VD-040", 0, "Tenacious"),))
    assert table.has("1V1")


def test_vd_040_vd_359_tenacious_passes_the_terror_check_without_a_die() -> None:
    table = given(red("V1", "attack", "tenacious"), blue("V1", "", "terror"))
    table.when(0, execute("0V1"), [1, 1])
    assert table.rolls() == [("VD-217", 2)]


def test_vd_041_tenacious_needs_a_five_in_other_checks() -> None:
    assert not passed(close_ranks(4, "tenacious"))
    assert passed(close_ranks(5, "tenacious"))


def test_vd_042_there_are_six_kinds_of_checks() -> None:
    assert {check.name for check in Check} == {
        "CLOSE_RANKS",
        "DISORGANISATION",
        "ROUT",
        "TERROR",
        "REFUSAL",
        "CONSISTENCY",
    }


@pytest.mark.parametrize(("face", "stays"), [(3, False), (4, True)])
def test_vd_324_discord_touches_close_ranks(face: int, stays: bool) -> None:
    assert passed(close_ranks(face, discord=True)) is stays


@pytest.mark.parametrize(("face", "stays"), [(3, False), (4, True)])
def test_vd_324_discord_touches_the_rout_check(face: int, stays: bool) -> None:
    assert rout(face, discord=True).has("1V1") is stays


@pytest.mark.parametrize(("face", "stays"), [(3, False), (4, True)])
def test_vd_324_discord_touches_disorganisation(face: int, stays: bool) -> None:
    table = given(red("V1", "attack", "discord", dice=""), blue("V1", "maneuver"))
    table.when(0, execute("0V1"), [face])
    assert (table.unit("1V1").order is not None) is stays


def test_vd_325_vd_q06_discord_does_not_touch_terror_and_refusal() -> None:
    table = given(red("V1", "attack", "discord", dice=""), blue("V1", "attack", "terror"))
    table.when(0, execute("0V1"), [3]).when(1, HoldBack(), [3])
    assert table.one(MoraleChecked) == MoraleChecked(u("1V1"), "VD-233", True, 3)


def test_vd_q07_bravery_and_cowardice_cancel() -> None:
    assert not passed(close_ranks(2, "bravery", "cowardice"))
    assert passed(close_ranks(3, "bravery", "cowardice"))


def test_vd_q07_tenacious_and_bravery_add_up() -> None:
    assert not passed(close_ranks(3, "bravery", "tenacious"))
    assert passed(close_ranks(4, "bravery", "tenacious"))


def test_vd_q07_an_automatic_pass_is_not_touched_by_discord() -> None:
    assert rout(0, "tenacious", discord=True).has("1V1")


@pytest.mark.parametrize(("face", "stays"), [(4, False), (5, True)])
def test_vd_q01_cowardice_and_discord_add_up_in_the_rout_check(face: int, stays: bool) -> None:
    assert rout(face, "cowardice", discord=True).has("1V1") is stays


def test_a_check_tells_its_parts() -> None:
    table = close_ranks(6, "bravery", discord=True)
    parts = (Part("VD-324", -1, "Discord"), Part("VD-038", 1))
    table.then(MoraleChecked(u("1V1"), "VD-212", True, 6, parts), RanksClosed(u("1V1")))


def test_vd_k09_leadership_for_the_army_counts_for_every_unit() -> None:
    leader = general(leads=[MoraleBonus(1, "army")])
    table = given(red("V1", "attack", dice=""), blue("V1", "defense"), generals=(general(), leader))
    assert passed(table.when(0, execute("0V1"), [2]))


@pytest.mark.parametrize(("where", "stays"), [("V2", True), ("R1", True), ("R2", False), ("V3", False)])
def test_vd_k09_leadership_around_the_general_counts_for_his_unit_and_its_neighbours(where: str, stays: bool) -> None:
    leader = general(leads=[MoraleBonus(1, "general")])
    pieces = (red("V1", "attack", dice=""), blue("V1", "defense"), blue(where, general=True))
    table = given(*pieces, generals=(general(), leader))
    assert passed(table.when(0, execute("0V1"), [2])) is stays
