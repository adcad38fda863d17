"""Charges as part of an attack (JA-Q42): charging units move first, then attack together."""

from typing import Final

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.rules.actions.walking import WhoMoves, may_go, room_for
from domain.joan_of_arc.rules.moving import shift
from domain.joan_of_arc.state.queries import acting, area_of, standing, unit_of
from domain.joan_of_arc.state.state import JoanState, Plan, UnitId
from domain.kernel import Resolver

OPEN: Final = frozenset({"plain", "field"})
"""JA-294: terrain that a charge gains momentum on."""


def until_swamp(state: JoanState, path: tuple[AreaId, ...]) -> tuple[AreaId, ...]:
    """JA-303: the way up to the first swamp."""
    at = next((at for at, area in enumerate(path, 1) if area_of(state, area).terrain == "swamp"), len(path))
    return path[:at]


def ways(plans: tuple[Plan, ...]) -> tuple[tuple[AreaId, ...], ...]:
    """The different ways of the charging units, as declared."""
    return tuple(dict.fromkeys(plan.path for plan in plans if plan.action == "charge"))


def ride(r: Resolver[JoanState], plans: tuple[Plan, ...], path: tuple[AreaId, ...]) -> WhoMoves | None:
    """The units that charge this way move together; JA-Q14: if not all of them fit, their owner chooses."""
    way = until_swamp(r.state, path)
    group = (plan.unit for plan in plans if plan.action == "charge" and plan.path == path)
    able = tuple(unit for unit in group if may_go(r.state, unit, way))
    if able and room_for(r.state, able, way) < len(able):
        return WhoMoves(acting(r.state).by, able, way, "charge")
    if able:
        shift(r, able, way, "charge")
    return None


def arrived(state: JoanState, plans: tuple[Plan, ...]) -> tuple[UnitId, ...]:
    """The units that reached the end of their path, path by path."""
    found = (plan for path in ways(plans) for plan in plans if plan.action == "charge" and plan.path == path)
    return tuple(plan.unit for plan in found if unit_of(state, plan.unit).area == plan.path[-1])


def is_smooth(state: JoanState, plan: Plan) -> bool:
    """JA-294, JA-Q65: whether a cavalry unit's charge entered only plain and field."""
    (found,) = standing(state, (plan.unit,))
    return found.card.arm == "cavalry" and all(area_of(state, area).terrain in OPEN for area in plan.path)
