"""Seeded random walks through any game."""

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from domain.kernel import (
    Asked,
    Choice,
    Event,
    Game,
    HiddenDraw,
    Mask,
    MatchCreated,
    Play,
    PublicDraw,
    Seat,
    SeatTaken,
    begin,
    decide,
)
from domain.kernel.history import pauses, restored

AnyGame = Game[Any]
CHOICES = 20_000
"""A limit above the number of choices in any match: a walk that reaches it has found a match that does not end."""


class PlayedGame(NamedTuple):
    """A game and the options with which it is played."""

    game: AnyGame
    options: dict[str, Any]

    def walk(self, seed: int) -> "Walk":
        """A random match."""
        return Walk(self.game, seed, self.options)


def viewers(game: AnyGame, options: dict[str, Any] | None = None) -> list[Seat | None]:
    """Every seat of a match with these options, and a spectator (None)."""
    return [*(Seat(seat) for seat in range(game.seats_of(options or {}))), None]


def mask(viewer: Seat | None) -> Mask:
    """The viewer as a mask of seats."""
    return Mask(0 if viewer is None else 1 << viewer)


class Seeded:
    """Chance from a seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.draws = self.shuffles = 0

    def dice(self, count: int, sides: int) -> PublicDraw:
        """Roll this many dice."""
        self.draws += 1
        return PublicDraw(self.draws, "", tuple(self.random.randint(1, sides) for _ in range(count)))

    def shuffle(self, size: int) -> HiddenDraw:
        """Shuffle this many things."""
        self.shuffles += 1
        return HiddenDraw(self.shuffles, tuple(self.random.sample(range(size), size)))


def seated(game: AnyGame, options: dict[str, Any]) -> list[Event]:
    """The first lines of a match: everybody has sat down."""
    names = tuple(f"Player {seat}" for seat in range(game.seats_of(options)))
    taken = (SeatTaken(Seat(seat), name, "bot") for seat, name in enumerate(names))
    opens = game.spec.opened_at_end is not None
    return [MatchCreated(game.name, options, names, ends_open=opens), *taken]


class Walk:
    """A random match under way: every event so far and the state they fold to."""

    def __init__(self, game: AnyGame, seed: int, options: dict[str, Any] | None = None) -> None:
        self.game = game
        self.random = random.Random(seed)
        self.chance = Seeded(seed + 1)
        self.events = seated(game, options or {})
        resolver = begin(game, game.fold(self.events), self.chance)
        self.events += resolver.events
        self.state = resolver.state

    @property
    def over(self) -> bool:
        """Whether the match has a result."""
        return self.state.result is not None

    def pick(self) -> tuple[Asked, Choice]:
        """An open decision and one of its choices."""
        asked = self.random.choice(self.state.asked)
        form = self.game.revive_decision(asked).form(self.state)
        return asked, form.sample(self.random.randrange)

    def step(self) -> Play[Any]:
        """Make a random choice."""
        return self.make(*self.pick())

    def make(self, asked: Asked, choice: Choice) -> Play[Any]:
        """Make this choice."""
        resolver: Play[Any] = decide(self.game, self.state, asked.seat, asked.number, choice, self.chance)
        self.events += resolver.events
        self.state = resolver.state
        return resolver

    def take_back(self) -> None:
        """Put everybody back to an earlier pause, if there is one."""
        found = [line for line in pauses(self.game, self.events) if line < len(self.events)]
        events = restored(self.game, self.events, self.random.choice(found)) if found else ()
        self.events += events
        self.state = self.game.fold(events, self.state)

    def steps(self, most: int = CHOICES) -> Iterator[Play[Any]]:
        """Random choices until the match is over, or `most` of them."""
        for _ in range(most):
            if self.over:
                return
            yield self.step()
