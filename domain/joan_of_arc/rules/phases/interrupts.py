"""Interrupts: after each order of the active player the opponents are asked one after the other (section F)."""

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.cards.hooks import Order
from domain.joan_of_arc.rules.phases.activation import Activating
from domain.joan_of_arc.rules.phases.orders import PlayOrder, play, plays
from domain.joan_of_arc.rules.phases.victory import judge
from domain.joan_of_arc.rules.player_actions.intrigues import TriggerIntrigue, may_trigger, trigger, triggers
from domain.joan_of_arc.rules.player_actions.wearing import DropEquipment, GiveEquipment, hand_over, handovers
from domain.joan_of_arc.state.events import InterruptDeclined, InterruptOffered, OrderReturned
from domain.joan_of_arc.state.queries import held, opponents
from domain.joan_of_arc.state.state import NOWHERE, JoanState
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
    only,
    step,
)


class Interrupt(Choice, frozen=True):
    """Interrupt: put an interrupt order on this area; `discard` as in `PlayOrder`."""

    area: AreaId
    discard: Order | None = None


class LetPass(Choice, frozen=True):
    """Do not interrupt."""


Answer = Interrupt | LetPass | TriggerIntrigue | GiveEquipment | DropEquipment


def interrupts(state: JoanState, seat: Seat) -> tuple[Interrupt, ...]:
    """JA-068, JA-073: interrupt orders on areas that take such an order."""
    if not held(state.boards[seat], "interrupt"):
        return ()
    found = (each for each in plays(state, seat) if each.order == "interrupt")
    return tuple(Interrupt(each.area, each.discard) for each in found)


class InterruptOffer(Decision, frozen=True):
    """JA-D11 Whether an opponent interrupts after an order."""

    rule = "JA-071"

    def form(self, state: JoanState) -> One:
        """Nothing, an interrupt order on an area, or an intrigue effect in place of such an order (JA-192); JA-Q37:
        equipment may be handed over before.
        """
        slots = triggers(state, self.by, interrupting=True)
        return only((LetPass(), *interrupts(state, self.by), *slots, *handovers(state, self.by)))

    def resolve(self, r: Resolver[JoanState], choice: Answer) -> Flow:
        """JA-402: the yes or no is public; JA-072, JA-195: the first yes closes the window."""
        match choice:
            case LetPass():
                r.emit(InterruptDeclined(self.by))
                return Goto("JA-Q12")
            case TriggerIntrigue():
                return Call(trigger(r, self.by, choice))
            case GiveEquipment() | DropEquipment():
                hand_over(r, choice)
                return ask(InterruptOffer(self.by))
        assert r.state.turn is not None, "an interrupt happens in somebody's turn"
        play(r, self.by, PlayOrder("interrupt", choice.area, choice.discard), interrupt=True)
        return Next(InterruptWindow(r.state.turn, area=choice.area))


def may_interrupt(state: JoanState, seat: Seat) -> bool:
    """JA-405, JA-Q84: whether, by public facts, a player has anything to interrupt with."""
    return bool(interrupts(state, seat)) or may_trigger(state, seat)


class InterruptWindow(Procedure, frozen=True):
    """JA-071, JA-Q12: the window after one order of the active player. `asked`: how many were asked so far.

    `area`: the area of the interrupting order.
    """

    active: Seat
    asked: int = 0
    area: AreaId = NOWHERE

    @step("JA-071")
    def offer(self, r: Resolver[JoanState]) -> Flow:
        """In turn order from the first player; a player who, by public facts, has nothing to play declines unasked."""
        seats = opponents(r.state, self.active)
        if self.asked >= len(seats):
            return DONE
        seat = seats[self.asked]
        r.emit(InterruptOffered(seat))
        if may_interrupt(r.state, seat):
            return ask(InterruptOffer(seat))
        r.emit(InterruptDeclined(seat))
        return Goto("JA-Q12")

    @step("JA-195")
    def act(self, r: Resolver[JoanState]) -> Flow:
        """Units that were activated act."""
        return Call(Activating(1)) if r.state.activations else NEXT

    @step("JA-074")
    def close(self, r: Resolver[JoanState]) -> Flow:
        """An interrupting order returns to the pool at once; the other opponents are not asked (JA-072). JA-Q11: an
        interrupt order that is played in its player's own turn lies until the reserve phase.
        """
        judge(r)
        if self.area != NOWHERE:
            r.emit(OrderReturned("interrupt", self.area))
        return DONE

    @step("JA-Q12")
    def next_offer(self, r: Resolver[JoanState]) -> Flow:
        """The next opponent is asked."""
        return Goto("JA-071", InterruptWindow(self.active, self.asked + 1))
