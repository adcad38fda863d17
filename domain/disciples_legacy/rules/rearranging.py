"""2.M Formations changed outside Battle, free of charge (DL-090, DL-Q46, DL-Q62)."""

from collections.abc import Iterator

from domain.disciples_legacy.state.events import FormationKept, PartyRearranged
from domain.disciples_legacy.state.formation import moves
from domain.disciples_legacy.state.queries import cards_of, members_of
from domain.disciples_legacy.state.state import DisciplesState, MemberId
from domain.kernel import DONE, Choice, Decision, Flow, Goto, One, Procedure, Resolver, Seat, ask, only, step


class Move(Choice, frozen=True):
    """Move this member to this slot; a member there changes places with it."""

    member: str
    slot: int


class Keep(Choice, frozen=True):
    """Leave the formation as it is."""


def formation_moves(state: DisciplesState, party: MemberId, moved: tuple[str, ...]) -> Iterator[Move]:
    """DL-087: every member that has not been moved yet, to every other place."""
    index = cards_of(state)
    for member in members_of(state, party):
        if member not in moved:
            for slot, _ in moves(index, state, state.parties[party], member):
                yield Move(member, slot)


def move(r: Resolver[DisciplesState], party: MemberId, choice: Move) -> None:
    """The new formation takes effect at once and is public (DL-230)."""
    found = moves(cards_of(r.state), r.state, r.state.parties[party], MemberId(choice.member))
    slots = next(slots for slot, slots in found if slot == choice.slot)
    r.emit(PartyRearranged(party, slots, MemberId(choice.member)))


class Arrangement(Decision, frozen=True):
    """DL-D03 A move of a member outside Battle; `moved` are the members already moved."""

    rule = "DL-090"

    party: MemberId
    moved: tuple[MemberId, ...] = ()

    def form(self, state: DisciplesState) -> One:
        """Keep it, or move one member."""
        return only((Keep(), *formation_moves(state, self.party, self.moved)))

    def resolve(self, r: Resolver[DisciplesState], choice: Move | Keep) -> Flow:
        """Move after move, each member at most once; every formation can be reached in this way."""
        if isinstance(choice, Keep):
            r.emit(FormationKept(self.party))
            return DONE
        move(r, self.party, choice)
        moved = (*self.moved, MemberId(choice.member))
        return Goto("DL-090", Rearranging(self.by, self.party, moved))


class Rearranging(Procedure, frozen=True):
    """DL-090, DL-091: never during a Battle."""

    seat: Seat
    party: MemberId
    moved: tuple[MemberId, ...] = ()

    @step("DL-090", "DL-091")
    def arrange(self, r: Resolver[DisciplesState]) -> Flow:
        """The owner is asked."""
        return ask(Arrangement(self.seat, self.party, self.moved))
