"""2.V Trading: Units and Items redistributed between two Major Leaders (DL-148 to DL-151)."""

from collections.abc import Iterator
from itertools import product

from msgspec.structs import replace

from domain.disciples_legacy.rules.dying import discard_duplicates, settle
from domain.disciples_legacy.state.events import LeaderSpent, PartiesTraded
from domain.disciples_legacy.state.formation import MOST_GIANTS, arranged, sizes, without
from domain.disciples_legacy.state.queries import (
    Ready,
    cards_of,
    is_giant,
    leaders,
    leadership,
    units_of,
)
from domain.disciples_legacy.state.state import Codes, DisciplesState, MemberId, Party
from domain.kernel import DONE, Call, Choice, Decision, Flow, Goto, One, Procedure, Resolver, Seat, ask, only, step

Count = tuple[int, int]
"""The number of Units of one slot, and the number of Giants."""
SLOTS_FOR_UNITS = 5


class Trade(Choice, frozen=True):
    """This Major Leader trades with that one."""

    leader: str
    partner: str


class GiveUnit(Choice, frozen=True):
    """This Unit goes to the other Party."""

    unit: str


class GiveItem(Choice, frozen=True):
    """This Item of this Leader goes to the other Leader."""

    leader: str
    item: str


class SettleTrade(Choice, frozen=True):
    """The trade is complete."""


def actions(state: DisciplesState, seat: Seat, ready: Ready) -> Iterator[Trade]:
    """DL-148, DL-Q34, DL-Q65: with any other Major Leader of the player, spent or dead, if anything can be traded."""
    majors = leaders(state, seat, "major")
    rich = {id_ for id_ in majors if state.members[id_].items or units_of(state, id_)}
    for leader in ready.major:
        for partner in majors:
            if partner != leader and (leader in rich or partner in rich):
                yield Trade(leader, partner)


def trade(r: Resolver[DisciplesState], seat: Seat, choice: Trade) -> Flow:
    """DL-148: only the acting Leader is spent."""
    leader = MemberId(choice.leader)
    r.emit(LeaderSpent(leader, "DL-148"))
    return Call(Trading(seat, leader, MemberId(choice.partner)))


class Trading(Procedure, frozen=True):
    """DL-149: traded pieces are named one by one; `units` and `items` (as `A1/fire_orb`) are named already."""

    seat: Seat
    leader: MemberId
    partner: MemberId
    units: tuple[MemberId, ...] = ()
    items: tuple[str, ...] = ()

    @step("DL-149", "DL-150")
    def terms(self, r: Resolver[DisciplesState]) -> Flow:
        """The acting player names them."""
        return ask(TradeTerms(self.seat, self.leader, self.partner, self.units, self.items))

    @step("DL-151", "DL-Q34")
    def settle(self, r: Resolver[DisciplesState]) -> Flow:
        """Both Parties change at once; duplicates go (DL-071), and members with a lower Max HP may die."""
        pair = (self.leader, self.partner)
        parties = tuple(self._party(r.state, own, other) for own, other in (pair, pair[::-1]))
        items = tuple(self._items(r.state, own, other) for own, other in (pair, pair[::-1]))
        r.emit(PartiesTraded(self.seat, (parties[0], parties[1]), (items[0], items[1])))
        for id_ in pair:
            discard_duplicates(r, id_)
        settle(r)
        return DONE

    def _party(self, state: DisciplesState, own: MemberId, other: MemberId) -> Party:
        party = state.parties[own]
        stay = [id_ for id_ in units_of(state, own) if id_ not in self.units]
        come = [id_ for id_ in units_of(state, other) if id_ in self.units]
        slots = arranged(without(party.slots, self.units), sizes(state, (own, *stay, *come)))
        assert slots is not None, "an illegal trade is not offered (DL-150)"
        return replace(party, slots=slots)

    def _items(self, state: DisciplesState, own: MemberId, other: MemberId) -> Codes:
        stay = (item for item in state.members[own].items if f"{own}/{item}" not in self.items)
        come = (item for item in state.members[other].items if f"{other}/{item}" in self.items)
        return (*stay, *come)


class TradeTerms(Decision, frozen=True):
    """DL-D13 One more Unit or Item that changes sides, or the end of the trade."""

    rule = "DL-150"

    leader: MemberId
    partner: MemberId
    units: tuple[MemberId, ...] = ()
    items: tuple[str, ...] = ()

    def form(self, state: DisciplesState) -> One:
        """Every piece once; a Unit only if the trade can still become legal."""
        return only(tuple(self._options(state)))

    def _options(self, state: DisciplesState) -> Iterator[Choice]:
        balance = Balance.of(state, self.leader, self.partner, self.units)
        if balance.is_legal():
            yield SettleTrade()
        index = cards_of(state)
        for own in (self.leader, self.partner):
            for unit in units_of(state, own):
                giant = is_giant(index, state.members[unit].card)
                if unit not in self.units and balance.after(own == self.leader, giant).is_completable():
                    yield GiveUnit(unit)
            for item in state.members[own].items:
                if f"{own}/{item}" not in self.items:
                    yield GiveItem(own, item)

    def resolve(self, r: Resolver[DisciplesState], choice: GiveUnit | GiveItem | SettleTrade) -> Flow:
        """Nothing happens before the trade is settled."""
        units, items = self.units, self.items
        if isinstance(choice, GiveUnit):
            units = (*units, MemberId(choice.unit))
        elif isinstance(choice, GiveItem):
            items = (*items, f"{choice.leader}/{choice.item}")
        else:
            return Goto("DL-151")
        return Goto("DL-149", Trading(self.by, self.leader, self.partner, units, items))


class Balance:
    """The balance of a trade of two Parties: their Leadership, Units that may still go over, and Units that came."""

    def __init__(self, most: tuple[int, int], own: tuple[Count, Count], came: tuple[Count, Count]) -> None:
        self.most = most
        self.own = own
        self.came = came

    @classmethod
    def of(cls, state: DisciplesState, first: MemberId, second: MemberId, moved: tuple[MemberId, ...]) -> "Balance":
        """The balance after these Units have gone over."""
        pair = (first, second)
        stay = [_count(state, (u for u in units_of(state, id_) if u not in moved)) for id_ in pair]
        left = [_count(state, (u for u in units_of(state, id_) if u in moved)) for id_ in pair]
        most = (leadership(state, first), leadership(state, second))
        return cls(most, (stay[0], stay[1]), (left[1], left[0]))

    def after(self, from_first: bool, giant: bool) -> "Balance":
        """One more Unit has gone over."""
        giver = 0 if from_first else 1
        own, came = list(self.own), list(self.came)
        own[giver] = _plus(own[giver], giant, -1)
        came[1 - giver] = _plus(came[1 - giver], giant, 1)
        return Balance(self.most, (own[0], own[1]), (came[0], came[1]))

    def is_legal(self) -> bool:
        """DL-150: both Parties keep Leadership, slots and Giant limit."""
        return all(
            _fits(most, (own[0] + came[0], own[1] + came[1]))
            for most, own, came in zip(self.most, self.own, self.came, strict=True)
        )

    def is_completable(self) -> bool:
        """Whether further Units could still make the trade legal."""
        (singles, giants), (others, other_giants) = self.own
        ranges = (range(singles + 1), range(giants + 1), range(others + 1), range(other_giants + 1))
        return any(self._given(*given).is_legal() for given in product(*ranges))

    def _given(self, singles: int, giants: int, others: int, other_giants: int) -> "Balance":
        first, second = self.own
        to_first, to_second = self.came
        return Balance(
            self.most,
            ((first[0] - singles, first[1] - giants), (second[0] - others, second[1] - other_giants)),
            ((to_first[0] + others, to_first[1] + other_giants), (to_second[0] + singles, to_second[1] + giants)),
        )


def _count(state: DisciplesState, units: Iterator[MemberId]) -> Count:
    giants = [is_giant(cards_of(state), state.members[unit].card) for unit in units]
    return giants.count(False), giants.count(True)


def _plus(count: Count, giant: bool, more: int) -> Count:
    return (count[0], count[1] + more) if giant else (count[0] + more, count[1])


def _fits(most: int, count: Count) -> bool:
    singles, giants = count
    return singles + giants <= most and giants <= MOST_GIANTS and singles + 2 * giants <= SLOTS_FOR_UNITS
