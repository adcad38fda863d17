"""Every game keeps the kernel's promises, whatever is chosen: options, refusals, invariants, ends (STYLE 16)."""

import random
from typing import Any

import pytest
from msgspec.structs import asdict

from domain.kernel import Choice, KernelError, MatchOver, NotOffered, Refusal, decide
from tests.conformance.walks import CHOICES, AnyGame, Seeded, Table, Walk, games, seeds, tables

GAMES = [pytest.param(game, id=game.name) for game in games()]
TABLES = tables()
SEEDS = seeds(1, 3)
TRIED = 8


def options(walk: Walk, asked: Any) -> list[Choice]:
    """Some options of a decision: the first ones and random ones, all different."""
    form = walk.game.revive_decision(asked).form(walk.state)
    first = [choice for _, choice in zip(range(TRIED), form, strict=False)]
    sampled = [form.sample(walk.random.randrange) for _ in range(TRIED)]
    return list(dict.fromkeys([*first, *sampled]))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("table", TABLES)
def test_somebody_has_an_option_or_the_match_is_over(table: Table, seed: int) -> None:
    game = table.game
    walk = table.walk(seed)
    for _ in walk.steps():
        assert bool(walk.state.asked) == (not walk.over)
        for asked in walk.state.asked:
            form = game.revive_decision(asked).form(walk.state)
            assert next(iter(form), None) is not None, asked


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("table", TABLES)
def test_every_option_resolves_to_a_state_that_can_be(table: Table, seed: int) -> None:
    game = table.game
    walk = table.walk(seed)
    rng = random.Random(seed)
    for _ in walk.steps():
        for asked in walk.state.asked if rng.random() < 0.3 else ():
            for choice in options(walk, asked):
                made = decide(game, walk.state, asked.seat, asked.number, choice, Seeded(rng.randrange(2**32)))
                assert not list(game.spec.invariants(made.state)), choice
                assert made.state.asked or made.state.result is not None


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("table", TABLES)
def test_nothing_but_the_options_is_accepted_and_a_refusal_changes_nothing(table: Table, seed: int) -> None:
    game = table.game
    walk = table.walk(seed)
    seen: list[Choice] = []
    for number, _ in enumerate(walk.steps()):
        for asked in walk.state.asked:
            seen += options(walk, asked)[:2]
            form = game.revive_decision(asked).form(walk.state)
            if number % 5 or form.count() > 400:
                continue
            listed = set(form)
            before = walk.state
            for choice in {*seen[-40:]} - listed:
                with pytest.raises(NotOffered) as refused:
                    decide(game, walk.state, asked.seat, asked.number, choice, Seeded(0))
                assert refused.value.why
                assert refused.value.rule
            assert walk.state is before


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("table", TABLES)
def test_a_forms_statements_agree(table: Table, seed: int) -> None:
    game = table.game
    walk = table.walk(seed)
    for number, _ in enumerate(walk.steps()):
        for asked in walk.state.asked if number % 4 == 0 else ():
            decision = game.revive_decision(asked)
            form = decision.form(walk.state)
            assert not form.check(form.sample(walk.random.randrange))
            assert not form.check(decision.default(walk.state))
            if form.count() <= 400:
                listed = list(form)
                assert len(listed) == len(set(listed)) == form.count(), asked
                assert all(not form.check(choice) for choice in listed)
                assert form.sample(walk.random.randrange) in listed


@pytest.mark.parametrize("game", GAMES)
def test_decisions_belong_to_their_seat_and_their_moment(game: AnyGame) -> None:
    walk = Walk(game, 1)
    asked, choice = walk.pick()
    for seat in range(game.seats):
        if seat != asked.seat and not any(
            other.number == asked.number for other in walk.state.asked if other.seat == seat
        ):
            with pytest.raises(Refusal) as wrong:
                decide(game, walk.state, type(asked.seat)(seat), asked.number, choice, Seeded(0))
            assert wrong.value.code == "not-your-decision"
    with pytest.raises(Refusal) as stale:
        decide(game, walk.state, asked.seat, asked.number + 99, choice, Seeded(0))
    assert stale.value.code == "stale-decision"
    list(walk.steps())
    with pytest.raises(MatchOver):
        decide(game, walk.state, asked.seat, asked.number, choice, Seeded(0))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("table", TABLES)
def test_matches_end_within_the_bound_and_keep_their_invariants(table: Table, seed: int) -> None:
    finish(table, seed + 100)


@pytest.mark.deep
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("matches", [2_000, 20_000])
@pytest.mark.parametrize("table", TABLES)
def test_many_matches_end_and_keep_their_invariants(table: Table, matches: int) -> None:
    for seed in range(1_000_000, 1_000_000 + matches):
        finish(table, seed)


def finish(table: Table, seed: int) -> None:
    """A random match to its end; the seed of one that fails is told."""
    try:
        walk = table.walk(seed)
        for _ in walk.steps(CHOICES):
            faults = list(table.game.spec.invariants(walk.state))
            assert not faults, faults
    except (AssertionError, KernelError, LookupError) as wrong:
        raise AssertionError(f"{table.game.name}, seed {seed}: {wrong}") from wrong
    assert walk.over, f"{table.game.name}, seed {seed}: no end after {CHOICES} choices: {asdict(walk.state)}"
