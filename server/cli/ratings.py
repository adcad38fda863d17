"""`herald ratings`: the ratings of players, printed, published as a file, and recomputed (docs/ratings.md)."""

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final

import click
import msgspec
from rich.markup import escape
from rich.table import Table

from domain.kernel import Game
from projections.registry import faces
from replay.errors import RecordInvalid
from replay.files.export import Record
from replay.files.reading import read_file, records_in
from replay.ratings import dump, gathering, verifying
from replay.ratings.fold import Standing
from replay.ratings.model import UNIT
from replay.ratings.results import BOT
from replay.ratings.verifying import RatingsReport
from replay.record import sealing
from replay.record.serverkey import KeyRing
from replay.store.store import Store
from server.cli.common import beside, bounded_memory, console, db_option, face_of, file_of, open_store, stored_at
from server.cli.errors import Amiss
from server.cli.output import echo
from server.cli.words import told, word

FILE = click.Path(dir_okay=False, path_type=Path)
THERE = click.Path(exists=True, dir_okay=False, path_type=Path)
BESIDE = click.Path(exists=True, path_type=Path)
Z95: Final = 1.96
"""A rating lies within this many deviations to either side 95 times of 100."""
LEFT_OUT_SHOWN: Final = 8


@click.group(invoke_without_command=True)
@click.option("--game", default="", help="The game.  [default: all]")
@click.option(
    "--limit", default=50, show_default=True, type=click.IntRange(1), help="The most players shown for a game."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
@db_option
@click.pass_context
def ratings(ctx: click.Context, game: str, limit: int, as_json: bool, db: Path | None) -> None:
    """Print the ratings of a database, or publish them as a file that anybody recomputes.

    Each finished match that was created as rated is audited once, and counts if it holds (docs/ratings.md).
    """
    if ctx.invoked_subcommand is not None:
        return
    name = face_of(game).game.name if game else ""
    with closing(_opened(db)) as store:
        now = _now()
        found = gathering.rated(store, _games(), store.rated_players, now).standings(now, name)
        handles = {one.player: _handle(store, one.player) for one in found}
    if as_json:
        for standing in found:
            more = {"provisional": standing.is_provisional, "handle": handles[standing.player]}
            echo(msgspec.json.encode({**msgspec.to_builtins(standing), **more}))
        return
    if not found:
        console.print(word("No result counts yet: `herald match create --rated` makes a match whose result does."))
    for each in dict.fromkeys(standing.game for standing in found):
        _print_game(each, [standing for standing in found if standing.game == each][:limit], handles)


def _handle(store: Store, player: str) -> str:
    """The present handle of a player; empty for a bot, and for a person who was deleted."""
    person = "" if player.startswith(BOT) else store.rated_players.person(player)
    rows = store.people.handles(person) if person else ()
    return next((row.handle for row in rows if not row.until), "")


def _print_game(game: str, found: Sequence[Standing], handles: Mapping[str, str]) -> None:
    names = (word("who"), word("rating"), word("95 of 100"), word("matches"), word("won"), word("drawn"), word("lost"))
    table = Table(box=None, title=escape(game), title_justify="left")
    for name in names:
        table.add_column(name, justify="left" if name == names[0] else "right")
    for one in found:
        mark = "?" if one.is_provisional else ""
        spread = f"± {Z95 * one.deviation / UNIT:.0f}"
        counts = (str(one.matches), str(one.won), str(one.drawn), str(one.lost))
        table.add_row(escape(handles[one.player] or one.player), f"{one.rating / UNIT:.0f}{mark}", spread, *counts)
    console.print(table)
    if any(one.is_provisional for one in found):
        console.print(word("  ? provisional: too few matches, or none for long"))


def _opened(db: Path | None) -> Store:
    """The store, which must exist, for writing: each match is settled once."""
    if not stored_at(db) and not file_of(db).exists():
        raise Amiss(
            word("There is no database at {path}. Play something first, or name one with --db.", path=file_of(db))
        )
    return open_store(db)


def _games() -> dict[str, Game[Any]]:
    return {name: face.game for name, face in faces().items()}


def _now() -> int:
    return time.time_ns() // 1_000_000


@ratings.command("dump")
@click.argument("file", type=FILE, metavar="FILE")
@db_option
def write_dump(file: Path, db: Path | None) -> None:
    """Write every result that counts, and every rating that follows, signed with the server's key."""
    if file.exists():
        raise Amiss(word("{output} is there already; name another file.", output=file))
    with closing(_opened(db)) as store:
        now = _now()
        gathering.settle(store, _games(), store.rated_players)
        lines = dump.write(gathering.counting(store, now), now, KeyRing.beside(beside(db)).current.stamp)
        _write(file, lines)
    console.print(
        word("The ratings are in {output}; anybody checks them with: herald ratings verify {output}", output=file),
        soft_wrap=True,
    )


def _write(file: Path, lines: Iterator[bytes]) -> None:
    """Write the lines as a file that is either whole or absent. Raises `Misconfigured`."""
    partial = file.with_name(f"{file.name}.partial")
    try:
        with partial.open("wb") as out:
            out.writelines(lines)
            out.flush()
            os.fsync(out.fileno())
        partial.replace(file)
    except OSError as wrong:
        raise Amiss(word("{name} cannot be written: {why}.", name=file, why=wrong.strerror)) from wrong
    finally:
        with suppress(OSError):
            partial.unlink()


@ratings.command("verify")
@click.argument("file", type=THERE, metavar="FILE")
@click.argument("records", nargs=-1, type=BESIDE, metavar="[RECORDS]...")
@click.option("--former", type=THERE, help="An earlier file, whose results must all be in this one.")
@click.option(
    "--key", "keys", multiple=True, metavar="KEY", help="A public key of the server, as `herald key show` prints it."
)
@click.option("--json", "as_json", is_flag=True, help="The same for programs.")
@click.pass_context
def verify(
    ctx: click.Context,
    file: Path,
    records: tuple[Path, ...],
    former: Path | None,
    keys: tuple[str, ...],
    as_json: bool,
) -> None:
    """Recompute everything in a file of ratings, to the digit, and name the first difference. Needs no database.

    RECORDS are files of `herald export`, or folders of them: each is audited, and compared with its result in the file.
    """
    trusted = [_key(key) for key in keys]
    unread: list[str] = []
    try:
        with bounded_memory():
            report = verifying.verify(file, _games(), trusted, _records(records, unread), former)
    except OSError as wrong:
        raise Amiss(word("{name} cannot be read: {why}.", name=file, why=wrong.strerror)) from wrong
    report.unproven += unread
    if as_json:
        echo(msgspec.json.encode({"ok": report.ok, **msgspec.to_builtins(report)}))
    else:
        _tell_report(file, report)
    ctx.exit(0 if report.ok else 1)


def _records(paths: Sequence[Path], unread: list[str]) -> Iterator[tuple[str, Record]]:
    for path in records_in(paths):
        try:
            yield path.name, read_file(path)
        except (RecordInvalid, OSError) as wrong:
            unread.append(f"{path.name}: whether it fits, for it cannot be read: {wrong}")


def _key(text: str) -> bytes:
    try:
        key = sealing.unb64(text)
    except ValueError:
        key = b""
    if len(key) != sealing.KEY_BYTES:
        raise Amiss(word("{text!r} is no public key; `herald key show` prints one.", text=text))
    return key


def _tell_report(file: Path, report: RatingsReport) -> None:
    if report.ok:
        console.print(
            word(
                "[green]✓[/] {name}: {results} results give the {players} ratings in it, to the digit.",
                name=escape(file.name),
                results=report.results,
                players=report.players,
            ),
            soft_wrap=True,
        )
        console.print(word("  signed with {key}; {n} records audited", key=report.signed, n=report.audited))
    else:
        console.print(f"[bold red]✗[/] {escape(file.name)}: {escape(told(report.fault))}", soft_wrap=True)
    for one in report.left_out[:LEFT_OUT_SHOWN]:
        console.print(word("  not in the file, and it would count unless a guest played: {one}", one=escape(one)))
    for unproven in report.unproven:
        console.print(word("  not proven: {unproven}", unproven=escape(told(unproven))), soft_wrap=True)


COMMANDS = (ratings,)
