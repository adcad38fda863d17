"""Where an attack stands: who attacks what, the dice on the table, what is left of them."""

from typing import NewType

from msgspec import Struct

from domain.joan_of_arc.dice import Colour, Face
from domain.joan_of_arc.hexes import AreaId
from domain.joan_of_arc.hooks import Attack as AttackKind
from domain.kernel import Seat

Fighter = NewType("Fighter", str)
"""The id of a unit in an attack."""


class RolledDie(Struct, frozen=True, omit_defaults=True):
    """A die on the table: its colour, whose it is (empty for a common one, JA-119), and what it shows."""

    colour: Colour
    unit: str
    face: Face


class Attack(Struct, frozen=True):
    """An attack on an area. `starts`: by attacking unit, where it attacks from."""

    by: Seat
    kind: AttackKind
    target: AreaId
    starts: tuple[tuple[Fighter, AreaId], ...]
    defenders: tuple[Fighter, ...] = ()
    attack_dice: tuple[RolledDie, ...] = ()
    defence_dice: tuple[RolledDie, ...] = ()
