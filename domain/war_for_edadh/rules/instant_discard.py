"""2.H CR8: Instant Discard and the gap it leaves (WE-099 to WE-104, WE-219)."""

from domain.kernel import NEXT, Choice, Decision, Flow, One, Procedure, Resolver, Seat, only, step
from domain.war_for_edadh.rules.asking import ask_or_take
from domain.war_for_edadh.rules.combat_masters import both_laid
from domain.war_for_edadh.state.events import (
    GapFilled,
    MasterInstantDiscarded,
    SupportTakesOver,
    TroopInstantDiscarded,
    TroopsFlipped,
)
from domain.war_for_edadh.state.queries import cards_of, columns_of, everyone, place, without
from domain.war_for_edadh.state.state import Columns, Side, TroopId, Unit, WarState
from domain.war_for_edadh.state.stats import figure


class MoveIntoGap(Choice, frozen=True):
    """Move this rear card into the gap."""

    troop: str


class GapRefill(Decision, frozen=True):
    """WE-103 The rear card of a neighbouring column that fills the gap (WE-Q19)."""

    rule = "WE-103"

    unit: Unit
    column: int

    def form(self, state: WarState) -> One:
        """Every rear card of an adjacent column."""
        columns = columns_of(state.sides[self.by], self.unit)
        beside = [columns[n - 1] for n in (self.column - 1, self.column + 1) if 1 <= n <= 3]
        return only(tuple(MoveIntoGap(troop) for column in beside for troop in column[1:]))

    def resolve(self, r: Resolver[WarState], choice: MoveIntoGap) -> Flow:
        """It stands in the Front Rank, flipped; its column closes up."""
        side = r.state.sides[self.by]
        troop = TroopId(choice.troop)
        left = list(without(columns_of(side, self.unit), troop))
        left[self.column - 1] = (troop,)
        main, support = with_columns(side, self.unit, (left[0], left[1], left[2]))
        r.emit(GapFilled(self.by, troop, main, support))
        r.emit(TroopsFlipped((troop,)))
        return NEXT


def with_columns(side: Side, unit: Unit, columns: Columns) -> tuple[Columns, Columns]:
    """Both Units' columns with one replaced."""
    return (columns, side.support) if unit == "main" else (side.columns, columns)


def take_over(r: Resolver[WarState], seat: Seat) -> None:
    """WE-Q63: a Main Unit without cards is replaced by the Support Unit at once."""
    side = r.state.sides[seat]
    if not any(side.columns) and any(side.support):
        r.emit(SupportTakesOver(seat))


class InstantDiscard(Procedure, frozen=True):
    """CR8 for one player: the test, then the gap."""

    seat: Seat

    @step("WE-099", "WE-101", "WE-102", "WE-022", "WE-176")
    def test(self, r: Resolver[WarState]) -> Flow:
        """Strictly more than the DV; with both mst down the Combat Master stands in (WE-101, WE-Q18)."""
        state = r.state
        side, damage = state.sides[self.seat], state.round.taken[self.seat]
        if both_laid(state) and side.combat_master:
            dv = cards_of(state).combat_masters[side.combat_master].dv
            if damage > dv:
                r.emit(MasterInstantDiscarded(self.seat, damage, dv))
                return NEXT
        dv = figure(state, self.seat, "dv")
        if damage <= dv:
            return NEXT
        return self._discard(r, damage, dv)

    def _discard(self, r: Resolver[WarState], damage: int, dv: int) -> Flow:
        side = r.state.sides[self.seat]
        troop = TroopId(r.state.round.chosen[self.seat])
        unit, column, rank = place(r.state, troop)
        columns = without(columns_of(side, unit), troop)
        main, support = with_columns(side, unit, columns)
        r.emit(TroopInstantDiscarded(self.seat, troop, damage, dv, main, support))
        # WE-219, WE-Q20: if a rear card left, the Front Rank card is flipped instead.
        if columns[column - 1]:
            r.emit(TroopsFlipped((columns[column - 1][0],)))
            return NEXT
        assert rank == 1
        refill = GapRefill(self.seat, unit, column)
        if everyone(side) and next(iter(refill.form(r.state)), None) is not None:
            return ask_or_take(r, refill)
        return NEXT

    @step("WE-104", "WE-Q63")
    def gap(self, r: Resolver[WarState]) -> Flow:
        """A place that no card fills stays empty."""
        take_over(r, self.seat)
        return NEXT
