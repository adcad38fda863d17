"""`herald dataset`: the knowledge, options and choices in many records, as training data."""

from pathlib import Path
from typing import Final

import click

from server.cli.common import console, db_option, face_of
from server.cli.errors import Amiss
from server.cli.gather import read_matches
from server.cli.words import word

MISSING: Final = "Data sets need packages of their own: pip install 'herald[research]'."


@click.command()
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path))
@click.argument("files", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--game", help="Only matches of this game.")
@db_option
def dataset(out: Path, files: tuple[Path, ...], game: str | None, db: Path | None) -> None:
    """Write the decisions of matches that are over into OUT, a Parquet file, and a card beside it.

    FILES are exported matches, or folders of them; without FILES, the matches of the database are read. Each row holds
    a seat's knowledge, its options, its choice, and how the match ended for it (docs/research.md).
    """
    try:
        from server.research.decisions import CARD, write  # noqa: PLC0415 - an extra
    except ImportError as wrong:
        raise Amiss(word(MISSING)) from wrong
    game = None if game is None else face_of(game).game.name
    if out.suffix == CARD:
        raise Amiss(
            word(
                "{out} would be its own card; name it otherwise, as in {better}.",
                out=out,
                better=out.with_suffix(".parquet"),
            )
        )
    try:
        replays = read_matches(files, db, lambda name, replay: (name, replay), "finished")
        tally = write(out, (one for one in replays if game is None or one[1].game.name == game))
    except OSError as wrong:
        raise Amiss(word("{name} cannot be written: {why}.", name=out, why=wrong.strerror or wrong)) from wrong
    if not tally.rows:
        raise Amiss(word("There are no matches that are over. `herald demo` plays one."))
    console.print(
        word(
            "{rows} decisions of {matches} matches: {out}, told of in {card}.",
            rows=tally.rows,
            matches=tally.matches,
            out=out,
            card=out.with_suffix(CARD),
        )
    )


COMMANDS = (dataset,)
