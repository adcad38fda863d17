"""The resolver: the operations of a rule while it is carried out.

`emit` appends an event and folds it; nothing else changes the state. `roll` and `shuffle` are the only sources of
randomness. `domain.kernel.play` drives the rules from pause to pause.
"""

from collections.abc import Iterable, Sequence
from typing import Generic, NoReturn, TypeVar

from domain.kernel.chance import Chance, PlacedChance
from domain.kernel.events import DiceRolled, Event, MatchEnded, Shuffled
from domain.kernel.evolve import EvolveTable
from domain.kernel.modifiers import Part
from domain.kernel.secret import Seat
from domain.kernel.state import State, result_of

S = TypeVar("S", bound=State)
T = TypeVar("T")


class EndedError(Exception):
    """Unwinds the rules as soon as the match is over."""


class Resolver(Generic[S]):
    """A state while rules are carried out against it, and the events they have made so far."""

    __slots__ = ("_chance", "_evolve", "events", "state")

    def __init__(self, evolve: EvolveTable[S], state: S, chance: Chance) -> None:
        self.state = state
        self.events: list[Event] = []
        self._chance = chance
        self._evolve = evolve

    def emit(self, event: Event) -> None:
        """Append the event and fold it."""
        self.state = self._evolve[type(event)](self.state, event)
        self.events.append(event)

    def roll(
        self,
        count: int,
        rule: str,
        title: str,
        *,
        sides: int = 6,
        seat: Seat | None = None,
        about: tuple[str, ...] = (),
        kinds: tuple[str, ...] = (),
        needs: tuple[int, ...] = (),
        parts: Sequence[Part] = (),
    ) -> tuple[int, ...]:
        """Roll `count` dice in the open for `rule`; returns the faces, left to right. Without dice there is no draw."""
        if count:
            chance = self._chance
            if isinstance(chance, PlacedChance):
                draw = chance.dice_at(rule, seat, count, sides)
            else:
                draw = chance.dice(count, sides)
            number, key, dice = draw.number, draw.key, draw.values
        else:
            number, key, dice = self.state.draws, "", ()
        self.emit(DiceRolled(rule, title, number, key, sides, dice, seat, about, kinds, needs, tuple(parts)))
        return dice

    def shuffle(self, items: Sequence[T], rule: str, title: str, *, seat: Seat | None = None) -> tuple[T, ...]:
        """Returns the items in a secret random order."""
        if len(items) < 2:
            return tuple(items)
        chance, size = self._chance, len(items)
        draw = chance.shuffle_at(rule, seat, size) if isinstance(chance, PlacedChance) else chance.shuffle(size)
        self.emit(Shuffled(rule, title, draw.number, len(items), seat, draw.values))
        return tuple(items[i] for i in draw.values)

    def end(
        self,
        winner: Seat | Iterable[Seat] | None,
        reason: str,
        rule: str,
        ranking: Iterable[Iterable[Seat]] = (),
    ) -> NoReturn:
        """End the match; nothing further is resolved. A seat, several seats (a side), or nobody wins.

        `ranking`: the places from first to last, each with the seats that share it, if the rules give places.
        """
        won = () if winner is None else (winner,) if isinstance(winner, int) else winner
        self.emit(MatchEnded(result_of(won, reason, rule, ranking)))
        raise EndedError
