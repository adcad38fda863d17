"""Playing on in thought comes to what the match comes to, in every game, choice by choice."""

import random
from itertools import islice
from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel import HIDDEN, AnyForm, Choice, KernelFault, NoChance
from domain.kernel.playout import Playout
from server.conformance.walks import PlayedGame, Seeded, Walk
from tests.conformance.walks import tables

SHORT = 120
"""Choices that are compared in every run."""


def _same(playout: Playout[Any], walk: Walk) -> None:
    """The same state, but for the stack and sealed answers, which a playout holds itself."""
    alike = {"stack": (), "answered": ()}
    assert replace(playout.state, **alike) == replace(walk.state, **alike)


def _first(form: AnyForm) -> list[Choice]:
    return list(islice(form, SHORT))


def _compare(table: PlayedGame, seed: int, most: int) -> Walk:
    """A walk, and a playout of it that makes the same choices with the same chance."""
    walk = table.walk(seed)
    chance = Seeded(seed + 1)
    chance.random.setstate(walk.chance.random.getstate())
    chance.draws, chance.shuffles = walk.chance.draws, walk.chance.shuffles
    playout = Playout(table.game, walk.state, chance)
    for _ in range(most):
        if walk.over:
            break
        asked, choice = walk.pick()
        assert _first(playout.form(asked)) == _first(table.game.revive_decision(asked).form(walk.state))
        walk.make(asked, choice)
        playout.choose(asked, choice)
        _same(playout, walk)
    assert playout.is_over == walk.over
    return walk


@pytest.mark.parametrize("table", tables())
def test_a_playout_comes_to_what_the_match_comes_to(table: PlayedGame) -> None:
    _compare(table, 1, SHORT)


@pytest.mark.deep
@pytest.mark.parametrize("table", tables())
@pytest.mark.parametrize("seed", range(2, 6))
def test_a_playout_comes_to_what_the_match_comes_to_up_to_its_end(table: PlayedGame, seed: int) -> None:
    assert _compare(table, seed, 20_000).over


@pytest.mark.parametrize("table", tables())
def test_a_playout_begins_at_any_pause_of_a_match_also_between_sealed_answers(table: PlayedGame) -> None:
    walk, source = table.walk(7), random.Random(7)
    for _ in walk.steps(30):
        if not walk.over:
            playout = Playout(table.game, walk.state, Seeded(3))
            for _ in range(5):
                if not playout.is_over:
                    asked = playout.state.asked[-1]
                    playout.choose(asked, playout.form(asked).sample(source.randrange))


@pytest.mark.parametrize("table", tables()[:1])
def test_what_a_fork_does_is_not_seen_where_it_was_forked(table: PlayedGame) -> None:
    walk = table.walk(5)
    playout = Playout(table.game, walk.state, NoChance())
    other = playout.fork(Seeded(1))
    asked = other.state.asked[0]
    other.choose(asked, other.form(asked).sample(random.Random(1).randrange))
    assert playout.state is walk.state
    assert other.state != walk.state
    assert _first(playout.form(asked)) == _first(table.game.revive_decision(asked).form(walk.state))


@pytest.mark.parametrize("table", tables()[:1])
def test_nobody_plays_on_from_a_view(table: PlayedGame) -> None:
    state = replace(table.walk(1).state, stack=HIDDEN)
    with pytest.raises(KernelFault, match="its stack is hidden"):
        Playout(table.game, state, NoChance())
