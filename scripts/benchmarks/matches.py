"""Random matches, played without a record: the material of the benchmarks."""

import random
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from domain.kernel import Event, Game, MatchCreated, State, begin, decide
from projections.registry import games
from server.bots.chance import SeededChance
from tests.skirmish.game import GAME as SKIRMISH

DECISION_LIMIT = 20_000


class Played(Struct, frozen=True):
    """A match: its events, and the number of its decisions."""

    events: tuple[Event, ...]
    decisions: int


def game_of(name: str) -> Game[Any]:
    """A game by name; `skirmish` is the example game of the tests. Raises `KeyError` if there is no such game."""
    return SKIRMISH if name == "skirmish" else games()[name]


def game_names() -> list[str]:
    """The games that can be measured."""
    return [*games(), "skirmish"]


def created(game: Game[Any], options: Mapping[str, Any] | None = None) -> MatchCreated:
    """The first event of a match, with default options if none are given."""
    given = dict(options or {})
    return MatchCreated(game.name, given, tuple(f"seat {seat + 1}" for seat in range(game.seats_of(given))))


def play(game: Game[Any], seed: int) -> Played:
    """A random match to its end."""
    source = random.Random(seed)  # noqa: S311 - repeatable on purpose
    chance = SeededChance(source)
    first = created(game)
    events: list[Event] = [first]
    resolver = begin(game, game.created(first), chance)
    events += resolver.events
    decisions = 0
    while resolver.state.result is None and decisions < DECISION_LIMIT:
        resolver = answer(game, resolver.state, source, chance)
        events += resolver.events
        decisions += 1
    return Played(tuple(events), decisions)


def answer(game: Game[Any], state: State, source: random.Random, chance: SeededChance) -> Any:
    """Answer the first open decision at random; returns the resolver."""
    asked = state.asked[0]
    choice = game.revive_decision(asked).form(state).sample(source.randrange)
    return decide(game, state, asked.seat, asked.number, choice, chance)
