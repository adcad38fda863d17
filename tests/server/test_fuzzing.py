"""Changed frames: each is answered or refused, none is a fault of the server's, no record and no secret suffers."""

import pytest

from server.protocol import CLIENT_MESSAGES
from server.session import Session
from tests.server.fuzzing import GUESSES, _message, throw


def test_twenty_thousand_changed_frames_are_answered_or_refused() -> None:
    thrown = throw(20_000, seed=1)
    assert thrown.wrong == []
    assert thrown.frames == 20_000
    assert thrown.answers["bad-message"] > 5_000
    assert thrown.answers["matches played out"] > 1
    assert thrown.answers["not-a-choice"] > 50


def test_one_seed_throws_the_same_frames() -> None:
    assert throw(500, seed=3) == throw(500, seed=3)
    assert throw(500, seed=3) != throw(500, seed=4)


def test_a_session_that_fails_over_a_frame_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def pong(self: Session, *_: object) -> None:
        raise KeyError("n")

    monkeypatch.setattr(Session, "_need", pong)
    assert any("server-fault" in wrong for wrong in throw(2_000, seed=1).wrong)


def test_most_kinds_of_message_are_thrown() -> None:
    guesses = {**GUESSES, "match": "m", "token": "", "decision": 1}
    left_out = [kind.__name__ for kind in CLIENT_MESSAGES if _message(kind, guesses) is None]
    assert len(left_out) <= 2, "GUESSES wants a value for them"


@pytest.mark.deep
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", range(10, 20))
def test_a_million_changed_frames_are_answered_or_refused(seed: int) -> None:
    assert throw(100_000, seed).wrong == []
