"""The engineer actions (section R): a barricade, setting fire, putting it out."""

from collections.abc import Iterator

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.board.table import barricade_fits, destinations, furnishing
from domain.joan_of_arc.rules.actions.declared import Declared, destination_taken
from domain.joan_of_arc.rules.actions.waiting import wait
from domain.joan_of_arc.rules.actions.walking import changes_level, level_barred, may_go
from domain.joan_of_arc.rules.moving import shift
from domain.joan_of_arc.state.events import ActionResolved, BarricadeBuilt, FirePlaced, FirePutOut, UnitMarked
from domain.joan_of_arc.state.queries import card_of, side_of, standing, table_of, unit_of
from domain.joan_of_arc.state.state import NOWHERE, Activation, JoanState, Plan, Unit, UnitId
from domain.kernel import Procedure, Resolver


class BuildBarricade(Declared, frozen=True):
    """Build a barricade here."""

    def plan(self, unit: UnitId) -> Plan:
        """JA-213: in its own area."""
        return Plan(unit, "barricade")


class SetFire(Declared, frozen=True):
    """Place a fire token here, then move into this area, if one is named."""

    area: AreaId = NOWHERE

    def plan(self, unit: UnitId) -> Plan:
        """JA-Q90: the movement is optional, and made at once."""
        return Plan(unit, "set_fire", (self.area,) if self.area else ())


class PutOut(Declared, frozen=True):
    """Remove the fire token here."""

    def plan(self, unit: UnitId) -> Plan:
        """JA-222: instead of setting one."""
        return Plan(unit, "put_out")


def offers(state: JoanState, unit: Unit, now: Activation) -> Iterator[Declared]:
    """JA-D42, JA-268: the work of an engineer where it stands; JA-215, JA-223: one barricade and one fire an area."""
    if not card_of(state, unit).skills.engineer:
        return
    table = table_of(state)
    planned = {plan.action for plan in now.plans if unit_of(state, plan.unit).area == unit.area}
    if barricade_fits(table, unit.area) and "barricade" not in planned:
        yield BuildBarricade()
    if furnishing(table, unit.area).fire:
        yield PutOut()
    elif "set_fire" not in planned:
        yield SetFire()
        side = side_of(state, unit.owner) or ""
        for end in destinations(table, unit.area, standing(state, (unit.id,)), side):
            if not destination_taken(now, SetFire(end).plan(unit.id)) and not level_barred(state, unit, end):
                yield SetFire(end)


def build(r: Resolver[JoanState], plans: tuple[Plan, ...]) -> Procedure | None:
    """JA-213, JA-Q43: the barricade belongs to the engineer's side."""
    (plan,) = plans
    unit = unit_of(r.state, plan.unit)
    if barricade_fits(table_of(r.state), unit.area):
        r.emit(BarricadeBuilt(unit.area, side_of(r.state, unit.owner) or ""))
        r.emit(ActionResolved((plan.unit,)))
    else:
        wait(r, plan.unit, "JA-090")
    return None


def burn(r: Resolver[JoanState], plans: tuple[Plan, ...]) -> Procedure | None:
    """JA-221, JA-Q90: the token is placed, in a building on its interior; then the unit moves, if it still can."""
    (plan,) = plans
    unit = unit_of(r.state, plan.unit)
    assert unit.owner is not None, "who was activated is somebody's"
    if furnishing(table_of(r.state), unit.area).fire:
        wait(r, plan.unit, "JA-090")
        return None
    r.emit(FirePlaced(unit.owner, unit.area))
    goes = bool(plan.path) and may_go(r.state, plan.unit, plan.path)
    if goes and changes_level(r.state, unit.area, plan.path[-1]):
        r.emit(UnitMarked(plan.unit, "changed_level"))  # JA-362
    if goes:
        shift(r, (plan.unit,), plan.path, "fire_set")
    r.emit(ActionResolved((plan.unit,), moved_to=plan.path[-1] if goes else NOWHERE))
    return None


def quench(r: Resolver[JoanState], plans: tuple[Plan, ...]) -> Procedure | None:
    """JA-222: the token goes."""
    (plan,) = plans
    unit = unit_of(r.state, plan.unit)
    if furnishing(table_of(r.state), unit.area).fire:
        r.emit(FirePutOut(unit.area))
        r.emit(ActionResolved((plan.unit,)))
    else:
        wait(r, plan.unit, "JA-090")
    return None
