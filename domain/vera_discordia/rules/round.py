"""Sections P and R: the round, phase by phase."""

from domain.commons.rows import BOTH, foe
from domain.kernel import DONE, NEXT, Call, Flow, Procedure, Resolver, Seat, step
from domain.vera_discordia.cards.cards import InitiativeBonus, Moment
from domain.vera_discordia.rules.beginning import roll_beginning
from domain.vera_discordia.rules.deployment import holder
from domain.vera_discordia.rules.issuing import Issuing, Keeping
from domain.vera_discordia.rules.orders import discard_order, draw_orders
from domain.vera_discordia.rules.resolution import Resolution
from domain.vera_discordia.rules.strategy import DiamondMoment
from domain.vera_discordia.state.events import InitiativeTaken, PhaseBegan, RoundEnded
from domain.vera_discordia.state.queries import army, count_units, leadership
from domain.vera_discordia.state.state import Phase, VeraState


def initiative_bonus(state: VeraState, seat: Seat) -> int:
    """VD-133: the player's Units destroyed since the game began; VD-K06: the General's addition."""
    return state.sides[seat].destroyed + sum(hook.bonus for hook in leadership(state, seat, InitiativeBonus))


def cards_to_draw(state: VeraState, seat: Seat) -> int:
    """VD-137: up to the number of the player's Units; VD-312, VD-Q17: one less per Autonomous Unit.

    In round 1 too (VD-Q65), and never below 0 (VD-Q16).
    """
    side = state.sides[seat]
    return max(0, count_units(state, seat) - side.hand_size - side.autonomous)


class Round(Procedure, frozen=True):
    """P to R. One round: Phases 0 to 6 (VD-131)."""

    number: int

    @step("VD-131")
    def beginning(self, r: Resolver[VeraState]) -> Flow:
        """Diamond Strategies of `round_begin` come before the first roll."""
        r.emit(PhaseBegan(Phase.BEGINNING, self.number))
        return Call(DiamondMoment(Moment.ROUND_BEGIN))

    @step("VD-132")
    def rolls(self, r: Resolver[VeraState]) -> Flow:
        """Phase 0."""
        roll_beginning(r)
        return NEXT

    @step("VD-133", "VD-009", "VD-134", "VD-135", "VD-136")
    def initiative(self, r: Resolver[VeraState]) -> Flow:
        """Phase 1, not in round 1; a tie moves the marker to the other player."""
        if self.number == 1:
            return NEXT
        r.emit(PhaseBegan(Phase.INITIATIVE, self.number))
        dice = r.roll(2, "VD-133", "Initiative")
        first, second = (dice[seat] + initiative_bonus(r.state, seat) for seat in BOTH)
        if first == second:
            r.emit(InitiativeTaken(foe(holder(r.state)), "VD-134", (first, second)))
        else:
            r.emit(InitiativeTaken(Seat(int(second > first)), "VD-133", (first, second)))
        return NEXT

    @step("VD-137", "VD-138", "VD-139")
    def drawing(self, r: Resolver[VeraState]) -> Flow:
        """Phase 2."""
        r.emit(PhaseBegan(Phase.DRAWING, self.number))
        for seat in (holder(r.state), foe(holder(r.state))):
            draw_orders(r, seat, cards_to_draw(r.state, seat))
        return Call(DiamondMoment(Moment.DRAW))

    @step("VD-141")
    def issuing(self, r: Resolver[VeraState]) -> Flow:
        """Phase 3."""
        return Call(Issuing())

    @step("VD-146")
    def keeping(self, r: Resolver[VeraState]) -> Flow:
        """Phase 4."""
        return Call(Keeping())

    @step("VD-146/kept")
    def kept(self, r: Resolver[VeraState]) -> Flow:
        """Diamond Strategies after Phase 4."""
        return Call(DiamondMoment(Moment.KEPT))

    @step("VD-151")
    def resolution(self, r: Resolver[VeraState]) -> Flow:
        """Phase 5: the holder of the marker has the first turn."""
        r.emit(PhaseBegan(Phase.RESOLUTION, self.number))
        return Call(Resolution(holder(r.state)))

    @step("VD-156")
    def clean_up(self, r: Resolver[VeraState]) -> Flow:
        """Phase 6 begins; diamond Strategies come before the discards."""
        r.emit(PhaseBegan(Phase.CLEAN_UP, self.number))
        return Call(DiamondMoment(Moment.CLEAN_UP))

    @step("VD-156/discards", "VD-157")
    def discards(self, r: Resolver[VeraState]) -> Flow:
        """Orders still face up are discarded, V1 to R4 (VD-Q13); hands stay."""
        for seat in BOTH:
            for unit in army(r.state, seat):
                if unit.order is not None:
                    discard_order(r, unit.id, "VD-156")
        r.emit(RoundEnded(self.number))
        return DONE
