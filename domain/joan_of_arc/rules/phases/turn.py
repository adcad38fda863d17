"""A player's turn: order phase, then reserve phase (sections E and G)."""

from typing import Final

from domain.joan_of_arc.board.scenarios import OrdersHeld
from domain.joan_of_arc.cards.hooks import ORDERS
from domain.joan_of_arc.rules.granting import end_grants
from domain.joan_of_arc.rules.phases.activation import Activating
from domain.joan_of_arc.rules.phases.interrupts import InterruptWindow
from domain.joan_of_arc.rules.phases.orders import OrderChoice, has_business
from domain.joan_of_arc.rules.phases.victory import judge
from domain.joan_of_arc.state.events import OrdersReserved, OrdersReturned, PhaseBegan, TurnBegan, TurnEnded
from domain.joan_of_arc.state.queries import held
from domain.joan_of_arc.state.state import JoanState
from domain.kernel import NEXT, Call, Flow, Goto, Procedure, Resolver, Seat, ask, step

ROOM: Final = 3
"""JA-078: orders of one type that may be stored."""


class Turn(Procedure, frozen=True):
    """JA-039: a player's turn."""

    seat: Seat

    @step("JA-035")
    def begin(self, r: Resolver[JoanState]) -> Flow:
        """The order phase begins."""
        r.emit(PhaseBegan("orders"))
        r.emit(TurnBegan(self.seat))
        return NEXT

    @step("JA-052", "JA-054", "JA-055")
    def order(self, r: Resolver[JoanState]) -> Flow:
        """An order, or the end of the turn; JA-Q86: a player who can do nothing passes without being asked."""
        if not has_business(r.state, self.seat):
            return Goto("JA-075")
        return ask(OrderChoice(self.seat))

    @step("JA-187")
    def player_action(self, r: Resolver[JoanState]) -> Flow:
        """A player action is over; units that it activated act now."""
        judge(r)
        return Call(Activating(1)) if r.state.activations else NEXT

    @step("JA-192")
    def acted(self, r: Resolver[JoanState]) -> Flow:
        """No order was played; therefore no gap opens."""
        return Goto("JA-052")

    @step("JA-056")
    def resolve(self, r: Resolver[JoanState]) -> Flow:
        """The order is fully resolved before the next is played."""
        return Call(Activating(1))

    @step("JA-069", "JA-070")
    def gap(self, r: Resolver[JoanState]) -> Flow:
        """After an order opponents may interrupt; before the first order none may."""
        return Call(InterruptWindow(self.seat))

    @step("JA-Q12")
    def next_order(self, r: Resolver[JoanState]) -> Flow:
        """The gap is over."""
        return Goto("JA-052")

    @step("JA-075")
    def end(self, r: Resolver[JoanState]) -> Flow:
        """Ending the turn opens no further window."""
        r.emit(TurnEnded(self.seat))
        end_grants(r, "end_of_turn")
        return NEXT

    @step("JA-076", "JA-077", "JA-078", "JA-079")
    def reserve(self, r: Resolver[JoanState]) -> Flow:
        """Orders on the board return to the pool; at most three unused orders of each type are kept (JA-080)."""
        r.emit(PhaseBegan("reserve"))
        if r.state.placed:
            r.emit(OrdersReturned(tuple(r.state.placed)))
        board = r.state.boards[self.seat]
        kept = OrdersHeld(*(min(held(board, order), ROOM) for order in ORDERS))
        surplus = OrdersHeld(*(max(held(board, order) - ROOM, 0) for order in ORDERS))
        r.emit(OrdersReserved(self.seat, kept, surplus))
        return NEXT
