"""Sections C, Y and AE: life, Routing, destruction, Motivation, victory."""

import pytest

from domain.vera_discordia.cards.cards import Mend, OrderType
from domain.vera_discordia.rules.counterattack import StrikeBack
from domain.vera_discordia.rules.strategy import Designate, UseStrategy
from domain.vera_discordia.state.events import (
    CaptureLost,
    LifeRegained,
    MoraleChecked,
    MotivationLost,
    OrderDiscarded,
    UnitDamaged,
    UnitDestroyed,
)
from domain.vera_discordia.state.queries import is_decimated, profile
from tests.domain.vera_discordia.table import Piece, Table, blue, execute, general, given, red, u


def hit(defender: Piece, hits: int, *dice: int, **more: object) -> Table:
    """So many hits on the Unit; then these dice."""
    table = given(red("V1", "attack", dice="m" * hits), defender, **more)  # type: ignore[arg-type]
    return table.when(0, execute("0V1"), [6] * hits + list(dice))


def test_vd_027_vd_336_a_unit_has_6_life_or_what_its_card_says() -> None:
    table = given(red("V1"), blue("V1", max_life=4))
    assert profile(table.state, table.unit("0V1")).max_life == 6
    assert profile(table.state, table.unit("1V1")).max_life == 4


def test_vd_030_vd_220_at_zero_or_less_a_unit_is_destroyed_without_a_rout_check() -> None:
    table = hit(blue("V1", life=3), 4)
    table.then(
        UnitDamaged(u("1V1"), 3, 0), UnitDestroyed(u("1V1"), table.state.units[u("1R4")].seat, "VD-220", 2, 8, u("0V1"))
    )
    assert not table.has("1V1")
    assert table.of(MoraleChecked) == []


def test_vd_030_one_life_left_is_not_destroyed() -> None:
    assert hit(blue("V1", life=4), 3, 3).unit("1V1").life == 1


def test_vd_031_exactly_one_or_two_is_decimated() -> None:
    assert [is_decimated(life) for life in (0, 1, 2, 3)] == [False, True, True, False]


@pytest.mark.parametrize(("life", "checks"), [(3, 0), (2, 1)])
def test_vd_221_becoming_decimated_calls_for_a_rout_check(life: int, checks: int) -> None:
    table = hit(blue("V1"), 6 - life, *[3] * checks)
    assert len(table.of(MoraleChecked)) == checks
    assert table.unit("1V1").life == life


def test_vd_222_a_failed_rout_check_destroys_the_unit() -> None:
    table = hit(blue("V1"), 4, 2)
    assert table.one(UnitDestroyed).rule == "VD-222"
    assert hit(blue("V1"), 4, 3).has("1V1")


def test_vd_223_a_unit_already_decimated_makes_no_rout_check() -> None:
    table = hit(blue("V1", life=2), 1)
    assert table.of(MoraleChecked) == []
    assert table.unit("1V1").life == 1


def test_vd_033_vd_224_back_to_three_it_is_not_decimated_and_checks_again() -> None:
    healer = general(star=[Mend(1, 1, "army")])
    pieces = (red("V1", "tactic"), red("V2", "attack", dice="mm", life=2), blue("V2", "attack", dice="m"), blue("R1"))
    table = given(*pieces, generals=(healer, general()), sides=({"declared": OrderType.DEFENSE}, {}))
    table.when(0, execute("0V1")).when(0, UseStrategy()).when(0, Designate(("0V2",)))
    assert table.one(LifeRegained).gained == 1
    table.when(1, execute("1R4")).when(0, execute("0V2"), [1, 1])
    assert table.row("VD-217") == "mm"
    assert table.when(1, StrikeBack("VD-227"), [6, 3]).one(MoraleChecked).rule == "VD-221"


def test_vd_029_life_never_rises_above_its_initial_quantity() -> None:
    healer = general(star=[Mend(3, 1, "army")])
    pieces = (red("V1", "tactic"), red("V2", life=5), blue("V1"))
    table = given(*pieces, generals=(healer, general()), sides=({"declared": OrderType.DEFENSE}, {}))
    table.when(0, execute("0V1")).when(0, UseStrategy()).when(0, Designate(("0V2",)))
    assert table.unit("0V2").life == 6


@pytest.mark.parametrize(
    ("abilities", "cost"),
    [((), 2), (("expendable",), 1), (("prominent",), 4), (("prominent", "expendable"), 4)],
)
def test_vd_225_vd_327_vd_344_vd_q45_the_price_of_a_unit(abilities: tuple[str, ...], cost: int) -> None:
    table = hit(blue("V1", "", *abilities, life=1), 1)
    assert table.one(UnitDestroyed).cost == cost
    assert table.side(1).motivation == 10 - cost


def test_vd_225_destruction_in_a_counterattack_costs_as_much() -> None:
    table = given(red("V1", "attack", dice="", life=1), blue("V1", "attack", dice="m"))
    table.when(0, execute("0V1")).when(1, StrikeBack("VD-227"), [6])
    assert table.side(0).motivation == 8


def test_vd_226_vd_089_a_destroyed_unit_leaves_an_opening_and_counts_for_initiative() -> None:
    table = hit(blue("V1", life=1), 1)
    assert "1V1" not in table.state.at
    assert table.side(1).destroyed == 1


def test_vd_q12_the_order_of_a_destroyed_unit_is_discarded_face_up() -> None:
    table = hit(blue("V1", "attack", life=1), 1)
    table.then(OrderDiscarded(u("1V1"), table.unit("1R4").seat, OrderType.ATTACK, "VD-Q12"))
    assert table.side(1).top is OrderType.ATTACK


def test_vd_181_a_capture_ends_with_its_holder() -> None:
    table = hit(blue("V1", life=1, capture=True), 1)
    assert not any(unit.capture for unit in table.state.units.values())
    assert table.of(CaptureLost) == []


def test_vd_q47_vd_285_order_of_a_destruction() -> None:
    table = given(red("V1", "attack", "voracious", dice="m", life=4), blue("V1", "attack", life=1))
    table.when(0, execute("0V1"), [6])
    kinds = [type(event).__name__ for event in table.plain()]
    assert kinds[-5:-2] == ["UnitDestroyed", "OrderDiscarded", "LifeRegained"]


@pytest.mark.parametrize(("left", "over"), [(3, False), (2, True), (1, True)])
def test_vd_284_without_motivation_the_match_is_lost(left: int, over: bool) -> None:
    table = hit(blue("V1", life=1), 1, sides=({}, {"motivation": left}))
    assert (table.state.result is not None) is over
    if over:
        assert table.winner() == (0, "VD-284")
        assert table.side(1).motivation == 0


def test_vd_067_vd_283_the_general_falls_with_his_unit() -> None:
    table = hit(blue("V1", life=1, general=True), 1)
    assert table.winner() == (0, "VD-283")
    assert table.side(1).motivation == 10


def test_vd_285_nothing_further_is_resolved() -> None:
    """The target's Counterattack, its order and Voracious all come too late."""
    table = given(red("V1", "attack", "voracious", dice="mm", life=2), blue("V1", "attack", life=1, general=True))
    table.when(0, execute("0V1"), [6])
    assert table.of(LifeRegained) == []
    assert table.state.asked == ()


def test_vd_q48_the_first_condition_that_is_met_ends_the_match() -> None:
    """The attacker's General would fall to the Counterattack, but the target's falls first."""
    table = given(red("V1", "attack", dice="mm", life=1, general=True), blue("V1", "attack", life=1, general=True))
    assert table.when(0, execute("0V1"), [6]).winner()[0] == 0


def test_vd_345_a_prominent_unit_with_the_general_costs_4_when_it_is_decimated() -> None:
    table = hit(blue("V1", "", "prominent", life=4, general=True), 2, 3)
    assert table.one(MotivationLost).cost == 4
    assert table.side(1).motivation == 6
    assert table.has("1V1")


@pytest.mark.parametrize(("abilities", "general_here"), [(("prominent",), False), ((), True)])
def test_vd_345_needs_both_the_general_and_prominent(abilities: tuple[str, ...], general_here: bool) -> None:
    table = hit(blue("V1", "", *abilities, life=3, general=general_here), 1, 3)
    assert table.of(MotivationLost) == []


def test_vd_q45_the_4_points_are_lost_before_the_rout_check_and_once_a_game() -> None:
    table = hit(blue("V1", "", "prominent", life=4, general=True), 2, 3)
    kinds = [type(event) for event in table.plain()]
    assert kinds.index(MotivationLost) < kinds.index(MoraleChecked)
    assert table.unit("1V1").paid


def test_vd_362_voracious_gains_a_life_for_each_unit_it_destroys() -> None:
    table = given(red("V1", "attack", "voracious", dice="m", life=5), blue("V1", life=1))
    assert table.when(0, execute("0V1"), [6]).unit("0V1").life == 6


def test_vd_362_voracious_never_gains_above_the_initial_life() -> None:
    table = given(red("V1", "attack", "voracious", dice="m"), blue("V1", life=1))
    assert table.when(0, execute("0V1"), [6]).unit("0V1").life == 6


def test_vd_363_voracious_counts_a_rout() -> None:
    table = given(red("V1", "attack", "voracious", dice="m", life=5), blue("V1", life=3))
    assert table.when(0, execute("0V1"), [6, 2]).unit("0V1").life == 6


def test_vd_q44_voracious_works_in_a_counterattack_and_lifts_out_of_decimated() -> None:
    table = given(red("V1", "attack", dice="", life=1), blue("V1", "attack", "voracious", dice="mm", life=2))
    table.when(0, execute("0V1")).when(1, StrikeBack("VD-227"), [6])
    assert table.unit("1V1").life == 3


def test_vd_034_vd_366_the_life_of_an_open_unit_is_public() -> None:
    table = hit(blue("V1"), 2)
    assert UnitDamaged(u("1V1"), 2, 4) in table.seen_by(None)
