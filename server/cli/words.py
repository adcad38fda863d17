"""The commands' own words in other languages: `words.<language>.toml` beside this module, by the English ones."""

import os
import tomllib
from collections.abc import Mapping
from contextvars import ContextVar
from functools import cache
from importlib.resources import files
from typing import Final

import click

from projections.glossary import ENGLISH, LANGUAGES

LANGUAGE: Final = "herald.language"
"""Where a command's context holds the language."""
VARIABLE: Final = "HERALD_LANG"
spoken_in: Final[ContextVar[str | None]] = ContextVar("spoken_in", default=None)
"""The language that a command line chooses, for what is said where there is no context: its errors."""


def language() -> str:
    """The language in which this command speaks: the one it is told, else the environment's, else English."""
    context = click.get_current_context(silent=True)
    told = None if context is None else context.meta.get(LANGUAGE)
    chosen = told or spoken_in.get() or os.environ.get(VARIABLE, "")
    return str(chosen) if chosen in LANGUAGES else ENGLISH


@cache
def words_of(language: str) -> Mapping[str, str]:
    """What a language has of the commands' words, by the English ones; nothing for English."""
    path = files(__package__).joinpath(f"words.{language}.toml")
    held: dict[str, str] = tomllib.loads(path.read_text("utf-8"))["text"] if path.is_file() else {}
    return held


def word(english: str, /, **values: object) -> str:
    """Words of a command in its language, with values put in; in English where the language has them not."""
    return words_of(language()).get(english, english).format(**values)
