"""Rows: one place per seat, in the order of the seats."""

from typing import Any, Final, TypeVar

from msgspec.structs import replace

from domain.kernel import Seat

Row = TypeVar("Row", bound=tuple[Any, ...])


BOTH: Final = (Seat(0), Seat(1))
"""The seats of a match of two."""


def foe(seat: int) -> Seat:
    """The other seat of a match of two."""
    return Seat(1 - seat)


def put(row: Row, seat: int, value: object) -> Row:
    """The row with another value at a seat's place. Raises `IndexError` if the row has no such seat."""
    row[seat]
    return (*row[:seat], value, *row[seat + 1 :])  # type: ignore[return-value]  # it has the same places


def change(row: Row, seat: int, **fields: Any) -> Row:
    """The row of structs with fields replaced at a seat's place. Raises `IndexError` if the row has no such seat."""
    return put(row, seat, replace(row[seat], **fields))
