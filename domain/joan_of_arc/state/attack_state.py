"""The state of an attack: attackers and target, the dice on the table, the results left and the units given them."""

from typing import Literal, NewType

from msgspec import Struct

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.cards.dice import NONE, Colour, Dice, Face
from domain.joan_of_arc.cards.hooks import Attack as AttackKind
from domain.kernel import Seat

Fighter = NewType("Fighter", str)
"""The id of a unit."""
Party = Literal["attack", "retaliation"]
"""The side that the results belong to: the attackers, or the retaliating defenders (JA-143)."""


class RolledDie(Struct, frozen=True, omit_defaults=True):
    """A die on the table: its colour, whose it is (empty for a common one, JA-119), and what it shows.

    `settled`: Ruthless has changed it, so that nothing rolls it again (JA-Q60).
    """

    colour: Colour
    unit: str
    face: Face
    settled: bool = False


class Given(Struct, frozen=True, omit_defaults=True):
    """A result that was given to a unit, with the owner of its die; `guarded`: a bodyguard took it over."""

    unit: str
    face: Face
    source: str = ""
    guarded: bool = False


class Attack(Struct, frozen=True):
    """An attack on an area. `starts`: by attacking unit, where it attacks from; `defenders`: the units attacked when it
    was declared, without those in `dodged`.

    `charged`: the units that charged; `smooth`: those of them that crossed only plain and field (JA-294). `giants` roll
    a gigantic die (JA-251). `frightened`: by unit, the one die that it may roll (JA-289). `common_attack`,
    `common_defence`: dice that cards added. `used`: sources of rerolls that are spent, as `feint e_talbot#1`.
    `results`: the results left of the attack roll, by die, once shields were used (`shielded`); `given` and `returned`:
    what was allocated of it and of retaliation. `moved`: areas that chargers entered; `gone`: how many of the attacked
    were pushed, disrupted or destroyed (JA-345); `rode`: the units that have broken through since.
    """

    by: Seat
    kind: AttackKind
    target: AreaId
    starts: tuple[tuple[Fighter, AreaId], ...]
    defenders: tuple[Fighter, ...] = ()
    dodged: tuple[Fighter, ...] = ()
    charged: tuple[Fighter, ...] = ()
    smooth: tuple[Fighter, ...] = ()
    giants: tuple[Fighter, ...] = ()
    frightened: tuple[tuple[Fighter, Colour], ...] = ()
    common_attack: Dice = NONE
    common_defence: Dice = NONE
    attack_dice: tuple[RolledDie, ...] = ()
    defence_dice: tuple[RolledDie, ...] = ()
    used: tuple[str, ...] = ()
    results: tuple[RolledDie, ...] = ()
    shielded: bool = False
    given: tuple[Given, ...] = ()
    returned: tuple[Given, ...] = ()
    moved: tuple[AreaId, ...] = ()
    gone: int = 0
    rode: tuple[Fighter, ...] = ()
