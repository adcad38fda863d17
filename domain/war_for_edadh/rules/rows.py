"""2.N, 2.P: the row of stats that a Chosen Troop uses, where its player may choose (WE-187, WE-212, WE-Q54, WE-Q85)."""

from domain.commons.rows import BOTH
from domain.kernel import NEXT, Choice, Decision, Flow, One, Resolver, ask, only
from domain.war_for_edadh.state.events import RowUsed
from domain.war_for_edadh.state.state import RowName, WarState
from domain.war_for_edadh.state.stats import rows_open


class UseRow(Choice, frozen=True):
    """Let the Chosen Troop use this row of stats in this round."""

    row: RowName


class RowOffer(Decision, frozen=True):
    """WE-212 The row that the Chosen Troop uses; sealed if both players are asked (WE-Q85)."""

    rule = "WE-212"

    def form(self, state: WarState) -> One:
        """The rows of the reverse that may be used, and the Melee row."""
        return only((*(UseRow(row) for row in rows_open(state, self.by)), UseRow("melee")))

    def resolve(self, r: Resolver[WarState], choice: UseRow) -> Flow:
        """The Chosen Troop uses the row in this round."""
        r.emit(RowUsed(self.by, choice.row))
        return NEXT


def offer_rows(r: Resolver[WarState]) -> Flow:
    """Players with a choice of rows are asked, both at once."""
    asked = [RowOffer(seat) for seat in BOTH if rows_open(r.state, seat)]
    return ask(*asked, sealed=True) if asked else NEXT
