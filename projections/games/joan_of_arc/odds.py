"""The odds of an attack's first roll, from the dice that the rules would gather for it, all of which are public."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from typing import Final

from msgspec.structs import replace

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.cards.dice import FACES, FACES_OF_A_DIE, HARMFUL, Colour, Face
from domain.joan_of_arc.cards.hooks import Attack as AttackKind
from domain.joan_of_arc.rules.attacks.pools import attack_pool, defence_pool
from domain.joan_of_arc.rules.attacks.targets import foes_in
from domain.joan_of_arc.state.attack_state import Attack, Fighter
from domain.joan_of_arc.state.queries import side_of, table_of, unit_of
from domain.joan_of_arc.state.state import JoanState, UnitId
from domain.kernel import Seat
from projections.words import count

KINDS: Final[dict[str, AttackKind]] = {"melee": "melee", "charge": "melee", "shooting": "shooting"}
"""For each declared action, the kind of attack that it joins."""
Counts = tuple[int, int]
"""Kills, and results of every kind."""


def odds(view: JoanState, by: Seat, unit: UnitId, target: AreaId, kind: AttackKind) -> str:
    """The odds of the attack with this unit and the units declared before it; empty if gigantic creatures take part."""
    mine, theirs = _pools(view, by, (*_declared(view, target, kind), unit), target, kind)
    if not mine or "gigantic" in (*mine, *theirs):
        return ""
    kill, some = _chances(tuple(sorted(mine)), tuple(sorted(theirs)))
    told = f"{count(len(mine), 'die', 'dice')} against {len(theirs)}"
    return f"{told}: as first rolled a kill gets through in {kill}%, any result in {some}%"


def _declared(view: JoanState, target: AreaId, kind: AttackKind) -> Iterable[UnitId]:
    plans = view.activations[-1].plans if view.activations else ()
    return (plan.unit for plan in plans if plan.target == target and KINDS.get(plan.action) == kind)


def _pools(
    view: JoanState, by: Seat, units: Sequence[UnitId], target: AreaId, kind: AttackKind
) -> tuple[list[Colour], list[Colour]]:
    """JA-107, JA-108: the dice of both sides."""
    starts = tuple((Fighter(unit), unit_of(view, unit).area) for unit in sorted(units))
    foes = tuple(Fighter(each.unit) for each in foes_in(table_of(view), target, side_of(view, by) or ""))
    fought = replace(view, attack=Attack(by, kind, target, starts, foes))
    return [die.colour for die in attack_pool(fought)], [die.colour for die in defence_pool(fought)]


@cache
def _chances(mine: tuple[Colour, ...], theirs: tuple[Colour, ...]) -> tuple[int, int]:
    """In how many of a hundred rolls a kill, and any result, is left when all shields are used (JA-125, JA-126)."""
    shields = _shields(theirs)
    kill = some = Fraction(0)
    for (kills, harm), chance in _harm(mine).items():
        kill += chance * sum(shields[:kills], Fraction(0))
        some += chance * sum(shields[:harm], Fraction(0))
    return round(kill * 100), round(some * 100)


def _harm(dice: Sequence[Colour]) -> dict[Counts, Fraction]:
    found: dict[Counts, Fraction] = {(0, 0): Fraction(1)}
    for colour in dice:
        longer: dict[Counts, Fraction] = {}
        for (kills, harm), chance in found.items():
            for shown in FACES[colour]:
                key = (kills + (shown == Face.KILL), harm + (shown in HARMFUL))
                longer[key] = longer.get(key, Fraction(0)) + chance / FACES_OF_A_DIE
        found = longer
    return found


def _shields(dice: Sequence[Colour]) -> list[Fraction]:
    """The chances of none, one, two ... shields."""
    found = [Fraction(1)]
    for colour in dice:
        hit = Fraction(sum(shown == Face.SHIELD for shown in FACES[colour]), FACES_OF_A_DIE)
        longer = [*found, Fraction(0)]
        found = [longer[n] * (1 - hit) + (longer[n - 1] * hit if n else 0) for n in range(len(longer))]
    return found
