"""Round structure (section C): set-up, then rounds of council, turns and camp until a side has won."""

from domain.joan_of_arc.rules.phases.camp import Camp
from domain.joan_of_arc.rules.phases.council import Council
from domain.joan_of_arc.rules.phases.setup import SetUp
from domain.joan_of_arc.rules.phases.turn import Turn
from domain.joan_of_arc.state.events import RoundBegan, RoundEnded, RoundMarksCleared
from domain.joan_of_arc.state.queries import setting_of
from domain.joan_of_arc.state.state import JoanState
from domain.kernel import NEXT, Call, Flow, Goto, Next, Procedure, Resolver, step


class Match(Procedure, frozen=True):
    """JA-034: set-up, then round after round."""

    @step("JA-003")
    def set_up(self, r: Resolver[JoanState]) -> Flow:
        """The scenario is built."""
        return Call(SetUp())

    @step("JA-034")
    def round(self, r: Resolver[JoanState]) -> Flow:
        """Council phase, turns, camp phase."""
        r.emit(RoundBegan(r.state.round + 1))
        return Call(Round())

    @step("JA-244")
    def next_round(self, r: Resolver[JoanState]) -> Flow:
        """The camp phase of the last round ends the match; otherwise another round."""
        return Goto("JA-034")


class Round(Procedure, frozen=True):
    """JA-034: one round. `turns`: the number of players who have had their turn; JA-038: the order never changes."""

    turns: int = 0

    @step("JA-040")
    def council(self, r: Resolver[JoanState]) -> Flow:
        """The council phase."""
        return Call(Council())

    @step("JA-035", "JA-036")
    def turn(self, r: Resolver[JoanState]) -> Flow:
        """One turn for each player, the first player first, then clockwise (JA-039)."""
        return Call(Turn(setting_of(r.state).order[self.turns]))

    @step("JA-037")
    def next_turn(self, r: Resolver[JoanState]) -> Flow:
        """Repeat until every player has had a turn."""
        after = Round(self.turns + 1)
        return Goto("JA-035", after) if after.turns < len(setting_of(r.state).order) else Next(after)

    @step("JA-224")
    def camp(self, r: Resolver[JoanState]) -> Flow:
        """The camp phase."""
        return Call(Camp())

    @step("JA-251")
    def end(self, r: Resolver[JoanState]) -> Flow:
        """Units may do again the things that are allowed once a round."""
        if any("trampled" in unit.marks for unit in r.state.field.units.values()):
            r.emit(RoundMarksCleared())
        r.emit(RoundEnded(r.state.round))
        return NEXT
