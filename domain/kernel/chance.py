"""Where dice and shuffles come from. The kernel only asks; replay/ answers (RECORD 4), tests answer with a script."""

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

    So two matches with different choices draw alike when they reach the same question.
    """

    def dice(self, count: int, sides: int) -> PublicDraw:
        """As `dice_at`, without the name of a rule."""
        return self.dice_at("", None, count, sides)

    def shuffle(self, size: int) -> HiddenDraw:
        """As `shuffle_at`, asked for by no rule."""
        return self.shuffle_at("", None, size)

    def dice_at(self, rule: str, seat: Seat | None, count: int, sides: int) -> PublicDraw:
        """As `Chance.dice`, asked for by a rule, for a seat."""
        raise NotImplementedError

    def shuffle_at(self, rule: str, seat: Seat | None, size: int) -> HiddenDraw:
        """As `Chance.shuffle`, asked for by a rule, for a seat."""
        raise NotImplementedError


class NoChance:
    """Chance for places where nothing may be rolled: asking is an error."""

    def dice(self, count: int, sides: int) -> PublicDraw:
        """Refuse to roll."""
        raise AssertionError(f"{count} dice of {sides} sides were rolled where nothing may be rolled")

    def shuffle(self, size: int) -> HiddenDraw:
        """Refuse to shuffle."""
        raise AssertionError(f"{size} items were shuffled where nothing may be shuffled")
