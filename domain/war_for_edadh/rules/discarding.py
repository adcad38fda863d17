"""2.I ED4 Discard and Retire (WE-117 to WE-125), with WE-162, WE-201, WE-241 and WE-242."""

from collections.abc import Iterator

from domain.commons.rows import foe
from domain.kernel import NEXT, Choice, Decision, Flow, Goto, One, Procedure, Resolver, Seat, only, step
from domain.war_for_edadh.rules.asking import ask_or_take
from domain.war_for_edadh.rules.instant_discard import take_over, with_columns
from domain.war_for_edadh.state.events import DiscardUnitNamed, TroopDiscarded, TroopRetired
from domain.war_for_edadh.state.queries import UNITS, card, columns_of, everyone, front, place, without
from domain.war_for_edadh.state.state import Side, TroopId, Unit, WarState

RETIRE_AT_MP = 30
"""WE-122: the highest MP Counter at which a Troop may be Retired."""


def discard_unit(side: Side) -> Unit:
    """WE-241, WE-Q65: the Unit that Discards: the one that was named, or the other one if the named one has no cards
    left.
    """
    named = side.discard_from
    return named if any(columns_of(side, named)) else ("main" if named == "support" else "support")


def lowest_dv(state: WarState, seat: int) -> int | None:
    """WE-118: the lowest DV in the Front Rank of the Unit that Discards."""
    side = state.sides[seat]
    return min((card(state, troop).dv for troop in front(side, discard_unit(side))), default=None)


def discard_due(state: WarState, seat: int, begun: bool) -> bool:
    """WE-118: strictly above the lowest DV to begin; WE-120, WE-Q26: not below it to continue."""
    lowest, dmg = lowest_dv(state, seat), state.sides[seat].dmg
    return lowest is not None and (dmg > lowest or (begun and dmg >= lowest))


def longest(side: Side, unit: Unit) -> tuple[int, ...]:
    """WE-121, WE-Q28: the columns, 1 to 3, that are the (joint) longest."""
    lengths = [len(column) for column in columns_of(side, unit)]
    most = max(lengths)
    return tuple(n for n, length in enumerate(lengths, 1) if length == most and most)


def discardable(state: WarState, seat: int) -> Iterator[TroopId]:
    """WE-117, WE-121: Front Rank cards of the longest columns; WE-162, WE-Q59: combined cards of any column.

    WE-201: a card that the opponent picked from a rear rank leaves before any other of its column.
    """
    side = state.sides[seat]
    unit = discard_unit(side)
    for number, column in enumerate(columns_of(side, unit), 1):
        first = next((troop for troop in column if troop in side.due_first), column[0] if column else None)
        if first is not None and (number in longest(side, unit) or first in side.loose):
            yield first


def retirable(state: WarState, seat: int) -> Iterator[TroopId]:
    """WE-122, WE-123, WE-242: Front Rank cards of the longest columns of either Unit while MP is 30 or less."""
    side = state.sides[seat]
    if side.mp > RETIRE_AT_MP:
        return
    for unit in UNITS:
        for number in longest(side, unit):
            yield columns_of(side, unit)[number - 1][0]


class Discard(Choice, frozen=True):
    """Discard this Troop."""

    troop: str


class Retire(Choice, frozen=True):
    """Retire this Troop."""

    troop: str


class StopRetiring(Choice, frozen=True):
    """Retire no further Troop."""


class Removal(Decision, frozen=True):
    """WE-118 The Troop that is Discarded or Retired. `begun`: a Discard has been made already (WE-120)."""

    rule = "WE-118"

    begun: bool = False

    def form(self, state: WarState) -> One:
        """WE-125: Discards and Retirements in any order; "nothing more" when no Discard is due."""
        due = discard_due(state, self.by, self.begun)
        stop = () if due else (StopRetiring(),)
        out = tuple(Discard(troop) for troop in discardable(state, self.by)) if due else ()
        return only((*stop, *out, *(Retire(troop) for troop in retirable(state, self.by))))

    def resolve(self, r: Resolver[WarState], choice: Discard | Retire | StopRetiring) -> Flow:
        """The card leaves, and the player is asked again."""
        match choice:
            case Discard(troop):
                _discard(r, self.by, TroopId(troop))
                return Goto("WE-118", Removing(self.by, True))
            case Retire(troop):
                _retire(r, self.by, TroopId(troop))
                return Goto("WE-118", Removing(self.by, self.begun))
        return NEXT


def _left(state: WarState, seat: Seat, troop: TroopId) -> tuple[Side, Unit]:
    return state.sides[seat], place(state, troop)[0]


def _discard(r: Resolver[WarState], seat: Seat, troop: TroopId) -> None:
    """WE-119, WE-Q27: Dmg falls by the DV, not below 0 (WE-050); the card behind moves up."""
    side, unit = _left(r.state, seat, troop)
    main, support = with_columns(side, unit, without(columns_of(side, unit), troop))
    r.emit(TroopDiscarded(seat, troop, max(0, side.dmg - card(r.state, troop).dv), main, support))
    take_over(r, seat)


def _retire(r: Resolver[WarState], seat: Seat, troop: TroopId) -> None:
    """WE-124, WE-020: MP rises by Psy; the card leaves the battle, not to the Discard Pile (WE-Q29)."""
    side, unit = _left(r.state, seat, troop)
    main, support = with_columns(side, unit, without(columns_of(side, unit), troop))
    r.emit(TroopRetired(seat, troop, side.mp + card(r.state, troop).psy, main, support))
    take_over(r, seat)


class Removing(Procedure, frozen=True):
    """ED4 for one player (WE-Q30)."""

    seat: Seat
    begun: bool = False

    @step("WE-118", "WE-119", "WE-120", "WE-121", "WE-122", "WE-123", "WE-124", "WE-125", "WE-117", "WE-200")
    def remove(self, r: Resolver[WarState]) -> Flow:
        """Asked while a Discard is due or a Troop may be Retired."""
        if not everyone(r.state.sides[self.seat]):
            return NEXT
        if not discard_due(r.state, self.seat, self.begun) and not any(retirable(r.state, self.seat)):
            return NEXT
        return ask_or_take(r, Removal(self.seat, self.begun))


class NameUnit(Choice, frozen=True):
    """The opponent Discards from this Unit."""

    unit: Unit


class UnitNaming(Decision, frozen=True):
    """WE-241 Whether the opponent Discards from his Main or his Support Unit."""

    rule = "WE-241"

    def form(self, state: WarState) -> One:
        """Either."""
        return only((NameUnit("main"), NameUnit("support")))

    def resolve(self, r: Resolver[WarState], choice: NameUnit) -> Flow:
        """He Discards from that Unit only."""
        r.emit(DiscardUnitNamed(foe(self.by), choice.unit))
        return NEXT


def naming_due(state: WarState, seat: int) -> bool:
    """WE-241: at Ballistic, against a player with a Support Unit who may have to Discard."""
    side = state.sides[seat]
    if state.position not in {"range", "ballistic"} or not any(side.support) or not any(side.columns):
        return False
    # WE-125: Retirements may bring a card to the front whose DV makes a Discard due.
    may_come = everyone(side) if side.mp <= RETIRE_AT_MP else (t for unit in UNITS for t in front(side, unit))
    return any(side.dmg > card(state, troop).dv for troop in may_come)
