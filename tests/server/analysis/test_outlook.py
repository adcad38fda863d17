"""The chance to win that spectators are told follows from what they know, and from nothing that is hidden."""

import random
from typing import Any

import pytest

from domain.kernel.history import pauses, views_of
from domain.kernel.position import Views
from projections.redaction import SPECTATOR
from replay.files.export import from_store
from replay.playback.branch import drawn, trunk_of
from server.analysis.outlook import outlook
from tests.replay.matches import played
from tests.skirmish.game import GAME


def moment(seed: int, at: int = 3) -> Views[Any]:
    """A match under way as everybody knows it."""
    store, referee = played(seed)
    events = trunk_of(GAME, from_store(store, referee.match)).events
    return views_of(GAME, events[: pauses(GAME, events)[at]])


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_two_worlds_that_look_alike_to_spectators_have_the_same_chance(seed: int) -> None:
    true = moment(seed)
    other = drawn(GAME, true, SPECTATOR, random.Random(seed).randrange)
    assert other.world != true.world
    assert other.public == true.public
    assert outlook(GAME, true, "m", 9, 8) == outlook(GAME, other, "m", 9, 8)


def test_shares_of_all_sides_are_one_and_lie_within_their_bands() -> None:
    found = outlook(GAME, moment(1), "m", 9, 8)
    assert sum(found.share) == pytest.approx(1)
    assert found.sides == ((0,), (1,))
    assert all(low <= share <= high for low, share, high in zip(found.low, found.share, found.high, strict=True))
