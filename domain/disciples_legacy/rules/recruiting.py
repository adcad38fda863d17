"""2.S, 2.T Recruiting Thieves, Rod Planters and Units (DL-135 to DL-141)."""

from collections.abc import Iterator

from msgspec.structs import replace

from domain.disciples_legacy.cards.cards import MinorLeader
from domain.disciples_legacy.rules.dying import settle
from domain.disciples_legacy.rules.paying import Paying
from domain.disciples_legacy.state.events import (
    CardsNamed,
    LeaderArrived,
    LeaderDismissed,
    LeaderSpent,
    UnitRecruited,
    UnitsDiscarded,
)
from domain.disciples_legacy.state.formation import (
    DEFAULT_SLOT,
    arranged,
    free_slots,
    is_overfull,
    least_discards,
    resettled,
    sizes,
    with_member,
)
from domain.disciples_legacy.state.queries import (
    MOST_MINOR,
    Ready,
    cards_of,
    hand_of,
    is_giant,
    leaders,
    next_member,
    purse,
    races_of,
    unit_discount,
    unit_price,
    units_of,
)
from domain.disciples_legacy.state.state import EMPTY, DisciplesState, Member, MemberId, Party
from domain.kernel import DONE, NEXT, Call, Choice, Decision, Flow, One, Procedure, Resolver, Seat, ask, only, step


class RecruitMinor(Choice, frozen=True):
    """This Major Leader recruits this Thief or Rod Planter."""

    leader: str
    card: str


class RecruitUnit(Choice, frozen=True):
    """This Major Leader recruits this Unit into its own Party."""

    leader: str
    card: str


def actions(state: DisciplesState, seat: Seat, ready: Ready) -> Iterator[RecruitMinor | RecruitUnit]:
    """DL-128: cards that can be paid for (DL-Q05) and have the race of a City of the player's (DL-056)."""
    if not ready.major:
        return
    index, races, most = cards_of(state), races_of(state, seat), purse(state, seat)
    for card in hand_of(state, seat):
        unit, minor = index.units.get(card), index.minors.get(card)
        if unit is not None and unit.race in races and unit.cost - unit_discount(state, seat) <= most:
            yield from (RecruitUnit(leader, card) for leader in ready.major)
        elif minor is not None and minor.race in races and minor.cost <= most and _has_room(state, seat, minor):
            yield from (RecruitMinor(leader, card) for leader in ready.major)


def same_name(state: DisciplesState, seat: Seat, name: str) -> MemberId | None:
    """DL-136, DL-Q03: the player's Minor Leader of that printed name."""
    minors = cards_of(state).minors
    found = (id_ for id_ in leaders(state, seat, "minor") if minors[state.members[id_].card].name == name)
    return next(found, None)


def _has_room(state: DisciplesState, seat: Seat, card: MinorLeader) -> bool:
    """DL-137: a third Minor Leader may only replace one of its name."""
    return len(leaders(state, seat, "minor")) < MOST_MINOR or same_name(state, seat, card.name) is not None


def recruit_minor(r: Resolver[DisciplesState], seat: Seat, choice: RecruitMinor) -> Flow:
    """DL-135."""
    leader = MemberId(choice.leader)
    r.emit(LeaderSpent(leader, "DL-135"))
    r.emit(CardsNamed(leader, (choice.card,)))
    return Call(MinorRecruiting(seat, choice.card))


def recruit_unit(r: Resolver[DisciplesState], seat: Seat, choice: RecruitUnit) -> Flow:
    """DL-138."""
    leader = MemberId(choice.leader)
    r.emit(LeaderSpent(leader, "DL-138"))
    r.emit(CardsNamed(leader, (choice.card,)))
    return Call(UnitRecruiting(seat, leader, choice.card))


def lone_party(leader: MemberId, seat: Seat) -> Party:
    """DL-Q45: a Party of one stands in slot 2; its owner may move it."""
    return Party(leader, seat, with_member(EMPTY, leader, DEFAULT_SLOT, giant=False))


class MinorRecruiting(Procedure, frozen=True):
    """DL-135, DL-136: pay, discard the former one of the name, bring in the new."""

    seat: Seat
    card: str

    @step("DL-Q05", "DL-056")
    def pay(self, r: Resolver[DisciplesState]) -> Flow:
        """The printed cost."""
        return Call(Paying(self.seat, cards_of(r.state).minors[self.card].cost, "DL-135"))

    @step("DL-136")
    def dismiss(self, r: Resolver[DisciplesState]) -> Flow:
        """The former one leaves with its Items; nobody captures them."""
        former = same_name(r.state, self.seat, cards_of(r.state).minors[self.card].name)
        if former is not None:
            member = r.state.members[former]
            r.emit(LeaderDismissed(former, (member.card, *member.items)))
        return NEXT

    @step("DL-135", "DL-020", "DL-Q42")
    def arrive(self, r: Resolver[DisciplesState]) -> Flow:
        """A new Party of one, with full HP, unspent."""
        id_ = next_member(r.state, self.seat)
        member = Member(id_, self.seat, self.card, "minor", id_)
        r.emit(LeaderArrived(member, lone_party(id_, self.seat), "hand", "DL-135"))
        return DONE


class PlaceUnit(Choice, frozen=True):
    """The new Unit stands in this slot; a Giant's front slot."""

    slot: int


class Placement(Decision, frozen=True):
    """DL-D10 Where the new Unit stands (DL-Q54)."""

    rule = "DL-138"

    leader: MemberId
    card: str

    def form(self, state: DisciplesState) -> One:
        """The slots that are free."""
        giant = is_giant(cards_of(state), self.card)
        return only(tuple(PlaceUnit(slot) for slot in free_slots(state.parties[self.leader].slots, giant)))

    def resolve(self, r: Resolver[DisciplesState], choice: PlaceUnit) -> Flow:
        """The Unit is in the Party."""
        _join(r, self.by, self.leader, self.card, choice.slot)
        return NEXT


def _join(r: Resolver[DisciplesState], seat: Seat, leader: MemberId, card: str, slot: int) -> None:
    """DL-138, DL-Q54: into the slot; for 0 wherever a formation has room, or without a slot if none has room."""
    id_ = next_member(r.state, seat)
    party = r.state.parties[leader]
    giant = is_giant(cards_of(r.state), card)
    if slot:
        party = replace(party, slots=with_member(party.slots, id_, slot, giant))
    else:
        everybody = sizes(r.state, (leader, *units_of(r.state, leader))) | {id_: giant}
        slots = arranged(party.slots, everybody)
        party = replace(party, waiting=id_) if slots is None else replace(party, slots=slots)
    r.emit(UnitRecruited(Member(id_, seat, card, "unit", leader), party))
    # DL-204: its passives may lower the Max HP of others; the Party stays, for the new Unit lives.
    settle(r)


class DiscardUnits(Choice, frozen=True):
    """Discard these Units."""

    units: tuple[str, ...]


class OverflowDiscard(Decision, frozen=True):
    """DL-D11 The Units that leave an overfull Party; never the Leader, and no Unit that could stay (DL-Q55)."""

    rule = "DL-141"

    leader: MemberId

    def form(self, state: DisciplesState) -> One:
        """Every set that is just enough; the new Unit and dead Units may leave (DL-Q33)."""
        return only(tuple(DiscardUnits(units) for units in least_discards(state, self.leader)))

    def resolve(self, r: Resolver[DisciplesState], choice: DiscardUnits) -> Flow:
        """The cost is not refunded."""
        units = tuple(MemberId(unit) for unit in choice.units)
        r.emit(UnitsDiscarded(units, resettled(r.state, self.leader, units)))
        # DL-204: members that lived only by their passives die.
        settle(r)
        return NEXT

    def default(self, state: DisciplesState) -> Choice:
        """The new Unit, if that is enough."""
        options = self.form(state).choices
        newest = units_by_age(state, self.leader)[-1]
        return next((choice for choice in options if choice == DiscardUnits((newest,))), options[0])


def units_by_age(state: DisciplesState, leader: MemberId) -> tuple[MemberId, ...]:
    """The Units of a Party in the order they entered play."""
    inside = set(units_of(state, leader))
    return tuple(id_ for id_ in state.members if id_ in inside)


class UnitRecruiting(Procedure, frozen=True):
    """DL-138 to DL-141: pay, place, discard surplus Units; nothing else happens meanwhile (DL-Q55)."""

    seat: Seat
    leader: MemberId
    card: str

    @step("DL-Q05")
    def pay(self, r: Resolver[DisciplesState]) -> Flow:
        """The printed cost, less what the Capital takes off the turn's first Unit."""
        price = unit_price(r.state, self.seat, cards_of(r.state).units[self.card])
        return Call(Paying(self.seat, price, "DL-138"))

    @step("DL-138", "DL-Q54")
    def place(self, r: Resolver[DisciplesState]) -> Flow:
        """The owner chooses a slot if there is a choice."""
        free = free_slots(r.state.parties[self.leader].slots, is_giant(cards_of(r.state), self.card))
        if len(free) > 1:
            return ask(Placement(self.seat, self.leader, self.card))
        _join(r, self.seat, self.leader, self.card, free[0] if free else 0)
        return NEXT

    @step("DL-139", "DL-140", "DL-141")
    def discard(self, r: Resolver[DisciplesState]) -> Flow:
        """An overfull Party is made legal at once."""
        if not is_overfull(r.state, self.leader):
            return DONE
        return ask(OverflowDiscard(self.seat, self.leader))
