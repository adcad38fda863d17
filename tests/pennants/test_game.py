"""The game for many: sides, what they share, who is asked, who leaves, and how it ends."""

import random
from typing import Any

import pytest

from domain.kernel import (
    HIDDEN,
    Chosen,
    Event,
    KernelFault,
    Mask,
    MatchCreated,
    MatchEnded,
    NotNow,
    Offered,
    Resigned,
    Seat,
    SeatLeft,
    TakeBack,
    carry_out,
    foes_of,
    side_of,
    sides_of,
    table_order,
)
from server.conformance.walks import Walk
from tests.pennants.game import GAME, HandOpened

FOUR = {"seats": 4, "allied": True}


def walked(most: int, seed: int = 1, **options: Any) -> Walk:
    walk = Walk(GAME, seed, options)
    list(walk.steps(most))
    return walk


def resigned(walk: Walk, *seats: int) -> list[Event]:
    """What follows when seats resign, one after another."""
    made: list[Event] = []
    for seat in seats:
        play = carry_out(GAME, walk.state, None, Resigned(Seat(seat)), 0, walk.chance)
        walk.events += play.events
        walk.state, made = play.state, [*made, *play.events]
    return made


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_match_has_the_seats_that_its_options_say(seats: int) -> None:
    walk = walked(999, seats=seats)
    assert len(walk.state.players) == GAME.seats_of({"seats": seats}) == seats == len(walk.state.scores)


def test_sides_are_of_one_or_several_seats() -> None:
    assert sides_of(walked(0, **FOUR).state) == ((0, 2), (1, 3))
    three = walked(0, seats=3, allied=True).state
    assert (sides_of(three), side_of(three, 2), foes_of(three, 2)) == (((0, 2), (1,)), (0, 2), (1,))
    assert sides_of(walked(0).state) == ((0,), (1,), (2,))


def test_pn_01_a_side_shares_what_no_other_seat_sees() -> None:
    walk = walked(0, **FOUR)
    views = [GAME.view(walk.events, Mask(1 << seat)) for seat in range(4)]
    assert [[card is HIDDEN for card in view.banners] for view in views] == [[False, True], [True, False]] * 2
    assert GAME.view(walk.events, Mask(0)).banners == (HIDDEN, HIDDEN)
    assert views[2].hands[0] is HIDDEN, "and a hand is nobody else's"


def test_pn_02_only_some_are_asked_and_answer_in_secret() -> None:
    walk = walked(0, **FOUR)
    assert [asked.seat for asked in walk.state.asked] == [1, 2, 3]
    asked, choice = walk.pick()
    walk.make(asked, choice)
    mate = side_of(walk.state, asked.seat)[0 if asked.seat != side_of(walk.state, asked.seat)[0] else -1]
    assert GAME.view(walk.events, Mask(1 << mate)).answered[0].choice == (HIDDEN if mate != asked.seat else mate)


@pytest.mark.parametrize("seed", range(12))
def test_pn_07_a_side_wins_together_and_all_have_a_place(seed: int) -> None:
    walk = walked(999, seed, **FOUR)
    result = walk.state.result
    assert result is not None
    assert result.won in ((0, 2), (1, 3), ())
    assert result.winner is None
    assert sorted(seat for place in result.places for seat in place) == [0, 1, 2, 3]
    assert not result.won or set(result.places[0]) == set(result.won)


def test_who_leaves_is_out_and_the_others_play_on() -> None:
    walk = walked(0, seats=3)
    leader = walk.state.leader
    made = resigned(walk, leader)
    assert [type(event) for event in made] == [Resigned, SeatLeft, HandOpened]
    list(walk.steps())
    assert walk.state.result is not None
    assert walk.state.result.reason != "resigned"
    assert walk.state.hands[leader] == ()
    assert not any(isinstance(event, Chosen) and event.seat == leader and event.by == "seat" for event in walk.events)


def test_what_is_asked_of_a_seat_that_left_is_answered_by_the_rules() -> None:
    walk = walked(0, seats=3)
    made = resigned(walk, 1)
    answers = [event for event in made if isinstance(event, Chosen)]
    assert [(answer.seat, answer.by) for answer in answers] == [(1, "rules")]
    assert [asked.seat for asked in walk.state.asked] == [2]


def test_an_answer_that_was_in_before_its_seat_left_counts_as_the_rules_say() -> None:
    walk = walked(0, seats=3)
    asked = walk.state.asked[0]
    walk.make(asked, GAME.revive_decision(asked).default(walk.state))
    resigned(walk, asked.seat)
    walk.step()
    assert walk.state.played[asked.seat] == 0


def test_the_last_side_that_stands_has_won_with_all_its_seats() -> None:
    walk = walked(0, **FOUR)
    made = resigned(walk, 1, 3)
    assert isinstance(made[-1], MatchEnded)
    assert made[-1].result.won == (0, 2)
    assert made[-1].result.reason == "resigned"


def test_a_side_plays_on_while_one_of_its_seats_does() -> None:
    walk = walked(0, **FOUR)
    resigned(walk, 0, 1)
    assert walk.state.result is None
    assert table_order(walk.state) == (2, 3)


def test_who_has_left_does_nothing_more() -> None:
    walk = walked(0, seats=3)
    resigned(walk, 1)
    with pytest.raises(NotNow, match="has left"):
        resigned(walk, 1)


def test_nothing_is_taken_back_over_a_seat_that_left() -> None:
    walk = walked(1, seats=3)
    resigned(walk, walk.state.leader)
    pauses = len(walk.events) - 3
    offer = Offered(walk.state.asked[0].seat, number=1, terms=TakeBack(pauses - 1))
    with pytest.raises(NotNow, match="A seat has left since"):
        carry_out(GAME, walk.state, None, offer, 0, walk.chance, lambda: walk.events)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("options", [{"seats": 3}, FOUR, {"seats": 4}], ids=str)
def test_pn_08_matches_end_whoever_leaves_whenever(options: dict[str, Any], seed: int) -> None:
    walk, rng = Walk(GAME, seed, options), random.Random(seed)
    while not walk.over:
        here = table_order(walk.state)
        if rng.random() < 0.2:
            resigned(walk, rng.choice(here))
        else:
            walk.step()
    assert GAME.fold(walk.events) == walk.state


def test_a_two_seat_match_ends_as_ever() -> None:
    walk = walked(0, seats=2)
    made = resigned(walk, 1)
    assert [type(event) for event in made] == [Resigned, MatchEnded]


def test_a_record_begins_with_its_first_line() -> None:
    with pytest.raises(KernelFault):
        GAME.fold([Resigned(Seat(0))])
    assert GAME.created(MatchCreated("pennants", {"seats": 4}, ("",) * 4)).teams == ((0,), (1,), (2,), (3,))
