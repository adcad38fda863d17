"""Chance for random play in tests."""

from random import Random

from domain.kernel import HiddenDraw, PublicDraw


class Dice:
    """Chance from a seed."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.draws = 0

    def dice(self, count: int, sides: int) -> PublicDraw:
        self.draws += 1
        return PublicDraw(self.draws, "", tuple(self.random.randint(1, sides) for _ in range(count)))

    def shuffle(self, size: int) -> HiddenDraw:
        self.draws += 1
        return HiddenDraw(self.draws, tuple(self.random.sample(range(size), size)))
