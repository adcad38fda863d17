"""`herald stats`: statistics of the matches of a database, or of exported files."""

import csv
import io
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click
import msgspec
from msgspec.structs import astuple
from rich.markup import escape
from rich.table import Table

from replay.queries.statistics import Tally, count_match, fairness, quartiles
from server.cli.common import console, db_option, face_of, said
from server.cli.errors import Amiss
from server.cli.gather import read_matches
from server.cli.output import echo
from server.cli.words import named, word

RULES_SHOWN = 12


@click.command()
@click.argument("files", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--game", help="Only matches of this game.")
@click.option("--format", "form", type=click.Choice(["table", "csv", "json"]), default="table", show_default=True)
@db_option
def stats(files: tuple[Path, ...], game: str | None, form: str, db: Path | None) -> None:
    """Count results by seat, player and side, lengths, dice and rules used, per game.

    FILES are exported matches, or folders of them; without FILES, the matches of the database are counted. Dice are
    tested for fairness by chi-square: p is the chance that fair dice stray at least as far.
    """
    game = None if game is None else face_of(game).game.name
    tallies: dict[str, Tally] = {}
    for count in read_matches(files, db, lambda _, replay: count_match(replay)):
        if game is None or count.game == game:
            tallies.setdefault(count.game, Tally()).add(count)
    if not tallies:
        raise Amiss(word("There are no matches to count. `herald demo` plays one."))
    rows = [row for name, tally in sorted(tallies.items()) for row in _rows(name, tally)]
    if form == "json":
        echo(msgspec.json.encode(rows).decode())
    elif form == "csv":
        out = io.StringIO()
        csv.writer(out).writerows([FigureRow.__struct_fields__, *map(astuple, rows)])
        echo(out.getvalue(), nl=False)
    else:
        _print(rows)


class FigureRow(msgspec.Struct, frozen=True):
    """A figure: `number`; `out_of` the total if it is a part of one; `share` then from 0 to 1.

    `chi_square` and `p` are given for dice; `detail` then says how often each face fell.
    """

    game: str
    what: str
    of: str
    number: int
    out_of: int | None = None
    share: float | None = None
    chi_square: float | None = None
    p: float | None = None
    detail: str = ""


def _rows(game: str, tally: Tally) -> Iterator[FigureRow]:
    ended = sum(tally.endings.values())
    yield FigureRow(game, "matches", "", tally.matches)
    if tally.branches:
        yield FigureRow(game, "branches", "dice only", tally.branches)
    yield _part(game, "ended", "", ended, tally.matches)
    for seat, number in sorted(tally.seats.items()):
        yield _part(game, "won", f"seat {seat + 1}", number, ended)
    for name, number in _by_number(tally.played):
        yield _part(game, "won", name, tally.won[name], number)
    for (what, which), (won, played) in sorted(tally.sides.items()):
        yield _part(game, f"won, {what}", which, won, played)
    for reason, number in _by_number(tally.endings):
        yield _part(game, "ending", reason, number, ended)
    for what, values in (("lines", tally.lines), ("choices", tally.choices)):
        for which, value in zip(("least", "median", "most"), quartiles(values), strict=True):
            yield FigureRow(game, what, which, value)
    for sides, faces in sorted(tally.faces.items()):
        fair = fairness(sides, faces)
        counts = " ".join(str(faces[face]) for face in range(1, sides + 1))
        yield FigureRow(game, "dice", f"d{sides}", fair.dice, chi_square=fair.chi_square, p=fair.p, detail=counts)
    for rule, number in _by_number(tally.rules):
        yield FigureRow(game, "rule", rule, number, detail=f"{number / max(1, tally.matches):.1f} a match")


def _by_number(counts: Counter[str]) -> list[tuple[str, int]]:
    """The most frequent first; equally frequent ones by name, whatever the order of the matches."""
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def _part(game: str, what: str, of: str, number: int, out_of: int) -> FigureRow:
    return FigureRow(game, what, of, number, out_of, number / out_of if out_of else None)


def _print(rows: list[FigureRow]) -> None:
    table = Table(word("game"), word("what"), word("of"), word("number"), word("share"), box=None)
    rules: Counter[str] = Counter()
    for row in rows:
        rules[row.game] += row.what == "rule"
        if rules[row.game] > RULES_SHOWN:
            continue
        number = word("{n:g} of {of}", n=row.number, of=row.out_of) if row.out_of is not None else str(row.number)
        share = "" if row.share is None else f"{row.share:.1%}"
        if row.chi_square is not None:
            share = f"{row.detail}: χ² {row.chi_square:.2f}, p {row.p:.3f}"
        table.add_row(*map(escape, (row.game, _what(row), _of(row), number, share or _detail(row))))
    console.print(table)


def _what(row: FigureRow) -> str:
    what, _, side = row.what.partition(", ")
    return f"{named(what)}, {named(side)}" if side else named(what)


def _of(row: FigureRow) -> str:
    return said(row.game, row.of) if row.what == "ending" else row.of if row.what == "rule" else named(row.of)


def _detail(row: FigureRow) -> str:
    return word("{n} a match", n=row.detail.partition(" ")[0]) if row.what == "rule" else row.detail


COMMANDS = (stats,)
