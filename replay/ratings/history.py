"""The course of each player's ratings: what the rating was before each result, kept small enough for a million."""

from array import array
from typing import Final

from msgspec import Struct

from replay.ratings.fold import Ratings
from replay.ratings.results import RatedResult
from replay.record import sealing

FIRST: Final = 8
"""Bytes of a match's id that tell it from all others of one player."""


class Change(Struct, frozen=True):
    """A result of a player: when it counted, the rating and deviation before it, and the rating after it, all in
    thousandths of a point."""

    at_ms: int
    before: int
    deviation: int
    after: int


class _Course:
    """The results of one player in one game, in order."""

    __slots__ = ("at", "before", "deviation", "match")

    def __init__(self) -> None:
        self.at, self.before, self.deviation, self.match = array("q"), array("i"), array("i"), array("Q")


class History:
    """Notes results as they are folded. Memory: 24 bytes a result and player."""

    def __init__(self) -> None:
        self._courses: dict[tuple[str, str], _Course] = {}

    def note(self, result: RatedResult, player: str, rating: int, deviation: int) -> None:
        """Take a result that counts, with what the player had before it; for `Ratings`."""
        course = self._courses.setdefault((result.game, player), _Course())
        course.at.append(result.end_ms)
        course.before.append(rating)
        course.deviation.append(deviation)
        course.match.append(_first(result.match))

    def changes(self, ratings: Ratings, game: str, player: str, last: int) -> list[Change]:
        """The last results of a player in a game, the latest last."""
        course = self._courses.get((game, player))
        now = ratings.standing(game, player, 0)
        if course is None or now is None:
            return []
        after = [*course.before[-last:][1:], now.rating]
        rows = zip(course.at[-last:], course.before[-last:], course.deviation[-last:], after, strict=True)
        return [Change(*row) for row in rows]

    def change(self, ratings: Ratings, game: str, player: str, match: str) -> Change | None:
        """The change by a match, named by the id that it has in the file of ratings; None where it has not counted."""
        course = self._courses.get((game, player))
        first = _first(match)
        if course is None or first not in course.match:
            return None
        back = len(course.match) - course.match.index(first)
        return self.changes(ratings, game, player, back)[0]

    def all_games(self) -> tuple[str, ...]:
        """The games in which anybody has results."""
        return tuple(sorted({game for game, _ in self._courses}))

    def games(self, player: str) -> list[str]:
        """The games in which a player has results."""
        return sorted(game for game, name in self._courses if name == player)


def _first(match: str) -> int:
    return int.from_bytes(sealing.unb64(match)[:FIRST])
