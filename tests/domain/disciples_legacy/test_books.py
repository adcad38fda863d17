"""Nothing gets lost or doubled in whole matches: cards, (C), damage; nobody acts twice."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.disciples_legacy import GAME
from domain.disciples_legacy.state import events as e
from domain.disciples_legacy.state.evolve_state import with_members, with_side
from domain.disciples_legacy.state.state import DisciplesState, MemberId
from domain.kernel import Seat
from server.conformance.walks import PlayedGame
from tests.conformance.searches import assert_kept, by_chance, by_steady, kept_by_chance, kept_by_steady
from tests.domain.disciples_legacy.books import Books


@pytest.mark.parametrize("seed", range(4))
def test_books_are_kept_in_matches_by_chance(seed: int) -> None:
    assert assert_kept(GAME, by_chance(PlayedGame(GAME, {"turn_limit": 4}), seed), f"seed {seed}") > 50


def test_books_are_kept_in_a_match_of_steady_bots() -> None:
    assert assert_kept(GAME, by_steady(PlayedGame(GAME, {"turn_limit": 2}), 3), "steady") > 20


@pytest.mark.deep
@pytest.mark.timeout(36_000)
def test_books_are_kept_in_20_000_matches_by_chance() -> None:
    for seed in range(20_000):
        kept_by_chance(GAME, seed)


@pytest.mark.deep
@pytest.mark.timeout(36_000)
def test_books_are_kept_in_2_000_matches_of_steady_bots() -> None:
    for seed in range(2_000):
        kept_by_steady(GAME, seed)


def after(seed: int = 1, choices: int = 60) -> tuple[Books, DisciplesState]:
    """Books and state in the middle of a match."""
    books, state = Books(), None
    for number, (events, state) in enumerate(by_chance(PlayedGame(GAME, {}), seed)):  # noqa: B007
        books.follow(events)
        if number == choices:
            break
    assert state is not None
    return books, state


def one(state: DisciplesState) -> MemberId:
    return next(iter(state.members))


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (lambda s: with_members(s, (one(s),), damage=9), "9 damage, not"),
        (lambda s: with_side(s, 0, credit=7), "seat 0 has 7 (C)"),
        (lambda s: with_side(s, 0, discard=(*s.sides[0].discard, "squire")), "never entered: {'squire': 1}"),
        (lambda s: replace(s, mana={}, cities={}), "entered play and not there"),
        (lambda s: with_members(s, (one(s),), spent=not s.members[one(s)].spent), "the books say otherwise"),
    ],
)
def test_books_notice_what_was_lost_or_doubled(broken: Any, said: str) -> None:
    books, state = after()
    assert not list(books.differences(state))
    assert any(said in wrong for wrong in books.differences(broken(state)))


def test_books_notice_who_acts_twice_and_who_spends_too_much() -> None:
    books, state = after()
    who = one(state)
    again = [e.MembersUntapped((who,), "DL-184"), e.Struck(who, (), 1), e.Struck(who, (), 1)]
    books.follow([*again, e.CostPaid(Seat(0), 99, "DL-138")])
    assert [wrong for wrong in books.faults if "acted twice" in wrong or "does not have" in wrong] == books.faults
    assert len(books.faults) == 2
