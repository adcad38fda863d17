"""Waiting (JA-089)."""

from collections.abc import Iterator

from domain.joan_of_arc.rules.actions.declared import Declared
from domain.joan_of_arc.state.events import ActionResolved, UnitWaited
from domain.joan_of_arc.state.state import Activation, JoanState, Plan, Unit, UnitId
from domain.kernel import Procedure, Resolver


class Wait(Declared, frozen=True):
    """Stay here and do nothing."""

    def plan(self, unit: UnitId) -> Plan:
        """JA-086: open to every unit."""
        return Plan(unit, "wait")


def offers(state: JoanState, unit: Unit, now: Activation) -> Iterator[Declared]:
    """Waiting is always open."""
    yield Wait()


def carry_out(r: Resolver[JoanState], plans: tuple[Plan, ...]) -> Procedure | None:
    """JA-089: the unit stays in its area and does nothing."""
    for plan in plans:
        wait(r, plan.unit, "JA-089")
    return None


def wait(r: Resolver[JoanState], unit: UnitId, rule: str, *, ends: bool = False) -> None:
    """A unit has waited: as declared, or because its declared action is no longer possible (JA-090)."""
    r.emit(UnitWaited(unit, rule))
    r.emit(ActionResolved((unit,), ends=ends))
