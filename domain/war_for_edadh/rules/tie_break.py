"""WE-077, WE-175 and WE-Q03: Mastery Cards laid only to break a tie."""

from domain.commons.rows import BOTH
from domain.kernel import DONE, NEXT, Choice, Decision, Flow, Goto, One, Procedure, Resolver, Seat, ask, only, step
from domain.war_for_edadh.cards.cards import CardIndex
from domain.war_for_edadh.state.events import TieCardLaid, TieCompared, TieDrawn
from domain.war_for_edadh.state.queries import cards_of
from domain.war_for_edadh.state.state import DRAW, WarState

MOST_TIES = 5
"""WE-Q03: after this many ties the die decides."""


def effective(index: CardIndex, own: int, enemy: int) -> int:
    """WE-010: the Altered Conflict Value if the opponent's printed value is listed (WE-Q02); else the printed one."""
    altered = index.ends[own].altered_cv
    return altered.value if altered and enemy in altered.against else own


def winner_of(index: CardIndex, first: int, second: int) -> int:
    """WE-068 to WE-070: the seat with the higher effective value, `DRAW` for the same card or equal values."""
    if index.mastery_of[first] == index.mastery_of[second]:
        return DRAW
    ours, theirs = effective(index, first, second), effective(index, second, first)
    return DRAW if ours == theirs else int(theirs > ours)


class LayTieCard(Choice, frozen=True):
    """Lay this end to break the tie."""

    cv: int


class TieLay(Decision, frozen=True):
    """WE-077 The card that breaks the tie; the card laid in CR1 stays on the table (WE-Q03)."""

    rule = "WE-077"

    def form(self, state: WarState) -> One:
        """The ends of the other five cards."""
        index, laid = cards_of(state), state.round.laid[self.by]
        used = index.mastery_of[laid.cv] if laid else ""
        return only(tuple(LayTieCard(cv) for cv in index.ends if index.mastery_of[cv] != used))

    def resolve(self, r: Resolver[WarState], choice: LayTieCard) -> Flow:
        """Turned up together with the other's."""
        r.emit(TieCardLaid(self.by, choice.cv))
        return NEXT


class TieBreak(Procedure, frozen=True):
    """WE-077: players lay cards until one is higher; the winner is the round's leader."""

    rule: str
    ties: int = 0

    @step("WE-077")
    def lay(self, r: Resolver[WarState]) -> Flow:
        """Both lay in secret."""
        return ask(*(TieLay(seat) for seat in BOTH), sealed=True)

    @step("WE-Q03")
    def compare(self, r: Resolver[WarState]) -> Flow:
        """No cost, no guard, no modifier; after five ties the die decides."""
        index = cards_of(r.state)
        first, second = r.state.round.tie
        winner = winner_of(index, first, second)
        r.emit(TieCompared((effective(index, first, second), effective(index, second, first)), winner))
        if winner != DRAW:
            return DONE
        if self.ties + 1 < MOST_TIES:
            return Goto("WE-077", TieBreak(self.rule, self.ties + 1))
        r.emit(TieDrawn(Seat(r.roll(1, "WE-Q03", "Tie", sides=2)[0] - 1)))
        return DONE
