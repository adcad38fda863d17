"""Books kept of a match from its events alone: cards, (C), damage and actions, against which its states are held.

Nothing here asks the rules: cards that entered play must be in play or discarded, (C) gained must be paid, lost or at
hand, and a card that has acted may not act again before something untaps or unspends it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import singledispatchmethod

from domain.disciples_legacy.state import events as e
from domain.disciples_legacy.state.state import DisciplesState, Member
from domain.kernel import Event


class Books:
    """`entered` counts every card that ever entered play; `credit` is by seat, `damage` by member; `acted` are those
    who have struck or used an ability since they were last untapped, `spent` the Leaders under a token.
    """

    def __init__(self) -> None:
        self.entered: Counter[str] = Counter()
        self.credit: Counter[int] = Counter()
        self.damage: dict[str, int] = {}
        self.acted: set[str] = set()
        self.spent: set[str] = set()
        self.tapped: set[str] = set()
        self.faults: list[str] = []

    def follow(self, events: Iterable[Event]) -> None:
        """Enter an event."""
        for event in events:
            self.enter(event)

    @singledispatchmethod
    def enter(self, event: Event) -> None:
        """Most events concern no book."""

    @enter.register
    def _(self, event: e.ArmyDeployed) -> None:
        self.entered[event.capital.card] += 1
        for member in event.members:
            self._arrive(member)

    def _arrive(self, member: Member) -> None:
        self.entered.update((member.card, *member.items))
        self.damage[member.id] = member.damage
        if member.spent:
            self.spent.add(member.id)

    @enter.register
    def _(self, event: e.LeaderArrived) -> None:
        self._arrive(event.member)
        if event.origin == "discard":
            self.entered[event.member.card] -= 1

    @enter.register
    def _(self, event: e.UnitRecruited) -> None:
        self._arrive(event.member)

    @enter.register
    def _(self, event: e.CityRecruited) -> None:
        self.entered[event.city.card] += 1

    @enter.register
    def _(self, event: e.ManaPlanted) -> None:
        self.entered[event.mana.card] += 1

    @enter.register
    def _(self, event: e.ItemsBought) -> None:
        self.entered.update(event.items)

    @enter.register
    def _(self, event: e.CityTapped) -> None:
        self._once(self.tapped, event.city, "tapped")
        self.credit[event.seat] += event.gives

    @enter.register
    def _(self, event: e.CitiesUntapped) -> None:
        self.tapped -= set(event.cities)

    @enter.register
    def _(self, event: e.CreditGiven) -> None:
        self.credit[event.seat] += event.amount

    @enter.register(e.CostPaid)
    @enter.register(e.SurplusLost)
    def _(self, event: e.CostPaid | e.SurplusLost) -> None:
        self.credit[event.seat] -= event.amount
        if self.credit[event.seat] < 0:
            self.faults.append(f"seat {event.seat} spends what it does not have: {event}")

    @enter.register
    def _(self, event: e.MembersDamaged) -> None:
        for hurt in event.hurt:
            self.damage[hurt.member] += hurt.damage

    @enter.register
    def _(self, event: e.MembersHealed) -> None:
        for healed in event.healed:
            if not 0 < healed.amount <= self.damage[healed.member]:
                self.faults.append(f"{healed.member} is healed of {healed.amount} of {self.damage[healed.member]}")
            self.damage[healed.member] -= healed.amount

    @enter.register
    def _(self, event: e.MembersDied) -> None:
        for hurt in event.dead:
            self.damage[hurt.member] = hurt.damage

    @enter.register
    def _(self, event: e.MemberRevived) -> None:
        self.damage[event.member] = event.damage

    @enter.register
    def _(self, event: e.Struck) -> None:
        self._once(self.acted, event.member, "acted")

    @enter.register
    def _(self, event: e.AbilityUsed) -> None:
        if event.ability.startswith("T"):
            self._once(self.acted, event.member, "acted")

    @enter.register
    def _(self, event: e.MembersUntapped) -> None:
        self.acted -= set(event.members)

    @enter.register
    def _(self, event: e.LeaderSpent) -> None:
        self._once(self.spent, event.leader, "spent")

    @enter.register
    def _(self, event: e.LeadersUnspent) -> None:
        self.spent -= set(event.leaders)

    def _once(self, done: set[str], who: str, what: str) -> None:
        if who in done:
            self.faults.append(f"{who} is {what} twice")
        done.add(who)

    def differences(self, state: DisciplesState) -> Iterator[str]:
        """The differences between the state and the books, and the faults on the way."""
        yield from self.faults
        there = cards_there(state)
        if +self.entered != there:
            yield f"entered play and not there, or there and never entered: {_surplus(self.entered, there)}"
        for seat, side in enumerate(state.sides):
            if side.credit != self.credit[seat]:
                yield f"seat {seat} has {side.credit} (C), not {self.credit[seat]}"
        for member in state.members.values():
            if member.damage != self.damage[member.id]:
                yield f"{member.id} has {member.damage} damage, not {self.damage[member.id]}"
            if member.spent != (member.id in self.spent):
                yield f"{member.id} is {'' if member.spent else 'not '}spent, and the books say otherwise"


def cards_there(state: DisciplesState) -> Counter[str]:
    """Every card in play and in the discard piles of both."""
    found: Counter[str] = Counter()
    for member in state.members.values():
        found.update((member.card, *member.items))
    found.update(city.card for city in state.cities.values())
    found.update(mana.card for mana in state.mana.values())
    for side in state.sides:
        found.update(side.discard)
    return found


def _surplus(kept: Counter[str], there: Counter[str]) -> dict[str, int]:
    return {card: there[card] - kept[card] for card in kept | there if there[card] != kept[card]}
