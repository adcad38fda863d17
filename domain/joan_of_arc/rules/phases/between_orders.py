"""Choices of the active player between orders, besides playing one (JA-187): cards, intrigue, equipment, swaps."""

from collections.abc import Iterator

from domain.joan_of_arc.rules.player_actions.exchanging import ExchangeForLegend, ExchangeForXp, exchange, exchanges
from domain.joan_of_arc.rules.player_actions.intrigues import TriggerIntrigue, may_trigger, trigger, triggers
from domain.joan_of_arc.rules.player_actions.legends import PlayLegend, may_hold_legend, play_legend, playable
from domain.joan_of_arc.rules.player_actions.wearing import (
    DropEquipment,
    GiveEquipment,
    UseEquipment,
    hand_over,
    handovers,
    use_equipment,
    uses,
)
from domain.joan_of_arc.state.state import JoanState
from domain.kernel import Call, Flow, Goto, Resolver, Seat

PlayerAction = (
    PlayLegend | TriggerIntrigue | UseEquipment | GiveEquipment | DropEquipment | ExchangeForXp | ExchangeForLegend
)


def player_actions(state: JoanState, seat: Seat) -> Iterator[PlayerAction]:
    """JA-187: player actions need no order and no unit."""
    yield from playable(state, seat, "own_turn_between_orders")
    yield from triggers(state, seat)
    yield from uses(state, seat, "own_turn_between_orders")
    yield from handovers(state, seat)
    yield from exchanges(state, seat)


def may_act(state: JoanState, seat: Seat) -> bool:
    """JA-405: whether by public facts a player action may be open; JA-Q37: equipment that may be handed over is one."""
    if may_hold_legend(state, seat) or may_trigger(state, seat):
        return True
    if any(isinstance(choice, GiveEquipment) for choice in handovers(state, seat)):
        return True
    return next(uses(state, seat, "own_turn_between_orders"), None) is not None


def carry_out(r: Resolver[JoanState], seat: Seat, choice: PlayerAction) -> Flow:
    """The player action resolves at once, before the next order; the turn continues at `JA-187`."""
    match choice:
        case PlayLegend():
            return Call(play_legend(r, seat, choice))
        case TriggerIntrigue():
            return Call(trigger(r, seat, choice))
        case UseEquipment():
            return Call(use_equipment(r, seat, choice))
        case GiveEquipment() | DropEquipment():
            hand_over(r, choice)
            return Goto("JA-052")
    exchange(r, seat, choice)
    return Goto("JA-052")
