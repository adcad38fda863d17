"""2.U Shopping (DL-142 to DL-147)."""

from collections.abc import Iterator
from itertools import combinations

from domain.disciples_legacy.rules.dying import discard_duplicates, settle
from domain.disciples_legacy.rules.paying import Paying
from domain.disciples_legacy.state.events import CardsNamed, CreditGiven, ItemsBought, LeaderSpent
from domain.disciples_legacy.state.queries import (
    FREE_SHOPPING,
    Ready,
    cards_of,
    hand_of,
    modifier,
    purse,
    races_of,
)
from domain.disciples_legacy.state.state import Codes, DisciplesState, MemberId
from domain.kernel import DONE, Call, Choice, Flow, Procedure, Resolver, Seat, step

MOST_ITEMS = 3
"""DL-142."""


class Shop(Choice, frozen=True):
    """This Major Leader buys these Items."""

    leader: str
    items: tuple[str, ...]


def free_resources(state: DisciplesState, seat: Seat) -> int:
    """DL-144; `shop_bonus_c` (6.2) adds to them."""
    return FREE_SHOPPING + modifier(state, seat, "shop_bonus_c")


def price(state: DisciplesState, items: Codes) -> int:
    """The total of printed costs."""
    return sum(cards_of(state).items[item].cost for item in items)


def actions(state: DisciplesState, seat: Seat, ready: Ready) -> Iterator[Shop]:
    """DL-142, DL-143: one to three different Items of the hand that can be paid (DL-145, DL-147)."""
    if not ready.major:
        return
    index = cards_of(state)
    races, most = races_of(state, seat), purse(state, seat) + free_resources(state, seat)
    wares = [card for card in hand_of(state, seat) if card in index.items and index.items[card].race in races]
    for size in range(1, MOST_ITEMS + 1):
        for items in combinations(wares, size):
            if price(state, items) <= most:
                for leader in ready.major:
                    yield Shop(leader, items)


def shop(r: Resolver[DisciplesState], seat: Seat, choice: Shop) -> Flow:
    """DL-142."""
    leader = MemberId(choice.leader)
    r.emit(LeaderSpent(leader, "DL-142"))
    r.emit(CardsNamed(leader, choice.items))
    return Call(Shopping(seat, leader, choice.items))


class Shopping(Procedure, frozen=True):
    """DL-144 to DL-146: free (C), then the rest by tapping; a surplus is lost."""

    seat: Seat
    leader: MemberId
    items: tuple[str, ...]

    @step("DL-144", "DL-145", "DL-146")
    def pay(self, r: Resolver[DisciplesState]) -> Flow:
        """Free (C) first."""
        r.emit(CreditGiven(self.seat, free_resources(r.state, self.seat), "DL-144"))
        return Call(Paying(self.seat, price(r.state, self.items), "DL-142"))

    @step("DL-142", "DL-071")
    def take(self, r: Resolver[DisciplesState]) -> Flow:
        """Copies of the Items; a second copy of one is discarded."""
        r.emit(ItemsBought(self.leader, self.items))
        discard_duplicates(r, self.leader)
        # DL-204: their passives may lower Max HP.
        settle(r)
        return DONE
