"""The dice rolled in an attack: those of the units, their bonuses, and the order of all of them (ledger 0.4)."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.board.sight import melee_reach
from domain.joan_of_arc.board.table import Standing, Table, edge_between, furnishing
from domain.joan_of_arc.cards.dice import NONE, Colour, Dice

GATHERED: Final = 3
"""JA-265, JA-286: units of one name that Cohesion and Support need."""
CROWD: Final = 6
"""JA-344: units in an area on which fire is concentrated."""


class Roller(Struct, frozen=True):
    """A unit that rolls: the dice printed on its card, and its other dice."""

    unit: str
    printed: Dice
    bonus: Dice = NONE


class Thrown(Struct, frozen=True):
    """One die of a roll and its owner; a common die belongs to no unit (JA-119)."""

    colour: Colour
    unit: str = ""


def in_order(rollers: Iterable[Roller], common: Sequence[Dice] = ()) -> tuple[Thrown, ...]:
    """Every die in the order of ledger 0.4: by unit its printed dice, then its bonus dice; then the common dice.

    JA-107, JA-108: attackers and defenders pool all they have.
    """
    dice: list[Thrown] = []
    for roller in sorted(rollers, key=lambda roller: roller.unit):
        dice += [Thrown(colour, roller.unit) for colour in (*roller.printed.in_order(), *roller.bonus.in_order())]
    dice += [Thrown(colour) for pool in common for colour in pool.in_order()]
    return tuple(dice)


def support(attackers: Iterable[tuple[Standing, AreaId]], table: Table) -> Dice:
    """JA-286, JA-Q57: a white die for each name of which three with Support attack from one hex."""
    hexes = Counter((unit.card.name, table.board.areas[at].hex) for unit, at in attackers if unit.card.skills.support)
    return Dice(white=len({name for (name, _), number in hexes.items() if number >= GATHERED}))


def cohesion(defenders: Iterable[Standing]) -> Dice:
    """JA-265, JA-Q57: a white die for each name of which three with Cohesion are in the defending area."""
    names = Counter(unit.card.name for unit in defenders if unit.card.skills.cohesion)
    return Dice(white=sum(number >= GATHERED for number in names.values()))


def concentrated_fire(defenders: Collection[Standing]) -> Dice:
    """JA-344: a red die for shooting at an area with six units or more."""
    return Dice(red=1) if len(defenders) >= CROWD else NONE


def walls_around(table: Table, target: AreaId, starts: Iterable[AreaId]) -> Dice:
    """JA-309, JA-Q17: a black die for those inside, against attackers from outside; JA-327: not in rubble."""
    around = table.board.areas[target].around
    if around is None or furnishing(table, around).rubble:
        return NONE
    return Dice(black=1) if any(start != target for start in starts) else NONE


def clouds(table: Table, target: AreaId) -> Dice:
    """JA-358, JA-Q73: a black die for a defence in the clouds against shooting; JA-357: none under a blue sky."""
    return Dice(black=1) if table.board.areas[target].terrain == "clouds" else NONE


def rainbow(table: Table, start: AreaId, unit: Standing) -> Dice:
    """JA-359, JA-Q73: a black die for each unit with the holy banner that attacks from a rainbow."""
    holy = "holy" in unit.card.banners
    return Dice(black=1) if holy and table.board.areas[start].terrain == "rainbow" else NONE


def barricade(table: Table, target: AreaId) -> Dice:
    """JA-217, JA-328, JA-Q43: a white die for each unit that defends behind a barricade, against melee and shooting."""
    return Dice(white=1) if furnishing(table, target).barricade is not None else NONE


def stakes(table: Table, target: AreaId, starts: Iterable[AreaId], unit: Standing) -> Dice:
    """JA-331, JA-Q70, JA-Q71: a yellow die for each bowmen unit of the stakes' side, if anybody attacks across them in
    melee.
    """
    found = [edge for edge in _crossed(table, target, starts) if edge == ("stakes", unit.side)]
    return Dice(yellow=1) if found and "bowmen" in unit.card.traits else NONE


def wall_shields(table: Table, target: AreaId, starts: Iterable[AreaId]) -> int:
    """JA-336, JA-Q71: one shield for the defence, if anybody attacks across a wall in melee."""
    return int(any(feature == "wall" for feature, _ in _crossed(table, target, starts)))


def _crossed(table: Table, target: AreaId, starts: Iterable[AreaId]) -> Iterator[tuple[str, str | None]]:
    for start in starts:
        edge = edge_between(table, start, target)
        if edge is not None and melee_reach(table, start, target):
            yield edge.feature, edge.side


def terror(defenders: Iterable[Standing]) -> int:
    """JA-291: the black dice of terror, by the highest X; 0 for none."""
    return max((unit.card.skills.terror for unit in defenders), default=0)


def frightened_by(unit: Standing, x: int) -> bool:
    """JA-249, JA-275, JA-292: whether an attacker may be chosen: not with Big, Immortal or Terror at least as high."""
    skills = unit.card.skills
    return not (skills.big or skills.immortal or skills.terror >= x)
