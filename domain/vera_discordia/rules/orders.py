"""Section G: order cards: turning up, examining, declaring, discarding; decks and hands (VD-140)."""

from domain.commons.cards import known
from domain.kernel import NEXT, Choice, Decision, Flow, One, Resolver, Seat, ask
from domain.vera_discordia.cards.cards import Ability, OrderType
from domain.vera_discordia.state.events import (
    AbilityShown,
    CardsDrawn,
    OrderDeckShuffled,
    OrderDiscarded,
    OrderExamined,
    TacticDeclared,
    UnitTookOrder,
)
from domain.vera_discordia.state.queries import order_type
from domain.vera_discordia.state.state import UnitId, VeraState

WILDCARD = (OrderType.ATTACK, OrderType.DEFENSE, OrderType.MANEUVER, OrderType.SUPPORT)


class Declare(Choice, frozen=True):
    """The Tactic is this type for the round."""

    type: OrderType


class TacticDeclaration(Decision, frozen=True):
    """VD-070 The owner of a Tactic that appears for the first time in the round names its type (VD-069)."""

    rule = "VD-070"

    unit: UnitId

    def form(self, state: VeraState) -> One:
        """Any of the four types (VD-Q09)."""
        return One(tuple(Declare(kind) for kind in WILDCARD))

    def resolve(self, r: Resolver[VeraState], choice: Declare) -> Flow:
        """VD-071: the type holds until the end of the round."""
        r.emit(TacticDeclared(self.by, choice.type))
        return NEXT


def appearance(state: VeraState, unit_id: UnitId) -> Flow:
    """VD-070: ask for the type when the order now seen is a Tactic that has none."""
    unit = state.units[unit_id]
    if unit.order is None or known(unit.order.type) is not OrderType.TACTIC:
        return NEXT
    return NEXT if state.sides[unit.seat].declared else ask(TacticDeclaration(unit.seat, unit_id))


def effective_order(state: VeraState, unit_id: UnitId) -> OrderType | None:
    """The type as which the Unit's order counts; None when Exhausted (VD-080)."""
    unit = state.units[unit_id]
    return None if unit.order is None else order_type(state.sides[unit.seat], unit.order)


def examine_order(r: Resolver[VeraState], unit_id: UnitId, rule: str) -> None:
    """VD-074: show a face-down order to both; VD-075: nothing changes for one that is face up."""
    held = r.state.units[unit_id].order
    if held is not None and not held.up:
        r.emit(OrderExamined(unit_id, known(held.type), rule))


def discard_order(r: Resolver[VeraState], unit_id: UnitId, rule: str) -> None:
    """VD-072: the order goes face up on its owner's pile; a virtual one disappears (VD-Q26)."""
    unit = r.state.units[unit_id]
    assert unit.order is not None, "only an order that is there is discarded"
    r.emit(OrderDiscarded(unit_id, unit.seat, known(unit.order.type), rule, virtual=unit.order.virtual))


def show_ability(r: Resolver[VeraState], unit_id: UnitId, ability: Ability) -> None:
    """VD-054: a Closed Unit that uses an ability names it; it stays Closed."""
    unit = r.state.units[unit_id]
    if not unit.open and ability not in unit.shown:
        r.emit(AbilityShown(unit_id, ability))


def renew_deck(r: Resolver[VeraState], seat: Seat) -> bool:
    """VD-140, VD-Q15: an empty deck is made again of the discard pile. Returns whether there is a card to draw."""
    side = r.state.sides[seat]
    if side.deck_size:
        return True
    if not side.pile_size:
        return False
    deck = r.shuffle(known(side.pile), "VD-140", "Order deck", seat=seat)
    r.emit(OrderDeckShuffled(seat, len(deck), True, deck, ()))
    return True


def draw_orders(r: Resolver[VeraState], seat: Seat, count: int) -> None:
    """VD-137, VD-138: draw cards into the hand, remaking the deck when it runs out (VD-Q15)."""
    while count > 0 and renew_deck(r, seat):
        side = r.state.sides[seat]
        drawn = min(count, side.deck_size)
        hand = known(side.hand) + known(side.deck)[:drawn]
        r.emit(CardsDrawn(seat, drawn, len(hand), hand))
        count -= drawn


def deal_order(r: Resolver[VeraState], unit_id: UnitId, rule: str) -> None:
    """VD-311, VD-K14: the top card of the owner's deck goes face down on the Unit; none when nothing is left."""
    seat = r.state.units[unit_id].seat
    if renew_deck(r, seat):
        r.emit(UnitTookOrder(seat, unit_id, rule, known(r.state.sides[seat].deck)[0]))
