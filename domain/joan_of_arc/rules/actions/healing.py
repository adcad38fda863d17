"""The heal action (JA-211, JA-212, JA-272)."""

from collections.abc import Iterator

from domain.joan_of_arc.rules.actions.declared import Declared
from domain.joan_of_arc.rules.actions.waiting import wait
from domain.joan_of_arc.state.events import ActionResolved, UnitHealed
from domain.joan_of_arc.state.queries import card_of, side_of, unit_of
from domain.joan_of_arc.state.state import Activation, JoanState, Plan, Unit, UnitId
from domain.kernel import Procedure, Resolver


class HealOther(Declared, frozen=True):
    """Remove a wound from this character."""

    other: UnitId

    def plan(self, unit: UnitId) -> Plan:
        """Each heals alone."""
        return Plan(unit, "heal", aim=self.other)


def offers(state: JoanState, unit: Unit, now: Activation) -> Iterator[Declared]:
    """JA-D41: the wounded characters of its side in its area but itself (JA-212)."""
    if card_of(state, unit).skills.heal:
        yield from (HealOther(other.id) for other in wounded_beside(state, unit))


def wounded_beside(state: JoanState, unit: Unit) -> Iterator[Unit]:
    """The other wounded characters of the same side in the same area."""
    side = side_of(state, unit.owner)
    for other in state.field.units.values():
        near = other.spot == "board" and other.area == unit.area and other.id != unit.id and other.wounds > 0
        if near and card_of(state, other).kind == "character" and side_of(state, other.owner) == side:
            yield other


def carry_out(r: Resolver[JoanState], plans: tuple[Plan, ...]) -> Procedure | None:
    """JA-211: one wound token goes; JA-090: or the healer waits, if the other is gone or no longer wounded."""
    (plan,) = plans
    healer = unit_of(r.state, plan.unit)
    other = next((each for each in wounded_beside(r.state, healer) if each.id == plan.aim), None)
    if other is None:
        wait(r, plan.unit, "JA-090")
        return None
    r.emit(UnitHealed(other.id, other.wounds - 1))
    r.emit(ActionResolved((plan.unit,)))
    return None
