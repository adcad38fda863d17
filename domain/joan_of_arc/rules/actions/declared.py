"""The base of all actions that a unit is declared to take, and the common parts of one activation (section H)."""

from collections.abc import Iterator

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.state.state import ActionName, Activation, Plan, UnitId
from domain.kernel import Choice


class _Declared(Choice, frozen=True):
    """An action of one unit, described by `plan`."""

    def plan(self, unit: UnitId) -> Plan:
        """The plan of the unit."""
        raise NotImplementedError(type(self).__name__)


Declared = _Declared

MOVEMENTS = frozenset[ActionName]({"move", "stride", "march", "haste", "jump", "charge"})
"""JA-094: actions that move units to an area."""
ATTACKS = frozenset[ActionName]({"melee", "shooting", "trample", "charge"})
"""JA-104: actions that attack an area; a charge does if it names one."""


def action_of(plan: Plan) -> str:
    """JA-082: the action that a plan is part of; units with an equal value take part in one action.

    JA-093: all that move to one area; JA-105, JA-Q42: all that attack one area, chargers too.
    """
    if plan.action in ATTACKS and plan.target:
        return f"attack {plan.target}"
    if plan.action in MOVEMENTS:
        return f"move {plan.path[-1]}"
    return f"{plan.action} {plan.unit}"


def undeclared(now: Activation) -> Iterator[UnitId]:
    """The units without a declared action, in the order of their ids."""
    known = {plan.unit for plan in now.plans}
    return (unit for unit in now.units if unit not in known)


def partners(now: Activation, plan: Plan) -> tuple[Plan, ...]:
    """The declared plans that are part of the same action."""
    if not now.plans:
        return ()
    name = action_of(plan)
    return tuple(other for other in now.plans if action_of(other) == name)


def destination_taken(now: Activation, plan: Plan) -> bool:
    """JA-094, JA-Q90: whether another movement action of the activation leads to the same area."""
    end: AreaId = plan.path[-1]
    if end in now.moved_to:
        return True
    if not now.plans:
        return False
    others = (other for other in now.plans if other.path and other.path[-1] == end)
    alike = plan.action in MOVEMENTS
    return any(
        not alike or (other.action, other.path, other.target) != (plan.action, plan.path, plan.target)
        for other in others
    )
