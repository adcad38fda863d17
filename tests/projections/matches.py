"""Random matches of any game, as events and as each viewer's views."""

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

from domain.kernel import Event, Game, Mask, MatchCreated, Seat, SeatTaken, begin, decide
from domain.vera_discordia import GAME as VERA
from projections.registry import faces
from server.conformance.walks import Seeded

VIEWERS: tuple[Seat | None, ...] = (None, Seat(0), Seat(1))
VERA_FACE = faces()["vera_discordia"]


def play(game: Game[Any], seed: int, options: dict[str, Any] | None = None) -> list[Event]:
    """The events of a match of Abel, Doviso and others, who choose at random."""
    rng, chance = random.Random(seed), Seeded(seed)
    events: list[Event] = [MatchCreated(game.name, options or {}, ("",) * game.seats)]
    names = ("Abel", "Doviso", *(f"Player {seat + 1}" for seat in range(2, game.seats)))
    events += [SeatTaken(Seat(seat), name) for seat, name in enumerate(names)]
    resolver = begin(game, game.fold(events), chance)
    events += resolver.events
    while resolver.state.asked:
        asked = rng.choice(resolver.state.asked)
        choice = game.revive_decision(asked).form(resolver.state).sample(rng.randrange)
        resolver = decide(game, resolver.state, asked.seat, asked.number, choice, chance)
        events += resolver.events
    return events


@cache
def vera(seed: int) -> tuple[Event, ...]:
    """A match of Vera Discordia."""
    return tuple(play(VERA, seed))


def mask(viewer: Seat | None) -> Mask:
    """The viewer's bits."""
    return Mask(0 if viewer is None else 1 << viewer)


def walk(game: Game[Any], events: tuple[Event, ...], viewer: Seat | None) -> Iterator[tuple[Any, Event, Any]]:
    """The viewer's view before each event, the event as the viewer holds it, and the view after."""
    view = game.fold(events[:1])
    for full in events[1:]:
        event = game.redact(full, mask(viewer))
        after = game.fold((event,), view)
        yield view, event, after
        view = after
