"""Open cards of every game: what they show is so, and it is all that seats hold."""

from typing import Any

import pytest

from domain.kernel import HIDDEN, evolve
from projections.face import Face
from projections.open_cards import ALL_OF_THEM, lasting_secrets, secrets_of_seats
from projections.registry import faces
from server.conformance.open_cards import open_cards_show_true_hands, shown_more
from server.conformance.showing import face_of
from server.conformance.walks import PlayedGame
from tests.conformance.walks import seeds, tables
from tests.skirmish.game import GAME as SKIRMISH

TABLES = tables()
FACES = [pytest.param(face, id=name) for name, face in faces().items()]


@pytest.mark.parametrize("seed", seeds(1, 1, 2))
@pytest.mark.parametrize("table", TABLES)
def test_open_cards_show_every_hand_and_nothing_that_is_not_so(table: PlayedGame, seed: int) -> None:
    open_cards_show_true_hands(table, seed)


def test_a_position_that_only_the_last_seats_view_was_taken_of_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evolve, "united", lambda _, views: views[-1])
    with pytest.raises(AssertionError, match="is seen by seat 0, and not shown"):
        open_cards_show_true_hands(PlayedGame(SKIRMISH, {}), 1)


@pytest.mark.parametrize(
    ("view", "other", "where"),
    [
        ((1, HIDDEN), (1, 2), ""),
        ((1, 2), (1, HIDDEN), "the state.1"),
        ((1, 3), (1, 2), "the state.1"),
        ({"a": (1,)}, {"a": (1, 2)}, "the state.a"),
    ],
)
def test_a_view_that_shows_more_is_told_by_its_place(view: Any, other: Any, where: str) -> None:
    assert shown_more(view, other) == where


@pytest.mark.parametrize("face", FACES)
def test_a_face_says_of_every_secret_of_a_seat_whether_it_outlasts_the_delay(face: Face[Any]) -> None:
    assert face.lasting is not None
    assert set(face.lasting) == set(secrets_of_seats(face.game))
    assert lasting_secrets(face)
    assert face.open_cards_s >= 60


def test_of_a_game_that_says_nothing_all_secrets_last() -> None:
    assert lasting_secrets(face_of(SKIRMISH)) == (ALL_OF_THEM,)
