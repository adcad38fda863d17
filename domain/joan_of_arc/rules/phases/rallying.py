"""Coming back from the infirmary (JA-228 to JA-232, JA-236)."""

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.board.table import entry_bar
from domain.joan_of_arc.rules.attacks.results import rallied
from domain.joan_of_arc.state.events import UnitRallied, UnitWaiting
from domain.joan_of_arc.state.queries import card_of, setting_of, side_of, standing, table_of, unit_of
from domain.joan_of_arc.state.state import JoanState, Unit, UnitId
from domain.kernel import DONE, NEXT, Choice, Decision, Flow, One, Procedure, Resolver, ask, only, step


class RallyAt(Choice, frozen=True):
    """Place the unit in this area."""

    area: AreaId


class RallyPlace(Decision, frozen=True):
    """JA-D54 The area where a unit comes back (JA-Q48)."""

    rule = "JA-228"

    unit: UnitId

    def form(self, state: JoanState) -> One:
        """The areas with an allied rally point that it may enter."""
        return only(tuple(RallyAt(area) for area in rally_areas(state, unit_of(state, self.unit))))

    def resolve(self, r: Resolver[JoanState], choice: RallyAt) -> Flow:
        """The unit stands there."""
        place(r, self.unit, choice.area)
        return NEXT


def rally_areas(state: JoanState, unit: Unit) -> tuple[AreaId, ...]:
    """JA-228, JA-Q48: the areas with a rally point of its side, free or allied, with space for it; JA-236, JA-281: a
    unit with Rally counts as a rally point, but not while it is carried (JA-260).
    """
    side = side_of(state, unit.owner) or ""
    found = {*state.rallies.get(side, ())}
    for other in state.field.units.values():
        here = other.spot == "board" and not other.carrier and side_of(state, other.owner) == side
        if here and card_of(state, other).skills.rally:
            found.add(other.area)
    table = table_of(state)
    (alone,) = standing(state, (unit.id,))
    areas = setting_of(state).board.in_order(found)
    return tuple(area for area in areas if entry_bar(table, area, (alone,), side) is None)


def place(r: Resolver[JoanState], unit: UnitId, area: AreaId) -> None:
    """JA-230: a unit with multiple HPs returns with 1 HP remaining."""
    found = unit_of(r.state, unit)
    r.emit(UnitRallied(unit, area, rallied(card_of(r.state, found), found.wounds)))


class Rallying(Procedure, frozen=True):
    """JA-228, JA-232: a unit comes back, if an area allows it."""

    unit: UnitId

    @step("JA-228", "JA-229")
    def rally(self, r: Resolver[JoanState]) -> Flow:
        """Its owner chooses among several areas; if there is none, the unit waits."""
        unit = unit_of(r.state, self.unit)
        areas = rally_areas(r.state, unit)
        if len(areas) > 1 and unit.owner is not None:
            return ask(RallyPlace(unit.owner, unit.id))
        if areas:
            place(r, unit.id, areas[0])
        elif unit.spot != "waiting":
            r.emit(UnitWaiting(unit.id))
        return NEXT

    @step("JA-230")
    def back(self, r: Resolver[JoanState]) -> Flow:
        """The unit stands where its owner chose."""
        return DONE
