"""The jump action (JA-201, JA-202): a unit lands in any area near enough, across anything between."""

from collections.abc import Iterator

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.board.table import entry_bar
from domain.joan_of_arc.rules.actions.declared import Declared, destination_taken, partners
from domain.joan_of_arc.rules.actions.walking import Walking
from domain.joan_of_arc.state.queries import card_of, side_of, table_of, travelling
from domain.joan_of_arc.state.state import Activation, JoanState, Plan, Unit, UnitId
from domain.kernel import Procedure, Resolver


class Jump(Declared, frozen=True):
    """Land in this area."""

    area: AreaId

    def plan(self, unit: UnitId) -> Plan:
        """Its way is the landing alone."""
        return Plan(unit, "jump", (self.area,))


def landings(state: JoanState, unit: Unit, most: int) -> Iterator[AreaId]:
    """JA-201, JA-Q39: areas of the same board within this distance, free or allied, with room; no interiors."""
    table, alone = table_of(state), travelling(state, (unit.id,))
    side = side_of(state, unit.owner) or ""
    start = table.board.areas[unit.area].around or unit.area
    for area in (*((start,) if start != unit.area else ()), *table.board.within(start, most)):
        if entry_bar(table, area, alone, side) is None:
            yield area


def offers(state: JoanState, unit: Unit, now: Activation) -> Iterator[Declared]:
    """JA-277: up to X areas; JA-386: no war machine."""
    card = card_of(state, unit)
    if not card.skills.jump or card.gigantic or "war_machine" in card.traits:
        return
    table, side = table_of(state), side_of(state, unit.owner) or ""
    for area in landings(state, unit, card.skills.jump):
        jump = Jump(area)
        plan = jump.plan(unit.id)
        group = travelling(state, (*(other.unit for other in partners(now, plan)), unit.id))
        if not destination_taken(now, plan) and entry_bar(table, area, group, side) is None:
            yield jump


def carry_out(r: Resolver[JoanState], plans: tuple[Plan, ...]) -> Procedure | None:
    """JA-202: the areas between do not matter; a unit without room waits (JA-Q14)."""
    return Walking(tuple(plan.unit for plan in plans), plans[0].path, "jump")
