"""The move action of gigantic creatures (section Z): whole hexes, over terrain elements (JA-372, JA-373, JA-Q88)."""

from collections.abc import Iterator

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.rules.actions.declared import Declared
from domain.joan_of_arc.rules.actions.waiting import wait
from domain.joan_of_arc.rules.actions.walking import changes_level
from domain.joan_of_arc.rules.moving import stride
from domain.joan_of_arc.state.events import ActionResolved, UnitMarked
from domain.joan_of_arc.state.queries import card_of, descents, strides, unit_of
from domain.joan_of_arc.state.state import Activation, JoanState, Plan, Unit, UnitId
from domain.kernel import Procedure, Resolver


class Stride(Declared, frozen=True):
    """Move into the hex with this first area."""

    area: AreaId

    def plan(self, unit: UnitId) -> Plan:
        """It fills the hex alone."""
        return Plan(unit, "stride", (self.area,))


def offers(state: JoanState, unit: Unit, now: Activation) -> Iterator[Declared]:
    """JA-372: an adjacent hex without units and buildings; JA-361, JA-362: or, once a turn, the other level."""
    if card_of(state, unit).gigantic:
        yield from (Stride(area) for area in reachable(state, unit))


def reachable(state: JoanState, unit: Unit) -> tuple[AreaId, ...]:
    """The hexes that a gigantic creature may move to, each by its first area."""
    levels = () if "changed_level" in unit.marks else descents(state, unit)
    return (*strides(state, unit), *levels)


def carry_out(r: Resolver[JoanState], plans: tuple[Plan, ...]) -> Procedure | None:
    """JA-373: terrain elements are removed before it moves."""
    (plan,) = plans
    unit, area = unit_of(r.state, plan.unit), plan.path[-1]
    if area not in reachable(r.state, unit):
        wait(r, plan.unit, "JA-090")
        return None
    if changes_level(r.state, unit.area, area):
        r.emit(UnitMarked(plan.unit, "changed_level"))
    stride(r, plan.unit, area, "stride")
    r.emit(ActionResolved((plan.unit,), moved_to=area))
    return None
