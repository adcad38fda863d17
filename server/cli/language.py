"""Help and errors of the commands in their language: `help.<language>.toml` beside this module, by the English texts.

Click's own texts are under `click`, the help of our commands, paragraph by paragraph, under `help`, and the names of
typed values under `metavar`.
"""

import copy
import inspect
import os
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

import click

from projections.languages import ENGLISH, LANGUAGES
from server.cli.words import LANGUAGE, language, translated_in

CLICK: Final = ("core", "decorators", "exceptions", "formatting", "parser", "termui", "types", "utils")
"""The modules of click that say something."""
GAMES: Final = "HERALD_GAMES"
"""The environment variable for the named folders of games (`projections.packages.VARIABLE`)."""
AS_IT_STANDS: Final = "\b"
"""The first character of a paragraph that is shown as it is written: lines to copy."""
_PLACEHOLDERS: Final = re.compile(r"\b[A-Z]{2,}\b")


def _keep_language(context: click.Context, _: click.Parameter, chosen: str | None) -> None:
    if chosen is not None:
        context.meta[LANGUAGE] = chosen


def keep_games(context: click.Context, chosen: tuple[str, ...]) -> None:
    """Name the folders to all processes that this command starts, too, and only while it runs."""
    if not chosen:
        return
    before = os.environ.get(GAMES)
    os.environ[GAMES] = os.pathsep.join([*filter(None, (before,)), *(str(Path(each).resolve()) for each in chosen)])

    def forget() -> None:
        if before is None:
            os.environ.pop(GAMES, None)
        else:
            os.environ[GAMES] = before

    context.call_on_close(forget)


def _take_games(context: click.Context, _: click.Parameter, chosen: tuple[str, ...]) -> None:
    keep_games(context, chosen)


games_option: Final = click.option(
    "--games",
    multiple=True,
    type=click.Path(),
    metavar="PATH",
    is_eager=True,
    expose_value=False,
    callback=_take_games,
    help="A folder with a third-party game or bots, whose code is run; may be repeated. HERALD_GAMES sets it.",
)
language_option: Final = click.option(
    "--lang",
    type=click.Choice(LANGUAGES),
    is_eager=True,
    expose_value=False,
    callback=_keep_language,
    help="The language in which this command speaks; HERALD_LANG sets it.",
)


@cache
def helps_of(language: str) -> Mapping[str, Mapping[str, str]]:
    """A language's texts of the help, by table and English text; nothing for English."""
    path = files(__package__).joinpath(f"help.{language}.toml")
    return tomllib.loads(path.read_text("utf-8")) if path.is_file() else {}


def _of(table: str, text: str) -> str | None:
    return helps_of(language()).get(table, {}).get(text)


def said_by_click(text: str) -> str:
    """A text of click's."""
    return _of("click", text) or text


def _said_of_number(one: str, several: str, number: int) -> str:
    return said_by_click(one if number == 1 else several)


def _listen() -> None:
    """Make click use this catalogue: gettext's are compiled files that only the environment's language opens."""
    for name in CLICK:
        module = sys.modules[f"click.{name}"]
        for asked, own in (("_", said_by_click), ("ngettext", _said_of_number)):
            if hasattr(module, asked):
                setattr(module, asked, own)


_listen()


def paragraphs(text: str) -> Iterator[str]:
    """The paragraphs of a help text, each in one line; paragraphs to copy stay as they are."""
    for part in inspect.cleandoc(text).split("\n\n"):
        yield part if part.startswith(AS_IT_STANDS) else " ".join(part.split())


def helped(text: str) -> str:
    """A paragraph or an option's help in the language, marked if it is missing; lines to copy stay as they are."""
    if text.startswith(AS_IT_STANDS) or language() == ENGLISH:
        return text
    return _of("help", text) or f"{text} ({ENGLISH})"


def _placeholders(text: str) -> str:
    return _PLACEHOLDERS.sub(lambda found: _of("metavar", found[0]) or found[0], text)


def _told(parameter: click.Parameter) -> click.Parameter:
    told = copy.copy(parameter)
    if isinstance(told, click.Option) and told.help:
        told.help = helped(told.help)
    told.metavar = _placeholders(told.make_metavar(click.Context(click.Command(None))))
    return told


def translated(command: click.Command) -> click.Command:
    """A command in the current language, and with `--games` and `--lang`, which every command takes."""
    told = copy.copy(command)
    told.params = list(command.params)
    if isinstance(told, click.Group):
        told.commands = {name: translated(each) for name, each in told.commands.items()}
    else:
        for name, option in (("--games", games_option), ("--lang", language_option)):
            if not any(name in parameter.opts for parameter in told.params):
                option(told)
    if language() == ENGLISH:
        return told
    told.params = [_told(parameter) for parameter in told.params]
    told.help = "\n\n".join(helped(part) for part in paragraphs(command.help or "")) or None
    told.options_metavar = _placeholders(command.options_metavar or "")
    if isinstance(told, click.Group):
        told.subcommand_metavar = _placeholders(told.subcommand_metavar)
    return told


def chosen_in(words: Iterable[str]) -> str | None:
    """The language that the words of a command line choose: help and errors need it before options are read
    in order.
    """
    chosen, before = None, ""
    for word in words:
        if word == "--":
            break
        named = word.removeprefix("--lang=") if word.startswith("--lang=") else word if before == "--lang" else ""
        chosen, before = named if named in LANGUAGES else chosen, word
    return chosen


@contextmanager
def in_language_of(words: Iterable[str]) -> Iterator[None]:
    """Use the language that the words of a command line choose, also for messages before and after it."""
    before = translated_in.set(chosen_in(words))
    try:
        yield
    finally:
        translated_in.reset(before)
