"""Nothing gets lost or doubled in whole matches: cards, (C), damage; nobody acts twice."""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from domain.disciples_legacy import GAME
from domain.disciples_legacy import events as e
from domain.disciples_legacy.evolve_state import with_members, with_side
from domain.disciples_legacy.state import DisciplesState, MemberId
from domain.kernel import Event, MatchCreated, Seat, begin
from domain.kernel.history import views_of
from server.analysis.simulation import SeededChance, played
from server.bots import make_bot
from tests.conformance.walks import Walk
from tests.domain.disciples_legacy.books import Books

Moment = tuple[tuple[Event, ...], DisciplesState]


def by_chance(seed: int, options: dict[str, Any]) -> Iterator[Moment]:
    """A match of choices by chance: what each choice came to, and the state after it."""
    walk = Walk(GAME, seed, options)
    yield tuple(walk.events), walk.state
    for play in walk.steps():
        yield tuple(play.events), play.state


def by_steady(seed: int, options: dict[str, Any]) -> Iterator[Moment]:
    """The same of the bot `steady` against itself."""
    source = random.Random(seed)
    chance = SeededChance(source)
    created = MatchCreated(GAME.name, options, ("a", "b"))
    opening = begin(GAME, GAME.created(created), chance)
    views = views_of(GAME, [created, *opening.events])
    for made in played(GAME, views, [make_bot(GAME.name, "steady") for _ in range(2)], chance, source):
        yield tuple(made.events), made.state


def assert_kept(moments: Iterator[Moment], name: str) -> int:
    """The books and the invariants agree with every state; how many there were."""
    books, number, over = Books(), 0, False
    for number, (events, state) in enumerate(moments, 1):
        books.follow(events)
        wrong = [*books.differences(state), *GAME.spec.invariants(state)]
        assert not wrong, f"{name}, after {number} answers: {wrong}"
        over = state.result is not None
    assert over, f"{name} has no end"
    return number


@pytest.mark.parametrize("seed", range(4))
def test_books_are_kept_in_matches_by_chance(seed: int) -> None:
    assert assert_kept(by_chance(seed, {"turn_limit": 4}), f"seed {seed}") > 50


def test_books_are_kept_in_a_match_of_steady_bots() -> None:
    assert assert_kept(by_steady(3, {"turn_limit": 2}), "steady") > 20


@pytest.mark.deep
@pytest.mark.timeout(36_000)
def test_books_are_kept_in_20_000_matches_by_chance() -> None:
    for seed in range(20_000):
        assert_kept(by_chance(seed, {}), f"seed {seed}")


@pytest.mark.deep
@pytest.mark.timeout(36_000)
def test_books_are_kept_in_2_000_matches_of_steady_bots() -> None:
    for seed in range(2_000):
        assert_kept(by_steady(seed, {}), f"steady, seed {seed}")


def after(seed: int = 1, choices: int = 60) -> tuple[Books, DisciplesState]:
    """Books and state in the middle of a match."""
    books, state = Books(), None
    for number, (events, state) in enumerate(by_chance(seed, {})):  # noqa: B007
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
