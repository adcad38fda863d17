"""A branch can begin at every pause, through everybody's eyes: a world can be drawn from any view alone."""

import random

import pytest

from domain.kernel.history import pauses, views_of
from domain.kernel.position import hidden_in, seen
from projections.redaction import Viewer
from replay.playback.branch import drawn
from server.conformance.walks import PlayedGame, viewers
from tests.conformance.walks import tables

TABLES = tables()
MOST = 6


@pytest.mark.parametrize("table", TABLES)
def test_a_branch_can_begin_at_any_pause_through_any_eyes(table: PlayedGame) -> None:
    game, rng = table.game, random.Random(3)
    walk = table.walk(11)
    list(walk.steps())
    found = pauses(game, walk.events)
    for line in rng.sample(found, min(MOST, len(found))):
        views = views_of(game, walk.events[:line])
        for viewer in viewers(game, table.options):
            made = drawn(game, views, Viewer(viewer), rng.randrange)
            assert not hidden_in(made.world)
            assert not list(game.spec.invariants(made.world))
            for before, after in zip((views.public, *views.seats), (made.public, *made.seats), strict=True):
                assert seen(after, made.world) == after
                assert hidden_in(before) == hidden_in(after)


@pytest.mark.parametrize("table", TABLES)
def test_a_branch_is_played_to_its_end(table: PlayedGame) -> None:
    game, rng = table.game, random.Random(8)
    walk = table.walk(12)
    list(walk.steps())
    line = rng.choice(pauses(game, walk.events))
    for viewer in viewers(game, table.options):
        other = table.walk(13)
        other.state = drawn(game, views_of(game, walk.events[:line]), Viewer(viewer), rng.randrange).world
        for made in other.steps():
            assert not list(game.spec.invariants(made.state))
        assert other.over
