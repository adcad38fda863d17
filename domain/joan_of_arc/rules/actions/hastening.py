"""The haste action (JA-199, JA-200): several areas in one action."""

from collections.abc import Iterator
from typing import Final

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.rules.actions.declared import Declared, destination_taken, partners
from domain.joan_of_arc.rules.actions.walking import Walking, may_move, room_for
from domain.joan_of_arc.rules.actions.ways import ways_alone
from domain.joan_of_arc.state.queries import card_of, side_of, standing, table_of
from domain.joan_of_arc.state.state import Activation, JoanState, Plan, Unit, UnitId
from domain.kernel import Procedure, Resolver

SINGLE: Final = 1
"""The areas of a plain move, which needs no haste."""


class Haste(Declared, frozen=True):
    """Move through these areas, in this order."""

    path: tuple[AreaId, ...]

    def plan(self, unit: UnitId) -> Plan:
        """Units that take the same path go together."""
        return Plan(unit, "haste", self.path)


def offers(state: JoanState, unit: Unit, now: Activation) -> Iterator[Declared]:
    """JA-199, JA-271: up to X areas; a single one is a move. JA-386: a war machine is never moved farther."""
    card = card_of(state, unit)
    if card.skills.haste > SINGLE and "war_machine" not in card.traits and may_move(state, unit):
        yield from (Haste(way) for way in long_ways(state, unit, card.skills.haste, "haste", now))


def long_ways(state: JoanState, unit: Unit, most: int, action: str, now: Activation) -> Iterator[tuple[AreaId, ...]]:
    """The ways of more than one area that a unit may be declared to take, with the units that take the same way."""
    side = side_of(state, unit.owner) or ""
    (alone,) = standing(state, (unit.id,))
    for way in ways_alone(table_of(state), unit.area, alone, side, most):
        if len(way) > SINGLE:
            plan = Plan(unit.id, action, way)  # type: ignore[arg-type]  # the name of a movement
            if destination_taken(now, plan):
                continue
            group = (*(other.unit for other in partners(now, plan)), unit.id)
            if len(group) == 1 or room_for(state, group, way) == len(group):
                yield way


def carry_out(r: Resolver[JoanState], plans: tuple[Plan, ...]) -> Procedure | None:
    """JA-200: each area is checked again."""
    return Walking(tuple(plan.unit for plan in plans), plans[0].path, "haste")
