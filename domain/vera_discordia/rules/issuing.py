"""Section Q: issuing orders and keeping a card (Phases 3 and 4)."""

from collections import Counter

from domain.commons.cards import known
from domain.commons.rows import BOTH
from domain.kernel import (
    DONE,
    NEXT,
    Assign,
    Choice,
    Decision,
    Flow,
    Goto,
    One,
    Pick,
    Procedure,
    Resolver,
    Seat,
    ask,
    step,
)
from domain.vera_discordia.cards.cards import OrderType, Reserves
from domain.vera_discordia.state.events import (
    KeepingEnded,
    LeftoverDiscarded,
    OrdersIssued,
    OrderTakenBack,
    PhaseBegan,
)
from domain.vera_discordia.state.queries import army, leadership, prepared_units
from domain.vera_discordia.state.state import Phase, Unit, UnitId, VeraState

AT_RANDOM = "?"


class IssueOrders(Choice, frozen=True):
    """An order for every Unit in turn; in a Hurry Up match "?" leaves it to chance."""

    orders: tuple[str, ...]


def units_to_order(state: VeraState, seat: Seat) -> list[Unit]:
    """VD-141: every Unit of the player but Chaotic ones (VD-315) and those that have an order already (VD-311)."""
    return [unit for unit in army(state, seat) if unit.order is None and not unit.chaotic]


def _stock(hand: tuple[OrderType, ...]) -> dict[str, int]:
    count = Counter(hand)
    return {kind.value: count[kind] for kind in OrderType if count[kind]}


class OrderIssue(Decision, frozen=True):
    """VD-141 Which order goes to which Unit (VD-142, VD-381)."""

    rule = "VD-141"

    def form(self, state: VeraState) -> Assign:
        """One card of the hand on each Unit."""
        slots = tuple(unit.id for unit in units_to_order(state, self.by))
        stock = _stock(known(state.sides[self.by].hand))
        if state.options.hurry_up_s:
            stock[AT_RANDOM] = len(slots)
        return Assign(IssueOrders, slots, stock)

    def limit_s(self, state: VeraState) -> float:
        """VD-145: the time for issuing orders in a Hurry Up match."""
        return float(state.options.hurry_up_s)

    def default(self, state: VeraState) -> IssueOrders:
        """VD-145: with Hurry Up everything is left to chance; otherwise the hand is placed in its order."""
        slots = units_to_order(state, self.by)
        if state.options.hurry_up_s:
            return IssueOrders((AT_RANDOM,) * len(slots))
        return IssueOrders(tuple(card.value for card in known(state.sides[self.by].hand)[: len(slots)]))

    def resolve(self, r: Resolver[VeraState], choice: IssueOrders) -> Flow:
        """VD-143, VD-144: both placements take effect together and are final."""
        hand = known(r.state.sides[self.by].hand)
        left = list(range(len(hand)))
        for order in choice.orders:
            if order != AT_RANDOM:
                left.remove(next(i for i in left if hand[i] == order))
        if r.state.options.hurry_up_s:
            # VD-381: always shuffle the whole hand; then nothing shows how many orders were left to chance.
            shuffled = r.shuffle(range(len(hand)), "VD-145", "Hurry Up", seat=self.by)
            left = [i for i in shuffled if i in left]
        rest = [hand[i] for i in left]
        # VD-145, VD-Q59: V1 to R4
        placed = tuple(rest.pop(0) if order == AT_RANDOM else OrderType(order) for order in choice.orders)
        units = tuple(unit.id for unit in units_to_order(r.state, self.by))
        r.emit(OrdersIssued(self.by, units, len(rest), placed, tuple(rest)))
        return NEXT


class DiscardLeftovers(Choice, frozen=True):
    """Discard these cards; the others stay in hand."""

    cards: tuple[str, ...]


class LeftoverDisposal(Decision, frozen=True):
    """VD-316 Whether cards left over because of Chaotic Units are kept or discarded (VD-Q19)."""

    rule = "VD-316"

    most: int

    def form(self, state: VeraState) -> Pick:
        """Up to one card per Chaotic Unit; the k-th card of a type is called `type:k`."""
        stock = _stock(known(state.sides[self.by].hand))
        items = tuple(f"{kind}:{i}" for kind, number in stock.items() for i in range(number))
        return Pick(DiscardLeftovers, items, 0, min(self.most, len(items)))

    def resolve(self, r: Resolver[VeraState], choice: DiscardLeftovers) -> Flow:
        """A discarded card goes face up on the pile."""
        for item in choice.cards:
            hand = list(known(r.state.sides[self.by].hand))
            card = OrderType(item.partition(":")[0])
            hand.remove(card)
            r.emit(LeftoverDiscarded(self.by, card, len(hand), tuple(hand)))
        return NEXT


def chaotic_units(state: VeraState, seat: Seat) -> int:
    """How many of the player's Units are Chaotic; this number is public."""
    return sum(unit.chaotic for unit in army(state, seat))


class Issuing(Procedure, frozen=True):
    """Phase 3. Both players place orders in secret, at the same time."""

    @step("VD-141", "VD-143", "VD-148")
    def placing(self, r: Resolver[VeraState]) -> Flow:
        """Players who have Units without orders place orders."""
        r.emit(PhaseBegan(Phase.ISSUING, r.state.round))
        due = [OrderIssue(seat) for seat in BOTH if units_to_order(r.state, seat)]
        return ask(*due, sealed=True) if due else NEXT

    @step("VD-316")
    def leftovers(self, r: Resolver[VeraState]) -> Flow:
        """Players who have Chaotic Units and a card left decide about it, in secret."""
        due = [
            LeftoverDisposal(seat, chaotic_units(r.state, seat))
            for seat in BOTH
            if chaotic_units(r.state, seat) and r.state.sides[seat].hand_size
        ]
        return ask(*due, sealed=True) if due else NEXT


class TakeBack(Choice, frozen=True):
    """Take this Unit's order back into the hand."""

    unit: UnitId


class KeepOrders(Choice, frozen=True):
    """Take no (further) order back."""


def takeable(state: VeraState, seat: Seat) -> list[Unit]:
    """VD-146: Units with an order the player placed this round; not one that was dealt (VD-Q18)."""
    return [unit for unit in prepared_units(state, seat) if unit.order is not None and not unit.order.dealt]


def most_taken(state: VeraState, seat: Seat) -> int:
    """VD-146: one order in a Keeping phase; more with reserves (VD-K07)."""
    return 1 + sum(hook.cards for hook in leadership(state, seat, Reserves))


def may_take(state: VeraState, seat: Seat) -> bool:
    """VD-146: whether the player may take an order back; not while his last answer is that he takes none."""
    side = state.sides[seat]
    return not side.done and side.taken < most_taken(state, seat) and bool(takeable(state, seat))


class OrderReturn(Decision, frozen=True):
    """VD-146 A player may take back one of the orders just placed."""

    rule = "VD-146"

    def form(self, state: VeraState) -> One:
        """Any of them, or none."""
        return One((KeepOrders(), *(TakeBack(unit.id) for unit in takeable(state, self.by))))

    def resolve(self, r: Resolver[VeraState], choice: TakeBack | KeepOrders) -> Flow:
        """VD-147, VD-150, VD-382: the Unit is Exhausted; which card it was stays secret."""
        if isinstance(choice, KeepOrders):
            r.emit(KeepingEnded(self.by))
            return NEXT
        held = r.state.units[choice.unit].order
        assert held is not None, "offered only with an order"
        hand = (*known(r.state.sides[self.by].hand), known(held.type))
        r.emit(OrderTakenBack(self.by, choice.unit, hand))
        return NEXT


class Keeping(Procedure, frozen=True):
    """Phase 4. No turn order; a player who is done may still take once the other player takes (VD-149, VD-Q23)."""

    @step("VD-146/phase")
    def beginning(self, r: Resolver[VeraState]) -> Flow:
        """After both have issued their orders (VD-148)."""
        r.emit(PhaseBegan(Phase.KEEPING, r.state.round))
        return NEXT

    @step("VD-146", "VD-149")
    def taking(self, r: Resolver[VeraState]) -> Flow:
        """Both are asked at once, and again while a player may still take an order."""
        due = [OrderReturn(seat) for seat in BOTH if may_take(r.state, seat)]
        return ask(*due) if due else DONE

    @step("VD-149/again")
    def again(self, r: Resolver[VeraState]) -> Flow:
        """If the other player takes an order back, a "done" is cancelled."""
        return Goto("VD-146")
