"""`herald diff`: where two records, or two viewers of one, part."""

from typing import Any

from domain.kernel import Seat
from projections.plain import plain_face
from projections.redaction import SPECTATOR, Viewer
from replay.playback.seek import Replay
from server.cli.diffing import first_difference
from tests.replay.matches import played
from tests.skirmish.game import GAME


def replay_of(seed: int, most: int = 10_000) -> Replay[Any]:
    store, referee = played(seed, most=most)
    return Replay.of_store(plain_face(GAME), store, referee.match)


def test_a_record_does_not_differ_from_itself() -> None:
    one = replay_of(1)
    assert first_difference(one, one, (SPECTATOR, SPECTATOR)) is None
    assert first_difference(one, one, (None, None)) is None


def test_two_viewers_part_at_the_first_secret() -> None:
    one = replay_of(1)
    at = first_difference(one, one, (Viewer(Seat(0)), Viewer(Seat(1))))
    assert at is not None
    assert one.seen(at, Viewer(Seat(0))) != one.seen(at, Viewer(Seat(1)))
    assert all(one.seen(n, Viewer(Seat(0))) == one.seen(n, Viewer(Seat(1))) for n in range(1, at))


def test_two_matches_part_where_chance_was_committed() -> None:
    assert first_difference(replay_of(1), replay_of(2), (SPECTATOR, SPECTATOR)) == 1


def test_a_longer_record_differs_after_the_end_of_the_shorter() -> None:
    whole = replay_of(1)
    cut = Replay(whole.face, whole.events[:10])
    assert first_difference(whole, cut, (SPECTATOR, SPECTATOR)) == 11
