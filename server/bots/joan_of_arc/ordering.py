"""Orders: where each order is placed, the declarations of its units, commands, and the moments to interrupt."""

from collections.abc import Iterable, Sequence
from typing import Final

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.cards import hooks
from domain.joan_of_arc.cards.hooks import Operation, Order
from domain.joan_of_arc.rules.bonuses.commanding import Command, CommandThese, in_range, subjects
from domain.joan_of_arc.rules.bonuses.discussing import Discuss
from domain.joan_of_arc.rules.bonuses.upgrading import Upgrade
from domain.joan_of_arc.rules.effects.mustering import ActivateHere, ActivateThese
from domain.joan_of_arc.rules.phases.activation import FinishActivation, Resolve
from domain.joan_of_arc.rules.phases.interrupts import Interrupt, LetPass
from domain.joan_of_arc.rules.phases.orders import EndTurn, PlayOrder
from domain.joan_of_arc.rules.player_actions.exchanging import ExchangeForXp
from domain.joan_of_arc.rules.player_actions.intrigues import TriggerIntrigue
from domain.joan_of_arc.rules.player_actions.legends import PlayLegend
from domain.joan_of_arc.rules.player_actions.wearing import UseEquipment
from domain.joan_of_arc.state.queries import card_of, held, own_units_in, setting_of, unit_of
from domain.joan_of_arc.state.state import JoanState, Unit, UnitId
from domain.kernel import Choice, Pick, Seat
from server.bots.joan_of_arc.ground import Known
from server.bots.joan_of_arc.outlook import KEPT, Outlook
from server.bots.joan_of_arc.plans import WAIT, WIDE, Breadth, Planner, TurnPlan

COSTS: Final[dict[Order, float]] = {"command": 0.1, "charge": 0.25, "reactivation": 0.2, "interrupt": 0.4}
"""The value of an order that is kept for later."""
SPARE: Final = 0.02
"""The value of an order that cannot be kept for later (JA-079)."""
LATE: Final = 0.3
"""The value of a command whose units have nothing to attack."""
BREAK_IN: Final = 0.3
"""The minimum value of an order in the opponent's turn."""
ACTION: Final = 0.15
"""The minimum value of a card or an intrigue effect."""
TOKEN: Final = 0.12
"""The value of a legend or intrigue token."""


class Mind:
    """All results for one moment of the match: the seat's view, and the judgement of it.

    `breadth`: the limits of the simulation.
    """

    def __init__(self, view: JoanState, seat: Seat, before: "Mind | None" = None, breadth: Breadth = WIDE) -> None:
        self.view, self.seat, self.breadth = view, seat, breadth
        known = before.known.at(view) if before is not None and before.knows(view, seat) else None
        self.known: Known = known or Known(view, seat)
        self.outlook = Outlook(self.known)
        self.planner = Planner(self.known, self.outlook, breadth)

    def fits(self, view: JoanState, seat: Seat) -> bool:
        """Whether the data behind these results is unchanged."""
        mine = self.view
        same = view.field is mine.field and view.boards is mine.boards and view.placed is mine.placed
        turn = view.turn == mine.turn and view.phase == mine.phase and view.round == mine.round
        return same and turn and seat == self.seat

    def knows(self, view: JoanState, seat: Seat) -> bool:
        """Whether all attacks that were simulated are unchanged."""
        return seat == self.seat and view.field is self.view.field and view.piles is self.view.piles

    def at(self, view: JoanState) -> "Mind":
        """The same results for a later moment, at which none of that data has changed."""
        self.view = view
        return self

    def orders(self) -> int:
        """The orders on the seat's player board."""
        board = self.view.boards[self.seat]
        return sum(held(board, order) for order in hooks.ORDERS)

    def cost(self, order: Order) -> float:
        """The cost of spending an order now."""
        if self.known.left == 1:
            return 0.0 if order != "interrupt" else 0.01
        return COSTS[order] if held(self.view.boards[self.seat], order) <= KEPT else SPARE


def play_order(mind: Mind, choices: Sequence[Choice]) -> Choice:
    """A card or effect that pays, otherwise the most valuable order, otherwise the end of the turn."""
    actions = [(worth_of_action(mind, choice), at) for at, choice in enumerate(choices)]
    best, at = max(actions, key=lambda action: action[0], default=(0.0, 0))
    if best > ACTION:
        return choices[at]
    ends = next((choice for choice in choices if isinstance(choice, EndTurn)), None)
    rated = _rated(mind, choices)
    if not rated:
        return ends if ends is not None else choices[0]
    worth, order = rated[0]
    return ends if ends is not None and worth <= 0 else order


def _rated(mind: Mind, choices: Sequence[Choice]) -> list[tuple[float, Choice]]:
    """The orders that differ in effect, the best first."""
    orders = [choice for choice in choices if isinstance(choice, PlayOrder)]
    rated = [(order_worth(mind, orders[at]), -at) for at in _different(mind, orders)]
    return [(worth, orders[-at]) for worth, at in sorted(rated, reverse=True)]


def promising_orders(mind: Mind, choices: Sequence[Choice]) -> list[Choice]:
    """Cards and effects that pay, then orders, then the end of the turn and everything else, each the best first."""
    actions = [(worth_of_action(mind, choice), choice) for choice in choices if not isinstance(choice, PlayOrder)]
    rated = sorted((*actions, *_rated(mind, choices)), key=lambda pair: -pair[0])
    paying = [choice for worth, choice in rated if worth > ACTION and not isinstance(choice, PlayOrder)]
    return [*paying, *(choice for _, choice in rated if choice not in paying)]


def promising_declarations(mind: Mind, unit: UnitId, choices: Sequence[Choice]) -> list[Choice]:
    """A unit's declarations in the plans that agree with the earlier declarations, the best plan's first."""
    now = mind.view.activations[-1]
    plans = sorted(_fitting(mind, {each.unit: each for each in now.plans}), key=lambda plan: -plan.worth)
    wanted = dict.fromkeys(plan.doing.get(unit, WAIT) for plan in plans)
    return [choice for choice in wanted if choice in choices]


def _different(mind: Mind, orders: Sequence[PlayOrder]) -> Iterable[int]:
    """The first of several orders that activate the same units in the same way, on one hex of a gigantic creature
    (JA-369).
    """
    found: dict[object, int] = {}
    for at, order in enumerate(orders):
        found.setdefault((order.order, order.discard, own_units_in(mind.view, order.area, mind.seat)), at)
    return found.values()


def order_worth(mind: Mind, play: PlayOrder) -> float:
    """The value of an order minus its cost."""
    ids = own_units_in(mind.view, play.area, mind.seat)
    plan = mind.planner.best(ids, play.area, play.order, mind.orders() - 1)
    worth = plan.worth - mind.cost(play.order)
    if play.discard is not None:
        worth -= mind.cost(play.discard)
    if play.order == "command" and mind.breadth is WIDE:
        worth += command_worth(mind, ids, play.area)
    return worth


def command_worth(mind: Mind, ids: Iterable[UnitId], area: AreaId) -> float:
    """The gain from the command bonus action (JA-164)."""
    view, found = mind.view, 0.0
    for id_ in ids:
        unit = unit_of(view, id_)
        value = card_of(view, unit).command
        if value is None:
            continue
        near = [
            other
            for other in mind.known.here.groups[mind.known.side]
            if other.seat == mind.seat and other.area != area and in_range(view, unit, other.area, value)
        ]
        for group in near:
            troops = tuple(UnitId(each.unit) for each in group.units if each.card.kind == "troop")[: value.units]
            if troops:
                found = max(found, mind.planner.best(troops, group.area, "command", 0).worth)
    return LATE * found if found < ACTION else 0.9 * found


def break_in(mind: Mind, choices: Sequence[Choice]) -> Choice:
    """JA-071: interrupt if it pays."""
    best: Choice = next(choice for choice in choices if isinstance(choice, LetPass))
    most = 0.0
    for choice in choices:
        worth = 0.0
        if isinstance(choice, Interrupt):
            ids = own_units_in(mind.view, choice.area, mind.seat)
            needs = BREAK_IN if mind.known.left > 1 else ACTION
            worth = mind.planner.best(ids, choice.area, "interrupt", 0).worth - needs
        elif isinstance(choice, TriggerIntrigue):
            worth = worth_of_action(mind, choice) - BREAK_IN
        if worth > most:
            best, most = choice, worth
    return best


def declare(mind: Mind, unit: UnitId, choices: Sequence[Choice]) -> Choice:
    """A unit's declaration in the best plan that agrees with the earlier declarations."""
    now = mind.view.activations[-1]
    plan = agreeing(mind, {each.unit: each for each in now.plans})
    wanted = plan.doing.get(unit, WAIT)
    if wanted in choices:
        return wanted
    return WAIT if WAIT in choices else choices[0]


def agreeing(mind: Mind, declared: dict[UnitId, object]) -> TurnPlan:
    """The best plan of the innermost activation in which every declaration so far is kept."""
    return max(_fitting(mind, declared), key=lambda plan: plan.worth)


def _fitting(mind: Mind, declared: dict[UnitId, object]) -> Sequence[TurnPlan]:
    """The plans of the innermost activation that agree with the declarations; all plans if none agrees."""
    now = mind.view.activations[-1]
    found = mind.planner.all(now.units, now.area, now.order, mind.orders())
    fitting = [
        plan for plan in found if all(plan.doing.get(id_, WAIT).plan(id_) == said for id_, said in declared.items())
    ]
    return fitting or found


def next_action(mind: Mind, choices: Sequence[Choice]) -> Choice:
    """The sequence of declarations: bonus actions first, attacks before moves."""
    for kind in (Upgrade, Discuss):
        found = next((choice for choice in choices if isinstance(choice, kind)), None)
        if found is not None:
            return found
    for choice in choices:
        if isinstance(choice, Command) and commanded(mind, unit_of(mind.view, choice.unit))[1] > SPARE:
            return choice
    resolves = [choice for choice in choices if isinstance(choice, Resolve)]
    if not resolves:
        return next((choice for choice in choices if isinstance(choice, FinishActivation)), choices[0])
    plans = {plan.unit: plan for plan in mind.view.activations[-1].plans}
    return max(resolves, key=lambda choice: bool(plans[choice.unit].target))


def commanded(mind: Mind, commander: Unit) -> tuple[tuple[UnitId, ...], float]:
    """The units of one area that a commander should activate, and the value of activating them."""
    view = mind.view
    now = view.activations[-1]
    value = card_of(view, commander).command
    if value is None:
        return (), 0.0
    units = subjects(view, now, commander)
    best: tuple[tuple[UnitId, ...], float] = (units[:1], 0.0)
    for area in dict.fromkeys(unit_of(view, unit).area for unit in units):
        there = [unit for unit in units if unit_of(view, unit).area == area]
        there.sort(key=lambda unit: -mind.known.worth[unit].strength)
        group = tuple(sorted(there[: value.units]))
        worth = mind.planner.best(group, area, "command", 0).worth
        best = max(best, (group, worth), key=lambda each: each[1])
    return best


def command_these(mind: Mind, commander: UnitId, form: Pick) -> Choice:
    """JA-168: the units of the area that gain most from a command."""
    units, _ = commanded(mind, unit_of(mind.view, commander))
    chosen = tuple(item for item in form.items if item in units)[: form.most]
    return CommandThese(chosen or form.items[:1])


def activate_here(mind: Mind, most: int, choices: Sequence[Choice]) -> Choice:
    """The area in which a card's activation is worth most."""
    areas = [choice for choice in choices if isinstance(choice, ActivateHere)]
    return max(areas, key=lambda choice: chance_setup(mind, choice.area, most)[1])


def chance_setup(mind: Mind, area: AreaId, most: int) -> tuple[tuple[UnitId, ...], float]:
    """The strongest units of an area, and the value of their best plan."""
    units = sorted(own_units_in(mind.view, area, mind.seat), key=lambda unit: -mind.known.worth[unit].strength)
    group = tuple(sorted(units[:most]))
    return group, mind.planner.best(group, area, "command", 0).worth if group else 0.0


def activate_these(mind: Mind, area: AreaId, form: Pick) -> Choice:
    """The strongest units of the area."""
    units, _ = chance_setup(mind, area, form.most)
    return ActivateThese(tuple(item for item in form.items if item in units) or form.items[:1])


def worth_of_action(mind: Mind, choice: Choice) -> float:
    """The value of a card, an intrigue effect or a swap between orders (JA-187); 0 for every other choice."""
    board, setting = mind.view.boards[mind.seat], setting_of(mind.view)
    match choice:
        case PlayLegend(card):
            found = setting.index.legend[card]
            return effects_worth(mind, found.effects) - TOKEN * found.cost * (mind.known.left > 1)
        case TriggerIntrigue(number) if isinstance(board.intrigue_card, str):
            slots = setting.index.intrigue[board.intrigue_card].slots
            slot = next(slot for slot in slots if slot.slot == number)
            return effects_worth(mind, slot.effects) - TOKEN * slot.cost * (mind.known.left > 1)
        case UseEquipment(unit, card):
            return effects_worth(mind, setting.index.equipment[card].effects, unit)
        case ExchangeForXp():
            return 1.0 if _short_of_xp(mind) else 0.0
    return 0.0


def _short_of_xp(mind: Mind) -> bool:
    """Whether swapping tokens now makes an upgrade possible."""
    board = mind.view.boards[mind.seat]
    if mind.known.left <= 2:
        return False
    units = (unit for unit in mind.view.field.units.values() if unit.owner == mind.seat and unit.spot == "board")
    costs = (card_of(mind.view, unit).upgrade_cost for unit in units)
    return any(cost is not None and board.xp < cost <= board.xp + board.intrigue for cost in costs)


def effects_worth(mind: Mind, effects: Iterable[Operation], wearer: UnitId | None = None) -> float:
    """The value of operations between orders."""
    return sum(_effect(mind, effect, wearer) for effect in effects)


def _effect(mind: Mind, effect: Operation, wearer: UnitId | None) -> float:
    late = 0.5 if mind.known.left == 1 else 1.0
    match effect:
        case hooks.GainOrder(order, n):
            return n * late * {"command": 0.45, "charge": 0.4, "reactivation": 0.5, "interrupt": 0.5}[order]
        case hooks.Gain(resource, n):
            return n * (1.0 if resource == "vp" else TOKEN * late)
        case hooks.ActivateArea(_, n):
            areas = {group.area for group in mind.known.here.groups[mind.known.side] if group.seat == mind.seat}
            return max((chance_setup(mind, area, n)[1] for area in areas), default=0.0)
        case hooks.Heal(_, n):
            return 0.35 * min(n, max(_wounds(mind, wearer), default=0))
        case hooks.TakeBackFromInfirmary() | hooks.InfirmaryToWaiting():
            lying = (u for u in mind.view.field.units.values() if u.owner == mind.seat and u.spot == "disrupted")
            return max((0.5 * mind.known.worth[unit.id].whole for unit in lying), default=0.0)
        case hooks.TakeEquipment():
            return 0.4 * late
        case hooks.DrawLegend(n):
            return 0.2 * n * late
        case hooks.GainReroll():
            return 0.25 * (not mind.view.boards[mind.seat].reroll)
        case hooks.MoveRallyPoint():
            return 0.05
        case hooks.PlaceToken():
            return 0.35
    return 0.0


def _wounds(mind: Mind, wearer: UnitId | None) -> list[int]:
    units = mind.view.field.units.values()
    return [unit.wounds for unit in units if unit.owner == mind.seat and unit.id in {wearer or unit.id}]


def council_worth(mind: Mind, effects: Iterable[Operation]) -> float:
    """The value of a war council card (JA-044)."""
    worth = effects_worth(mind, effects)
    board = mind.view.boards[mind.seat]
    xp = sum(effect.n for effect in effects if isinstance(effect, hooks.Gain) and effect.resource == "xp")
    units = (u for u in mind.view.field.units.values() if u.owner == mind.seat and u.spot == "board")
    costs = [cost for cost in (card_of(mind.view, unit).upgrade_cost for unit in units) if cost is not None]
    if xp and any(board.xp < cost <= board.xp + xp for cost in costs) and mind.known.left > 1:
        worth += 0.6
    return worth
