"""The prayer action (JA-210, JA-280)."""

from collections.abc import Iterator
from typing import Literal

from domain.joan_of_arc.rules.actions.declared import Declared
from domain.joan_of_arc.state.events import ActionResolved, ResourceGained
from domain.joan_of_arc.state.queries import card_of, unit_of
from domain.joan_of_arc.state.state import Activation, JoanState, Plan, Unit, UnitId
from domain.kernel import Procedure, Resolver


class Pray(Declared, frozen=True):
    """Take one of these tokens."""

    take: Literal["xp", "legend"]

    def plan(self, unit: UnitId) -> Plan:
        """Each prays alone."""
        return Plan(unit, "prayer", aim=self.take)


def offers(state: JoanState, unit: Unit, now: Activation) -> Iterator[Declared]:
    """JA-D40: XP or legend, for a unit with the skill."""
    if card_of(state, unit).skills.prayer:
        yield Pray("xp")
        yield Pray("legend")


def carry_out(r: Resolver[JoanState], plans: tuple[Plan, ...]) -> Procedure | None:
    """JA-210: one token from the common pool."""
    (plan,) = plans
    owner = unit_of(r.state, plan.unit).owner
    assert owner is not None, "who was activated is somebody's"
    r.emit(ResourceGained(owner, "xp" if plan.aim == "xp" else "legend", 1, "JA-210"))
    r.emit(ActionResolved((plan.unit,)))
    return None
