"""The format of lessons (docs/lessons.md): scenarios with explanations: a position, choices to try, and answers.

TOML, one lesson per file, beside its game in `projections/games/<game>/lessons/`. Whatever is not one of the keys below
is refused with file, line, place and the keys that are allowed.
"""

import logging
import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.commons.notation import in_words
from projections import packages
from replay.scenarios.errors import ScenarioInvalid
from replay.scenarios.format import Scenario

LOG = logging.getLogger(__name__)

Fields = dict[str, Any]
Order = str | list[int | str]


class _Table(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A table of the file; its fields are the keys that are allowed."""


class Start(_Table, frozen=True):
    """Scripted chance for the events before the first question."""

    dice: list[int | str] = []
    shuffles: list[Order] = []


class Mistake(_Table, frozen=True):
    """A likely mistake. `refused`: the rule or code that refuses the choice; without it the choice is legal, but not
    the subject of the lesson. `rules`: the rows that forbid it or give its consequences.
    """

    choice: str | Fields
    say: str
    refused: str = ""
    rules: list[str] = []


class Reply(_Table, frozen=True):
    """Another seat's reply, with its chance; `say` tells why."""

    seat: int
    choice: str | Fields
    say: str = ""
    dice: list[int | str] = []
    shuffles: list[Order] = []


class LessonStep(_Table, frozen=True):
    """One step of a lesson: something to read, and usually something to do.

    `say`: the thing to try or to see. `point`: names of things on the table. `rules`: the rows that the step cites.
    `expect`: the choices that complete the step; the first is shown to a player who asks; none: the step is only read.
    `decision`: the kind of the question. `dice`, `shuffles`: the scripted chance of the choice. `unless`: answers to
    likely mistakes; `otherwise`: the answer to other choices. `reply`: what others do then. `done`: said after that.
    """

    say: str
    point: list[str] = []
    rules: list[str] = []
    expect: list[str | Fields] = []
    decision: str = ""
    dice: list[int | str] = []
    shuffles: list[Order] = []
    unless: list[Mistake] = []
    otherwise: str = ""
    reply: list[Reply] = []
    done: str = ""


class Lesson(_Table, frozen=True):
    """A whole file. `name`: the file's name without its ending; the lessons of a game are in the order of their names.

    `seat`: the seat that the learner takes. `after`: names of earlier lessons. The position is as in a scenario.
    """

    title: str
    game: str
    language: str
    about: str
    seat: int
    step: list[LessonStep]
    name: str = ""
    after: list[str] = []
    seats: list[str] = []
    options: Fields = {}
    position: Fields = {}
    at: str = ""
    begin: Start = Start()

    def scenario(self) -> Scenario:
        """The position alone, as a scenario without choices."""
        given = {name: getattr(self, name) for name in ("title", "game", "seats", "options", "position", "at")}
        return msgspec.convert({**given, "begin": msgspec.to_builtins(self.begin)}, Scenario)

    def rows(self) -> Iterator[tuple[str, str]]:
        """Every row that the lesson names, with its place."""
        for number, step in enumerate(self.step, 1):
            yield from ((f"step {number}", row) for row in step.rules)
            for at, mistake in enumerate(step.unless, 1):
                yield from ((f"step {number}.unless {at}", row) for row in mistake.rules)


_TABLES: Final[dict[str, type[_Table]]] = {"begin": Start, "step": LessonStep, "unless": Mistake, "reply": Reply}
SIZE_LIMIT: Final = 200_000
"""The greatest size of a file, in bytes."""


def load(path: str | Path) -> Lesson:
    """The lesson in a file. Raises `ScenarioInvalid`, which names file, line, place and what is allowed."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(SIZE_LIMIT + 1)
        if len(data) > SIZE_LIMIT:
            raise ScenarioInvalid(f"{path}: a lesson has at most {SIZE_LIMIT} bytes")
        text = data.decode("utf-8")
    except (OSError, UnicodeDecodeError) as wrong:
        raise ScenarioInvalid(f"{path}: it cannot be read: {wrong}") from wrong
    return replace(parse(text, str(path)), name=Path(path).stem)


def parse(text: str, file: str = "lesson") -> Lesson:
    """The lesson in a text; `file` names it in errors. Raises `ScenarioInvalid`."""
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as wrong:
        raise ScenarioInvalid(f"{file}: not TOML: {wrong}") from wrong
    try:
        lesson = msgspec.convert(data, Lesson)
    except RecursionError as wrong:
        raise ScenarioInvalid(f"{file}: tables lie too deep in each other") from wrong
    except msgspec.ValidationError as wrong:
        raise ScenarioInvalid(_explain(text, file, wrong)) from wrong
    for place, why in _unmeant(lesson):
        raise ScenarioInvalid(f"{file}:{line_of(text, place)}: [{place or 'the file'}]: {why}")
    return lesson


def _unmeant(lesson: Lesson) -> Iterator[tuple[str, str]]:
    """The readable words without a meaning, by their place."""
    if lesson.name:
        yield "name", "a lesson is called by its file"
    if not any(step.expect for step in lesson.step):
        yield "", "nothing is to be done in it: at least one step has `expect`"
    for number, step in enumerate(lesson.step, 1):
        only = [key for key in ("unless", "otherwise", "dice", "shuffles", "decision") if getattr(step, key)]
        if only and not step.expect:
            yield f"step {number}.{only[0]}", f"`{only[0]}` stands beside `expect`"
        for at, mistake in enumerate(step.unless, 1):
            if not mistake.rules:
                yield (
                    f"step {number}.unless {at}.rules",
                    "it names the row that forbids the choice, or says what follows",
                )


def _explain(text: str, file: str, wrong: msgspec.ValidationError) -> str:
    """The fault, its line and place in the file, and the keys of the table."""
    place, said = in_words(wrong)
    unknown = re.search(r"the key `(.*)` is not known", said)
    where = ".".join(part for part in (place, unknown[1] if unknown else "") if part)
    tables = [word for word in re.split(r"[. ]+", place) if word in _TABLES]
    table = _TABLES[tables[-1]] if tables else Lesson
    allowed = ", ".join(key for key in table.__struct_fields__ if key != "name")
    return f"{file}:{line_of(text, where)}: [{place or 'the file'}]: {said}; allowed there: {allowed}"


def line_of(text: str, place: str) -> int:
    """The line at which a place such as `step 2.unless 1.say` begins, or the nearest table before it."""
    lines, at, path = text.splitlines(), 0, ""
    for part in filter(None, place.split(".")):
        key, _, number = part.partition(" ")
        path = f"{path}.{key}" if path else key
        headings = (f"[[{path}]]", f"[{path}]")
        found = [n for n in range(at, len(lines)) if lines[n].strip() in headings]
        if number.isdecimal() and len(found) >= int(number):
            at = found[int(number) - 1]
        elif found:
            at = found[0]
        else:
            same = range(at, len(lines))
            return next((n for n in same if re.match(rf"\s*{re.escape(key)}\b.*=", lines[n])), at) + 1
    return at + 1


@cache
def lessons(game: str) -> tuple[Lesson, ...]:
    """The lessons that come with a game, in their order; none if it has none. Raises `ScenarioInvalid`."""
    folder = folder_of(game)
    return tuple(_loaded(game, sorted(folder.glob("*.toml")))) if folder.is_dir() else ()


def _loaded(game: str, paths: Iterable[Path]) -> Iterator[Lesson]:
    """The lessons in files; unreadable lessons of an external game are skipped, so that they do not stop a server."""
    for path in paths:
        try:
            yield load(path)
        except ScenarioInvalid as wrong:
            if packages.offer_of(game) is None:
                raise
            LOG.warning("a lesson of %s is left out: %s", game, wrong)


def folder_of(game: str) -> Path:
    """The folder with the lessons of a game."""
    return packages.folder_of(game) / "lessons"
