"""Shared by `test_game` and other tests: Dice, play."""

import random

from domain.kernel import Event, MatchCreated, PublicDraw, begin, decide
from server.conformance.walks import Seeded
from tests.skirmish.game import GAME


class Dice(Seeded):
    """Scripted dice first, then those of the seed."""

    def __init__(self, seed: int, *faces: int) -> None:
        super().__init__(seed)
        self.faces = list(faces)

    def dice(self, count: int, sides: int) -> PublicDraw:
        self.draws += 1
        rolled = [self.faces.pop(0) if self.faces else self.random.randint(1, sides) for _ in range(count)]
        return PublicDraw(self.draws, "", tuple(rolled))


def play(seed: int, most: int = 99, rounds: int = 3) -> list[Event]:
    """The events of a random match, or of its first `most` choices."""
    rng = random.Random(seed)
    chance = Dice(seed)
    events: list[Event] = [MatchCreated("skirmish", {"rounds": rounds}, ("A", "B"))]
    resolver = begin(GAME, GAME.fold(events), chance)
    events += resolver.events
    while resolver.state.asked and most:
        asked = rng.choice(resolver.state.asked)
        choice = GAME.revive_decision(asked).form(resolver.state).sample(rng.randrange)
        resolver = decide(GAME, resolver.state, asked.seat, asked.number, choice, chance)
        events += resolver.events
        most -= 1
    return events
