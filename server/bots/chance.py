"""The source of chance for matches that are played only in a search."""

import random

from domain.kernel import HiddenDraw, PublicDraw


class SeededChance:
    """A quick and repeatable source of chance for matches in a search; recorded matches use the key chain instead."""

    def __init__(self, source: random.Random, draws: int = 0, shuffles: int = 0) -> None:
        self._source = source
        self._draws = draws
        self._shuffles = shuffles

    def dice(self, count: int, sides: int) -> PublicDraw:
        """Roll dice from the seeded source."""
        self._draws += 1
        return PublicDraw(self._draws, "", tuple(self._source.randrange(sides) + 1 for _ in range(count)))

    def shuffle(self, size: int) -> HiddenDraw:
        """Shuffle with the seeded source."""
        self._shuffles += 1
        items = list(range(size))
        self._source.shuffle(items)
        return HiddenDraw(self._shuffles, tuple(items))
