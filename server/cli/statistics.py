"""`herald stats`: what the matches of a database, or of exported files, come to."""

import csv
import io
from collections.abc import Iterable, Iterator
from pathlib import Path

import click
import msgspec
from rich.markup import escape
from rich.progress import track
from rich.table import Table

from domain.kernel import Event
from replay.errors import RecordError
from replay.files import records_in
from replay.moments import Replay
from replay.statistics import Tally, fairness, quartiles
from server.cli.common import console, db_option, face_of, foreign, load_replay, open_store
from server.errors import Misconfigured

RULES_SHOWN = 12


@click.command()
@click.argument("files", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--game", help="Only matches of this game.")
@click.option("--format", "form", type=click.Choice(["table", "csv", "json"]), default="table", show_default=True)
@db_option
def stats(files: tuple[Path, ...], game: str | None, form: str, db: Path | None) -> None:
    """Count results, lengths, dice and rules used, per game.

    FILES are exported matches, or folders of them; without, the matches of the database are counted. Dice are tested
    for fairness by chi-square: p is the chance that fair dice stray as far.
    """
    tallies: dict[str, Tally] = {}
    for name, events in _matches(files, db):
        if game is None or name == game:
            tallies.setdefault(name, Tally()).add(events)
    if not tallies:
        raise Misconfigured("There are no matches to count. `herald demo` plays one.")
    rows = [row for name, tally in sorted(tallies.items()) for row in _rows(name, tally)]
    if form == "json":
        click.echo(msgspec.json.encode([dict(zip(COLUMNS, row, strict=True)) for row in rows]).decode())
    elif form == "csv":
        out = io.StringIO()
        csv.writer(out).writerows([COLUMNS, *rows])
        click.echo(out.getvalue(), nl=False)
    else:
        table = Table(*COLUMNS, box=None)
        for row in rows:
            table.add_row(*(escape(cell) for cell in row))
        console.print(table)


COLUMNS = ("game", "what", "of", "number", "share")


def _matches(files: tuple[Path, ...], db: Path | None) -> Iterator[tuple[str, Iterable[Event]]]:
    if not files:
        store = open_store(db, must_exist=True)
        try:
            headers = store.matches(limit=1_000_000)
            for header in track(headers, "reading", console=console, transient=True):
                yield header.game, Replay.of_store(face_of(header.game), store, header.match).events
        finally:
            store.close()
        return
    for path in track(records_in(files), "reading", console=console, transient=True):
        try:
            with foreign(str(path)):
                told = load_replay(str(path), None)
                events = told.events
        except RecordError as wrong:
            raise Misconfigured(f"{path}: {wrong}") from wrong
        yield told.game.name, events


def _rows(game: str, tally: Tally) -> Iterator[tuple[str, str, str, str, str]]:
    ended = sum(tally.endings.values())
    yield game, "matches", "", str(tally.matches), ""
    if tally.branches:
        yield game, "branches", "dice only", str(tally.branches), ""
    yield game, "ended", "", str(ended), _share(ended, tally.matches)
    for seat, number in sorted(tally.seats.items()):
        yield game, "won", f"seat {seat + 1}", str(number), _share(number, ended)
    for name, number in tally.played.most_common():
        yield game, "won", name, f"{tally.won[name]} of {number}", _share(tally.won[name], number)
    for reason, number in tally.endings.most_common():
        yield game, "ending", reason, str(number), _share(number, ended)
    for what, values in (("lines", tally.lines), ("choices", tally.choices)):
        least, middle, most = quartiles(values)
        yield game, what, "least, median, most", f"{least}, {middle}, {most}", ""
    for sides, faces in sorted(tally.faces.items()):
        fair = fairness(sides, faces)
        counts = " ".join(str(faces[face]) for face in range(1, sides + 1))
        yield game, f"d{sides}", counts, str(fair.dice), f"χ² {fair.chi_square:.2f}, p {fair.p:.3f}"
    for rule, number in tally.rules.most_common(RULES_SHOWN):
        yield game, "rule", rule, str(number), f"{number / tally.matches:.1f} a match"


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else ""


COMMANDS = (stats,)
