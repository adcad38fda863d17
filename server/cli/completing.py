"""The answer to a shell's Tab. Tab does not load the command that is being typed: that would take too long.

The commands are those of `commands.json`; ids of matches are read from the database as it is.
"""

import os
import sqlite3
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from importlib.resources import files
from pathlib import Path
from typing import Final, NoReturn

import click
from click.shell_completion import CompletionItem, shell_complete

from server.cli.command_stubs import CommandStub, Completer
from server.cli.overview import table
from server.cli.packaged import bots_of, lessons_of, packaged
from server.cli.places import data_dir

SHOWN: Final = 50
"""The largest number of matches that are offered, the newest first."""
ANY_GAME: Final = ("gentle", "random", "strong")
"""The prefix of the names of bots that play every game."""

Source = Callable[[click.Context, str], list[CompletionItem]]


def complete(instruction: str) -> NoReturn:
    """Print the completions at the shell's cursor, as click's scripts for shells expect them, and exit."""
    sys.exit(shell_complete(CommandStub("herald", table(), _offered), {}, "herald", "_HERALD_COMPLETE", instruction))


def _beginning(words: Sequence[str], begun: str) -> list[CompletionItem]:
    return [CompletionItem(word) for word in words if word.startswith(begun)]


def _games(_: click.Context, begun: str) -> list[CompletionItem]:
    return _beginning(sorted({*table()["games"], *packaged("herald.games")}), begun)


def _bots(context: click.Context, begun: str) -> list[CompletionItem]:
    known: Mapping[str, Sequence[str]] = table()["games"]
    game = context.params.get("game")
    if not game:
        return _beginning(tuple(dict.fromkeys(name for names in known.values() for name in names)), begun)
    shared = [name for name in next(iter(known.values())) if name.partition("-")[0] in ANY_GAME]
    return _beginning(tuple(dict.fromkeys((*known.get(game, ()), *bots_of(game), *shared))), begun)


def _lessons(context: click.Context, begun: str) -> list[CompletionItem]:
    game = str(context.params.get("game"))
    if game not in table()["games"]:
        return _beginning(lessons_of(game), begun)
    folder = files("projections").joinpath("games", game, "lessons")
    names = sorted(each.name.removesuffix(".toml") for each in folder.iterdir()) if folder.is_dir() else ()
    return _beginning(names, begun)


def _database(context: click.Context) -> Path:
    """The file of matches: named, or the standard one. A file of settings may name another one; Tab does
    not read it.
    """
    named = context.params.get("db") or os.environ.get("HERALD_DB")
    return Path(named) if named else data_dir() / "herald.db"


def _rows(path: Path, begun: str) -> Iterator[tuple[str, str]]:
    """(id, game) of the newest matches whose id begins so; none if they cannot be read at once."""
    if not path.is_file():
        return
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=0.05)) as database:
            yield from database.execute(
                "SELECT match, game FROM matches WHERE substr(match, 1, ?1) = ?2 ORDER BY created_ms DESC LIMIT ?3",
                (len(begun), begun, SHOWN),
            )
    except sqlite3.Error:
        return


def _matches(context: click.Context, begun: str) -> list[CompletionItem]:
    found = [CompletionItem(match, help=game) for match, game in _rows(_database(context), begun)]
    return found + _beginning(("last",), begun)


def _matches_or_files(context: click.Context, begun: str) -> list[CompletionItem]:
    """Files come first, because their line empties, in bash, the suggestions before it."""
    return [CompletionItem(begun, type="file"), *_matches(context, begun)]


SOURCES: Final[Mapping[str, Source]] = {
    "bot": _bots,
    "game": _games,
    "lesson": _lessons,
    "match": _matches,
    "match or file": _matches_or_files,
}
"""The kinds of value that the table may name for a parameter."""


def _completing(source: Source) -> Completer:
    return lambda context, _, begun: source(context, begun)


def _offered(takes: str) -> Completer | None:
    source = SOURCES.get(takes)
    return None if source is None else _completing(source)
