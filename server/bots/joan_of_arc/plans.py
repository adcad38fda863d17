"""The joint actions of an order's units, simulated: their attacks and their moves."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

from msgspec import Struct

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.board.table import Standing
from domain.joan_of_arc.cards.hooks import Attack as AttackKind
from domain.joan_of_arc.cards.hooks import Order
from domain.joan_of_arc.rules.actions import action_kinds
from domain.joan_of_arc.rules.actions.charging import Charge
from domain.joan_of_arc.rules.actions.declared import Declared
from domain.joan_of_arc.rules.actions.fighting import Melee, Shoot
from domain.joan_of_arc.rules.actions.gigantic_attacks import Trample
from domain.joan_of_arc.rules.actions.hastening import Haste
from domain.joan_of_arc.rules.actions.healing import HealOther
from domain.joan_of_arc.rules.actions.jumping import Jump
from domain.joan_of_arc.rules.actions.marching import March
from domain.joan_of_arc.rules.actions.praying import Pray
from domain.joan_of_arc.rules.actions.staking import PlantStakes
from domain.joan_of_arc.rules.actions.striding import Stride
from domain.joan_of_arc.rules.actions.waiting import Wait
from domain.joan_of_arc.rules.actions.walking import Move
from domain.joan_of_arc.state.queries import card_of, standing, unit_of
from domain.joan_of_arc.state.state import NO_UNIT, Activation, UnitId
from server.bots.joan_of_arc.ground import Group, ImaginedTable, Known, Strike, room_for
from server.bots.joan_of_arc.outlook import HOPE, NOTHING, Outlook

MARCHED: Final = 0.75
"""The chance that a forced march succeeds."""
PRAYER: Final = 0.25
HEALED: Final = 0.5
STAKED: Final = 0.05
Doing = dict[str, Declared]
WAIT: Final = Wait()


class TurnPlan(Struct, frozen=True):
    """The action of each unit, its value beyond doing nothing, and the part of that value won at once."""

    doing: Doing
    worth: float
    gain: float = 0.0


class Breadth(Struct, frozen=True):
    """The limits of the simulation: first attacks, destinations, and moves of units without an attack."""

    attacks: int
    moves: int
    aside: int


WIDE: Final = Breadth(3, 6, 3)
NARROW: Final = Breadth(1, 2, 0)
"""The limits for a bot that plays out matches in a search."""


class PlannedAttack(Struct, frozen=True):
    """An attack that some of the units can make, and its value; `end`: the area in which charging units arrive."""

    doing: Doing
    goal: AreaId
    strike: Strike
    end: AreaId | None = None


Options = Mapping[str, tuple[Declared, ...]]


class Planner:
    """Simulates the possible actions of the seat's groups."""

    def __init__(self, known: Known, outlook: Outlook, breadth: Breadth = WIDE) -> None:
        self.known = known
        self.outlook = outlook
        self._breadth = breadth
        self._all: dict[tuple[object, ...], tuple[TurnPlan, ...]] = {}

    @cached_property
    def before(self) -> float:
        """The prospects of the current position."""
        return self.outlook.value(self.known.here)

    def best(self, ids: tuple[UnitId, ...], area: AreaId, order: Order, more: int) -> TurnPlan:
        """The best use of one order by units of an area; `more`: the number of orders that are left after it."""
        return max(self.all(ids, area, order, more), key=lambda plan: plan.worth)

    def all(self, ids: tuple[UnitId, ...], area: AreaId, order: Order, more: int) -> tuple[TurnPlan, ...]:
        """All simulated uses of an order by these units."""
        units = self.known.view.field.units
        rides = order == "charge" and any(card_of(self.known.view, units[id_]).skills.charge for id_ in ids)
        key = (ids, rides, more > 0)
        found = self._all.get(key)
        if found is None:
            now = Activation(self.known.seat, order, area, ids)
            found = self._all[key] = tuple(self.plans(now, more))
        return found

    def plans(self, now: Activation, more: int) -> Iterator[TurnPlan]:
        """Every plan worth simulating, doing nothing first."""
        units = standing(self.known.view, now.units)
        options = self._options(now, units)
        idle = _idle(options)
        yield self._judged(idle, {}, self.known.here, ())
        attacks = sorted(self._attacks(units, options), key=lambda attack: -attack.strike.net)
        moves = tuple(self._moves(units, options))
        yield from self._fights(units, idle, attacks[: self._breadth.attacks], attacks, moves)
        for doing, end in moves:
            yield self._march({**idle, **doing}, end, more)

    def _options(self, now: Activation, units: Sequence[Standing]) -> Options:
        """The choices of each unit; units of the same card share them."""
        view = self.known.view
        by_card: dict[str, tuple[Declared, ...]] = {}
        found = {}
        for unit in units:
            who = unit_of(view, unit.unit)
            name = f"{who.card} {who.marks} {who.area}"
            if name not in by_card:
                by_card[name] = tuple(action_kinds.open_to(view, who, now))
            found[unit.unit] = by_card[name]
        return found

    def _attacks(self, units: Sequence[Standing], options: Options) -> Iterator[PlannedAttack]:
        """Every attack, with all units that can join in it."""
        found: dict[tuple[str, AreaId, AreaId | None], Doing] = {}
        for unit in units:
            for choice in options[unit.unit]:
                match choice:
                    case Melee(area) | Shoot(area) | Trample(area):
                        kind = "shooting" if isinstance(choice, Shoot) else "melee"
                        giant = isinstance(choice, Trample) and unit.card.gigantic
                        found.setdefault(("giant" if giant else kind, area, None), {})[unit.unit] = choice
                    case Charge(path, target) if target:
                        found.setdefault(("charge", target, path[-1]), {}).setdefault(unit.unit, choice)
        by_id = {unit.unit: unit for unit in units}
        for (sort, goal, end), doing in found.items():
            attack = self._attack(sort, goal, end, doing, by_id)
            if attack.strike.net > 0:
                yield attack

    def _attack(
        self, kind: str, goal: AreaId, end: AreaId | None, doing: Doing, by_id: Mapping[str, Standing]
    ) -> PlannedAttack:
        known, table = self.known, self.known.here.table
        units = tuple(by_id[id_] for id_ in doing)
        if kind == "giant":
            return PlannedAttack(doing, goal, known.trample(table, units[0], goal))
        start = known.view.field.units[UnitId(units[0].unit)].area
        if end is not None:
            units = room_for(table, units, end)
            doing = {unit.unit: doing[unit.unit] for unit in units}
            if not units:
                return PlannedAttack({}, goal, Strike())
            return PlannedAttack(doing, goal, known.strike(table, units, end, goal, "melee", charging=True), end)
        sort: AttackKind = "shooting" if kind == "shooting" else "melee"
        return PlannedAttack(doing, goal, known.strike(table, units, start, goal, sort))

    def _fights(
        self,
        units: Sequence[Standing],
        idle: Doing,
        firsts: Sequence[PlannedAttack],
        attacks: Sequence[PlannedAttack],
        moves: Sequence[tuple[Doing, AreaId]],
    ) -> Iterator[TurnPlan]:
        """Each good attack, combined with a second attack or a move by the remaining units."""
        for first in firsts:
            made = (first, *self._seconds(first, attacks))
            doing: Doing = {}
            for attack in reversed(made):
                doing |= attack.doing
            plan = self._fought({**idle, **doing}, made, ())
            yield plan
            rest = [unit.unit for unit in units if unit.unit not in doing]
            for others, end in moves[: self._breadth.aside] if rest else ():
                going = {id_: choice for id_, choice in others.items() if id_ in rest}
                if going:
                    yield self._fought({**idle, **doing, **going}, made, (tuple(going), end))

    def _seconds(self, first: PlannedAttack, attacks: Sequence[PlannedAttack]) -> Iterator[PlannedAttack]:
        """The best attack on another area by units that do not take part in the first attack."""
        for attack in attacks:
            if attack.goal != first.goal and not attack.doing.keys() & first.doing.keys() and attack.end is None:
                yield attack
                return

    def _fought(
        self,
        doing: Doing,
        made: Sequence[PlannedAttack],
        going: tuple[()] | tuple[tuple[str, ...], AreaId],
    ) -> TurnPlan:
        weak = {attack.goal: self._survives(attack) for attack in made}
        ground = self.known.here
        for attack in made:
            if attack.end is not None:
                ground = self.known.moved(ground, tuple(attack.doing), attack.end)
        if going:
            ground = self.known.moved(ground, going[0], going[1])
        return self._judged(doing, weak, ground, made)

    def _survives(self, attack: PlannedAttack) -> float:
        """The share of a target that remains after an attack."""
        side = self.known.side
        there = self.known.here.table.standing.get(attack.goal, ())
        whole = sum(self.known.worth[unit.unit].whole for unit in there if unit.side not in {None, side})
        return max(0.0, 1.0 - attack.strike.gain / whole) if whole else 1.0

    def _judged(
        self, doing: Doing, weak: Mapping[AreaId, float], ground: ImaginedTable, made: Iterable[PlannedAttack]
    ) -> TurnPlan:
        gain = sum(attack.strike.net for attack in made)
        extra = sum(_aside(choice) for choice in doing.values())
        worth = gain + extra + self.outlook.value(ground, weak or NOTHING) - self.before
        return TurnPlan(doing, worth, gain)

    def _moves(self, units: Sequence[Standing], options: Options) -> Iterator[tuple[Doing, AreaId]]:
        """All units that can go to an area; for an area that scores, also a single unit."""
        ways: dict[tuple[type[Declared], AreaId], Doing] = {}
        for unit in units:
            for choice in options[unit.unit]:
                end = _end(choice)
                if end is not None and self.known.worth[unit.unit].whole:
                    ways.setdefault((type(choice), end), {}).setdefault(unit.unit, choice)
        by_id = {unit.unit: unit for unit in units}
        found = sorted(ways.items(), key=lambda way: self.far(way[0][1]))
        for (_, end), doing in found[: self._breadth.moves]:
            fitting = room_for(self.known.here.table, (by_id[id_] for id_ in doing), end)
            if not fitting:
                continue
            yield {unit.unit: doing[unit.unit] for unit in fitting}, end
            if len(fitting) > 1 and self._near_goal(end):
                cheapest = min(fitting, key=lambda unit: self.known.worth[unit.unit].whole)
                yield {cheapest.unit: doing[cheapest.unit]}, end

    def _near_goal(self, area: AreaId) -> bool:
        """Whether a single unit may be useful in an area."""
        return any(self.known.steps_between(area, goal.area) <= 1 for goal in self.known.goals)

    def far(self, area: AreaId) -> int:
        """The distance of an area from enemies and areas that score."""
        known = self.known
        goals = [known.steps_between(area, goal.area) for goal in known.goals]
        foes = [
            known.steps_between(area, group.area)
            for side, groups in known.here.groups.items()
            if side != known.side
            for group in groups
        ]
        return min((*goals, *foes), default=0)

    def _march(self, doing: Doing, end: AreaId, more: int) -> TurnPlan:
        """A move, with the attack that can follow by another order."""
        moving = tuple(id_ for id_, choice in doing.items() if _end(choice) is not None)
        ground = self.known.moved(self.known.here, moving, end)
        plan = self._judged(doing, NOTHING, ground, ())
        sure = MARCHED if any(isinstance(choice, March) for choice in doing.values()) else 1.0
        follow = self._following(ground, moving, end) if more else 0.0
        return TurnPlan(doing, sure * (plan.worth + follow))

    def _following(self, ground: ImaginedTable, moving: tuple[str, ...], end: AreaId) -> float:
        """The value of the best attack from the new area, beyond the value of the area itself."""
        if self.known.view.placed.get(end):
            return 0.0
        group = next((each for each in ground.groups[self.known.side] if moving[0] in each.ids), None)
        if group is None:
            return 0.0
        best = max((self.outlook.pair(group, foe).now.net for foe in self._foes(ground)), default=0.0)
        share = 1.0 - HOPE if self.outlook.ours else 1.0
        return max(0.0, share * best - 0.15)

    def _foes(self, ground: ImaginedTable) -> Iterator[Group]:
        for side, groups in ground.groups.items():
            if side != self.known.side:
                yield from groups


def _end(choice: Declared) -> AreaId | None:
    """The area to which a unit goes by an action that does nothing else."""
    match choice:
        case Move(area, passenger) if passenger == NO_UNIT:
            return area
        case Jump(area) | Stride(area):
            return area
        case Haste(path) | March(path):
            return path[-1]
        case Charge(path, target) if not target:
            return path[-1]
    return None


def _idle(options: Options) -> Doing:
    """The actions of units that neither move nor attack, such as praying, healing or planting stakes.

    Most units wait.
    """
    doing: Doing = {}
    for id_, choices in options.items():
        free = (choice for choice in choices if choice not in doing.values() or isinstance(choice, Wait))
        doing[id_] = max(free, key=_aside, default=WAIT)
    return doing


def _aside(choice: Declared) -> float:
    """The value of an action that does not change the simulated board."""
    match choice:
        case Pray(take):
            return PRAYER + 0.01 * (take == "xp")
        case HealOther():
            return HEALED
        case PlantStakes():
            return STAKED
        case Wait():
            return 0.0
    return 0.0 if _end(choice) or isinstance(choice, Melee | Shoot | Charge | Trample) else -1.0
