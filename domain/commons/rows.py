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
    """The row with another value in a seat's place. Raises `IndexError` for a seat that it does not have."""
    row[seat]
    return (*row[:seat], value, *row[seat + 1 :])  # type: ignore[return-value]  # it has the same places


def change(row: Row, seat: int, **fields: Any) -> Row:
    """The row of structs with other fields in a seat's place. Raises `IndexError` for a seat that it does not have."""
    return put(row, seat, replace(row[seat], **fields))
