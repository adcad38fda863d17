"""Following a live match: its replay grows, as far behind as its spectators are kept, until it ends."""

import random
from typing import Any

import pytest

from projections.plain import plain_face
from replay.playback.follow import FollowedReplay
from replay.record.referee import Referee
from replay.store.memory import MemoryStore
from tests.replay.matches import begun, step
from tests.skirmish.game import GAME

FACE = plain_face(GAME)


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def referee(store: MemoryStore) -> Referee[Any]:
    return begun(store)


def whole_commits(following: FollowedReplay[Any], store: MemoryStore) -> bool:
    """Whether no commit is shown in part: the lines of one have one time."""
    entries, end = store.read(following.match), following.replay.end
    return end == len(entries) or entries[end].at != entries[end - 1].at


def test_a_replay_grows_with_its_match_and_knows_when_it_ends(store: MemoryStore, referee: Referee[Any]) -> None:
    following = FollowedReplay(FACE, store, referee.match)
    rng = random.Random(1)
    while step(store, referee, rng):
        assert not following.ended
        assert following.news() > 0
        assert following.replay.end == referee.seq
        assert following.replay.at(referee.seq, None) == referee.state
    assert following.ended
    assert following.news() == 0


@pytest.mark.parametrize("delay", [1, 5, 20])
def test_spectators_are_kept_behind_by_events_until_the_end(
    store: MemoryStore, referee: Referee[Any], delay: int
) -> None:
    following = FollowedReplay(FACE, store, referee.match, delay_events=delay)
    player = FollowedReplay(FACE, store, referee.match, delay_events=delay, delayed=False)
    rng = random.Random(1)
    while step(store, referee, rng) and referee.state.result is None:
        following.news()
        player.news()
        assert following.replay.end == 1 or following.replay.end <= referee.seq - delay
        assert following.replay.end == 1 or whole_commits(following, store)
        assert player.replay.end == referee.seq
    following.news()
    assert following.ended
    assert following.replay.end == referee.seq


def test_spectators_are_kept_behind_by_time(store: MemoryStore, referee: Referee[Any]) -> None:
    now = 0
    following = FollowedReplay(FACE, store, referee.match, delay_s=60, now_ms=lambda: now)
    step(store, referee, random.Random(1))
    last = store.read(referee.match)[-1].at
    now = last + 59_999
    following.news()
    assert following.replay.end < referee.seq
    now = last + 60_000
    following.news()
    assert following.replay.end == referee.seq


def test_the_first_line_is_always_there(store: MemoryStore, referee: Referee[Any]) -> None:
    assert FollowedReplay(FACE, store, referee.match, delay_events=10_000).replay.end == 1
