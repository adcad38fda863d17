"""2.L City resources: paying a cost by tapping Cities and the Capital (DL-082 to DL-085)."""

from collections.abc import Iterator

from domain.disciples_legacy.state.events import CityTapped, CostPaid, SurplusLost
from domain.disciples_legacy.state.queries import cards_of, cities_of
from domain.disciples_legacy.state.state import City, DisciplesState, PlaceId
from domain.kernel import DONE, NEXT, Choice, Decision, Flow, Goto, One, Procedure, Resolver, Seat, ask, only, step


class TapCity(Choice, frozen=True):
    """Tap this City or Capital for its (C)."""

    city: str


def tappable(state: DisciplesState, seat: int) -> Iterator[City]:
    """DL-082: untapped Cities that give (C); only the first of several copies of a card, because copies are alike."""
    towns = cards_of(state).towns
    seen = set()
    for city in cities_of(state, seat):
        if not city.tapped and towns[city.card].yield_c and city.card not in seen:
            seen.add(city.card)
            yield city


def tap(r: Resolver[DisciplesState], seat: Seat, city: str) -> None:
    """DL-001, DL-082: the City is tapped and its (C) are there."""
    found = r.state.cities[PlaceId(city)]
    r.emit(CityTapped(found.id, seat, cards_of(r.state).towns[found.card].yield_c))


def lose_surplus(r: Resolver[DisciplesState], seat: Seat) -> None:
    """DL-083: unused (C) is lost at once."""
    left = r.state.sides[seat].credit
    if left:
        r.emit(SurplusLost(seat, left))


class Payment(Decision, frozen=True):
    """DL-D07 The City to tap next; `due` (C) are still missing."""

    rule = "DL-082"

    due: int

    def form(self, state: DisciplesState) -> One:
        """The untapped Cities that give (C) (DL-002)."""
        return only(tuple(TapCity(city.id) for city in tappable(state, self.by)))

    def resolve(self, r: Resolver[DisciplesState], choice: TapCity) -> Flow:
        """The City is tapped; the payment continues."""
        tap(r, self.by, choice.city)
        return Goto("DL-082")


class Paying(Procedure, frozen=True):
    """A cost that can be paid (DL-Q06), paid by tapping card by card (DL-Q64). `for_rule` names the purpose."""

    seat: Seat
    due: int
    for_rule: str

    @step("DL-082", "DL-004")
    def tapping(self, r: Resolver[DisciplesState]) -> Flow:
        """Cities are tapped until the (C) suffice; the player is not asked without a choice."""
        missing = self.due - r.state.sides[self.seat].credit
        if missing <= 0:
            return NEXT
        found = tuple(tappable(r.state, self.seat))
        if len(found) == 1:
            tap(r, self.seat, found[0].id)
            return Goto("DL-082")
        return ask(Payment(self.seat, missing))

    @step("DL-083")
    def paying(self, r: Resolver[DisciplesState]) -> Flow:
        """The cost is paid, the surplus lost."""
        if self.due:
            r.emit(CostPaid(self.seat, self.due, self.for_rule))
        lose_surplus(r, self.seat)
        return DONE
