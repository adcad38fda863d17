"""Changed frames: each is answered or refused, none is a fault of the server's, no record and no secret suffers."""

from typing import Annotated, Literal

import pytest
from msgspec import Meta, Struct

from server.gate.dispatcher import Dispatcher
from server.wire.protocol import CLIENT_MESSAGES, ChoiceSignature, HeldSeat
from tests.server.fuzzing import GUESSES, KINDS, Thrown, message_of, throw


@pytest.fixture(scope="module")
def many() -> Thrown:
    """So many that every kind of message is among them."""
    return throw(20_000, seed=1)


def test_twenty_thousand_changed_frames_are_answered_or_refused(many: Thrown) -> None:
    assert many.wrong == []
    assert many.frames == 20_000
    assert many.answers["bad-message"] > 5_000
    assert many.answers["matches played out"] > 1
    assert many.answers["not-a-choice"] > 10
    assert many.answers["not-offered"] > 10


def test_one_seed_throws_the_same_frames() -> None:
    assert throw(500, seed=3) == throw(500, seed=3)
    assert throw(500, seed=3) != throw(500, seed=4)


def test_a_session_that_fails_over_a_frame_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def pong(self: Dispatcher, *_: object) -> None:
        raise KeyError("n")

    monkeypatch.setattr(Dispatcher, "_ask", pong)
    assert any("server-fault" in wrong for wrong in throw(2_000, seed=1).wrong)


def test_every_kind_of_message_that_the_protocol_has_is_changed_and_thrown(many: Thrown) -> None:
    kinds = {kind.__name__ for kind in KINDS}
    assert {kind.__name__ for kind in CLIENT_MESSAGES} == kinds
    assert many.changed.keys() == kinds


def test_a_message_is_made_of_its_types_alone() -> None:
    class Strange(Struct, frozen=True, tag="strange", tag_field="t"):
        seats: tuple[HeldSeat, ...]
        other: Literal["a", "b"]
        signed: ChoiceSignature | None
        count: Annotated[int, Meta(ge=1)] = 1

    known = {**GUESSES, "match": "M" * 22, "token": "T" * 43}
    made = message_of(Strange, known, whole=True)
    assert made.seats == (HeldSeat("M" * 22, "T" * 43),) * 2
    assert isinstance(made.signed, ChoiceSignature)


def test_a_message_for_which_nothing_fits_is_said_and_not_left_out() -> None:
    class Strange(Struct, frozen=True, tag="strange", tag_field="t"):
        colour: Annotated[str, Meta(pattern="^red$")]

    with pytest.raises(AssertionError, match="GUESSES wants a value for colour"):
        message_of(Strange, GUESSES, whole=False)


@pytest.mark.deep
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", range(10, 20))
def test_a_million_changed_frames_are_answered_or_refused(seed: int) -> None:
    assert throw(100_000, seed).wrong == []
