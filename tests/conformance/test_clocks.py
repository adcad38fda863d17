"""Clocks in every game: random play at random times, with time-outs, is never negative and audits as it was played."""

import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.kernel import Chosen, Seat, TimeControl, TimeRanOut
from replay.audit.match_audit import audit
from replay.files import export
from replay.record.referee import Referee
from replay.store.memory import MemoryStore
from server.conformance.walks import AnyGame
from tests.conformance.walks import games
from tests.replay.matches import START, begun, put

GAMES = [pytest.param(game, id=game.name) for game in games()]
CONTROLS = [
    TimeControl("decision", 30_000),
    TimeControl("decision", 30_000, on_timeout="random"),
    TimeControl("bank", 60_000, 1_000),
    TimeControl("bank", 60_000, 1_000, on_timeout="random"),
    TimeControl("bank", 80_000, 2_000, on_timeout="forfeit"),
]
SLOWEST_MS = 40_000
CHOICES = 60


def play(game: AnyGame, control: TimeControl, seed: int) -> tuple[MemoryStore, Referee[Any], int]:
    """Random choices at random times; who is out of time is taken care of by the clock. How often that was."""
    store, rng, at, over = MemoryStore(), random.Random(seed), START + 20, 0
    referee = begun(store, game, control=control)
    for _ in range(CHOICES):
        if not referee.state.asked:
            break
        at += rng.randrange(SLOWEST_MS)
        assert referee.clocks is not None
        out = referee.clocks.out(at)
        if out:
            number = next(asked.number for asked in referee.state.asked if asked.seat == out[0])
            put(store, referee, referee.act(TimeRanOut(out[0], number, control.on_timeout), at))
            over += 1
        else:
            asked = rng.choice(referee.state.asked)
            choice = game.revive_decision(asked).form(referee.state).sample(rng.randrange)
            put(store, referee, referee.choose(asked.seat, asked.number, choice, Chosen(asked.seat, 0), at))
        assert referee.clocks is not None
        assert min(referee.clocks.left) >= 0
        assert set(referee.clocks.runs) == {asked.seat for asked in referee.state.asked}
        for seat in map(Seat, range(game.seats)):
            assert 0 <= referee.clocks.left_at(seat, at + rng.randrange(10**6)) <= referee.clocks.left[seat]
    return store, referee, over


@settings(max_examples=4, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32), control=st.sampled_from(CONTROLS))
@pytest.mark.parametrize("game", GAMES)
def test_clocks_are_never_negative_and_audit_as_played(game: AnyGame, control: TimeControl, seed: int) -> None:
    store, referee, _ = play(game, control, seed)
    again = Referee.open(game, store, referee.match)
    assert (again.state, again.clocks) == (referee.state, referee.clocks)
    report = audit(game, export.from_store(store, referee.match))
    assert report.fault is None, str(report.fault)


@pytest.mark.parametrize("control", CONTROLS)
def test_times_do_run_out_in_these_matches(control: TimeControl) -> None:
    """A property over matches without a time-out would say little."""
    assert sum(play(games()[0], control, seed)[2] for seed in range(12))
