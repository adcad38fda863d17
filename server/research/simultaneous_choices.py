"""Several seats choose at once, without knowing the others' choices: a node of OpenSpiel at which all of them act.

A choice may take several steps, so such a node is followed by others until everybody has a whole choice; a seat that
has one, or is not asked, waits meanwhile. Nobody sees anything of the others' steps.
"""

from functools import reduce
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel import Chance, Choice
from server.research.position import Position

WAIT: Final = 0
"""The one action of a player that has chosen, or is not asked."""


class SimultaneousChoice(Struct, frozen=True):
    """`asked`: for each asked seat, in order, the position as that seat sees it; with a whole choice it has no further
    step. `chosen`: the whole choices, None if there is none yet.
    """

    asked: tuple[Position, ...]
    chosen: tuple[Choice | None, ...]

    @property
    def is_whole(self) -> bool:
        """Whether everybody who is asked has chosen."""
        return None not in self.chosen

    def at(self, seat: int) -> Position | None:
        """The position as a seat sees it, if that seat is asked."""
        return next((position for position in self.asked if position.mover == seat), None)

    def allowed(self, seat: int) -> list[int]:
        """The numbers that a seat may choose from."""
        position = self.at(seat)
        return [WAIT] if position is None or position.step is None else list(range(len(position.step.options)))

    def after(self, actions: list[int]) -> "SimultaneousChoice":
        """The node after all have acted, each seat by a number. Raises `IndexError` for a number without an option."""
        moved = [
            _moved(position, chosen, actions[position.mover])
            for position, chosen in zip(self.asked, self.chosen, strict=True)
        ]
        return SimultaneousChoice(tuple(position for position, _ in moved), tuple(chosen for _, chosen in moved))

    def resolved(self, position: Position, chance: Chance) -> Position:
        """The state after the choices. Raises `Refusal`."""
        choices = [chosen for chosen in self.chosen if chosen is not None]
        return reduce(lambda at, choice: at.after(choice, chance), choices, position)


def _moved(position: Position, chosen: Choice | None, number: int) -> tuple[Position, Choice | None]:
    if position.step is None:
        if number != WAIT:
            raise IndexError(number)
        return position, chosen
    onward = position.onward(number)
    return (onward, None) if isinstance(onward, Position) else (replace(position, step=None), onward)


def simultaneous_choice(position: Position) -> SimultaneousChoice | None:
    """The node of a position at which several seats choose in secret; None if one or no seat is asked."""
    world = position.world
    if position.won is not None or not world.sealed or len({asked.seat for asked in world.asked}) < 2:
        return None
    if len({asked.seat for asked in world.asked}) < len(world.asked):
        return None
    asked = tuple(position.at_turn(turn) for turn in range(len(world.asked)))
    return SimultaneousChoice(asked, (None,) * len(asked))
