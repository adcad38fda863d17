"""Orders: the areas that take them, and the active player's choice among them (section E)."""

from collections.abc import Iterator
from typing import Final

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.board.table import units_in
from domain.joan_of_arc.cards.hooks import Order
from domain.joan_of_arc.rules.attacks.targets import whole
from domain.joan_of_arc.rules.phases.between_orders import PlayerAction, carry_out, may_act, player_actions
from domain.joan_of_arc.state.events import OrderDiscarded, OrderPlayed, UnitsActivated
from domain.joan_of_arc.state.queries import card_of, held, orders_held, own_units_in, table_of, unit_of, units_of
from domain.joan_of_arc.state.state import JoanState
from domain.kernel import Choice, Decision, Flow, Goto, One, Resolver, Seat, only

NEEDED_BY_GIANTS: Final = 2
"""JA-369: orders that activate a gigantic creature of activation cost 2."""


class PlayOrder(Choice, frozen=True):
    """Put this order on an area; `discard`: the second order that a gigantic creature costs."""

    order: Order
    area: AreaId
    discard: Order | None = None


class EndTurn(Choice, frozen=True):
    """Play no further order."""


def lying_on(state: JoanState, area: AreaId) -> int:
    """Orders on an area; JA-371: on the whole hex of a gigantic creature."""
    if not state.placed:
        return 0
    table = table_of(state)
    if not any(unit.card.gigantic for unit in units_in(table, area)):
        return len(state.placed.get(area, ()))
    at = table.board.areas[area]
    return sum(len(state.placed.get(each, ())) for each in table.board.hexes[at.level][at.hex])


def takes(order: Order, lying: int) -> bool:
    """JA-058, JA-073: command, charge and interrupt need an area without orders. JA-065, JA-066, JA-067, JA-Q10: a
    reactivation order may lie on one other order, or alone, but not on two.
    """
    return lying == 0 or (order == "reactivation" and lying == 1)


def allied_areas(state: JoanState, seat: Seat) -> tuple[AreaId, ...]:
    """JA-052, JA-Q08: the areas in which the player has units to activate, in board order; JA-369: for a gigantic
    creature all areas of its hex.
    """
    table = table_of(state)
    found = {area for unit in units_of(state, seat) if not unit.carrier for area in whole(table, unit.area)}
    return table.board.in_order(found)


def plays(state: JoanState, seat: Seat) -> Iterator[PlayOrder]:
    """JA-D04, JA-D05: every order held on every area that takes it; JA-059: of any type;
    JA-061, JA-063: for units to which it gives nothing more it is a plain activation.
    """
    board = state.boards[seat]
    types = orders_held(board)
    for area in allied_areas(state, seat) if types else ():
        lying = lying_on(state, area)
        giant = costs_two(state, area, seat)
        for order in types:
            if not takes(order, lying):
                continue
            if not giant:
                yield PlayOrder(order, area)
                continue
            rest = (other for other in types if held(board, other) > (other == order))
            yield from (PlayOrder(order, area, other) for other in rest)


def costs_two(state: JoanState, area: AreaId, seat: Seat) -> bool:
    """JA-369: whether an order on an area costs a second order."""
    units = own_units_in(state, area, seat)
    return any(card_of(state, unit_of(state, unit)).activation_cost == NEEDED_BY_GIANTS for unit in units)


def can_play(state: JoanState, seat: Seat) -> bool:
    """JA-Q09: whether some order can be placed."""
    return next(plays(state, seat), None) is not None


def has_business(state: JoanState, seat: Seat) -> bool:
    """Whether the active player is asked, by public facts alone (JA-405)."""
    return can_play(state, seat) or may_act(state, seat)


class OrderChoice(Decision, frozen=True):
    """JA-D04 An order and its area, or the end of the turn; JA-187: or a player action first."""

    rule = "JA-052"

    def form(self, state: JoanState) -> One:
        """JA-054, JA-Q09: the turn may end after the first order, or if none can be placed."""
        found = tuple(plays(state, self.by))
        ends = (EndTurn(),) if state.played or not found else ()
        return only((*found, *player_actions(state, self.by), *ends))

    def default(self, state: JoanState) -> Choice:
        """The end of the turn if it is allowed: an absent player gives no more orders than necessary."""
        choices = self.form(state).choices
        return next((choice for choice in choices if isinstance(choice, EndTurn)), choices[0])

    def resolve(self, r: Resolver[JoanState], choice: PlayOrder | EndTurn | PlayerAction) -> Flow:
        """JA-056: an order is fully resolved before the next."""
        if isinstance(choice, EndTurn):
            return Goto("JA-075")
        if isinstance(choice, PlayOrder):
            play(r, self.by, choice)
            return Goto("JA-056")
        return carry_out(r, self.by, choice)


def play(r: Resolver[JoanState], seat: Seat, choice: PlayOrder, *, interrupt: bool = False) -> None:
    """JA-057: all units of the player in the area are activated, even those that were already; JA-370: the second
    order of a gigantic creature, of any type, goes to the pool.
    """
    r.emit(OrderPlayed(seat, choice.order, choice.area, interrupt))
    if choice.discard is not None:
        r.emit(OrderDiscarded(seat, choice.discard))
    r.emit(UnitsActivated(seat, choice.order, choice.area, own_units_in(r.state, choice.area, seat)))
