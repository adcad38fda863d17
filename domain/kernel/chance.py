"""The source of dice and shuffles. The kernel only asks; replay/ answers (docs/record.md 4), and tests answer with a
script.
"""

from typing import Protocol

from msgspec import Struct

from domain.kernel.secret import Seat


class PublicDraw(Struct, frozen=True):
    """Dice that everybody sees: the draw's number, its opened key (base64url) and the values, each 1 to `sides`."""

    number: int
    key: str
    values: tuple[int, ...]


class HiddenDraw(Struct, frozen=True):
    """A shuffle that nobody sees: the draw's number and a permutation of 0 to size - 1."""

    number: int
    values: tuple[int, ...]


class Chance(Protocol):
    """The only source of randomness."""

    def dice(self, count: int, sides: int) -> PublicDraw:
        """Roll `count` dice of `sides` sides in the open."""
        ...

    def shuffle(self, size: int) -> HiddenDraw:
        """A secret permutation of `range(size)`."""
        ...


class PlacedChance:
    """Chance that depends on the rule and the player that ask for it, and not on earlier draws.

    Two matches with different choices therefore draw the same results when they reach the same question.
    """

    def dice(self, count: int, sides: int) -> PublicDraw:
        """As `dice_at`, but without a rule."""
        return self.dice_at("", None, count, sides)

    def shuffle(self, size: int) -> HiddenDraw:
        """As `shuffle_at`, but without a rule."""
        return self.shuffle_at("", None, size)

    def dice_at(self, rule: str, seat: Seat | None, count: int, sides: int) -> PublicDraw:
        """As `Chance.dice`, for the rule and the seat that ask."""
        raise NotImplementedError

    def shuffle_at(self, rule: str, seat: Seat | None, size: int) -> HiddenDraw:
        """As `Chance.shuffle`, for the rule and the seat that ask."""
        raise NotImplementedError


class NoChance:
    """Chance for code that must not roll anything: asking for a roll or a shuffle is an error."""

    def dice(self, count: int, sides: int) -> PublicDraw:
        """Refuse to roll."""
        raise AssertionError(f"{count} dice of {sides} sides were rolled where nothing may be rolled")

    def shuffle(self, size: int) -> HiddenDraw:
        """Refuse to shuffle."""
        raise AssertionError(f"{size} items were shuffled where nothing may be shuffled")
