"""2.A and 2.T: the whole match (WE-001, WE-246, WE-250, WE-260, WE-263)."""

from typing import NoReturn

from domain.commons.rows import BOTH
from domain.kernel import NEXT, Call, Flow, Goto, Procedure, Resolver, Seat, ask, step
from domain.war_for_edadh.rules.combat import Combat
from domain.war_for_edadh.rules.fielding import ArmySelection, DeckSelection
from domain.war_for_edadh.state.events import ArmyChosen
from domain.war_for_edadh.state.queries import ready_armies
from domain.war_for_edadh.state.state import DRAW, WarState

QUICK = ("Dzaa quick start", "Ang quick start")
"""WE-053: the armies of the quick start, by seat."""


class Match(Procedure, frozen=True):
    """Armies, decks, then one combat or up to three."""

    @step("WE-265", "WE-001")
    def armies(self, r: Resolver[WarState]) -> Flow:
        """Both choose their armies in secret (WE-283)."""
        if not r.state.options.quick_start:
            return ask(*(ArmySelection(seat) for seat in BOTH), sealed=True)
        armies = {army.name: army for army in ready_armies(r.state)}
        for seat in BOTH:
            r.emit(ArmyChosen(seat, armies[QUICK[seat]]))
        return NEXT

    @step("WE-181", "WE-180", "WE-182")
    def decks(self, r: Resolver[WarState]) -> Flow:
        """Both put their Stratagem Decks together in secret (WE-278)."""
        if not r.state.options.stratagems:
            return NEXT
        return ask(*(DeckSelection(seat) for seat in BOTH), sealed=True)

    @step("WE-246", "WE-250")
    def combat(self, r: Resolver[WarState]) -> Flow:
        """The next combat."""
        return Call(Combat(r.state.combat + 1))

    @step("WE-260", "WE-263")
    def decide(self, r: Resolver[WarState]) -> Flow:
        """Unit vs. Unit ends with its combat; Best of 3 after two won by one player, or after the third."""
        state = r.state
        if state.options.game == "unit":
            winner = None if state.outcome in {None, DRAW} else Seat(int(state.outcome or 0))
            r.end(winner, state.reason, state.reason_rule)
        first, second = (side.combats_won for side in state.sides)
        # WE-Q74: at 1-0, 0-0 and 1-1 a third combat is fought.
        if state.combat >= 3 or (state.combat == 2 and 2 in {first, second}):
            _end(r, first, second)
        return Goto("WE-246")


def _end(r: Resolver[WarState], first: int, second: int) -> NoReturn:
    """WE-260, WE-263, WE-Q74: the player who has won more combats wins the match."""
    rule = "WE-260" if r.state.combat == 2 else "WE-263"
    r.end(None if first == second else Seat(int(second > first)), "combats" if first != second else "draw", rule)
