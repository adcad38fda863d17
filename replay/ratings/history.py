"""The rating of each player before each result, stored compactly enough for a million results."""

from array import array
from typing import Final

from msgspec import Struct

from replay.ratings.fold import Ratings
from replay.ratings.results import RatedResult
from replay.record import sealing

FIRST: Final = 8
"""The bytes of a match's id that distinguish it from all other matches of one player."""


class Change(Struct, frozen=True):
    """A result of a player: when it counted, the rating and deviation before it, and the rating after it, all in
    thousandths of a point."""

    at_ms: int
    before: int
    deviation: int
    after: int


class _ResultList:
    """The results of one player in one game, in order."""

    __slots__ = ("at", "before", "deviation", "match")

    def __init__(self) -> None:
        self.at, self.before, self.deviation, self.match = array("q"), array("i"), array("i"), array("Q")


class History:
    """Notes results as they are folded. Memory: 24 bytes for each result and player."""

    def __init__(self) -> None:
        self._results: dict[tuple[str, str], _ResultList] = {}

    def note(self, result: RatedResult, player: str, rating: int, deviation: int) -> None:
        """Note a result that counts, with the player's rating and deviation before it; for `Ratings`."""
        results = self._results.setdefault((result.game, player), _ResultList())
        results.at.append(result.end_ms)
        results.before.append(rating)
        results.deviation.append(deviation)
        results.match.append(_first(result.match))

    def changes(self, ratings: Ratings, game: str, player: str, last: int) -> list[Change]:
        """The changes by a player's last results in a game, the latest last."""
        results = self._results.get((game, player))
        now = ratings.standing(game, player, 0)
        if results is None or now is None:
            return []
        after = [*results.before[-last:][1:], now.rating]
        rows = zip(results.at[-last:], results.before[-last:], results.deviation[-last:], after, strict=True)
        return [Change(*row) for row in rows]

    def change(self, ratings: Ratings, game: str, player: str, match: str) -> Change | None:
        """The change by a match, named by its id in the file of ratings; None if the match did not count."""
        results = self._results.get((game, player))
        first = _first(match)
        if results is None or first not in results.match:
            return None
        back = len(results.match) - results.match.index(first)
        return self.changes(ratings, game, player, back)[0]

    def all_games(self) -> tuple[str, ...]:
        """The games with any results."""
        return tuple(sorted({game for game, _ in self._results}))

    def games(self, player: str) -> list[str]:
        """The games in which a player has results."""
        return sorted(game for game, name in self._results if name == player)


def _first(match: str) -> int:
    return int.from_bytes(sealing.unb64(match)[:FIRST])
