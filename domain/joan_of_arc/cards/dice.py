"""The dice: their kinds, their faces (ledger 6.2), and the numbers rolled, in the order of ledger 0.4."""

from enum import StrEnum
from typing import Annotated, ClassVar, Final, Literal

from msgspec import Meta, Struct

from domain.joan_of_arc.cards.packaged import load

FACES_OF_A_DIE: Final = 6

Colour = Literal["gigantic", "black", "red", "yellow", "white"]
COLOURS: Final[tuple[Colour, ...]] = ("gigantic", "black", "red", "yellow", "white")
"""Ledger 0.4: the order in which dice of one unit are rolled."""
Die = Literal["gigantic", "black", "red", "yellow", "white", "doom"]


class Face(StrEnum):
    """The faces of the dice."""

    KILL = "kill"
    DISRUPT = "disrupt"
    PUSH = "push"
    SHIELD = "shield"
    BLANK = "blank"
    TRAMPLE = "trample"
    DEATH = "death"
    RALLY = "rally"
    DELAYED_RALLY = "delayed_rally"


HARMFUL: Final = (Face.KILL, Face.DISRUPT, Face.PUSH)
"""JA-126, JA-127: the results of an attack on units, in the order in which they are cancelled and allocated."""

FACES: Final = load("dice", dict[Die, tuple[Face, Face, Face, Face, Face, Face]])
"""The six faces of every die."""

Number = Annotated[int, Meta(ge=1, le=6)]


class Dice(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How many dice of each colour; none where nothing is said."""

    rule: ClassVar[str] = "ledger 6.3"

    gigantic: Number = 0
    black: Number = 0
    red: Number = 0
    yellow: Number = 0
    white: Number = 0

    def __add__(self, other: "Dice") -> "Dice":
        return Dice(*(getattr(self, colour) + getattr(other, colour) for colour in COLOURS))

    def in_order(self) -> tuple[Colour, ...]:
        """Every die by itself, in the order of ledger 0.4."""
        return tuple(colour for colour in COLOURS for _ in range(getattr(self, colour)))


NONE: Final = Dice()


def face(die: Die, value: int) -> Face:
    """The face that a die shows when `value`, 1 to 6, was rolled."""
    return FACES[die][value - 1]
