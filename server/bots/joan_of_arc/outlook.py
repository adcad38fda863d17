"""The prospects of a simulated position: coming attacks of either side, areas that score, and the way to the enemy."""

from collections.abc import Mapping
from typing import Final

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.board.table import Standing, status
from domain.joan_of_arc.cards.hooks import ORDERS
from domain.joan_of_arc.cards.hooks import Attack as AttackKind
from domain.joan_of_arc.state.queries import held, setting_of
from server.bots.joan_of_arc.ground import NO_STRIKE, Group, ImaginedTable, Known, Pair, Strike
from server.bots.joan_of_arc.worth import FAR, Goal

THREAT: Final = 0.75
"""The weight of an attack that the enemy can make."""
HOPE: Final = 0.45
"""The weight of an attack by this side in a later turn."""
AGAIN: Final = 0.6
"""The weight of another attack on the same area."""
APPROACH: Final = 0.45
"""The worth of being one step from an area that scores, as a share of the worth of holding it."""
STEP: Final = 0.72
"""The factor by which each further step reduces this worth."""
PULL: Final = 0.045
"""The value of a step nearer to the enemy for each point of strength."""
ROUND: Final = 3
"""The average number of orders per round."""
KEPT: Final = 3
"""The number of orders of a type that are kept for the next round (JA-078)."""
BOTH: Final[tuple[AttackKind, ...]] = ("melee", "shooting")
NOTHING: Final[Mapping[AreaId, float]] = {}


Option = tuple[float, float, int, int, AreaId]
"""A possible attack: its worth per order, its worth, its orders, the group, and the area."""


class Outlook:
    """Judges positions for one decision."""

    def __init__(self, known: Known) -> None:
        self.known = known
        self.theirs = _orders(known, foes=True)
        self.ours = _orders(known, foes=False)

    def value(self, ground: ImaginedTable, weak: Mapping[AreaId, float] = NOTHING) -> float:
        """A position's prospects for the seat's side; `weak`: by area, the share of a group that is likely to survive
        an attack.
        """
        known = self.known
        worth = self._held(ground) - self._pulled(ground)
        for side in ground.groups:
            if side == known.side:
                worth += HOPE * self.menace(ground, side, self.ours, weak) if self.ours else 0.0
            elif self.theirs:
                worth -= THREAT * self.menace(ground, side, self.theirs, weak)
        return worth

    def menace(
        self, ground: ImaginedTable, side: str, orders: tuple[int, int] | None, weak: Mapping[AreaId, float]
    ) -> float:
        """The worth of a side's best attacks with this many orders, of which this many are charge orders."""
        if orders is None:
            return 0.0
        count, charges = orders
        foes = [group for other, groups in ground.groups.items() if other != side for group in groups]
        found: list[Option] = []
        for group in ground.groups[side]:
            for foe in foes:
                pair = self.pair(group, foe)
                for worth, cost, charge in pair.options:
                    if charges or not charge:
                        left = worth * weak.get(group.area, 1.0) * weak.get(foe.area, 1.0) if weak else worth
                        found.append((left / cost, left, cost, id(group), foe.area))
        found.sort(reverse=True)
        return _chosen(found, count)

    def pair(self, group: Group, foe: Group) -> Pair:
        """A group's attacks on another, computed once."""
        key = (id(group), id(foe))
        found = self.known.pairs.get(key)
        if found is None:
            found = self.known.pairs[key] = self._paired(group, foe)
        return found

    def _paired(self, group: Group, foe: Group) -> Pair:
        known = self.known
        steps, cost = known.steps_between(group.area, foe.area), group.units[0].card.activation_cost
        if group.units[0].card.gigantic:
            now = self._giant(group, foe)
            return Pair(now, ((now.net, cost, False),) if now.net > 0 else ())
        now = self.best(group.units, group.area, foe)
        options = [(now.net, 1, False)] if now.net > 0 else []
        if now.net <= 0:
            later = self._after_a_move(group, foe)
            options += [(later.net, 2, False)] if later.net > 0 else []
        riders = tuple(unit for unit in group.units if unit.card.skills.charge and unit.card.melee is not None)
        if riders and 1 < steps <= 3 and known.here.table.board.areas[foe.area].level == "ground":
            charge = self._charged(group, riders, foe)
            options += [(charge.net, 1, True)] if charge.net > 0 else []
        return Pair(now, tuple(options))

    def best(self, units: tuple[Standing, ...], start: AreaId, foe: Group) -> Strike:
        """The better of a group's two attacks on another group from an area: in melee or by shooting."""
        known, best = self.known, NO_STRIKE
        lone = known.ground_of(foe)
        for kind in BOTH:
            able = tuple(unit for unit in units if known.reaches(known.here.table, start, foe.area, unit, kind))
            if able:
                found = known.strike(lone, able, start, foe.area, kind)
                best = found if found.net > best.net else best
        return best

    def _giant(self, group: Group, foe: Group) -> Strike:
        known, table = self.known, self.known.here.table
        here, there = table.board.areas[group.area], table.board.areas[foe.area]
        best = self.best(group.units, group.area, foe)
        if there.level == "ground" and (here.level == "sky" or known.hexes_apart(group.area, foe.area) == 1):
            found = known.trample(known.ground_of(foe), group.units[0], table.board.hexes["ground"][there.hex][0])
            best = found if found.net > best.net else best
        return best

    def _after_a_move(self, group: Group, foe: Group) -> Strike:
        """The attack from the first area on the way, if the enemy is in reach from there."""
        known, table = self.known, self.known.here.table
        steps = known.steps_between(group.area, foe.area)
        ranges = [unit.card.shoot.range_hexes for unit in group.units if unit.card.shoot is not None]
        if steps > 2 and steps > 2 * (1 + max(ranges, default=0)):
            return NO_STRIKE
        near = (
            area
            for area in table.board.beside[group.area]
            if known.steps_between(area, foe.area) == steps - 1 and status(table, area, group.side) != "enemy"
        )
        between = next(near, None)
        return NO_STRIKE if between is None or between == foe.area else self.best(group.units, between, foe)

    def _charged(self, group: Group, riders: tuple[Standing, ...], foe: Group) -> Strike:
        known, table = self.known, self.known.here.table
        for between in table.board.beside[foe.area]:
            if known.steps_between(group.area, between) <= 2 and status(table, between, group.side) != "enemy":
                return known.strike(known.ground_of(foe), riders, between, foe.area, "melee", charging=True)
        return NO_STRIKE

    def _held(self, ground: ImaginedTable) -> float:
        """The prospects of the areas that score."""
        return sum(self._goal(ground, goal) for goal in self.known.goals)

    def _goal(self, ground: ImaginedTable, goal: Goal) -> float:
        known, table = self.known, ground.table
        there = {unit.side for unit in table.standing.get(goal.area, ())} - {None}
        inside = table.board.areas[goal.area].level == "interior"
        worth = 0.0
        for side, groups in ground.groups.items():
            sign = 1.0 if side == known.side else -1.0
            share = goal.vp if side in goal.sides else 0.0
            if not share:
                continue
            if there == {side}:
                worth += sign * share
            else:
                worth += sign * share * APPROACH * self._nearness(groups, goal.area, inside=inside)
        return worth

    def _nearness(self, groups: list[Group], area: AreaId, *, inside: bool) -> float:
        steps = [
            self.known.steps_between(group.area, area)
            for group in groups
            if not inside or any(unit.card.enters_buildings for unit in group.units)
        ]
        found = sorted(step for step in steps if step < FAR)
        return float(STEP ** max(found[0] - 1, 0)) if found else 0.0

    def _pulled(self, ground: ImaginedTable) -> float:
        """The cost of the seat's groups far from all enemies."""
        known = self.known
        if not self.ours:
            return 0.0
        foes = [group.area for side, groups in ground.groups.items() if side != known.side for group in groups]
        far = 0.0
        for group in ground.groups[known.side]:
            steps = min((known.steps_between(group.area, area) for area in foes), default=0)
            if 1 < steps < FAR:
                strength = sum(known.worth[id_].strength for id_ in group.ids)
                far += (steps - 1) * strength
        return PULL * far


def _chosen(options: list[Option], count: int) -> float:
    """The sum of the best options, taken in turn while orders remain; each group acts once."""
    total, acted, hit = 0.0, set[int](), set[AreaId]()
    for _, worth, cost, group, area in options:
        if cost <= count and group not in acted:
            count -= cost
            acted.add(group)
            total += worth * (AGAIN if area in hit else 1.0)
            hit.add(area)
            if not count:
                break
    return total


def _orders(known: Known, *, foes: bool) -> tuple[int, int] | None:
    """The number of orders that a side can use in time, and how many of them are charge orders; None if there are none.

    For the enemy, these are orders up to the seat's next turn; for the seat's own side, orders of that turn.
    """
    view, order = known.view, setting_of(known.view).order
    turn = order.index(view.turn) if view.turn is not None and view.phase in {"orders", "reserve"} else -1
    total, charges = 0, 0
    for at, seat in enumerate(order):
        if (known.sides[seat] != known.side) != foes:
            continue
        board = view.boards[seat]
        stored = sum(held(board, kind) for kind in ORDERS)
        pending = at > turn or (at == turn and (foes or seat != known.seat))
        if pending:
            total += stored
        elif known.left > 1:
            total += min(stored, KEPT) + ROUND
        else:
            continue
        charges += held(board, "charge")
    return (total, charges) if total else None
