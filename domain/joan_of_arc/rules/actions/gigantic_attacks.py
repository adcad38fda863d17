"""Gigantic attacks: of gigantic creatures on a hex (JA-374, JA-375), and of Big units on an area (JA-251, JA-252)."""

from collections.abc import Iterator

from domain.joan_of_arc.board.hexes import AreaId, distance
from domain.joan_of_arc.rules.actions.declared import Declared
from domain.joan_of_arc.rules.actions.fighting import open_target
from domain.joan_of_arc.rules.actions.waiting import wait
from domain.joan_of_arc.rules.attacks.attacking import Attacking
from domain.joan_of_arc.rules.attacks.gigantic_dice import Trampling
from domain.joan_of_arc.rules.attacks.targets import enemy_areas, foes_in, is_building, reaches
from domain.joan_of_arc.state.queries import card_of, side_of, table_of, unit_of
from domain.joan_of_arc.state.state import Activation, JoanState, Plan, Unit, UnitId
from domain.kernel import Procedure, Resolver


class Trample(Declared, frozen=True):
    """Attack with a gigantic die: this area, or the hex whose first area it is."""

    area: AreaId

    def plan(self, unit: UnitId) -> Plan:
        """JA-252: a Big unit attacks together with others."""
        return Plan(unit, "trample", target=self.area)


def offers(state: JoanState, unit: Unit, now: Activation) -> Iterator[Declared]:
    """JA-251, JA-D14: a Big unit on the ground, no war machine, once a round; JA-374: a gigantic creature, on a hex."""
    card = card_of(state, unit)
    if card.gigantic:
        yield from (Trample(area) for area in prey(state, unit, now))
        return
    ground = table_of(state).board.areas[unit.area].level == "ground"
    if card.skills.big and card.melee is not None and ground and "trampled" not in unit.marks:
        for area in enemy_areas(state, now.by):
            if open_target(now, area, "melee") and reaches(table_of(state), unit.area, area, card, "melee"):
                yield Trample(area)


def prey(state: JoanState, unit: Unit, now: Activation) -> Iterator[AreaId]:
    """JA-374: the adjacent hexes of its level with enemy units or buildings, by their first areas; JA-375: from the
    sky all hexes of the ground too.
    """
    table, side = table_of(state), side_of(state, unit.owner) or ""
    here = table.board.areas[unit.area]
    for areas in (*table.board.hexes["ground"].values(), *table.board.hexes["sky"].values()):
        there = table.board.areas[areas[0]]
        below = (here.level, there.level) == ("sky", "ground")
        near = below or (here.level == there.level and distance(here.hex, there.hex) == 1)
        worth = any(foes_in(table, area, side) or is_building(table, area) for area in areas)
        if near and worth and areas[0] not in now.attacked:
            yield areas[0]


def carry_out(r: Resolver[JoanState], plans: tuple[Plan, ...]) -> Procedure | None:
    """JA-252: with the other attackers of the area; a gigantic creature by itself."""
    unit = unit_of(r.state, plans[0].unit)
    if not card_of(r.state, unit).gigantic or unit.owner is None:
        return Attacking(plans)
    for plan in plans[1:]:
        wait(r, plan.unit, "JA-090")
    board = table_of(r.state).board
    at = board.areas[plans[0].target]
    return Trampling(unit.owner, unit.id, board.hexes[at.level][at.hex])
