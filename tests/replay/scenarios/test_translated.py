"""Lessons in other languages: nothing is missing where a language is claimed, nothing is there that nobody says."""

import re
from typing import Any

import pytest

from projections.languages import LANGUAGES
from projections.registry import games
from replay.scenarios import translated
from replay.scenarios.errors import ScenarioInvalid
from replay.scenarios.guides import guide
from replay.scenarios.lesson_format import lessons
from replay.scenarios.translated import catalogue_of, said_in, texts_of, unsaid, untranslated

CLAIMED = [(game, language) for game in sorted(games()) for language in LANGUAGES if catalogue_of(game, language)]
"""Games and languages with a catalogue of their lessons: it claims to be whole, and so is their guide."""
VERA = "vera_discordia"
SECTION = re.compile(r"\b[A-Z]{2}-\d{3}\b")


def test_the_games_with_a_guide_have_their_lessons_in_german() -> None:
    assert CLAIMED
    assert {(game, "de") for game in games() if guide(game) is not None} >= set(CLAIMED)


@pytest.mark.parametrize(("game", "language"), CLAIMED)
def test_everything_is_translated_and_nothing_else(game: str, language: str) -> None:
    assert untranslated(game, language) == []
    assert unsaid(game, language) == []


@pytest.mark.parametrize(("game", "language"), CLAIMED)
def test_numbers_and_rows_are_those_of_the_english(game: str, language: str) -> None:
    wrong = [
        (english, said)
        for texts in catalogue_of(game, language).values()
        for english, said in texts.items()
        if sorted(re.findall(r"\d+", english)) != sorted(re.findall(r"\d+", said))
        or SECTION.findall(english) != SECTION.findall(said)
    ]
    assert not wrong


def test_a_lesson_of_a_game_without_a_catalogue_is_missing_as_a_whole() -> None:
    told = untranslated(VERA, "xx")
    (first, *_) = lessons(VERA)
    assert f"{first.name}: {first.title}" in told
    assert said_in(first, "xx") == {}
    assert said_in(first, "en") == {}


def test_what_no_lesson_says_any_more_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    (first, *_) = lessons(VERA)
    texts = dict.fromkeys(texts_of(first), "Wort")
    monkeypatch.setattr(translated, "catalogue_of", lambda *_: {first.name: {**texts, "Old.": "Alt."}})
    assert unsaid(VERA, "de") == [f"{first.name}: Old."]


def test_a_broken_catalogue_is_named(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "games" / VERA
    place.mkdir(parents=True)
    (place / "lessons.de.toml").write_text('["01"]\n"One." = 1\n', "utf-8")
    monkeypatch.setattr(translated, "folder_of", lambda game: tmp_path / "games" / game)
    catalogue_of.cache_clear()
    with pytest.raises(ScenarioInvalid, match=r"lessons\.de\.toml"):
        catalogue_of(VERA, "de")
    catalogue_of.cache_clear()
