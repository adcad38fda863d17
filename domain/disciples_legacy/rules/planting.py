"""2.I Planting Mana (DL-068 to DL-070)."""

from collections.abc import Iterator
from functools import lru_cache

from domain.disciples_legacy.cards import hooks
from domain.disciples_legacy.cards.cards import CardIndex
from domain.disciples_legacy.state.events import LeaderSpent, ManaPlanted
from domain.disciples_legacy.state.queries import (
    Ready,
    cards_of,
    hand_of,
    ready_leaders,
)
from domain.disciples_legacy.state.state import Codes, DisciplesState, Mana, MemberId, PlaceId
from domain.kernel import NEXT, Choice, Flow, Resolver, Seat


class Plant(Choice, frozen=True):
    """This Rod Planter brings a copy of this Mana card into play."""

    leader: str
    card: str


@lru_cache(maxsize=256)
def _cards_with(index: CardIndex, kind: type[hooks.Operation]) -> frozenset[str]:
    """The cards that print an `(S)` ability of this operation."""
    return frozenset(
        card
        for card, abilities in index.abilities.items()
        if any(ability.window == "S" and isinstance(ability.op, kind) for ability in abilities)
    )


def with_ability(state: DisciplesState, ready: Ready, kind: type[hooks.Operation]) -> tuple[MemberId, ...]:
    """DL-052, DL-236: the ready Leaders whose card prints an `(S)` ability of this operation."""
    cards = _cards_with(cards_of(state), kind)
    return tuple(id_ for id_ in ready.all if state.members[id_].card in cards)


def actions(state: DisciplesState, seat: Seat, ready: Ready) -> Iterator[Plant]:
    """DL-068, DL-069: any Mana card of the hand; no race is required (DL-Q43)."""
    planters = with_ability(state, ready, hooks.PlantOperation)
    if planters:
        mana = [card for card in hand_of(state, seat) if card in cards_of(state).mana]
        for leader in planters:
            for card in mana:
                yield Plant(leader, card)


def plant(r: Resolver[DisciplesState], seat: Seat, choice: Plant) -> Flow:
    """DL-068: the Mana card is in play under the player's control."""
    leader = MemberId(choice.leader)
    r.emit(LeaderSpent(leader, "DL-068"))
    r.emit(ManaPlanted(leader, Mana(PlaceId(f"M{r.state.places + 1}"), choice.card, seat)))
    return NEXT


def lacking(state: DisciplesState, seat: Seat) -> Codes:
    """DL-Q59: cards that a player certainly does not hold if the match skips the player while a Rod Planter could
    plant.
    """
    return tuple(cards_of(state).mana) if with_ability(state, ready_leaders(state, seat), hooks.PlantOperation) else ()
