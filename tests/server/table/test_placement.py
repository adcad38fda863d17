"""Where matches live: everywhere one, by the name alone, and in which process a new one does is drawn."""

from collections import Counter

import pytest

from replay.record import sealing
from replay.record.creation import new_match_id
from server.table.placement import ALONE, Placement
from server.wire.addresses import short_hash


@pytest.mark.parametrize("count", [1, 2, 3, 64])
def test_every_match_lives_in_one_process(count: int) -> None:
    homes = [Placement(number, count) for number in range(count)]
    for _ in range(20):
        match = sealing.b64(new_match_id())
        assert [home.number for home in homes if home.has(match)] == [homes[0].holder_of(short_hash(match))]


def test_matches_are_shared_out_evenly() -> None:
    counts = Counter(Placement(0, 4).holder_of(short_hash(sealing.b64(new_match_id()))) for _ in range(2000))
    assert len(counts) == 4
    assert min(counts.values()) > 400


def test_a_new_match_lives_where_it_is_created() -> None:
    home = Placement(2, 5)
    assert all(home.has(sealing.b64(home.new_match_id())) for _ in range(20))


def test_where_there_is_one_process_everything_lives_there() -> None:
    assert ALONE.has("any")
