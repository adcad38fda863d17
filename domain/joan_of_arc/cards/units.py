"""Unit cards: their printed values (ledger 6.3)."""

from typing import Annotated, ClassVar, Final, Literal

from msgspec import Meta, Struct

from domain.joan_of_arc.cards.dice import Dice
from domain.joan_of_arc.cards.hooks import Skill

X = Annotated[int, Meta(ge=1, le=6)]
Side = Literal["english", "french", "myth", "civilian"]
Kind = Literal["character", "troop", "civilian"]
Arm = Literal["infantry", "cavalry", "monster", "machine"]
Trait = Literal["bowmen", "flying", "gigantic", "war_machine"]
Banner = Literal["english", "french", "holy", "unholy"]
Power = Literal["siege"]
Name = Annotated[str, Meta(min_length=1, max_length=80)]
Slug = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
"""An id: small letters, digits and underscores."""

BIG_SIZE: Final = 3
"""JA-248: spaces of a unit with Big."""
HEX_SIZE: Final = "hex"
"""JA-021: the size of a gigantic creature."""


class Printed(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The base of everything printed on a card."""

    rule: ClassVar[str] = "ledger 6.3"


class Named(Printed, frozen=True):
    """The base of cards that are found by their id."""

    id: Slug


class Skills(Printed, frozen=True):
    """The skills of a card; a skill with an X has its value, 0 for none."""

    big: bool = False
    bodyguard: bool = False
    carrier: bool = False
    charge: bool = False
    charisma: bool = False
    cohesion: bool = False
    dodge: bool = False
    engineer: bool = False
    feint: bool = False
    fireproof: bool = False
    haste: X = 0
    heal: bool = False
    immortal: bool = False
    impetuous: bool = False
    jump: X = 0
    mercenary: bool = False
    parry: bool = False
    prayer: bool = False
    rally: bool = False
    reroll: bool = False
    retaliation: bool = False
    ruthless: bool = False
    slayer: bool = False
    support: bool = False
    targeting: bool = False
    terror: X = 0
    tough: bool = False

    def names(self) -> tuple[Skill, ...]:
        """The names of the skills that the card has."""
        return tuple(skill for skill in Skill if getattr(self, skill))


class Shooting(Printed, frozen=True, rename={"range_hexes": "range"}):
    """A shooting attack; `range_hexes` is the range stat."""

    mode: Literal["arcing", "direct"]
    range_hexes: Annotated[int, Meta(ge=1, le=6)]
    dice: Dice


class CommandValue(Printed, frozen=True):
    """A command value: the range (`A` for an adjacent area, or a number of hexes) and the number of units."""

    range: Annotated[int, Meta(ge=1, le=6)] | Literal["A"]
    units: Annotated[int, Meta(ge=1, le=6)]


class UnitCard(Named, frozen=True):
    """A unit card. `hp` None: one kill destroys. `level` None: a unit of one level only."""

    name: Name
    side: Side
    kind: Kind
    arm: Arm
    defence: Dice
    traits: tuple[Trait, ...] = ()
    size: Annotated[int, Meta(ge=1, le=8)] | Literal["hex"] = 1
    hp: Annotated[int, Meta(ge=1, le=10)] | None = None
    melee: Dice | None = None
    shoot: Shooting | None = None
    command: CommandValue | None = None
    skills: Skills = Skills()
    powers: tuple[Power, ...] = ()
    level: Literal[1, 2] | None = None
    upgrade_cost: Annotated[int, Meta(ge=1, le=9)] | None = None
    activation_cost: Literal[1, 2] = 1
    discussion: bool = False
    banners: tuple[Banner, ...] = ()

    @property
    def gigantic(self) -> bool:
        """JA-368: whether it fills a whole hex."""
        return "gigantic" in self.traits

    @property
    def flying(self) -> bool:
        """Whether it may be in the sky."""
        return "flying" in self.traits

    @property
    def enters_buildings(self) -> bool:
        """JA-097, JA-308: only infantry without Big enters."""
        return self.arm == "infantry" and not self.skills.big


def spaces(card: UnitCard) -> int:
    """JA-021: the spaces that a unit uses; 0 for a gigantic creature, which leaves no space in its hex free anyway."""
    return card.size if isinstance(card.size, int) else 0
