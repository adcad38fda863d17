"""The commands' own words in other languages: `words.<language>.toml` beside this module, by the English ones."""

import os
import re
import tomllib
from collections.abc import Mapping
from contextvars import ContextVar
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

import click

from projections.languages import ENGLISH, LANGUAGES
from server.cli.errors import Amiss, Unclear

if TYPE_CHECKING:
    from projections.i18n.catalogue import Catalogue

LANGUAGE: Final = "herald.language"
"""The key of the language in a command's context."""
VARIABLE: Final = "HERALD_LANG"
translated_in: Final[ContextVar[str | None]] = ContextVar("spoken_in", default=None)
"""The language that a command line chooses, for texts without a context: its errors."""

PLACE: Final = re.compile(r"(?P<where>line \d+: )?(?P<why>.*?)(; expected (?P<expected>.*))?", re.DOTALL)
"""The form of a record's error."""
MARKS: Final = {"de": {ord(","): ".", ord("."): ","}}
"""The separators of thousands and decimals, if they are not as in English."""
THOUSANDS: Final = re.compile(r"\b\d{1,3}(?:,\d{3})+\b")
SEAT: Final = re.compile(r"seat (\d+)")


def language() -> str:
    """The language of this command: the chosen one, otherwise the environment's, otherwise English."""
    context = click.get_current_context(silent=True)
    told = None if context is None else context.meta.get(LANGUAGE)
    chosen = told or translated_in.get() or os.environ.get(VARIABLE, "")
    return str(chosen) if chosen in LANGUAGES else ENGLISH


@cache
def words_of(language: str) -> Mapping[str, str]:
    """A language's texts for the commands' words, by the English ones; nothing for English."""
    path = files(__package__).joinpath(f"words.{language}.toml")
    held: dict[str, str] = tomllib.loads(path.read_text("utf-8"))["text"] if path.is_file() else {}
    return held


def word(english: str, /, **values: object) -> str:
    """Words of a command in its language, with values put in; in English if the language lacks them."""
    said = language()
    marks = MARKS.get(said)
    written = {name: _Number(value, marks) if marks and _is_number(value) else value for name, value in values.items()}
    return words_of(said).get(english, english).format(**written)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


class _Number:
    """A number that is written with a language's own marks."""

    def __init__(self, value: object, marks: Mapping[int, str]) -> None:
        self._value, self._marks = value, marks

    def __format__(self, form: str) -> str:
        return format(self._value, form).translate(self._marks)

    def __str__(self) -> str:
        return str(self._value).translate(self._marks)


@cache
def errors_of(language: str) -> "Catalogue":
    """A language's texts for errors and findings of the floors below: `errors.<language>.toml`, by templates."""
    from projections.i18n.catalogue import Catalogue  # noqa: PLC0415 - help and completion need none of it

    path = files(__package__).joinpath(f"errors.{language}.toml")
    return Catalogue([tomllib.loads(path.read_text("utf-8"))] if path.is_file() else [])


def told(text: str) -> str:
    """A text of a floor below, in the command's language; in English, and marked so, if that language lacks it."""
    if language() == ENGLISH or not text:
        return text
    parts = PLACE.fullmatch(text)
    assert parts is not None, "everything has a why"
    where = parts["where"] or ""
    said = errors_of(language()).said(text if not where and parts["expected"] is None else parts["why"])
    why = f"{parts['why']} ({ENGLISH})" if said is None else said
    place = f"{word('line {n}', n=where[5:-2])}: " if where else ""
    expected = word("; expected {what}", what=_expected(parts["expected"])) if parts["expected"] else ""
    marks = MARKS.get(language(), {})
    return THOUSANDS.sub(lambda number: number[0].translate(marks), f"{place}{why}{expected}")


def _expected(text: str) -> str:
    """The expected value: words, or a number or hash as it is."""
    return errors_of(language()).said(text) or text


def refused(wrong: Exception) -> str:
    """The words of an error in the command's language."""
    return str(wrong) if isinstance(wrong, Amiss | Unclear) else told(str(wrong))


def named(view: str) -> str:
    """A viewpoint or place, given by one word, in the command's language."""
    seat = SEAT.fullmatch(view)
    return word("seat {n}", n=seat[1]) if seat else words_of(language()).get(view, view)
