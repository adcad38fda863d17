"""Sections R and S: the Resolution phase, turn by turn; Support and Defense orders; Link and Rage on one's turn."""

from collections import Counter

from msgspec.structs import replace

from domain.commons.cards import known
from domain.commons.rows import foe
from domain.kernel import (
    DONE,
    NEXT,
    Call,
    Choice,
    Decision,
    Flow,
    Goto,
    Next,
    One,
    Procedure,
    Resolver,
    Seat,
    ask,
    step,
)
from domain.vera_discordia.cards.cards import Ability, Moment, OrderType
from domain.vera_discordia.rules.attack import AttackOrder, ground
from domain.vera_discordia.rules.maneuver import Maneuver
from domain.vera_discordia.rules.orders import appearance, discard_order, effective_order, show_ability
from domain.vera_discordia.rules.reaction import open_unit
from domain.vera_discordia.rules.strategy import (
    StarStrategy,
    UseStrategy,
    has_diamond,
    has_star,
    use_diamond,
)
from domain.vera_discordia.state.events import (
    CardExchanged,
    OrderConverted,
    OrderReclaimed,
    OrdersExchanged,
    OrderTurnedUp,
    TurnBegan,
)
from domain.vera_discordia.state.queries import has, has_prepared, in_vanguard, prepared_units
from domain.vera_discordia.state.state import Unit, UnitId, VeraState


class Execute(Choice, frozen=True):
    """This Unit executes its order."""

    unit: UnitId


class ExchangeCard(Choice, frozen=True):
    """Link: this Unit's face-down order for a card of this type from the hand."""

    unit: UnitId
    card: OrderType


class ExchangeOrders(Choice, frozen=True):
    """Link: these Units exchange their face-down orders."""

    first: UnitId
    second: UnitId


class ReclaimOrder(Choice, frozen=True):
    """Link: this Unit's face-down order goes back to the hand."""

    unit: UnitId


def linked_units(state: VeraState, prepared: list[Unit]) -> list[Unit]:
    """VD-Q25: the Prepared Units with Link whose orders do not come from Charge."""
    return [
        unit for unit in prepared if unit.order is not None and not unit.order.charge and has(state, unit, Ability.LINK)
    ]


def link_actions(state: VeraState, seat: Seat, prepared: list[Unit]) -> list[Choice]:
    """VD-332, VD-333, VD-334: the offers of Link to a player's Prepared Units."""
    units = linked_units(state, prepared)
    if not units:
        return []
    hand = Counter(known(state.sides[seat].hand))
    options: list[Choice] = [ExchangeCard(unit.id, card) for unit in units for card in hand]
    options += [ExchangeOrders(a.id, b.id) for i, a in enumerate(units) for b in units[i + 1 :]]
    if not hand:
        options += [ReclaimOrder(unit.id) for unit in units]
    return options


class OrderExecution(Decision, frozen=True):
    """VD-152 The player executes the order of one Prepared Unit; no passing (VD-153).

    At most one Link action may come first (VD-331, VD-Q25), and before it a Strategy for the player's turn (VD-065).
    Link is not a separate question; therefore an army without it shows the same questions (VD-Q70).
    """

    rule = "VD-152"

    linked: bool = False

    def form(self, state: VeraState) -> One:
        """Every Prepared Unit; Link actions; the Strategy."""
        prepared = prepared_units(state, self.by)
        options: list[Choice] = [Execute(unit.id) for unit in prepared]
        if not self.linked:
            options += link_actions(state, self.by, prepared)
            if has_diamond(state, self.by, Moment.TURN):
                options.append(UseStrategy())
        return One(tuple(options))

    def resolve(
        self,
        r: Resolver[VeraState],
        choice: Execute | ExchangeCard | ExchangeOrders | ReclaimOrder | UseStrategy,
    ) -> Flow:
        """After anything but an execution the player is asked again."""
        match choice:
            case Execute(unit):
                return Next(become=Turn(self.by, unit, linked=self.linked))
            case UseStrategy():
                return Call(use_diamond(r, self.by), become=Turn(self.by))
            case ExchangeCard(unit, card):
                exchange_card(r, self.by, unit, card)
            case ExchangeOrders(first, second):
                show_ability(r, first, Ability.LINK)
                show_ability(r, second, Ability.LINK)
                r.emit(OrdersExchanged(self.by, first, second))
            case ReclaimOrder(unit):
                show_ability(r, unit, Ability.LINK)
                held = r.state.units[unit].order
                assert held is not None, "a Prepared Unit has an order"
                r.emit(OrderReclaimed(self.by, unit, (known(held.type),)))
        return Next(become=Turn(self.by, linked=True))


def exchange_card(r: Resolver[VeraState], seat: Seat, unit_id: UnitId, card: OrderType) -> None:
    """VD-332, VD-386: the cards are not shown; an order that was known is in the hand now."""
    show_ability(r, unit_id, Ability.LINK)
    held = r.state.units[unit_id].order
    assert held is not None, "a Prepared Unit has an order"
    hand = list(known(r.state.sides[seat].hand))
    hand[hand.index(card)] = known(held.type)
    r.emit(CardExchanged(seat, unit_id, card, tuple(hand)))


class KeepOrder(Choice, frozen=True):
    """Execute the order as it is."""


class ConvertOrder(Choice, frozen=True):
    """Make it an Attack in the Vanguard, a Maneuver in the Rearguard."""


class RageConversion(Decision, frozen=True):
    """VD-348 An Enraged Unit executes its order as it is, or converts it."""

    rule = "VD-348"

    unit: UnitId

    def form(self, state: VeraState) -> One:
        """The order or its conversion (VD-349, VD-350)."""
        return One((KeepOrder(), ConvertOrder()))

    def resolve(self, r: Resolver[VeraState], choice: KeepOrder | ConvertOrder) -> Flow:
        """A Tactic that is converted is not declared (VD-Q41)."""
        if isinstance(choice, KeepOrder):
            return NEXT
        unit = r.state.units[self.unit]
        kind = OrderType.ATTACK if in_vanguard(unit) else OrderType.MANEUVER
        r.emit(OrderConverted(self.unit, kind))
        return Goto("VD-081", become=Turn(self.by, self.unit, rage=kind))


class Turn(Procedure, frozen=True):
    """R. One turn: a Prepared Unit executes its order. `rage`: the type to which the order was converted."""

    by: Seat
    unit: UnitId | None = None
    linked: bool = False
    rage: OrderType | None = None
    order: OrderType | None = None
    closed: bool = False
    direct_only: bool = False
    tactic: bool = False

    @property
    def active(self) -> UnitId:
        """The Unit that executes its order."""
        assert self.unit is not None, "the Unit is chosen"
        return self.unit

    @step("VD-151")
    def beginning(self, r: Resolver[VeraState]) -> Flow:
        """The turn begins."""
        r.emit(TurnBegan(self.by))
        return NEXT

    @step("VD-152", "VD-153", "VD-331")
    def execution(self, r: Resolver[VeraState]) -> Flow:
        """Without a Prepared Unit the turn ends (VD-Q25)."""
        return ask(OrderExecution(self.by, self.linked)) if has_prepared(r.state, self.by) else DONE

    @step("VD-331/again")
    def again(self, r: Resolver[VeraState]) -> Flow:
        """After Link or a Strategy the player still executes an order."""
        return Goto("VD-152") if self.unit is None else NEXT

    @step("VD-348")
    def rage_conversion(self, r: Resolver[VeraState]) -> Flow:
        """An Enraged Unit may convert."""
        enraged = r.state.units[self.active].enraged
        return ask(RageConversion(self.by, self.active)) if enraged else NEXT

    @step("VD-076", "VD-070")
    def turning_up(self, r: Resolver[VeraState]) -> Flow:
        """The order is turned face up; a Tactic that appears is declared."""
        held = r.state.units[self.active].order
        assert held is not None, "a Prepared Unit has an order"
        r.emit(OrderTurnedUp(self.active, known(held.type)))
        return appearance(r.state, self.active)

    @step("VD-081", "VD-185", "VD-050")
    def spending(self, r: Resolver[VeraState]) -> Flow:
        """Attack and Maneuver are discarded first; a Closed attacker opens."""
        unit = r.state.units[self.active]
        held, order = unit.order, self.rage or effective_order(r.state, self.active)
        assert held is not None, "a Prepared Unit has an order"
        tactic = known(held.type) is OrderType.TACTIC and self.rage is None
        if order in {OrderType.ATTACK, OrderType.MANEUVER}:
            discard_order(r, self.active, "VD-081")
        if order is OrderType.ATTACK:
            open_unit(r, self.active, "VD-050")
        else:
            ground(r, self.by)
        direct_only = held.charge or self.rage is OrderType.ATTACK
        return Next(become=replace(self, order=order, closed=not unit.open, direct_only=direct_only, tactic=tactic))

    @step("VD-064")
    def strategy(self, r: Resolver[VeraState]) -> Flow:
        """The Tactic carries the star Strategy."""
        star = self.tactic and has_star(r.state, self.by)
        return ask(StarStrategy(self.by, self.active)) if star else NEXT

    @step("VD-158", "VD-160", "VD-161", "VD-049")
    def order_type(self, r: Resolver[VeraState]) -> Flow:
        """Support and Defense stay face up (VD-Q60); the others have sections of their own."""
        if self.order is OrderType.ATTACK:
            return Call(AttackOrder(self.active, self.closed, self.direct_only))
        if self.order is OrderType.MANEUVER:
            rear = not in_vanguard(r.state.units[self.active])
            return Call(Maneuver(self.active, self.rage is not None, rear))
        return NEXT


class Resolution(Procedure, frozen=True):
    """R. Phase 5: turns alternate until nobody is Prepared."""

    by: Seat

    @step("VD-154", "VD-151", "VD-155", "VD-Q24")
    def turn(self, r: Resolver[VeraState]) -> Flow:
        """A player without a Prepared Unit has no turn; with none at all the phase ends."""
        for seat in (self.by, foe(self.by)):
            if has_prepared(r.state, seat):
                return Call(Turn(seat), become=Resolution(foe(seat)))
        return DONE

    @step("VD-151/next")
    def following(self, r: Resolver[VeraState]) -> Flow:
        """The other player's turn."""
        return Goto("VD-154")
