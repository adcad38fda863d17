"""The example game plays, hides, and ends."""

import random

import pytest

from domain.commons.rows import BOTH
from domain.kernel import HIDDEN, Chosen, Mask, NotOffered, Seat, decide
from replay.scenarios.chance import ScriptedChance
from server.conformance.walks import Seeded
from tests.skirmish.game import DECK, GAME, CardShown, Play, Press, SkirmishState, Take, resample
from tests.skirmish.playing import play


@pytest.mark.parametrize("seed", range(30))
def test_sk_06_every_match_ends(seed: int) -> None:
    state = GAME.fold(play(seed))
    assert state.result is not None
    assert state.result.winner in (0, 1, None)
    assert state.round == 3


def test_sk_02_answers_are_sealed_until_both_are_in() -> None:
    state = GAME.fold(play(1, most=1))
    waiting = state.asked[0].seat
    assert GAME.view(play(1, most=1), Mask(1 << waiting)).answered[0].choice is HIDDEN
    assert not any(isinstance(event, CardShown) for event in play(1, most=1))


def test_sk_02_a_card_not_held_is_refused() -> None:
    state = GAME.fold(play(1, most=0))
    absent = next(card for card in DECK if card not in state.hands[0])  # type: ignore[operator]
    with pytest.raises(NotOffered):
        decide(GAME, state, Seat(0), state.asked[0].number, Play(absent), Seeded(1))


@pytest.mark.parametrize(("face", "score"), [(3, 0), (4, 2)])
def test_sk_04_pressing_needs_a_four(face: int, score: int) -> None:
    state = next(s for s in (GAME.fold(play(seed, most=2)) for seed in range(99)) if s.asked[0].kind == "Pursuit")
    asked = state.asked[0]
    after = decide(GAME, state, asked.seat, asked.number, Press(), ScriptedChance((face,))).state
    assert after.scores[asked.seat] == score


def test_sk_04_taking_is_one_point() -> None:
    state = next(s for s in (GAME.fold(play(seed, most=2)) for seed in range(99)) if s.asked[0].kind == "Pursuit")
    asked = state.asked[0]
    assert decide(GAME, state, asked.seat, asked.number, Take(), Seeded(0)).state.scores[asked.seat] == 1


@pytest.mark.parametrize("seed", range(20))
def test_a_captain_never_sees_the_other_hand_or_the_deck(seed: int) -> None:
    events = play(seed, most=seed % 8)
    for seat in BOTH:
        view = GAME.view(events, Mask(1 << seat))
        assert view.hands[1 - seat] is HIDDEN
        assert view.deck is HIDDEN
        assert view.hands[seat] == GAME.fold(events).hands[seat]


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_resampled_worlds_keep_what_the_viewer_knows(seed: int, viewer: int | None) -> None:
    events = play(seed, most=seed % 8)
    seat = None if viewer is None else Seat(viewer)
    world: SkirmishState = resample(GAME.fold(events), seat, random.Random(seed).randrange)
    cards = [card for hand in (*world.hands, world.deck, world.seen) for card in hand]  # type: ignore[union-attr]
    assert sorted(cards) == sorted(DECK)
    if seat is not None:
        assert world.hands[seat] == GAME.fold(events).hands[seat]
    again = resample(GAME.view(events, Mask(0 if seat is None else 1 << seat)), seat, random.Random(seed).randrange)
    assert (again.hands, again.deck) == (world.hands, world.deck)


def test_choices_are_kept_with_their_note() -> None:
    chosen = next(event for event in play(3) if isinstance(event, Chosen))
    assert chosen.choice != HIDDEN
