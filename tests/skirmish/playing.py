"""A random match of the example game."""

import random

from domain.kernel import Event, MatchCreated, begin, decide
from server.conformance.walks import Seeded
from tests.skirmish.game import GAME


def play(seed: int, most: int = 99, rounds: int = 3) -> list[Event]:
    """The events of a random match, or of its first `most` choices."""
    rng = random.Random(seed)
    chance = Seeded(seed)
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
