"""Worlds drawn for a viewer agree with what it has seen, and hold what a deck may hold."""

import random

import pytest
from msgspec.structs import replace

from domain.disciples_legacy import GAME
from domain.disciples_legacy.cards.cards import SHIPPED, Deck, index_of
from domain.disciples_legacy.positions.resample import resample, reserves_pool
from domain.disciples_legacy.state.evolve_state import with_side
from domain.disciples_legacy.state.state import DisciplesState
from domain.kernel import HIDDEN, Mask, Seat
from server.conformance.walks import Walk
from tests.domain.disciples_legacy.table import given

INDEX = index_of(None)
SEEN = ("ash_town", "red_mana")


def worlds(state: DisciplesState, viewer: int | None, number: int = 60) -> list[DisciplesState]:
    below = random.Random(5).randrange
    return [resample(state, None if viewer is None else Seat(viewer), below) for _ in range(number)]


def known_of_seat_1() -> DisciplesState:
    return with_side(given().state, 1, known=SEEN, lacks=("white_mana", "fire_bolt"))


def test_dl_231_every_world_holds_what_was_seen_and_twelve_different_cards() -> None:
    for world in worlds(known_of_seat_1(), 0):
        hand = world.sides[1].hand
        assert isinstance(hand, tuple)
        assert set(SEEN) <= set(hand)
        assert len(set(hand)) == len(hand) == 12
        assert set(hand) <= set(reserves_pool(INDEX))
        assert world.sides[0].hand == given().state.sides[0].hand


def test_dl_q59_no_world_holds_what_a_skip_has_shown_the_hand_to_lack() -> None:
    hands = [world.sides[1].hand for world in worlds(known_of_seat_1(), 0)]
    assert not any({"white_mana", "fire_bolt"} & set(hand) for hand in hands if isinstance(hand, tuple))


def test_dl_034_every_world_has_a_city_in_the_hand() -> None:
    state = with_side(given().state, 1, known=("red_mana",))
    for world in worlds(state, None):
        hand = world.sides[1].hand
        assert isinstance(hand, tuple)
        assert any(card in INDEX.cities for card in hand)


def test_dl_232_who_has_peeked_goes_on_seeing_and_nobody_else_does() -> None:
    state = with_side(given().state, 0, peeked=("gargoyle", "red_mana"), peeked_count=2)
    mine = [set(world.sides[1].hand) for world in worlds(state, 0)]  # type: ignore[arg-type]
    assert all({"gargoyle", "red_mana"} <= hand for hand in mine)
    others = [world.sides[0].peeked for world in worlds(state, 1)]
    assert any(peeked != ("gargoyle", "red_mana") for peeked in others)
    assert all(isinstance(peeked, tuple) and len(peeked) == 2 for peeked in others)


@pytest.mark.parametrize("word", ["hand1", "deck1"])
def test_what_is_to_be_kept_stays(word: str) -> None:
    state = given().state
    kept = resample(state, Seat(0), random.Random(3).randrange, frozenset({word}))
    assert kept.sides[1].hand == state.sides[1].hand


def test_dl_228_an_army_may_be_kept_with_other_reserves_for_a_deck_of_ones_own_may_hold_them() -> None:
    walk = Walk(GAME, 1)
    walk.step()
    walk.step()
    deck = walk.state.sides[1].deck
    assert isinstance(deck, Deck)
    below = random.Random(3).randrange
    drawn = [resample(walk.state, Seat(0), below, frozenset({"army1"})).sides[1].deck for _ in range(20)]
    assert all(replace(other, reserves=deck.reserves) == deck for other in drawn if isinstance(other, Deck))
    assert len({other.reserves for other in drawn if isinstance(other, Deck)}) > 1
    assert all(len(other.reserves) == len(deck.reserves) for other in drawn if isinstance(other, Deck))


def test_dl_228_before_the_deployment_the_deck_is_any_that_may_be_chosen() -> None:
    walk = Walk(GAME, 1)
    walk.step()
    walk.step()
    assert [asked.kind for asked in walk.state.asked] == ["Deployment", "Deployment"]
    view = GAME.view(walk.events, Mask(1))
    assert view.sides[1].deck is HIDDEN
    names = {world.sides[1].deck.id for world in worlds(view, 0)}  # type: ignore[union-attr]
    assert names == {deck.id for deck in SHIPPED.decks}


def test_a_world_out_of_a_view_is_whole() -> None:
    walk = Walk(GAME, 9)
    for _ in range(80):
        walk.step()
    for viewer in (0, 1):
        world = resample(GAME.view(walk.events, Mask(1 << viewer)), Seat(viewer), random.Random(1).randrange)
        assert not list(GAME.spec.invariants(world))
        assert replace(world, stack=()).members == walk.state.members
