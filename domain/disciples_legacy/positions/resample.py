"""Another world that looks the same to a viewer, for the proof that nothing leaks and for bots.

Hidden are the unseen Reserves of the other player (DL-231, DL-232), both decks before they
are deployed (DL-228), the cards the other player has peeked at, and sealed answers. `keep` may name `hand0`, `deck0`,
`army0` and so on per seat: `army0` keeps the deployed part of a deck; the others keep the whole deck and the hand.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from domain.commons.rows import BOTH, foe
from domain.commons.sealed import by_name, other_answers
from domain.disciples_legacy.cards.cards import CardIndex, Deck
from domain.disciples_legacy.rules.setup import DeckSelection, Deployment
from domain.disciples_legacy.rules.strategic import StrategicAction
from domain.disciples_legacy.state.evolve_state import with_side
from domain.disciples_legacy.state.queries import (
    cards_of,
    decks_of,
)
from domain.disciples_legacy.state.state import Codes, DisciplesState
from domain.kernel import Below, Hidden, Seat, shuffled

SEALED = by_name(DeckSelection, Deployment)
ACTION = StrategicAction.__name__
ATTEMPTS = 60
DECK_SHARE = 3
"""One in this many worlds gives the other player a deck that may be chosen by name, if one fits."""


def resample(
    state: DisciplesState, viewer: Seat | None, below: Below, keep: frozenset[str] = frozenset()
) -> DisciplesState:
    """Everything hidden from the viewer, drawn again; `viewer` None is a spectator."""
    for _ in range(ATTEMPTS):
        world = _draw(state, viewer, below, keep)
        if _can_answer(world, viewer):
            break
    return world


def _can_answer(world: DisciplesState, viewer: Seat | None) -> bool:
    """DL-Q59: a player who is asked for an action can act, if in no other way by playing a card of the hand."""
    others = (asked for asked in world.asked if asked.kind == ACTION and asked.seat != viewer)
    return all(StrategicAction(asked.seat).form(world).count() for asked in others)


def _draw(state: DisciplesState, viewer: Seat | None, below: Below, keep: frozenset[str]) -> DisciplesState:
    seen = _seen_by(state, viewer)
    for seat in BOTH:
        if seat != viewer and not {f"hand{seat}", f"deck{seat}"} & keep:
            state = _side(state, seat, below, seen[seat], deployed=f"army{seat}" in keep)
    for seat in BOTH:
        if seat != viewer and state.sides[seat].peeked_count:
            state = _peek(state, seat, below, keep)
    return other_answers(state, SEALED, below, lambda asked: asked.seat == viewer or f"hand{asked.seat}" in keep)


def _seen_by(state: DisciplesState, viewer: Seat | None) -> tuple[Codes, Codes]:
    """The cards of each hand that the viewer knows: those that all have seen, and those that it has peeked at."""
    hands = [side.known for side in state.sides]
    if viewer is not None:
        peeked = state.sides[viewer].peeked
        if not isinstance(peeked, Hidden):
            other = foe(viewer)
            hands[other] = tuple(dict.fromkeys((*hands[other], *peeked)))
    return hands[0], hands[1]


def _side(state: DisciplesState, seat: Seat, below: Below, seen: Codes, *, deployed: bool) -> DisciplesState:
    side = state.sides[seat]
    if not side.chosen and not side.hand_size:
        return state
    ready = [deck for deck in decks_of(state).values() if _fits(state, seat, deck, seen)]
    if not side.hand_size and isinstance(side.deck, Deck) and deployed:  # DL-228: a deck of one's own may hold others
        return with_side(state, seat, deck=replace(side.deck, reserves=_hand(state, seat, below, seen, side.deck)))
    if not side.hand_size:
        return with_side(state, seat, deck=ready[below(len(ready))])
    if ready and not below(DECK_SHARE):
        deck = ready[below(len(ready))]
        return with_side(state, seat, deck=deck, hand=deck.reserves)
    hand = _hand(state, seat, below, seen)
    return with_side(state, seat, hand=hand, deck=_deck_of(state, seat, hand) if side.chosen else side.deck)


def _fits(state: DisciplesState, seat: Seat, deck: Deck, seen: Codes) -> bool:
    """Whether the player may have handed in this deck, given the cards that were seen."""
    side = state.sides[seat]
    if not side.hand_size:
        return True
    if deck.race != side.race or len(deck.reserves) != side.hand_size:
        return False
    return set(seen) <= set(deck.reserves) and not set(side.lacks) & set(deck.reserves)


def reserves_pool(index: CardIndex) -> Codes:
    """DL-035 to DL-037: the cards that a Reserves Deck may hold; no summoned Leader (6.3)."""
    minors = (card.id for card in index.minors.values() if not card.summoned)
    return (*index.cities, *index.mana, *minors, *index.units, *index.items, *index.spells)


def _hand(state: DisciplesState, seat: Seat, below: Below, seen: Codes, deck: Deck | None = None) -> Codes:
    """DL-032 to DL-034: different cards, at least one City; all seen cards, and no card that cannot be there.

    There are as many cards as the player holds or, with `deck`, as its whole Reserves Deck has.
    """
    side, index = state.sides[seat], cards_of(state)
    pool = [card for card in reserves_pool(index) if card not in seen and card not in side.lacks]
    drawn = list(seen)
    if not any(card in index.cities for card in drawn):
        cities = [card for card in pool if card in index.cities]
        if cities:
            drawn.append(cities[below(len(cities))])
    rest = shuffled((card for card in pool if card not in drawn), below)
    return tuple((*drawn, *rest)[: len(deck.reserves) if deck else side.hand_size])


def _deck_of(state: DisciplesState, seat: Seat, hand: Codes) -> Deck:
    """A deck that holds this hand; its army is already in play and is not read again."""
    side = state.sides[seat]
    if isinstance(side.deck, Deck):
        return replace(side.deck, reserves=hand)
    capital = next((city.card for city in state.cities.values() if city.seat == seat and city.capital), "")
    race = cards_of(state).capitals[capital].race if capital in cards_of(state).capitals else "empire"
    return Deck(id="unknown", name="?", race=race, capital=capital, parties=(), reserves=hand)


def _peek(state: DisciplesState, seat: Seat, below: Below, keep: Iterable[str]) -> DisciplesState:
    """DL-232: only the other player knows which cards that player has seen."""
    side = state.sides[seat]
    hand = state.sides[foe(seat)].hand
    if f"hand{seat}" in keep or isinstance(hand, Hidden):
        return state
    return with_side(state, seat, peeked=tuple(sorted(shuffled(hand, below)[: side.peeked_count])))
