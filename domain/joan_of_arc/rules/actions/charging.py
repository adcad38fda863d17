"""The charge action (JA-203 to JA-209): under a charge order, a move and a melee attack in one."""

from collections.abc import Iterator

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.rules.actions.declared import Declared, destination_taken, partners
from domain.joan_of_arc.rules.actions.fighting import open_target
from domain.joan_of_arc.rules.actions.walking import Walking, room_for
from domain.joan_of_arc.rules.actions.ways import ways_alone
from domain.joan_of_arc.rules.attacks.attacking import Attacking
from domain.joan_of_arc.rules.attacks.charges import until_swamp
from domain.joan_of_arc.rules.attacks.targets import enemy_areas, reaches
from domain.joan_of_arc.state.queries import area_of, card_of, side_of, standing, table_of
from domain.joan_of_arc.state.state import NOWHERE, Activation, JoanState, Plan, Unit, UnitId
from domain.kernel import Procedure, Resolver


class Charge(Declared, frozen=True):
    """Move along this path and attack this area, if one is named."""

    path: tuple[AreaId, ...]
    target: AreaId = NOWHERE

    def plan(self, unit: UnitId) -> Plan:
        """JA-207: one action of one activation."""
        return Plan(unit, "charge", self.path, self.target)


def offers(state: JoanState, unit: Unit, now: Activation) -> Iterator[Declared]:
    """JA-062, JA-203, JA-262: for a unit with Charge, activated by a charge order; JA-Q41: at least one area is
    entered; JA-206: the attack may be left out.
    """
    card = card_of(state, unit)
    if now.order != "charge" or not card.skills.charge or not may_start(state, unit):
        return
    side = side_of(state, unit.owner) or ""
    most = 2 if card.arm == "cavalry" else 1  # JA-204, JA-205
    (alone,) = standing(state, (unit.id,))
    for way in ways_alone(table_of(state), unit.area, alone, side, most):
        if not _may_charge(state, way):
            continue
        for target in (NOWHERE, *targets(state, unit, now, way)):
            plan = Charge(way, target).plan(unit.id)
            group = (*(other.unit for other in partners(now, plan) if other.path == way), unit.id)
            fits = len(group) == 1 or room_for(state, group, way) == len(group)
            if fits and not destination_taken(now, plan):
                yield Charge(way, target)


def may_start(state: JoanState, unit: Unit) -> bool:
    """JA-064, JA-208: not from an interior; JA-209, JA-302: nor from a swamp."""
    here = area_of(state, unit.area)
    return here.level != "interior" and here.terrain != "swamp"


def _may_charge(state: JoanState, way: tuple[AreaId, ...]) -> bool:
    """JA-208: into no interior; JA-209, JA-Q40: the last area is no swamp."""
    inside = any(area_of(state, area).level == "interior" for area in way)
    return not inside and area_of(state, way[-1]).terrain != "swamp"


def targets(state: JoanState, unit: Unit, now: Activation, way: tuple[AreaId, ...]) -> Iterator[AreaId]:
    """JA-204: the enemy areas next to the end of the path, without swamps (JA-Q40) and interiors (JA-208)."""
    card, table = card_of(state, unit), table_of(state)
    for area in enemy_areas(state, now.by):
        there = area_of(state, area)
        fits = there.terrain != "swamp" and there.level != "interior" and open_target(now, area, "melee")
        if fits and reaches(table, way[-1], area, card, "melee"):
            yield area


def carry_out(r: Resolver[JoanState], plans: tuple[Plan, ...]) -> Procedure | None:
    """The attack, or the move alone; JA-303: a swamp on the way stops it."""
    if plans[0].target:
        return Attacking(plans)
    units, path = tuple(plan.unit for plan in plans), plans[0].path
    way = until_swamp(r.state, path)
    return Walking(units, way, "charge", ends=way != path)
