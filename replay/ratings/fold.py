"""The fold of `ratings.v1`: results in the order of (end, match) give every player's rating in every game."""

from collections.abc import Callable, Iterable
from typing import Final

from msgspec import Struct

from replay.ratings import model
from replay.ratings.errors import RatingsInvalid
from replay.ratings.results import RatedResult

PAIR_DAY: Final = 5
"""How many results of the same players in one game count on one day (UTC): further ones say little about them."""
PROVISIONAL: Final = 150 * model.UNIT
"""A rating with a deviation above this is provisional."""


class Parameters(Struct, frozen=True, forbid_unknown_fields=True):
    """The parameters of `ratings.v1`, in points; a file of ratings repeats them."""

    version: str = model.VERSION
    mean: float = model.MEAN
    deviation: float = model.DEVIATION
    beta: float = model.BETA
    kappa: float = model.KAPPA
    drift: float = model.DRIFT
    pair_day: int = PAIR_DAY
    provisional: float = PROVISIONAL / model.UNIT


class Standing(Struct, frozen=True, forbid_unknown_fields=True):
    """The standing of a player in a game on one day. `rating` and `deviation` are in thousandths of a point.

    `won`: matches with an unshared first place; `drawn`: matches with a shared first place.
    """

    game: str
    player: str
    rating: int
    deviation: int
    matches: int
    won: int
    drawn: int

    @property
    def lost(self) -> int:
        """Matches in which the player was not first."""
        return self.matches - self.won - self.drawn

    @property
    def is_provisional(self) -> bool:
        """Whether the deviation is too large for a rank among the others."""
        return self.deviation > PROVISIONAL


class _Player(Struct, gc=False):
    """A player in a game after the last result; `day`: the day of that result, counted from 1970."""

    mean: int
    deviation: int
    day: int
    matches: int = 0
    won: int = 0
    drawn: int = 0


Noted = Callable[[RatedResult, str, int, int], None]
"""Called with a result, a player in it, and the player's rating and deviation before it, in thousandths."""


class Ratings:
    """Folds results one at a time. The same results give the same ratings to the digit, on any machine."""

    def __init__(self, noted: Noted | None = None) -> None:
        self.counted = 0
        self.passed_over = 0
        """Results beyond `PAIR_DAY`."""
        self._players: dict[tuple[str, str], _Player] = {}
        self._last = (0, "")
        self._day = 0
        self._met: dict[tuple[str, frozenset[str]], int] = {}
        self._noted = noted

    @property
    def last(self) -> tuple[int, str]:
        """The key of the last result in the order of all results."""
        return self._last

    def add(self, result: RatedResult) -> bool:
        """Take the next result; returns whether it counts. Raises `RatingsInvalid` if it is not after the last."""
        key = result.key
        if key <= self._last:
            raise RatingsInvalid(f"the result of match {result.match} does not stand in the order of end and match")
        self._last = key
        day = result.end_ms // model.DAY_MS
        if day != self._day:
            self._day = day
            self._met.clear()
        met = result.game, frozenset([player for side in result.sides for player in side])
        before = self._met[met] = self._met.get(met, 0) + 1
        if before > PAIR_DAY:
            self.passed_over += 1
            return False
        self.counted += 1
        self._rate(result, day)
        return True

    def _rate(self, result: RatedResult, day: int) -> None:
        sides = [[self._player(result.game, player, day) for player in side] for side in result.sides]
        places = result.places
        if self._noted is not None:
            self._note(result, sides, self._noted)
        before = [[_points(player, day) for player in side] for side in sides]
        if len(sides) == 2 and len(sides[0]) == len(sides[1]) == 1:
            score = (places[1] - places[0] + 1) / 2
            one, other = model.updated_two(before[0][0], before[1][0], score)
            after = [[one], [other]]
        else:
            after = model.updated(before, places)
        is_alone = places.count(1) == 1
        for side, made, place in zip(sides, after, places, strict=True):
            for player, (mean, deviation) in zip(side, made, strict=True):
                player.mean, player.deviation = model.thousandths(mean), model.thousandths(deviation)
                player.day = day
                player.matches += 1
                player.won += place == 1 and is_alone
                player.drawn += place == 1 and not is_alone

    def _note(self, result: RatedResult, sides: list[list[_Player]], noted: Noted) -> None:
        for names, side in zip(result.sides, sides, strict=True):
            for name, player in zip(names, side, strict=True):
                noted(result, name, player.mean, player.deviation)

    def _player(self, game: str, player: str, day: int) -> _Player:
        found = self._players.get((game, player))
        if found is None:
            mean, deviation = model.thousandths(model.MEAN), model.thousandths(model.DEVIATION)
            found = self._players[game, player] = _Player(mean, deviation, day)
        return found

    def standing(self, game: str, player: str, at_ms: int) -> Standing | None:
        """The standing of one player in a game at a time; None if no result of the player counts."""
        found = self._players.get((game, player))
        return None if found is None else _standing(game, player, found, at_ms // model.DAY_MS)

    def standings(self, at_ms: int, game: str = "") -> list[Standing]:
        """All standings at a time, with that day's deviations: by game, established players first, best first."""
        day = at_ms // model.DAY_MS
        found = [_standing(*key, player, day) for key, player in self._players.items() if game in ("", key[0])]
        return sorted(found, key=lambda one: (one.game, one.is_provisional, -one.rating, one.player))


def folded(results: Iterable[RatedResult]) -> Ratings:
    """The ratings after all results. Raises `RatingsInvalid` if they are out of order."""
    ratings = Ratings()
    for result in results:
        ratings.add(result)
    return ratings


def _points(player: _Player, day: int) -> model.Member:
    """Rating and deviation on a day, in points."""
    return player.mean / model.UNIT, model.drifted(player.deviation / model.UNIT, max(0, day - player.day))


def _standing(game: str, name: str, player: _Player, day: int) -> Standing:
    deviation = model.thousandths(_points(player, day)[1])
    return Standing(game, name, player.mean, deviation, player.matches, player.won, player.drawn)
