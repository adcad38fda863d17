"""`herald dataset`: what was known, offered and chosen in many records, for those who learn from it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from rich.progress import track

from replay.errors import RecordError
from replay.files.reading import records_in
from replay.playback.moments import Replay
from server.cli.common import console, db_option, face_of, foreign, load_replay, open_store, progress_console
from server.errors import Misconfigured

MISSING = "Data sets need packages of their own: pip install 'herald[research]'."


@click.command()
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path))
@click.argument("files", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--game", help="Only matches of this game.")
@db_option
def dataset(out: Path, files: tuple[Path, ...], game: str | None, db: Path | None) -> None:
    """Write the decisions of matches that are over into OUT, a Parquet file, and a card beside it.

    FILES are exported matches, or folders of them; without, the matches of the database are read. Each row is what a
    seat knew, what it could choose, what it chose, and how the match ended for it (docs/research.md).
    """
    try:
        from server.research.decisions import CARD, write  # noqa: PLC0415 - an extra
    except ImportError as wrong:
        raise Misconfigured(MISSING) from wrong
    if game is not None:
        face_of(game)
    if out.suffix == CARD:
        raise Misconfigured(f"{out} would be its own card; name it otherwise, as in {out.with_suffix('.parquet')}.")
    try:
        tally = write(out, (one for one in _replays(files, db) if game is None or one[1].game.name == game))
    except OSError as wrong:
        raise Misconfigured(f"{out} cannot be written: {wrong.strerror or wrong}.") from wrong
    if not tally.rows:
        raise Misconfigured("There are no matches that are over. `herald demo` plays one.")
    console.print(f"{tally.rows} decisions of {tally.matches} matches: {out}, told of in {out.with_suffix(CARD)}.")


def _replays(files: tuple[Path, ...], db: Path | None) -> Iterator[tuple[str, Replay[Any]]]:
    if not files:
        store = open_store(db, must_exist=True)
        try:
            headers = store.matches("finished", limit=1_000_000)
            for header in track(headers, "reading", console=progress_console(), transient=True):
                yield header.match, Replay.of_store(face_of(header.game), store, header.match)
        finally:
            store.close()
        return
    for path in track(records_in(files), "reading", console=progress_console(), transient=True):
        try:
            with foreign(str(path)):
                yield path.stem, load_replay(str(path), None)
        except (RecordError, Misconfigured) as wrong:
            raise Misconfigured(f"{path}: {wrong}") from wrong


COMMANDS = (dataset,)
