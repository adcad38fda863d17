"""Lessons in other languages: `lessons.<language>.toml` beside a game's words, by their English (docs/translating.md).

There is one table for each lesson, by its name. A lesson's texts are looked up by the English text, so a changed text
is shown in English again until somebody translates it.
"""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

import msgspec

from domain.commons.notation import in_words
from projections.languages import ENGLISH, LANGUAGES
from projections.packages import folder_of
from replay.scenarios.errors import ScenarioInvalid
from replay.scenarios.guides import guide
from replay.scenarios.lesson_format import Lesson, lessons

Said = Mapping[str, str]
"""The texts of a language, by the English text."""
NOTHING: Final[Said] = {}


@cache
def catalogue_of(game: str, language: str) -> Mapping[str, Said]:
    """A language's texts for a game's lessons, by lesson; empty for English. Raises `ScenarioInvalid`."""
    if language == ENGLISH or language not in LANGUAGES:
        return {}
    path = folder_of(game) / f"lessons.{language}.toml"
    if not path.is_file():
        return {}
    try:
        return msgspec.convert(tomllib.loads(path.read_text("utf-8")), dict[str, dict[str, str]])
    except (ValueError, RecursionError) as wrong:
        why = ": ".join(in_words(wrong)) if isinstance(wrong, msgspec.ValidationError) else str(wrong)
        raise ScenarioInvalid(f"{path}: {why}") from wrong


def said_in(lesson: Lesson, language: str) -> Said:
    """A language's texts for a lesson."""
    return catalogue_of(lesson.game, language).get(lesson.name, NOTHING)


def texts_of(lesson: Lesson) -> Iterator[str]:
    """All texts of a lesson, in order."""
    yield from (lesson.title, lesson.about)
    for step in lesson.step:
        yield step.say
        yield from (mistake.say for mistake in step.unless)
        yield from filter(None, (step.otherwise, *(reply.say for reply in step.reply), step.done))


def untranslated(game: str, language: str) -> list[str]:
    """The texts of lessons and the guide that the language lacks, each with its place."""
    found = [
        f"{lesson.name}: {text}"
        for lesson in lessons(game)
        for text in dict.fromkeys(texts_of(lesson))
        if text not in said_in(lesson, language)
    ]
    return [*found, *(f"guide: {text}" for text in _left_in_guide(game, language))]


def _left_in_guide(game: str, language: str) -> Iterator[str]:
    """The guide's title if the language has no guide, else the captions that are not translated."""
    english, told = guide(game), guide(game, language)
    if english is None or told is None or language == ENGLISH:
        return
    if told.language != language:
        yield english.title
        return
    for first, second in zip(english.part, told.part, strict=True):
        if first.picture and second.picture and first.picture.caption == second.picture.caption:
            yield first.picture.caption


def unsaid(game: str, language: str) -> list[str]:
    """The texts of the language that no lesson has (any longer), each with its place."""
    texts = {lesson.name: set(texts_of(lesson)) for lesson in lessons(game)}
    known = catalogue_of(game, language)
    return [f"{name}: {text}" for name, said in known.items() for text in said if text not in texts.get(name, ())]
