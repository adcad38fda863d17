"""Rows: one place per seat, of however many seats."""

import pytest
from msgspec import Struct

from domain.commons.rows import BOTH, change, foe, put


class Side(Struct, frozen=True):
    score: int = 0
    hand: tuple[str, ...] = ()


@pytest.mark.parametrize(("seat", "row"), [(0, (9, 2, 3)), (1, (1, 9, 3)), (2, (1, 2, 9))])
def test_a_value_is_put_in_the_seats_place_and_nowhere_else(seat: int, row: tuple[int, ...]) -> None:
    assert put((1, 2, 3), seat, 9) == row


def test_fields_change_in_the_seats_place_and_nowhere_else() -> None:
    assert change((Side(1), Side(2, ("a",))), 1, score=5) == (Side(1), Side(5, ("a",)))


def test_a_seat_that_there_is_not_is_an_error() -> None:
    with pytest.raises(IndexError):
        put((1, 2), 2, 9)


def test_the_other_seat_of_two() -> None:
    assert [foe(seat) for seat in BOTH] == [1, 0]
