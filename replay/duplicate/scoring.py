"""How well each side did with the same deal: matchpoints, as in duplicate bridge.

A side scores against the same side of every other table: one point for each side that did worse, and half a point for
each that did equally well. Sides of different tables are compared by their points divided by the most that each could
get, so that it does not matter how strong the deal made a side.
"""

from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct

from domain.kernel import Result, Seat

Sides = tuple[tuple[Seat, ...], ...]


class Played(Struct, frozen=True):
    """The end of a table: its match, the players by seat, the sides, and the result; None if it does not count."""

    match: str
    names: tuple[str, ...]
    sides: Sides
    result: Result | None


class Score(Struct, frozen=True):
    """The score of one side of a table: points out of `of`, the number of tables that it is compared with.

    `points` counts half points, so that no fraction is rounded: 3 is one and a half.
    """

    match: str
    side: int
    seats: tuple[Seat, ...]
    names: tuple[str, ...]
    outcome: str
    points: int
    of: int

    @property
    def share(self) -> Fraction:
        """The share of all the points it could get; a half if there is nothing to compare with."""
        return Fraction(self.points, 2 * self.of) if self.of else Fraction(1, 2)


def counts(result: Result | None) -> bool:
    """Whether a table with this end is compared with others; a void or unfinished table is not."""
    return result is not None and not result.reason.startswith("void")


def _worth(result: Result, side: Sequence[Seat]) -> int:
    """How well a side did, for comparison: its place if the rules give places, else won, drawn or lost."""
    for place, seats in enumerate(result.places):
        if any(seat in seats for seat in side):
            return -place
    if not result.won:
        return 1
    return 2 if any(seat in result.won for seat in side) else 0


def _outcome(result: Result, side: Sequence[Seat]) -> str:
    if not result.won:
        return "drawn"
    return "won" if any(seat in result.won for seat in side) else "lost"


def scores(tables: Sequence[Played]) -> tuple[Score, ...]:
    """The scores of every side of every table that counts, for each side the best share first."""
    compared = [table for table in tables if counts(table.result)]
    found = [_score(table, side, compared) for table in compared for side in range(len(table.sides))]
    order = {table.match: number for number, table in enumerate(tables)}
    return tuple(sorted(found, key=lambda one: (one.side, -one.share, order[one.match])))


def _score(table: Played, side: int, field: Sequence[Played]) -> Score:
    assert table.result is not None, "only what counts is compared"
    seats = table.sides[side]
    own = _worth(table.result, seats)
    others = [
        _worth(other.result, other.sides[side]) for other in field if other.result is not None and other is not table
    ]
    points = sum(2 if own > worth else own == worth for worth in others)
    names = tuple(table.names[seat] for seat in seats)
    return Score(table.match, side, seats, names, _outcome(table.result, seats), points, len(others))
