"""The board in a simulation: the positions after some orders, and the value of attacks from there."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain.joan_of_arc.board.hexes import AreaId, distance
from domain.joan_of_arc.board.sight import melee_reach, shot_bar
from domain.joan_of_arc.board.table import Standing, Table, furnishing, high, left, wooded_or_built
from domain.joan_of_arc.board.terrain import BUILDINGS
from domain.joan_of_arc.cards.dice import Face
from domain.joan_of_arc.cards.hooks import Attack as AttackKind
from domain.joan_of_arc.cards.units import spaces
from domain.joan_of_arc.rules.attacks.rolls import (
    barricade,
    clouds,
    cohesion,
    concentrated_fire,
    rainbow,
    stakes,
    support,
    terror,
    wall_shields,
    walls_around,
)
from domain.joan_of_arc.rules.attacks.targets import foes_in, whole
from domain.joan_of_arc.state.queries import optional_rules, setting_of, table_of
from domain.joan_of_arc.state.state import JoanState
from domain.kernel import Seat
from server.bots.joan_of_arc.odds import KINDS, NO_DICE, Counts, Left, Target, chance, counts, left_over, plus, target
from server.bots.joan_of_arc.worth import Goal, Worth, goals, rounds_left, ruins, steps_on, worth_of

PUSHED: Final = 0.1
"""The value of a push."""
CLEARED: Final = 0.15
"""The worth of letting the attackers follow up."""
AIMED: Final = 1.1
"""The factor for the higher value of results that the attacker may allocate (JA-287)."""
REROLLED: Final[Counts] = (0, 0, 0, 1)
"""The dice that are worth about as much as a reroll of one die: one white die."""


class Group(Struct, frozen=True):
    """The units of one seat in one area, which one order activates."""

    seat: Seat
    side: str
    area: AreaId
    units: tuple[Standing, ...]
    ids: tuple[str, ...]


class Strike(Struct, frozen=True):
    """The value of an attack to its side: the enemy's losses, its own losses, and the chance to empty the area."""

    gain: float = 0.0
    cost: float = 0.0
    cleared: float = 0.0

    @property
    def net(self) -> float:
        """The gain minus the cost."""
        return self.gain - self.cost


NO_STRIKE: Final = Strike()


class Pair(Struct, frozen=True):
    """The attacks of one group on another: the attack that is possible at once, and each way with its value, orders and
    charge.
    """

    now: Strike
    options: tuple[tuple[float, int, bool], ...] = ()


class ImaginedTable:
    """A simulated table, and its groups by side."""

    def __init__(self, table: Table, groups: dict[str, list[Group]]) -> None:
        self.table = table
        self.groups = groups


Standings = tuple[Standing, ...]


class Grounds:
    """Simulated tables of one board. The groups of an area are computed once for the same units, as one object."""

    def __init__(self, table: Table, sides: tuple[str, ...], owners: Mapping[str, Seat | None]) -> None:
        """`sides`: the side of each seat. `owners`: the seat of each unit, None if it has none."""
        self._sides, self._owners, self._table = sides, owners, table
        self._groups: dict[tuple[AreaId, int], tuple[Standings, tuple[Group, ...]]] = {}
        self._known_groups: dict[tuple[Seat, AreaId, tuple[str, ...]], Group] = {}
        self.here = self.ground(table)
        """The table in its current state."""

    def ground(self, table: Table) -> ImaginedTable:
        """A simulated table."""
        groups: dict[str, list[Group]] = {side: [] for side in self._sides}
        for area, units in table.standing.items():
            found = self._groups.get((area, id(units)))
            if found is None or found[0] is not units:
                found = self._groups[area, id(units)] = (units, self._gathered(area, units))
            for group in found[1]:
                groups[group.side].append(group)
        return ImaginedTable(table, groups)

    def _gathered(self, area: AreaId, units: Standings) -> tuple[Group, ...]:
        """The groups of an area; a gigantic creature is in the first area of its hex. One object for the same units."""
        by_seat: dict[Seat, list[Standing]] = {}
        for unit in units:
            seat = self._owners[unit.unit]
            if seat is not None and not unit.carried:
                by_seat.setdefault(seat, []).append(unit)
        found = []
        for seat, own in by_seat.items():
            first = not own[0].card.gigantic or whole_hex(self._table, area)[0] == area
            if first:
                ids = tuple(unit.unit for unit in own)
                key = (seat, area, ids)
                if key not in self._known_groups:
                    self._known_groups[key] = Group(seat, self._sides[seat], area, tuple(own), ids)
                found.append(self._known_groups[key])
        return tuple(found)

    def moved(self, ground: ImaginedTable, ids: Collection[str], end: AreaId) -> ImaginedTable:
        """The table after these units have gone there."""
        standing = {}
        going: list[Standing] = []
        for area, units in ground.table.standing.items():
            leaving = [unit for unit in units if unit.unit in ids]
            staying = tuple(unit for unit in units if unit.unit not in ids) if leaving else units
            going += leaving
            if staying:
                standing[area] = staying
        table, there = ground.table, whole_hex(ground.table, end) if any(u.card.gigantic for u in going) else (end,)
        once = tuple(dict.fromkeys(going))
        for area in there:
            standing[area] = (*standing.get(area, ()), *once)
        return self.ground(replace(table, standing=standing))


class Known:
    """The knowledge for one decision: the view, its seat, the worths, the goals, and the attacks simulated so far."""

    def __init__(self, view: JoanState, seat: Seat) -> None:
        setting = setting_of(view)
        self.view, self.seat = view, seat
        self.sides = setting.sides
        self.side = setting.sides[seat]
        self.left = rounds_left(view)
        self.steps = steps_on(setting.board)
        self.goals: tuple[Goal, ...] = goals(view)
        self.ruins = {area: (side, vp) for area, side, vp in ruins(view)}
        self.crowds = optional_rules(view).concentrated_fire
        units = view.field.units.values()
        self.worth: dict[str, Worth] = {unit.id: worth_of(view, unit) for unit in units}
        self.owners: dict[str, Seat | None] = {unit.id: unit.owner for unit in units}
        self._grounds = Grounds(table_of(view), self.sides, self.owners)
        self.here = self._grounds.here
        self._targets: dict[tuple[str, ...], Target] = {}
        self.pairs: dict[tuple[int, int], Pair] = {}
        self._strikes: dict[tuple[object, ...], Strike] = {}
        self._alone: dict[tuple[tuple[str, ...], AreaId], Table] = {}
        self._reach: dict[tuple[object, ...], bool] = {}

    def at(self, view: JoanState) -> "Known":
        """The same knowledge at a later moment, at which the board has not changed."""
        self.view = view
        return self

    def moved(self, ground: ImaginedTable, ids: Collection[str], end: AreaId) -> ImaginedTable:
        """The table after these units have gone there."""
        return self._grounds.moved(ground, ids, end)

    def reaches(self, table: Table, start: AreaId, goal: AreaId, unit: Standing, kind: AttackKind) -> bool:
        """Whether a unit's attack reaches an area of the current board."""
        card = unit.card
        if kind == "shooting":
            if card.shoot is None:
                return False
            key: tuple[object, ...] = (start, goal, card.shoot.mode, card.shoot.range_hexes)
        elif card.melee is None:
            return False
        else:
            key = (start, goal)
        found = self._reach.get(key)
        if found is None:
            shot = card.shoot
            if kind == "melee" or shot is None:
                found = melee_reach(table, start, goal)
            else:
                found = shot_bar(table, start, goal, shot) is None
            self._reach[key] = found
        return found

    def strike(
        self,
        table: Table,
        units: tuple[Standing, ...],
        start: AreaId,
        goal: AreaId,
        kind: AttackKind,
        *,
        charging: bool = False,
    ) -> Strike:
        """The value of an attack of these units from an area on another."""
        side = self._side(units[0])
        areas = whole(table, goal)
        foes = foes_in(table, goal, side) if len(areas) == 1 else tuple(dict.fromkeys(_foes_in_all(table, areas, side)))
        if not foes:
            return self._siege(units, goal, side)
        key = (tuple(u.unit for u in units), start, goal, tuple(f.unit for f in foes), kind, charging)
        found = self._strikes.get(key)
        if found is None:
            found = self._strikes[key] = self._struck(table, units, start, goal, foes, kind, charging)
        return found

    def _side(self, unit: Standing) -> str:
        return unit.side or ""

    def _struck(
        self,
        table: Table,
        units: tuple[Standing, ...],
        start: AreaId,
        goal: AreaId,
        foes: tuple[Standing, ...],
        kind: AttackKind,
        charging: bool,
    ) -> Strike:
        attack, copies = self._attack(table, units, start, foes, kind, charging=charging)
        defence, sure = self._defence(table, foes, start, goal, kind)
        gain, cleared = self._gained(foes, left_over(attack, defence, sure, copies))
        if kind == "melee":
            gain *= 1 - min(0.8, 0.4 * terror(foes) / len(units))
        elif any(unit.card.skills.targeting for unit in units):
            gain *= AIMED
        cost = self._struck_back(table, units, goal, foes) if kind == "melee" else 0.0
        return Strike(gain + (CLEARED * cleared if kind == "melee" else 0.0), cost, cleared)

    def _attack(
        self,
        table: Table,
        units: tuple[Standing, ...],
        start: AreaId,
        foes: tuple[Standing, ...],
        kind: AttackKind,
        *,
        charging: bool,
    ) -> tuple[Counts, int]:
        """The attack dice, and the number of enemies for which a gigantic die among them counts; 0 without a gigantic
        die.
        """
        copies, attack = 0, NO_DICE
        aloft = table.board.areas[start].level == "sky"
        for unit in units:
            card = unit.card
            if kind == "melee" and card.skills.big and card.melee is not None and len(foes) > 2 and not copies:
                copies = len(foes)
                continue
            worth = self.worth[unit.unit]
            attack = plus(attack, worth.melee if kind == "melee" else worth.shoot)
            if aloft:
                attack = plus(attack, counts(rainbow(table, start, unit)))
            if (charging and card.arm == "cavalry") or card.skills.feint:
                attack = plus(attack, REROLLED)
        if len(units) > 2:
            attack = plus(attack, counts(support(((unit, start) for unit in units), table)))
        if self.crowds and kind == "shooting":
            attack = plus(attack, counts(concentrated_fire(foes)))
        return attack, copies

    def _gained(self, foes: tuple[Standing, ...], found: Left) -> tuple[float, float]:
        aim = self.target(foes)
        gain, cleared = aim.losses(found)
        return gain + PUSHED * min(found.pushes, aim.most), cleared

    def target(self, foes: tuple[Standing, ...]) -> Target:
        """The units as targets of an allocation."""
        ids = tuple(foe.unit for foe in foes)
        found = self._targets.get(ids)
        if found is None:
            worths = [self.worth[id_] for id_ in ids]
            found = self._targets[ids] = target([(worth.kill, worth.disrupt, worth.hp) for worth in worths])
        return found

    def _defence(
        self, table: Table, foes: tuple[Standing, ...], start: AreaId, goal: AreaId, kind: AttackKind
    ) -> tuple[Counts, int]:
        """The defence dice, and the number of further shields."""
        starts, dice = (start,), NO_DICE
        behind = counts(barricade(table, goal))
        for foe in foes:
            dice = plus(dice, self.worth[foe.unit].defence)
            if behind != NO_DICE:
                dice = plus(dice, behind)
            if kind == "melee" and table.edges and "bowmen" in foe.card.traits:
                dice = plus(dice, counts(stakes(table, goal, starts, foe)))
            if kind == "melee" and foe.card.skills.parry:
                dice = plus(dice, REROLLED)
        if len(foes) > 2:
            dice = plus(dice, counts(cohesion(foes)))
        if table.board.areas[goal].around is not None:
            dice = plus(dice, counts(walls_around(table, goal, starts)))
        if kind == "shooting":
            dice = plus(dice, counts(clouds(table, goal)))
        if wooded_or_built(table, goal):
            dice = plus(dice, REROLLED)
        sure = wall_shields(table, goal, starts) if kind == "melee" else 0
        return dice, sure - (table.board.areas[goal].terrain == "swamp")

    def _struck_back(
        self, table: Table, units: tuple[Standing, ...], goal: AreaId, foes: tuple[Standing, ...]
    ) -> float:
        """The cost of retaliation: by units that can retaliate (JA-143), and by one die from the high ground
        (JA-298).
        """
        cheapest = min((self.worth[unit.unit] for unit in units), key=lambda worth: worth.kill)
        cost = 0.0
        for foe in foes:
            if foe.card.skills.retaliation:
                cost += _harm(self.worth[foe.unit].defence, cheapest)
        if high(table, goal):
            cost += min(0.5, 0.25 * len(foes)) * cheapest.disrupt
        return cost

    def _siege(self, units: tuple[Standing, ...], goal: AreaId, side: str) -> Strike:
        """JA-388: the worth of shots on a building without enemies."""
        found = self.ruins.get(goal)
        if found is None or found[0] != side:
            return NO_STRIKE
        harm = sum(
            number * chance(kind, Face.KILL, Face.DISRUPT)
            for unit in units
            if "siege" in unit.card.powers
            for number, kind in zip(self.worth[unit.unit].shoot, KINDS, strict=True)
        )
        need = self.needed(goal)
        return Strike(found[1] * min(1.0, harm / need)) if need else NO_STRIKE

    def needed(self, around: AreaId) -> int:
        """The damage that destroys a building; 0 if none stands there."""
        lying = furnishing(self.here.table, around)
        if lying.building is None or lying.rubble:
            return 0
        return max(BUILDINGS[lying.building].resistance - lying.damage, 0)

    def trample(self, table: Table, giant: Standing, first: AreaId) -> Strike:
        """The value of a gigantic attack on a hex (JA-374): a die on each of its areas."""
        gain, side = 0.0, giant.side or ""
        for area in whole_hex(table, first):
            foes = foes_in(table, area, side)
            if foes:
                defence, sure = self._defence(table, foes, first, area, "melee")
                found = left_over(NO_DICE, defence, sure, len(foes))
                gain += self._gained(foes, found)[0]
            ruin = self.ruins.get(area)
            if ruin is not None and ruin[0] == side and self.needed(area):
                gain += ruin[1] * (5 / 6) / self.needed(area)
        return Strike(gain)

    def ground_of(self, foe: Group) -> Table:
        """The table with only one enemy group, for attacks on that group."""
        found = self._alone.get((foe.ids, foe.area))
        if found is None:
            gigantic = foe.units[0].card.gigantic
            there = whole_hex(self.here.table, foe.area) if gigantic else (foe.area,)
            found = replace(self.here.table, standing=dict.fromkeys(there, foe.units))
            self._alone[foe.ids, foe.area] = found
        return found

    def hexes_apart(self, start: AreaId, end: AreaId) -> int:
        """The number of hexes between two areas of one level."""
        areas = self.here.table.board.areas
        return distance(areas[start].hex, areas[end].hex)

    def steps_between(self, start: AreaId, end: AreaId) -> int:
        """The number of borders between two areas; a large number if no way connects them."""
        return self.steps[start].get(end, 99)


def whole_hex(table: Table, area: AreaId) -> tuple[AreaId, ...]:
    """The areas of a hex."""
    at = table.board.areas[area]
    return table.board.hexes[at.level][at.hex] if at.level != "interior" else (area,)


def _foes_in_all(table: Table, areas: Iterable[AreaId], side: str) -> Iterator[Standing]:
    for area in areas:
        yield from foes_in(table, area, side)


def _harm(dice: Counts, cheapest: Worth) -> float:
    kill = sum(number * chance(kind, Face.KILL) for number, kind in zip(dice, KINDS, strict=True))
    disrupt = sum(number * chance(kind, Face.DISRUPT) for number, kind in zip(dice, KINDS, strict=True))
    return kill * cheapest.kill + disrupt * cheapest.disrupt


def room_for(table: Table, units: Iterable[Standing], end: AreaId) -> tuple[Standing, ...]:
    """As many of the units, in their order, as fit into an area."""
    room, found = left(table, end), []
    for unit in units:
        size = spaces(unit.card)
        if size <= room:
            room -= size
            found.append(unit)
    return tuple(found)
