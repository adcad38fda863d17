"""2.B, 2.O, 2.Q: the whole match: setup, then turn after turn (DL-019, DL-105, DL-Q04)."""

from domain.commons.rows import BOTH, foe
from domain.disciples_legacy.rules.setup import DeckSelection, Deployment
from domain.disciples_legacy.rules.turn import Turn
from domain.disciples_legacy.state.events import TurnBegan
from domain.disciples_legacy.state.state import DisciplesState
from domain.kernel import NEXT, Call, Flow, Goto, Procedure, Resolver, Seat, ask, step


class Match(Procedure, frozen=True):
    """DL-011 to DL-019, then turns until a player has won."""

    @step("DL-011")
    def decks(self, r: Resolver[DisciplesState]) -> Flow:
        """Both hand in their decks in secret."""
        return ask(*(DeckSelection(seat) for seat in BOTH), sealed=True)

    @step("DL-012", "DL-013", "DL-017")
    def deployment(self, r: Resolver[DisciplesState]) -> Flow:
        """Both deploy at the same time; then both armies are public (DL-229)."""
        return ask(*(Deployment(seat) for seat in BOTH), sealed=True)

    @step("DL-Q04", "DL-019")
    def first_turn(self, r: Resolver[DisciplesState]) -> Flow:
        """A die names the first turn's player: even is seat 0."""
        (face,) = r.roll(1, "DL-Q04", "First turn")
        r.emit(TurnBegan(1, Seat(face % 2)))
        return NEXT

    @step("DL-105")
    def turn(self, r: Resolver[DisciplesState]) -> Flow:
        """The turn."""
        return Call(Turn())

    @step("DL-130")
    def next_turn(self, r: Resolver[DisciplesState]) -> Flow:
        """DL-Q04: the next turn is the other player's."""
        r.emit(TurnBegan(r.state.turn + 1, foe(r.state.first)))
        return Goto("DL-105")
