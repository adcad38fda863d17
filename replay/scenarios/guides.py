"""Guides explain how a game is played (docs/lessons.md): `guide.toml` beside the game's words; pictures are positions.

`guide.<language>.toml` beside it has titles, texts and captions in another language, part by part. `first.toml`
recommends a first match, and `lengths.toml` says how long matches are.
"""

import tomllib
from collections.abc import Iterator
from functools import cache
from typing import Any, Final, Literal, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.commons.notation import in_words
from domain.kernel import Game, Seat
from projections.face import Face, Scene
from projections.languages import ENGLISH, LANGUAGES
from projections.packages import folder_of
from replay.scenarios.errors import ScenarioInvalid
from replay.scenarios.lesson_format import Lesson, LessonStep, Start, lessons
from replay.scenarios.lesson_session import LessonSession

T = TypeVar("T")


class Picture(Struct, frozen=True, forbid_unknown_fields=True):
    """A picture of a table: a position as in scenarios, or the position of a lesson after a number of choices.

    `seat`: the seat whose view is shown; `point`: the thing with a ring; `caption`: the text below.
    """

    caption: str
    seat: int = 0
    point: list[str] = []
    lesson: str = ""
    after: int = 0
    seats: list[str] = []
    options: dict[str, Any] = {}
    position: dict[str, Any] = {}
    at: str = ""
    begin: Start = Start()


class GuidePart(Struct, frozen=True, forbid_unknown_fields=True):
    """A heading, its paragraphs, the rows that they cite, and possibly a picture."""

    title: str
    text: list[str]
    rules: list[str] = []
    picture: Picture | None = None


class Guide(Struct, frozen=True, forbid_unknown_fields=True):
    """A whole file. `language`: the language of the texts."""

    title: str
    part: list[GuidePart]
    language: str = ENGLISH


class TranslatedPart(Struct, frozen=True, forbid_unknown_fields=True):
    """A part's words in another language."""

    title: str
    text: list[str]
    caption: str = ""


class GuideTranslation(Struct, frozen=True, forbid_unknown_fields=True):
    """A guide's words in another language, part by part."""

    title: str
    part: list[TranslatedPart]


class First(Struct, frozen=True, forbid_unknown_fields=True):
    """The match that a game recommends to begin with: its options, its opponent, and roughly how long it takes."""

    minutes: int
    bot: str
    options: dict[str, Any] = {}


class Length(Struct, frozen=True, forbid_unknown_fields=True):
    """The medians of many matches with these options: the last round, and the decisions of one bot until then."""

    rounds: int
    decisions: int
    options: dict[str, Any] = {}


class Lengths(Struct, frozen=True, forbid_unknown_fields=True):
    """How long a game's matches are, as counted by `scripts/benchmarks/lengths.py`; `first`: the first match.

    `unit`: the name of a round in the game; `people`: the number of people's decisions for each decision of a bot, and
    `seconds` for each, if matches were played by hand (docs/played). The first of `length` that fits is used; among
    options that are numbers, the nearest.
    """

    unit: Literal["round", "turn", "duration"]
    people: float
    seconds: int
    length: list[Length]
    first: Length | None = None


class GuideWords(Struct, frozen=True):
    """The length of a match for a person against a bot, in round numbers."""

    rounds: int
    decisions: int
    minutes: int
    options: dict[str, Any]


def told(found: Lengths, length: Length) -> GuideWords:
    """The length of a match in round numbers."""
    decisions = length.decisions * found.people
    minutes = 5 * max(1, round(decisions * found.seconds / 60 / 5))
    step = 10 if decisions > 100 else 5
    return GuideWords(length.rounds, step * round(decisions / step), minutes, length.options)


def _read(game: str, name: str, kind: type[T]) -> T | None:
    path = folder_of(game) / name
    if not path.is_file():
        return None
    try:
        return msgspec.convert(tomllib.loads(path.read_text("utf-8")), kind)
    except (ValueError, RecursionError) as wrong:
        why = ": ".join(in_words(wrong)) if isinstance(wrong, msgspec.ValidationError) else str(wrong)
        raise ScenarioInvalid(f"{path}: {why}") from wrong


@cache
def guide(game: str, language: str = ENGLISH) -> Guide | None:
    """A game's guide, in English if the language has none; None without a guide. Raises `ScenarioInvalid`."""
    found = _read(game, "guide.toml", Guide)
    said = (
        _read(game, f"guide.{language}.toml", GuideTranslation)
        if language in LANGUAGES and language != ENGLISH
        else None
    )
    if found is None or said is None:
        return found
    if len(said.part) != len(found.part):
        raise ScenarioInvalid(f"{game}: guide.{language}.toml has {len(said.part)} parts, guide.toml {len(found.part)}")
    parts = [_said(part, words) for part, words in zip(found.part, said.part, strict=True)]
    return Guide(said.title, parts, language)


def _said(part: GuidePart, words: TranslatedPart) -> GuidePart:
    picture = part.picture and replace(part.picture, caption=words.caption or part.picture.caption)
    return GuidePart(words.title, words.text, part.rules, picture)


@cache
def lengths(game: str) -> Lengths | None:
    """How long a game's matches usually are; None if nobody has counted. Raises `ScenarioInvalid`."""
    return _read(game, "lengths.toml", Lengths)


@cache
def first(game: str) -> First | None:
    """The recommended first match; None if the game recommends none. Raises `ScenarioInvalid`."""
    return _read(game, "first.toml", First)


def drawn(face: Face[Any], picture: Picture) -> Scene:
    """The picture's Scene, without questions. Raises `ScenarioInvalid`."""
    course = LessonSession(face.game, _lesson_of(face.game, picture))
    for _ in range(picture.after):
        while course.step is not None and not course.step.expect:
            course.read_on()
        course.choose(course.expected()[0])
    scene = face.scene(course.view, Seat(course.lesson.seat))
    missing = set(picture.point) - {*scene["pieces"], *scene["zones"], *areas_of(scene)}
    if missing:
        raise ScenarioInvalid(f"picture {picture.caption!r}: there is no {', '.join(sorted(missing))} on the table")
    return {key: value for key, value in scene.items() if key != "prompt"}


def areas_of(scene: Scene) -> Iterator[str]:
    """The areas of the Scene's maps, as prompts and lessons name them."""
    for name, zone in scene["zones"].items():
        yield from (f"{name}#{area}" for area in zone.get("geom", {}).get("areas", ()))


NOTHING: Final = [LessonStep("")]


def _lesson_of(game: Game[Any], picture: Picture) -> Lesson:
    """The lesson whose position is shown."""
    if picture.lesson:
        found = next((one for one in lessons(game.name) if one.name == picture.lesson), None)
        if found is None:
            raise ScenarioInvalid(f"picture {picture.caption!r}: {game.name} has no lesson {picture.lesson!r}")
        return found
    given = {name: getattr(picture, name) for name in ("seat", "seats", "options", "position", "at", "begin")}
    return Lesson(title="picture", game=game.name, language=ENGLISH, about="", step=NOTHING, **given)
