"""2.R Recruiting a City (DL-131 to DL-134)."""

from collections.abc import Iterator

from domain.disciples_legacy.state.events import CityRecruited, LeaderSpent
from domain.disciples_legacy.state.queries import (
    Ready,
    cards_of,
    hand_of,
)
from domain.disciples_legacy.state.state import City, DisciplesState, MemberId, PlaceId
from domain.kernel import NEXT, Choice, Flow, Resolver, Seat


class RecruitCity(Choice, frozen=True):
    """This Major Leader brings a copy of this City into play."""

    leader: str
    card: str


def actions(state: DisciplesState, seat: Seat, ready: Ready) -> Iterator[RecruitCity]:
    """DL-064, DL-132: any City of the hand (DL-134), for no cost but the Leader's token (DL-133, DL-233).

    Playing a City does not require a race (DL-Q43).
    """
    cities = [card for card in hand_of(state, seat) if card in cards_of(state).cities]
    for leader in ready.major:
        for card in cities:
            yield RecruitCity(leader, card)


def recruit_city(r: Resolver[DisciplesState], seat: Seat, choice: RecruitCity) -> Flow:
    """DL-131: the City enters untapped (DL-Q31), under the player's control."""
    leader = MemberId(choice.leader)
    r.emit(LeaderSpent(leader, "DL-131"))
    r.emit(CityRecruited(leader, City(PlaceId(f"C{r.state.places + 1}"), choice.card, seat)))
    return NEXT
