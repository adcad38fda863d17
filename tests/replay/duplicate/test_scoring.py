"""Matchpoints: the share of the field that a side did better than, ties half."""

from fractions import Fraction

import pytest

from domain.kernel import Result, Seat
from domain.kernel.state import result_of
from replay.duplicate.scoring import Played, scores

SIDES = ((Seat(0),), (Seat(1),))


def table(match: str, *won: int, reason: str = "x") -> Played:
    return Played(match, ("A" + match, "B" + match), SIDES, result_of(map(Seat, won), reason))


def shares(*tables: Played) -> dict[tuple[str, int], Fraction]:
    return {(one.match, one.side): one.share for one in scores(tables)}


def test_a_side_scores_against_the_same_side_of_the_other_tables() -> None:
    found = shares(table("a", 0), table("b", 1), table("c"), table("d", 0))
    assert found["a", 0] == found["d", 0] == Fraction(5, 6)
    assert found["c", 0] == Fraction(1, 3)
    assert found["b", 0] == 0
    assert found["b", 1] == 1
    assert found["a", 1] == Fraction(1, 6)


def test_where_all_end_alike_everybody_has_half() -> None:
    assert set(shares(table("a", 0), table("b", 0)).values()) == {Fraction(1, 2)}


def test_the_points_of_a_side_are_half_of_all_there_are() -> None:
    found = scores([table("a", 0), table("b", 1), table("c"), table("d", 0), table("e", 1)])
    for side in (0, 1):
        own = [one for one in found if one.side == side]
        assert sum(one.points for one in own) == sum(one.of for one in own)


def test_one_table_alone_is_compared_with_nothing() -> None:
    assert shares(table("a", 0)) == {("a", 0): Fraction(1, 2), ("a", 1): Fraction(1, 2)}


@pytest.mark.parametrize("other", [table("b", 1, reason="void: abandoned"), Played("b", ("", ""), SIDES, None)])
def test_a_table_that_is_void_or_not_over_counts_for_nothing(other: Played) -> None:
    assert {match for match, _ in shares(table("a", 0), other)} == {"a"}


def test_a_sides_seats_score_together() -> None:
    sides = ((Seat(0), Seat(2)), (Seat(1), Seat(3)))
    names = ("A", "B", "C", "D")
    found = scores(
        [
            Played("a", names, sides, result_of([Seat(0), Seat(2)], "x")),
            Played("b", names, sides, result_of([Seat(1), Seat(3)], "x")),
        ]
    )
    assert [(one.match, one.names, one.outcome) for one in found if one.points == 2] == [
        ("a", ("A", "C"), "won"),
        ("b", ("B", "D"), "won"),
    ]


def test_where_the_rules_give_places_a_better_place_is_better() -> None:
    sides = tuple((Seat(seat),) for seat in range(3))

    def placed(match: str, *order: int) -> Played:
        result: Result = result_of([Seat(order[0])], "x", ranking=[[Seat(seat)] for seat in order])
        return Played(match, ("", "", ""), sides, result)

    found = shares(placed("a", 0, 1, 2), placed("b", 2, 0, 1), placed("c", 1, 2, 0))
    assert [found[match, 0] for match in "abc"] == [1, Fraction(1, 2), 0]
