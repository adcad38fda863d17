"""`herald backup`, `herald restore`: copies of the database, verified."""

import time
from pathlib import Path
from typing import Final

import click
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from replay.maintenance.backup import back_up, keys_of, restore
from replay.maintenance.database_check import DatabaseCheck
from replay.record.serverkey import key_files
from server.cli.common import console, db_option, file_of
from server.cli.output import CleanConsole
from server.cli.words import word

OTHER_KEYS: Final = "{missing} is missing or holds no key of the server's: those in {keys} go on signing."
NO_KEYS: Final = (
    "{missing} is missing or holds no key of the server's: the next start makes a new one. What an old key signed stays"
    " true, and whoever has its public key can check it with herald audit MATCH --key KEY; nothing more can be signed"
    " with it. If you still have the old keys, put them into {keys} before you start the server."
)


def progress_bar() -> Progress:
    """A bar of matches on standard error, where that is a terminal."""
    errors = CleanConsole(stderr=True)
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
    return Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal)


def _told(found: DatabaseCheck) -> str:
    return word("{matches:,} matches, {lines:,} lines; every match holds", matches=found.matches, lines=found.lines)


@click.command("backup")
@click.option(
    "--to", "target", type=click.Path(dir_okay=False, path_type=Path), help="The copy.  [default: dated, beside]"
)
@db_option
def backup_command(target: Path | None, db: Path | None) -> None:
    """Copy the database and the server's keys while the server runs, and verify the copy.

    The copy holds every secret of every match, as the database does: keep it where only you can read it.
    """
    database = file_of(db)
    copy = target or database.with_name(f"{database.stem}-{time.strftime('%Y%m%d-%H%M%S')}{database.suffix}")
    with progress_bar() as bar:
        task = bar.add_task(word("verifying"), total=None)
        found = back_up(database, copy, lambda done, total: bar.update(task, completed=done, total=total))
    console.print(f"[bold green]✓[/] {escape(str(copy))}: {_told(found)}", soft_wrap=True)


@click.command("restore")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@db_option
def restore_command(file: Path, db: Path | None) -> None:
    """Verify a copy made by `herald backup`, then put it in the database's place.

    Refused while a server, or any other program, has the database open. The old database is kept beside it.
    """
    database = file_of(db)
    with progress_bar() as bar:
        task = bar.add_task(word("verifying"), total=None)
        found, kept = restore(file, database, lambda done, total: bar.update(task, completed=done, total=total))
    console.print(f"[bold green]✓[/] {escape(str(database))}: {_told(found)}", soft_wrap=True)
    if kept is not None:
        console.print(word("  the database that was there is kept as {kept}", kept=escape(str(kept))), soft_wrap=True)
    if not key_files(keys_of(file)):
        console.print(f"[bold yellow]![/] {escape(_without_keys(file, database))}", soft_wrap=True)


def _without_keys(copy: Path, database: Path) -> str:
    """The consequences of a copy without the server's keys."""
    if key_files(keys_of(database)):
        return word(OTHER_KEYS, missing=keys_of(copy), keys=keys_of(database))
    return word(NO_KEYS, missing=keys_of(copy), keys=keys_of(database))


COMMANDS = (backup_command, restore_command)
