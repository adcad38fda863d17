"""2.S Support Units: ED10 (WE-154, WE-243, WE-244); the round and ED4 implement WE-238 to WE-242."""

from domain.kernel import NEXT, Choice, Decision, Flow, Goto, One, Procedure, Resolver, Seat, ask, only, step
from domain.war_for_edadh.rules.asking import ask_or_take
from domain.war_for_edadh.state.events import SupportAdded, UnitsSwitched
from domain.war_for_edadh.state.queries import without
from domain.war_for_edadh.state.state import Columns, TroopId, WarState


class JoinUnits(Choice, frozen=True):
    """Add the Support Unit to the Main Unit."""


class SwitchUnits(Choice, frozen=True):
    """Switch Main and Support Unit."""


class KeepApart(Choice, frozen=True):
    """Leave the Support Unit where it is."""


class SupportOffer(Decision, frozen=True):
    """WE-154 Whether the Support Unit joins; WE-244: a player who ordered a Retreat may switch the Units."""

    rule = "WE-154"

    def form(self, state: WarState) -> One:
        """Leave, add, or (after one's own Retreat) switch."""
        switch = (SwitchUnits(),) if state.retreats[self.by] else ()
        return only((KeepApart(), JoinUnits(), *switch))

    def resolve(self, r: Resolver[WarState], choice: JoinUnits | SwitchUnits | KeepApart) -> Flow:
        """WE-243: the cards are placed one by one."""
        match choice:
            case JoinUnits():
                return Goto("WE-243")
            case SwitchUnits():
                r.emit(UnitsSwitched(self.by))
        return Goto("WE-245")


class PlaceBehind(Choice, frozen=True):
    """Stand this card of the Support Unit behind this column."""

    troop: str
    column: int


class SupportPlacing(Decision, frozen=True):
    """WE-243 The place of the next card: behind a currently shortest column, in rank order (WE-Q67).

    `rank` are the cards of the rank that is being placed.
    """

    rule = "WE-243"

    rank: tuple[str, ...]

    def form(self, state: WarState) -> One:
        """The cards of the foremost rank that is left, on every shortest column."""
        side = state.sides[self.by]
        shortest = min(map(len, side.columns))
        return only(
            tuple(
                PlaceBehind(troop, number)
                for troop in self.rank
                for number, column in enumerate(side.columns, 1)
                if len(column) == shortest
            )
        )

    def resolve(self, r: Resolver[WarState], choice: PlaceBehind) -> Flow:
        """It belongs to the Main Unit."""
        side, troop = r.state.sides[self.by], TroopId(choice.troop)
        columns = list(side.columns)
        columns[choice.column - 1] = (*columns[choice.column - 1], troop)
        new: Columns = (columns[0], columns[1], columns[2])
        r.emit(SupportAdded(self.by, troop, new, without(side.support, troop)))
        return Goto("WE-243", SupportJoining(self.by, tuple(t for t in self.rank if t != troop)))


class SupportJoining(Procedure, frozen=True):
    """ED10 for one player; `rank` are the cards of the Support Unit's rank that is being placed."""

    seat: Seat
    rank: tuple[str, ...] = ()

    @step("WE-154", "WE-244")
    def offer(self, r: Resolver[WarState]) -> Flow:
        """A player with a Support Unit is asked."""
        return ask(SupportOffer(self.seat)) if any(r.state.sides[self.seat].support) else Goto("WE-245")

    @step("WE-243")
    def place(self, r: Resolver[WarState]) -> Flow:
        """New ranks behind those of the Main Unit, until no Support Unit is left."""
        rank = self.rank or tuple(column[0] for column in r.state.sides[self.seat].support if column)
        return ask_or_take(r, SupportPlacing(self.seat, rank)) if rank else NEXT

    @step("WE-245")
    def share(self, r: Resolver[WarState]) -> Flow:
        """Main and Support share Score Card, pile and masters; nothing else has to be moved."""
        return NEXT
