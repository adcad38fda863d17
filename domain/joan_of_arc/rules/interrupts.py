"""Interrupts: after each order of the active player the opponents are asked one after the other (section F)."""

from domain.joan_of_arc.events import InterruptDeclined, InterruptOffered, OrderReturned
from domain.joan_of_arc.hexes import AreaId
from domain.joan_of_arc.hooks import Order
from domain.joan_of_arc.queries import held, opponents
from domain.joan_of_arc.rules.orders import PlayOrder, play, plays
from domain.joan_of_arc.state import NOWHERE, JoanState
from domain.kernel import DONE, Call, Choice, Decision, Flow, Goto, One, Procedure, Resolver, Seat, ask, only, step


class Interrupt(Choice, frozen=True):
    """Break in: put an interrupt order on this area; `discard` as in `PlayOrder`."""

    area: AreaId
    discard: Order | None = None


class LetPass(Choice, frozen=True):
    """Do not interrupt."""


def interrupts(state: JoanState, seat: Seat) -> tuple[Interrupt, ...]:
    """JA-068, JA-073: interrupt orders on areas that take one."""
    if not held(state.boards[seat], "interrupt"):
        return ()
    found = (each for each in plays(state, seat) if each.order == "interrupt")
    return tuple(Interrupt(each.area, each.discard) for each in found)


class InterruptOffer(Decision, frozen=True):
    """JA-D11 Whether an opponent breaks in after an order."""

    rule = "JA-071"

    def form(self, state: JoanState) -> One:
        """Nothing, or an interrupt order on an area."""
        return only((LetPass(), *interrupts(state, self.by)))

    def resolve(self, r: Resolver[JoanState], choice: Interrupt | LetPass) -> Flow:
        """JA-402: everybody learns the yes or no; JA-072: the first yes closes the window."""
        if isinstance(choice, LetPass):
            r.emit(InterruptDeclined(self.by))
            return Goto("JA-Q12")
        assert r.state.turn is not None, "an interrupt happens in somebody's turn"
        activating = play(r, self.by, PlayOrder("interrupt", choice.area, choice.discard), interrupt=True)
        return Call(activating, InterruptWindow(r.state.turn, area=choice.area))


class InterruptWindow(Procedure, frozen=True):
    """JA-071, JA-Q12: the window after one order of the active player. `asked`: how many opponents were asked.

    `area`: where the order of the one who broke in lies.
    """

    active: Seat
    asked: int = 0
    area: AreaId = NOWHERE

    @step("JA-071")
    def offer(self, r: Resolver[JoanState]) -> Flow:
        """The first player first, then in turn order; who by public facts has nothing to play is answered for."""
        seats = opponents(r.state, self.active)
        if self.asked >= len(seats):
            return DONE
        seat = seats[self.asked]
        r.emit(InterruptOffered(seat))
        if interrupts(r.state, seat):
            return ask(InterruptOffer(seat))
        r.emit(InterruptDeclined(seat))
        return Goto("JA-Q12")

    @step("JA-074")
    def close(self, r: Resolver[JoanState]) -> Flow:
        """The order of one who broke in returns to the pool at once; the rest are not asked (JA-072)."""
        if self.area != NOWHERE:
            r.emit(OrderReturned("interrupt", self.area))
        return DONE

    @step("JA-Q12")
    def next_offer(self, r: Resolver[JoanState]) -> Flow:
        """The next opponent is asked."""
        return Goto("JA-071", InterruptWindow(self.active, self.asked + 1))
