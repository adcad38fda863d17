"""Scripted chance: exactly these dice and shuffles, in this order."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from domain.kernel import DiceRolled, HiddenDraw, PublicDraw

REST: Final = "..."
_GROUP: Final = re.compile(r"^(?P<rule>[^:]+):(?P<dice>[\s\d]*)$")


class ScriptedChance:
    """Implements `domain.kernel.Chance`.

    If the script ends too early, dice show the lowest face, shuffles keep the order as it is, and `short` is set. The
    rules continue, so that the whole sequence of their requests can be shown. With `below`, which gives a uniform
    random number below its argument, the rest is drawn.
    """

    def __init__(
        self,
        dice: Sequence[int | str] = (),
        shuffles: Sequence[str | Sequence[int | str]] = (),
        *,
        draws: int = 0,
        shuffled: int = 0,
        below: Callable[[int], int] | None = None,
    ) -> None:
        """`draws` and `shuffled` are the numbers of the latest draws. Raises `ValueError` for unreadable dice."""
        self.groups = [_group(item) for item in dice]
        if len({bool(rule) for rule, _ in self.groups}) > 1:
            raise ValueError("dice are either all numbers or all groups such as 'VD-217: 6 2 4'")
        self._faces = [face for _, faces in self.groups for face in faces]
        self._orders = list(shuffles)
        self._draws, self._shuffled = draws, shuffled
        self._below = below
        self.rolled: list[tuple[int | None, ...]] = []
        self.sizes: list[int] = []
        self.wrong: list[str] = []
        self.short = False

    def dice(self, count: int, sides: int) -> PublicDraw:
        """The next faces of the script."""
        faces, self._faces = self._faces[:count], self._faces[count:]
        self.short = self.short or len(faces) < count
        self.wrong += [f"a die of {sides} sides cannot show {face}" for face in faces if not 1 <= face <= sides]
        told: tuple[int | None, ...] = tuple(faces)
        self.rolled.append(told + (None,) * (count - len(faces)))
        self._draws += 1
        values = [min(max(face, 1), sides) for face in faces]
        rest = [1 + (self._below(sides) if self._below else 0) for _ in range(count - len(values))]
        return PublicDraw(self._draws, "", tuple(values + rest))

    def shuffle(self, size: int) -> HiddenDraw:
        """The next order of the script."""
        self.sizes.append(size)
        self._shuffled += 1
        values: tuple[int, ...] = tuple(range(size))
        if not self._orders and self._below:
            values = _drawn(size, self._below)
        elif not self._orders:
            self.wrong.append(f"a shuffle of {size} cards is not scripted")
        else:
            order = self._orders.pop(0)
            try:
                values = arrange(order, size)
            except ValueError as wrong:
                self.wrong.append(str(wrong))
        return HiddenDraw(self._shuffled, values)

    def left_over(self) -> list[str]:
        """The parts of the script that were not used."""
        left = [f"not rolled: {' '.join(map(str, self._faces))}"] if self._faces else []
        return left + [f"{len(self._orders)} scripted shuffles were not made"] * bool(self._orders)

    def told(self, rolls: Sequence[DiceRolled]) -> str:
        """The rolls and their purposes, in order; a die that is missing in the script is `?`."""
        named = [roll for roll in rolls if roll.dice]
        return " | ".join(
            f"{roll.rule}: {' '.join('?' if face is None else str(face) for face in faces)}"
            for roll, faces in zip(named, self.rolled, strict=True)
        )

    def mismatches(self, rolls: Sequence[DiceRolled]) -> bool:
        """Whether the script names the purposes of its dice, and the rolls were different."""
        if not any(rule for rule, _ in self.groups):
            return False
        wanted = [(rule, len(faces)) for rule, faces in self.groups]
        even_none = any(not count for _, count in wanted)
        return wanted != [(roll.rule, len(roll.dice)) for roll in rolls if roll.dice or even_none]


def _group(item: int | str) -> tuple[str, tuple[int, ...]]:
    if isinstance(item, int):
        return "", (item,)
    found = _GROUP.match(item)
    if found is None:
        raise ValueError(f"dice are numbers or groups such as 'VD-217: 6 2 4', not {item!r}")
    return found["rule"].strip(), tuple(int(face) for face in found["dice"].split())


def _drawn(size: int, below: Callable[[int], int]) -> tuple[int, ...]:
    left = list(range(size))
    return tuple(left.pop(below(len(left))) for _ in range(size))


def arrange(order: str | Sequence[int | str], size: int) -> tuple[int, ...]:
    """A scripted order as a permutation of `range(size)`. Raises `ValueError`."""
    places = tuple(range(size))
    if isinstance(order, str):
        named = {"as is": places, "reversed": places[::-1]}
        if order not in named:
            raise ValueError(f"a shuffle is 'as is', 'reversed' or a list of places, not {order!r}")
        return named[order]
    first = [place for place in order if isinstance(place, int)]
    rest = bool(order) and order[-1] == REST
    if len(first) + rest != len(order):
        raise ValueError(f"a shuffle lists places, with {REST!r} last for the rest, not {list(order)}")
    if len(set(first)) < len(first) or not set(first) <= set(places) or (not rest and len(first) < size):
        raise ValueError(f"a shuffle of {size} cards names different places from 0 to {size - 1}, not {list(order)}")
    return (*first, *(place for place in places if place not in first))
