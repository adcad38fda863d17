"""`herald backup`, `herald restore`: copies of the database, verified."""

import signal
import sys
import time
from pathlib import Path
from typing import Final

import click
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from projections.registry import faces
from replay.maintenance.backup import back_up, keys_of, restore
from replay.maintenance.database_check import DatabaseCheck
from replay.maintenance.drill import drill
from replay.record.serverkey import key_files
from server.cli.common import console, db_option, file_of
from server.cli.output import CleanConsole
from server.cli.words import told, word

OTHER_KEYS: Final = "{missing} is missing or holds no key of the server's: those in {keys} go on signing."
NO_KEYS: Final = (
    "{missing} is missing or holds no key of the server's: the next start makes a new one. Everything that an old key"
    " signed stays true, and everybody with its public key can check it with"
    " herald audit MATCH --key KEY; nothing more can be signed with it. If you still have the old keys, put them into"
    " {keys} before you start the server."
)

WITHOUT_KEYS: Final = (
    "[bold yellow]![/] there are no keys in {keys}: signatures were checked, and not whether they are the server's."
)
DRILL_FAILED: Final = "[bold red]✗[/] {file}: {count:,} matches do not hold. Nothing of the drill was kept."


def progress_bar() -> Progress:
    """A progress bar of matches on standard error, if that is a terminal."""
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
@click.option("--drill", "is_drill", is_flag=True, help="Only try the copy, in a temporary place that is removed.")
@db_option
def restore_command(file: Path, is_drill: bool, db: Path | None) -> None:
    """Verify a copy made by `herald backup`, then put it in the database's place.

    Refused while a server, or any other program, has the database open. The old database is kept beside it.

    With --drill no database is touched: the copy is restored under $TMPDIR, every match is folded and audited there,
    and all of it is removed. The exit status is 1 if something does not hold.
    """
    if is_drill:
        _drill(file)
        return
    database = file_of(db)
    with progress_bar() as bar:
        task = bar.add_task(word("verifying"), total=None)
        found, kept = restore(file, database, lambda done, total: bar.update(task, completed=done, total=total))
    console.print(f"[bold green]✓[/] {escape(str(database))}: {_told(found)}", soft_wrap=True)
    if kept is not None:
        console.print(word("  the database that was there is kept as {kept}", kept=escape(str(kept))), soft_wrap=True)
    if not key_files(keys_of(file)):
        console.print(f"[bold yellow]![/] {escape(_without_keys(file, database))}", soft_wrap=True)


def _drill(file: Path) -> None:
    """Try to restore a copy, and print the result. A drill that is told to end removes its files, too."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    games = {name: face.game for name, face in faces().items()}
    with progress_bar() as bar:
        task = bar.add_task(word("auditing"), total=None)
        found = drill(file, games, lambda done, total: bar.update(task, completed=done, total=total))
    for fault in found.faults:
        console.print(f"[bold red]✗[/] {escape(fault.match)}: {escape(told(fault.why))}", soft_wrap=True)
    if found.strange:
        console.print(
            word(
                "  without their rules, which are not installed here: {games}", games=escape(", ".join(found.strange))
            ),
            soft_wrap=True,
        )
    if not found.keys:
        console.print(word(WITHOUT_KEYS, keys=escape(str(keys_of(file)))), soft_wrap=True)
    if found.faults:
        console.print(word(DRILL_FAILED, file=escape(str(file)), count=len(found.faults)), soft_wrap=True)
        click.get_current_context().exit(1)
    console.print(
        word(
            "[bold green]✓[/] {file} can be restored: {matches:,} matches, {lines:,} lines, {choices:,} choices decided"
            " again; every match holds. Nothing of the drill was kept.",
            file=escape(str(file)),
            matches=found.matches,
            lines=found.lines,
            choices=found.choices,
        ),
        soft_wrap=True,
    )


def _without_keys(copy: Path, database: Path) -> str:
    """The consequences of a copy without the server's keys."""
    if key_files(keys_of(database)):
        return word(OTHER_KEYS, missing=keys_of(copy), keys=keys_of(database))
    return word(NO_KEYS, missing=keys_of(copy), keys=keys_of(database))


COMMANDS = (backup_command, restore_command)
