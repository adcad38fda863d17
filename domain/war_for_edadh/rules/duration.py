"""2.G and 2.H: Durations (WE-004, WE-057 to WE-060, WE-106) and the rounds in them; 2.N the first at Melee (WE-185)."""

from domain.commons.rows import BOTH
from domain.kernel import DONE, NEXT, Call, Flow, Goto, Procedure, Resolver, step
from domain.war_for_edadh.rules.choosing import choosable
from domain.war_for_edadh.rules.combining import larger_side, rounds_of
from domain.war_for_edadh.rules.end_of_duration import EndOfDuration
from domain.war_for_edadh.rules.round import Round
from domain.war_for_edadh.state.events import DurationBegun, RoundSkipped
from domain.war_for_edadh.state.queries import front
from domain.war_for_edadh.state.state import WarState


class Duration(Procedure, frozen=True):
    """WE-004: the rounds, then the End of Duration. `number` is the round under way."""

    number: int = 0

    @step("WE-156", "WE-157", "WE-158", "WE-159", "WE-Q21")
    def begin(self, r: Resolver[WarState]) -> Flow:
        """The rounds are fixed from both Front Ranks; the larger side may combine."""
        first, second = (len(front(side)) for side in r.state.sides)
        rounds = rounds_of(first, second)
        larger = larger_side(min(3, first), min(3, second))
        helpers = 0 if larger < 0 else max(first, second) - rounds
        r.emit(DurationBegun(r.state.duration + 1, rounds, larger, helpers))
        return NEXT

    @step("WE-004", "WE-106")
    def round(self, r: Resolver[WarState]) -> Flow:
        """WE-106: rounds until the number is reached; fewer if a side has nothing left to choose (WE-Q21)."""
        if self.number >= r.state.rounds:
            return Goto("WE-107")
        if any(not choosable(r.state, seat) for seat in BOTH):
            r.emit(RoundSkipped(self.number + 1))
            return Goto("WE-107")
        return Call(Round(self.number + 1), Duration(self.number + 1))

    @step("WE-105")
    def next_round(self, r: Resolver[WarState]) -> Flow:
        """The next round, with full sets again."""
        return Goto("WE-004")

    @step("WE-107")
    def end(self, r: Resolver[WarState]) -> Flow:
        """The End of Duration."""
        return Call(EndOfDuration())

    @step("WE-155")
    def over(self, r: Resolver[WarState]) -> Flow:
        """The combat continues with the next Duration unless it is over."""
        return DONE
