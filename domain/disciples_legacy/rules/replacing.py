"""2.Y Replacing a Major Leader (DL-165 to DL-169)."""

from collections.abc import Iterator

from domain.disciples_legacy.rules.paying import Paying
from domain.disciples_legacy.rules.recruiting import lone_party
from domain.disciples_legacy.state.events import LeaderArrived, LeaderSpent
from domain.disciples_legacy.state.queries import (
    MOST_MAJOR,
    Ready,
    can_pay,
    cards_of,
    leaders,
    next_member,
)
from domain.disciples_legacy.state.state import DisciplesState, Member, MemberId
from domain.kernel import DONE, Call, Choice, Flow, Procedure, Resolver, Seat, step


class ReplaceLeader(Choice, frozen=True):
    """This Major Leader recruits that fallen one again."""

    leader: str
    card: str


def actions(state: DisciplesState, seat: Seat, ready: Ready) -> Iterator[ReplaceLeader]:
    """DL-165, DL-Q35: any Major Leader of one's discard pile that can be paid, while there are fewer than three."""
    # DL-169, DL-050
    if len(leaders(state, seat, "major")) >= MOST_MAJOR:
        return
    majors = cards_of(state).majors
    for card in dict.fromkeys(state.sides[seat].discard):
        if card in majors and can_pay(state, seat, majors[card].cost):
            for leader in ready.major:
                yield ReplaceLeader(leader, card)


def replace_leader(r: Resolver[DisciplesState], seat: Seat, choice: ReplaceLeader) -> Flow:
    """The acting Leader is spent as well (DL-Q35)."""
    r.emit(LeaderSpent(MemberId(choice.leader), "DL-165"))
    return Call(Replacing(seat, choice.card))


class Replacing(Procedure, frozen=True):
    """DL-166 to DL-168: pay; the Leader returns alone, whole and spent."""

    seat: Seat
    card: str

    @step("DL-166")
    def pay(self, r: Resolver[DisciplesState]) -> Flow:
        """The recruit cost."""
        return Call(Paying(self.seat, cards_of(r.state).majors[self.card].cost, "DL-166"))

    @step("DL-167", "DL-168")
    def arrive(self, r: Resolver[DisciplesState]) -> Flow:
        """A new Party of one, with full HP and without Items; it can neither act nor block in this turn."""
        id_ = next_member(r.state, self.seat)
        member = Member(id_, self.seat, self.card, "major", id_, spent=True)
        r.emit(LeaderArrived(member, lone_party(id_, self.seat), "discard", "DL-167"))
        return DONE
