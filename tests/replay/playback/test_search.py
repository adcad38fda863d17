"""Questions find the sentences, or the events, that answer them."""

import pytest

from domain.kernel import Seat
from domain.vera_discordia.state.events import UnitDestroyed
from domain.vera_discordia.state.state import UnitId
from replay.playback.search import wanted

GONE = UnitDestroyed(UnitId("u5"), Seat(1), "VD-030", 2, 8)
SAID = "Player 1's Spearmen on B3 are destroyed (Motivation 8)."


@pytest.mark.parametrize(
    "words",
    [
        "When was unit 5 destroyed?",
        "unit 5 destroyed",
        "destroy",
        "spearmen DESTROYED",
        "where were the spearmen",
        "player 1 destroys",
        "motivation 8",
        "unit destroyed",
    ],
)
def test_a_question_finds_its_answer(words: str) -> None:
    assert wanted(words)(SAID, GONE)


@pytest.mark.parametrize(
    "words", ["unit 8 destroyed", "unit 6", "player 2", "archers", "was unit 5 healed?", "", "?", "55", "motivation 2"]
)
def test_what_is_not_told_is_not_found(words: str) -> None:
    assert not wanted(words)(SAID, GONE)
