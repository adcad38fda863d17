"""Random matches as each viewer holds them, cut short so that they are cheap."""

import random
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from domain.joan_of_arc import GAME
from domain.joan_of_arc.state.state import JoanState
from domain.kernel import Asked, Event, MatchCreated, Seat, SeatTaken, begin, decide
from server.conformance.walks import Seeded
from tests.projections.matches import walk

CHOICES: Final = 160
"""Choices of a match that are made, at most."""
TABLES: Final[tuple[dict[str, Any], ...]] = (
    {"scenario": "s1_ford_at_brossay"},
    {"scenario": "s2_market_day", "seats": 3},
    {"scenario": "s3_wyrm_of_rougemont"},
)


@cache
def played(number: int, most: int = CHOICES) -> tuple[Event, ...]:
    """The first events of a match on one of the tables, chosen at random."""
    options = TABLES[number]
    rng, chance = random.Random(number), Seeded(number)
    seats = options.get("seats", 2)
    events: list[Event] = [MatchCreated(GAME.name, options, ("",) * seats)]
    events += [SeatTaken(Seat(seat), f"Player {seat + 1}") for seat in range(seats)]
    resolver = begin(GAME, GAME.fold(events), chance)
    events += resolver.events
    for _ in range(most):
        if not resolver.state.asked:
            break
        asked = rng.choice(resolver.state.asked)
        choice = GAME.revive_decision(asked).form(resolver.state).sample(rng.randrange)
        resolver = decide(GAME, resolver.state, asked.seat, asked.number, choice, chance)
        events += resolver.events
    return tuple(events)


def viewers(number: int) -> list[Seat | None]:
    """Everybody who looks on."""
    return [None, *(Seat(seat) for seat in range(TABLES[number].get("seats", 2)))]


def steps(number: int, viewer: Seat | None) -> Iterator[tuple[JoanState, Event, JoanState]]:
    """The view before each event, the event as the viewer holds it, the view after."""
    return walk(GAME, played(number), viewer)


def questions(number: int, viewer: Seat) -> Iterator[tuple[JoanState, Asked]]:
    """Every moment at which the viewer is asked something."""
    last = None
    for _, __, view in steps(number, viewer):
        for asked in view.asked:
            if asked.seat == viewer and asked.number != last:
                last = asked.number
                yield view, asked
