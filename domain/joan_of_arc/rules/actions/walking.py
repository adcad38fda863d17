"""The move action (section I): one border, alone or in a group (JA-091 to JA-097); level changes of flying units."""

from collections.abc import Iterator
from itertools import pairwise

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.board.table import destinations, entry_bar, left, move_bar
from domain.joan_of_arc.cards.units import spaces
from domain.joan_of_arc.rules.actions.declared import Declared, destination_taken, partners
from domain.joan_of_arc.rules.actions.waiting import wait
from domain.joan_of_arc.rules.moving import shift
from domain.joan_of_arc.state.events import ActionResolved, MoveKind, PassengerTaken, UnitMarked
from domain.joan_of_arc.state.queries import area_of, card_of, side_of, table_of, travelling, unit_of
from domain.joan_of_arc.state.state import NO_UNIT, Activation, JoanState, Plan, Unit, UnitId
from domain.kernel import DONE, NEXT, Choice, Decision, Flow, Pick, Procedure, Resolver, ask, step


class Move(Declared, frozen=True):
    """Cross one border into this area; a carrier may take a passenger along."""

    area: AreaId
    passenger: UnitId = NO_UNIT

    def plan(self, unit: UnitId) -> Plan:
        """JA-093: all units that go to the same area move together."""
        return Plan(unit, "move", (self.area,), aim=self.passenger)


def offers(state: JoanState, unit: Unit, now: Activation) -> Iterator[Declared]:
    """JA-091, JA-092: the adjacent areas that are free or allied, or interiors, with room for the whole group."""
    if not may_move(state, unit):
        return
    for passenger in (NO_UNIT, *passengers(state, unit, now)):
        yield from _moves(state, unit, now, passenger)


def _moves(state: JoanState, unit: Unit, now: Activation, passenger: UnitId) -> Iterator[Move]:
    side, table = side_of(state, unit.owner) or "", table_of(state)
    for end in destinations(table, unit.area, travelling(state, (unit.id,), passenger), side):
        move = Move(end, passenger)
        plan = move.plan(unit.id)
        others = partners(now, plan)
        if others:
            picked = (passenger, *(other.aim for other in others))
            group = travelling(state, (*(other.unit for other in others), unit.id), *picked)
            if move_bar(table, unit.area, end, group, side) is not None:
                continue
        if not destination_taken(now, plan) and not level_barred(state, unit, end):
            yield move


def passengers(state: JoanState, unit: Unit, now: Activation) -> Iterator[UnitId]:
    """JA-256, JA-D37, JA-Q55: one character or civilian of its side without Big in the carrier's ground area."""
    if not card_of(state, unit).skills.carrier or area_of(state, unit.area).level != "ground":
        return
    taken = {plan.aim for plan in now.plans if plan.action == "move"} | {
        plan.unit for plan in now.plans if plan.action not in {"wait", "move"}
    }
    side = side_of(state, unit.owner)
    for other in state.field.units.values():
        here = other.spot == "board" and other.area == unit.area and other.id != unit.id and not other.carrier
        if here and other.id not in taken and side_of(state, other.owner) == side and _light(state, other):
            yield other.id


def _light(state: JoanState, unit: Unit) -> bool:
    card = card_of(state, unit)
    return card.kind in {"character", "civilian"} and not card.skills.big and not card.gigantic


def may_move(state: JoanState, unit: Unit) -> bool:
    """JA-385, JA-Q79: a war machine takes one move action a turn; gigantic creatures move by whole hexes (JA-372)."""
    return "moved_machine" not in unit.marks and not card_of(state, unit).gigantic


def level_barred(state: JoanState, unit: Unit, end: AreaId) -> bool:
    """JA-362, JA-Q81: a flying unit changes level once a turn."""
    return "changed_level" in unit.marks and changes_level(state, unit.area, end)


def changes_level(state: JoanState, start: AreaId, end: AreaId) -> bool:
    """JA-361: between the sky and the ground."""
    return (area_of(state, start).level == "sky") != (area_of(state, end).level == "sky")


def carry_out(r: Resolver[JoanState], plans: tuple[Plan, ...]) -> Procedure | None:
    """JA-093: the group moves; JA-Q14: if only part of it fits, its owner picks the units."""
    riders = tuple((plan.unit, UnitId(plan.aim)) for plan in plans if plan.aim)
    return Walking(tuple(plan.unit for plan in plans), plans[0].path, "move", riders)


class Walking(Procedure, frozen=True):
    """JA-090 to JA-093: a group, or those of it that still may, moves along a path. `ends`: as in `ActionResolved`."""

    units: tuple[UnitId, ...]
    path: tuple[AreaId, ...]
    kind: MoveKind
    riders: tuple[tuple[UnitId, UnitId], ...] = ()
    ends: bool = False

    @step("JA-256")
    def pick_up(self, r: Resolver[JoanState]) -> Flow:
        """Carriers take their passengers, if both are still there and have room."""
        for carrier, unit in self.riders:
            found, other = unit_of(r.state, carrier), unit_of(r.state, unit)
            near = found.spot == other.spot == "board" and found.area == other.area and not other.carrier
            if near and _both_fit(r.state, found, unit, self.path):
                r.emit(PassengerTaken(carrier, unit))
        return NEXT

    @step("JA-090", "JA-Q14")
    def fit(self, r: Resolver[JoanState]) -> Flow:
        """Units that can no longer move wait; where room is short, the owner chooses."""
        may = may_land if self.kind == "jump" else may_go
        able = tuple(unit for unit in self.units if may(r.state, unit, self.path))
        for unit in self.units:
            if unit not in able:
                wait(r, unit, "JA-090")
        if not able:
            return DONE
        if room_for(r.state, able, self.path) == len(able):
            walk(r, able, self.path, self.kind, ends=self.ends)
            return DONE
        owner = unit_of(r.state, able[0]).owner
        assert owner is not None, "who was activated is somebody's"
        return ask(WhoMoves(owner, able, self.path, self.kind, self.ends))

    @step("JA-093")
    def gone(self, r: Resolver[JoanState]) -> Flow:
        """The units that were picked have moved."""
        return DONE


def _both_fit(state: JoanState, carrier: Unit, unit: UnitId, path: tuple[AreaId, ...]) -> bool:
    group, side = travelling(state, (carrier.id,), unit), side_of(state, carrier.owner) or ""
    return move_bar(table_of(state), carrier.area, path[-1], group, side) is None


def may_go(state: JoanState, unit: UnitId, path: tuple[AreaId, ...]) -> bool:
    """JA-Q38: whether a unit by itself could enter each area of a path now."""
    found = unit_of(state, unit)
    if found.spot != "board" or not may_move(state, found) or level_barred(state, found, path[-1]):
        return False
    if found.carrier:
        return False
    side, alone = side_of(state, found.owner) or "", travelling(state, (unit,))
    way = (found.area, *path)
    return all(move_bar(table_of(state), start, end, alone, side) is None for start, end in pairwise(way))


def may_land(state: JoanState, unit: UnitId, path: tuple[AreaId, ...]) -> bool:
    """JA-201, JA-202: whether a unit that jumps could be set down in the last area of a path now."""
    found = unit_of(state, unit)
    side, alone = side_of(state, found.owner) or "", travelling(state, (unit,))
    here = found.spot == "board" and not found.carrier
    return here and entry_bar(table_of(state), path[-1], alone, side) is None


def room_for(state: JoanState, units: tuple[UnitId, ...], path: tuple[AreaId, ...]) -> int:
    """The number of these units that find room in every area of a path, even if they are the largest ones."""
    room = min(left(table_of(state), area) for area in path)
    most = 0
    for size in sorted((_size(state, unit) for unit in units), reverse=True):
        if size > room:
            break
        room, most = room - size, most + 1
    return most


def _size(state: JoanState, unit: UnitId) -> int:
    """The spaces of a unit and of the unit it carries (JA-259)."""
    return sum(spaces(each.card) for each in travelling(state, (unit,)))


def walk(
    r: Resolver[JoanState], units: tuple[UnitId, ...], path: tuple[AreaId, ...], kind: MoveKind, *, ends: bool
) -> None:
    """The group moves; actions allowed once a turn are marked (JA-362, JA-385)."""
    for unit in units:
        found = unit_of(r.state, unit)
        if changes_level(r.state, found.area, path[-1]):
            r.emit(UnitMarked(unit, "changed_level"))
        if "war_machine" in card_of(r.state, found).traits:
            r.emit(UnitMarked(unit, "moved_machine"))
    shift(r, units, path, kind)
    r.emit(ActionResolved(units, moved_to=path[-1], ends=ends))


class MoveThese(Choice, frozen=True):
    """These units move, the others wait."""

    units: tuple[str, ...]


class WhoMoves(Decision, frozen=True):
    """JA-D10 The units that move, if not all units of a group fit any more."""

    rule = "JA-Q14"

    units: tuple[UnitId, ...]
    path: tuple[AreaId, ...]
    kind: MoveKind
    ends: bool = False

    def form(self, state: JoanState) -> Pick:
        """As many as have room, or fewer."""
        return Pick(MoveThese, self.units, 0, room_for(state, self.units, self.path))

    def resolve(self, r: Resolver[JoanState], choice: MoveThese) -> Flow:
        """JA-090: the others wait; JA-Q42: for chargers this happens as their attack is declared."""
        moving = tuple(unit for unit in self.units if unit in choice.units)
        if self.kind == "charge":
            if moving:
                shift(r, moving, self.path, self.kind)
            return NEXT
        for unit in self.units:
            if unit not in moving:
                wait(r, unit, "JA-Q14")
        if moving:
            walk(r, moving, self.path, self.kind, ends=self.ends)
        return NEXT
