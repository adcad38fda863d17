"""A decision about to be answered, a viewer's messages about its results, and the difference between two viewers'
messages.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import zip_longest
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct

from domain.kernel import HIDDEN, Asked, Choice, Event, HiddenDraw, Play, Seat, decide
from domain.kernel.secret import conceal
from server.conformance.disclosure import Disclosure, disclosure_of
from server.conformance.walks import AnyGame, Seeded, mask

T = TypeVar("T")

ALTERNATIVES: Final = 60
"""The number of other choices, drawn in another world that does not offer the one made."""


class Leak(AssertionError):
    """A viewer could distinguish two worlds by something that nobody showed."""


class Received(Struct, frozen=True):
    """One event as a viewer receives it: its type, public fields and the secrets it is entitled to, as bytes."""

    kind: str
    public: bytes
    opened: bytes


def received(game: AnyGame, event: Event, viewer: Seat | None) -> Received:
    """An event as it goes to the viewer."""
    slots = game.slots[type(event)]
    seen = game.redact(event, mask(viewer))
    held = {slot.name: getattr(seen, slot.name) for slot in slots if getattr(seen, slot.name) is not HIDDEN}
    public = msgspec.json.encode(conceal(event, slots, mask(None)))
    return Received(type(event).__name__, public, msgspec.json.encode(held))


def difference(game: AnyGame, real: Sequence[Event], other: Sequence[Event], viewer: Seat | None) -> tuple[Event, ...]:
    """The first events, of one world or of both, by which the viewer can distinguish them; none if it cannot."""
    for pair in zip_longest(real, other):
        ours, theirs = (event and received(game, event, viewer) for event in pair)
        if ours != theirs:
            return tuple(event for event in pair if event is not None)
    return ()


class Reshuffled(Seeded):
    """The dice of a seed, and other shuffles."""

    def __init__(self, seed: int, shuffles: int) -> None:
        super().__init__(seed)
        self.others = random.Random(shuffles)

    def shuffle(self, size: int) -> HiddenDraw:
        """Shuffle this many things, in the order of the other shuffles."""
        return HiddenDraw(super().shuffle(size).number, tuple(self.others.sample(range(size), size)))


class DecisionMoment:
    """A decision about to be answered in the real world; `refused` are choices that may not be offered."""

    def __init__(
        self, game: AnyGame, state: Any, asked: Asked, choice: Choice, seed: int, refused: Sequence[Choice] = ()
    ) -> None:
        self.game, self.state, self.asked, self.choice, self.seed = game, state, asked, choice, seed
        self.refused = refused
        self.disclosure: Disclosure = disclosure_of(game.name)
        self._remembered: dict[str, Any] = {}

    def remembered(self, what: str, made: Callable[[], T]) -> T:
        """The parts that are the same for every viewer, made once."""
        if what not in self._remembered:
            self._remembered[what] = made()
        found: T = self._remembered[what]
        return found

    def play(self, state: Any, choice: Choice, shuffles: int | None = None) -> Play[Any]:
        """The events of a choice; dice are the same in every world, and shuffles unless `shuffles` changes them."""
        chance = Seeded(self.seed) if shuffles is None else Reshuffled(self.seed, shuffles)
        return decide(self.game, state, self.asked.seat, self.asked.number, choice, chance)

    @cached_property
    def real(self) -> Play[Any]:
        """The events of the choice in the real world."""
        return self.play(self.state, self.choice)


def alternatives(moment: DecisionMoment, world: Any) -> Iterator[Choice]:
    """Other choices of the same kind that a world offers, drawn at random; none if it offers nothing."""
    form = moment.game.revive_decision(moment.asked).form(world)
    below = random.Random(moment.seed).randrange
    for _ in range(ALTERNATIVES if next(iter(form), None) is not None else 0):
        choice = form.sample(below)
        if type(choice) is type(moment.choice):
            yield choice
