"""Lessons and guides of a game: `/lessons/`, `/lessons/GAME?lang=de` and `/guides/GAME?lang=de`, as JSON.

The answers come from files and are made once; they contain nothing about a match.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import msgspec

from projections import registry
from projections.face import Face
from projections.i18n.language import translated
from projections.languages import ENGLISH, known_language
from replay.scenarios.guides import drawn, first, guide, lengths, told
from replay.scenarios.lesson_format import Lesson, lessons
from replay.scenarios.translated import said_in

LESSONS: Final = "/lessons/"
GUIDES: Final = "/guides/"


def learning_answer(faces: Mapping[str, Face[Any]], path: str, query: Mapping[str, str]) -> bytes | None:
    """The JSON of an address below `LESSONS` or `GUIDES`; None if there is none."""
    if path == LESSONS:
        return msgspec.json.encode(
            {name: _offered(name) for name in faces if lessons(name) or first(name) or lengths(name)}
        )
    name = path.removeprefix(LESSONS).removeprefix(GUIDES)
    if name not in faces:
        return None
    if path.startswith(GUIDES):
        language = query.get("lang", ENGLISH)
        return _guided(name, known_language(language))
    return _listed(faces[name], query.get("lang", ENGLISH))


def _offered(game: str) -> dict[str, Any]:
    return {
        "lessons": len(lessons(game)),
        "guide": guide(game) is not None,
        "first": first(game),
        "lengths": _lengths(game),
    }


def _lengths(game: str) -> dict[str, Any] | None:
    """The usual length of matches, by options, and the first match."""
    found = lengths(game)
    if found is None:
        return None
    begun = None if found.first is None else told(found, found.first)
    return {"unit": found.unit, "first": begun, "length": [told(found, length) for length in found.length]}


def _listed(face: Face[Any], language: str) -> bytes:
    spec = face.game.spec
    rows = [_row(one, language) for one in lessons(spec.name)]
    return msgspec.json.encode({"title": spec.title, **_offered(spec.name), "lessons": rows})


def _row(lesson: Lesson, language: str) -> dict[str, str]:
    """A lesson in the list: in the language if both its title and its description are translated, otherwise in its
    own.
    """
    said = said_in(lesson, language)
    whole = lesson.title in said and lesson.about in said
    return {
        "name": lesson.name,
        "title": said[lesson.title] if whole else lesson.title,
        "about": said[lesson.about] if whole else lesson.about,
        "language": language if whole else lesson.language,
    }


@cache
def _guided(game: str, language: str) -> bytes | None:
    """The guide, each picture with its Scene."""
    found, face = guide(game, language), registry.faces().get(game)
    if found is None or face is None:
        return None
    face = translated(face, found.language)
    parts = []
    for part in found.part:
        said: dict[str, Any] = {"title": part.title, "text": part.text, "rules": part.rules}
        if part.picture is not None:
            shown = part.picture
            said["picture"] = {"caption": shown.caption, "point": shown.point, "scene": drawn(face, shown)}
        parts.append(said)
    return msgspec.json.encode({"title": found.title, "language": found.language, "game": game, "parts": parts})
