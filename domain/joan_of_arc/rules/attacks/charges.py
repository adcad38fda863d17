"""Charges as part of an attack (JA-Q42): who charges moves first, all who do then attack together."""

from typing import Final

from domain.joan_of_arc.hexes import AreaId
from domain.joan_of_arc.queries import area_of, standing, table_of
from domain.joan_of_arc.rules.actions.walking import may_go
from domain.joan_of_arc.rules.moving import shift
from domain.joan_of_arc.state import JoanState, Plan, UnitId
from domain.joan_of_arc.table import left
from domain.joan_of_arc.units import spaces
from domain.kernel import Resolver

OPEN: Final = frozenset({"plain", "field"})
"""JA-294: terrain that a charge gains momentum on."""


def until_swamp(state: JoanState, path: tuple[AreaId, ...]) -> tuple[AreaId, ...]:
    """JA-303: the way up to the first swamp."""
    at = next((at for at, area in enumerate(path, 1) if area_of(state, area).terrain == "swamp"), len(path))
    return path[:at]


def ride(r: Resolver[JoanState], plans: tuple[Plan, ...]) -> tuple[UnitId, ...]:
    """The chargers move, those of one way together; who came through is given back, the others are to wait."""
    arrived: list[UnitId] = []
    for path in dict.fromkeys(plan.path for plan in plans):
        way = until_swamp(r.state, path)
        group = _fitting(r.state, tuple(plan.unit for plan in plans if plan.path == path), way)
        if group:
            shift(r, group, way, "charge")
        if way == path:
            arrived += group
    return tuple(arrived)


def _fitting(state: JoanState, units: tuple[UnitId, ...], way: tuple[AreaId, ...]) -> tuple[UnitId, ...]:
    """JA-Q14: those that may still go this way, as many as find room, in the order of their ids."""
    room, group = min(left(table_of(state), area) for area in way), []
    for unit in units:
        (found,) = standing(state, (unit,))
        if may_go(state, unit, way) and spaces(found.card) <= room:
            room -= spaces(found.card)
            group.append(unit)
    return tuple(group)


def is_smooth(state: JoanState, plan: Plan) -> bool:
    """JA-294, JA-Q65: whether a cavalry unit's charge entered only plain and field."""
    (found,) = standing(state, (plan.unit,))
    return found.card.arm == "cavalry" and all(area_of(state, area).terrain in OPEN for area in plan.path)
