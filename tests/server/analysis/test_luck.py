"""What a match turned on: changes beyond what samples may be wrong by, and dice beside what was to be expected."""

import pytest

from domain.kernel import DiceRolled, Seat
from projections.dice_odds import needed
from server.analysis.luck import luck, turnings
from server.analysis.simulation import Estimate


def point(line: int, won: int, of: int = 100) -> Estimate:
    return Estimate(line, (won, of - won), 0, f"line {line}")


def test_a_change_that_chance_explains_is_no_turning_point() -> None:
    assert turnings([point(1, 50), point(2, 55)]) == []
    assert turnings([point(1, 50), point(2, 69)]) == []
    assert len(turnings([point(1, 50), point(2, 71)])) == 1


def test_turning_points_are_told_the_greatest_first() -> None:
    found = turnings([point(1, 50), point(5, 75), point(9, 30), point(12, 31)])
    assert [(turn.before, turn.line) for turn in found] == [(5, 9), (1, 5)]
    assert found[0].change == pytest.approx(-0.45)
    assert found[0].label == "line 5"


def test_of_three_sides_the_one_is_told_whose_chances_changed_most() -> None:
    first, second = Estimate(1, (20, 20, 60), 0), Estimate(5, (30, 60, 10), 0)
    (turn,) = turnings([first, second])
    assert turn.seat == 2
    assert turn.change == pytest.approx(-0.5)


def test_few_samples_that_all_went_one_way_prove_little() -> None:
    assert turnings([point(1, 1, of=2), point(2, 2, of=2)]) == []


def rolled(seat: int | None, dice: tuple[int, ...], needs: tuple[int, ...]) -> DiceRolled:
    return DiceRolled("X-1", "Dice", 1, "", 6, dice, None if seat is None else Seat(seat), needs=needs)


def test_luck_is_what_succeeded_beside_what_was_to_be_expected() -> None:
    rolls = [rolled(0, (6, 6, 1), (4, 4, 4)), rolled(1, (1,), (6,)), rolled(0, (2,), (2,))]
    first, second = luck(needed(rolls), 2)
    assert (first.dice, first.successes) == (4, 3)
    assert first.expected == pytest.approx(1.5 + 5 / 6)
    assert first.spread == pytest.approx((3 * 0.25 + 5 / 36) ** 0.5)
    assert first.surplus > 0 > second.surplus


@pytest.mark.parametrize("roll", [rolled(None, (6,), (4,)), rolled(0, (6,), ()), rolled(0, (6,), (7,))])
def test_dice_that_need_nothing_of_a_seat_or_cannot_succeed_say_nothing(roll: DiceRolled) -> None:
    assert [one.surplus for one in luck(needed([roll]), 2)] == [0.0, 0.0]
