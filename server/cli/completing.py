"""The answer to a shell's Tab. The command that is typed is not loaded: it would take too long for a Tab.

The commands are those of `commands.json`; ids of matches are read from the database as they stand.
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

from server.cli.described import Completer, Described
from server.cli.overview import table
from server.cli.places import data_dir

SHOWN: Final = 50
"""Matches that are offered at most, the newest first."""
ANY_GAME: Final = ("random",)
"""Bots that play a game of which nothing else is known."""

Source = Callable[[click.Context, str], list[CompletionItem]]


def complete(instruction: str) -> NoReturn:
    """Print the completions at the shell's cursor, as click's scripts for shells expect them, and exit."""
    sys.exit(shell_complete(Described("herald", table(), _offered), {}, "herald", "_HERALD_COMPLETE", instruction))


def _beginning(words: Sequence[str], begun: str) -> list[CompletionItem]:
    return [CompletionItem(word) for word in words if word.startswith(begun)]


def _games(_: click.Context, begun: str) -> list[CompletionItem]:
    from importlib.metadata import entry_points  # noqa: PLC0415 - it takes 20 ms, and other words need none of it

    outside = {point.name for point in entry_points(group="herald.games")}
    return _beginning(sorted({*table()["games"], *outside}), begun)


def _bots(context: click.Context, begun: str) -> list[CompletionItem]:
    known: Mapping[str, Sequence[str]] = table()["games"]
    game = context.params.get("game")
    every = known.get(game, ANY_GAME) if game else dict.fromkeys(name for names in known.values() for name in names)
    return _beginning(tuple(every), begun)


def _lessons(context: click.Context, begun: str) -> list[CompletionItem]:
    folder = files("projections").joinpath("games", str(context.params.get("game")), "lessons")
    names = sorted(each.name.removesuffix(".toml") for each in folder.iterdir()) if folder.is_dir() else ()
    return _beginning(names, begun)


def _database(context: click.Context) -> Path:
    """The file of matches: named, or the standard one. A file of settings may name another; Tab does not read it."""
    named = context.params.get("db") or os.environ.get("HERALD_DB")
    return Path(named) if named else data_dir() / "herald.db"


def _rows(path: Path, begun: str) -> Iterator[tuple[str, str]]:
    """(id, game) of the newest matches whose id begins so; none where they cannot be read at once."""
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
    return [*_matches(context, begun), CompletionItem(begun, type="file")]


SOURCES: Final[Mapping[str, Source]] = {
    "bot": _bots,
    "game": _games,
    "lesson": _lessons,
    "match": _matches,
    "match or file": _matches_or_files,
}
"""The kinds of value that the table may give for a parameter."""


def _completing(source: Source) -> Completer:
    return lambda context, _, begun: source(context, begun)


def _offered(takes: str) -> Completer | None:
    source = SOURCES.get(takes)
    return None if source is None else _completing(source)
