"""`herald store`: databases that several machines share: made, checked, brought up to date, filled."""

from pathlib import Path
from types import ModuleType

import click
from rich.markup import escape

from replay.maintenance.copy_matches import copy_matches
from replay.maintenance.database_check import EVERY, check_matches
from replay.store.matches import Header
from replay.store.opening import open_address, open_named
from replay.store.postgres.address import is_address
from replay.store.store import Store
from server.cli.backup import progress_bar
from server.cli.common import console, match_named
from server.cli.errors import Amiss
from server.cli.words import told, word
from server.operations.configuration import address as address_of_settings

address_argument = click.argument("address", required=False, envvar="HERALD_STORE")


@click.group("store")
def store_command() -> None:
    """Databases on the PostgreSQL protocol, for several machines over the same matches.

    ADDRESS is as in `herald serve --store`: postgresql://USER@HOST:PORT/NAME. Without one, $HERALD_STORE or the file
    of settings names it. A password belongs into $PGPASSWORD or ~/.pgpass.
    """


@store_command.command("create")
@address_argument
def create(address: str | None) -> None:
    """Create Herald's tables in an existing database. Tables that exist are left alone."""
    before, after = _tables().bring_up_to_date(_named(address))
    console.print(
        word("The tables are made.")
        if not before
        else word("The tables are there, of schema {before}; now {after}.", before=before, after=after)
    )


@store_command.command("migrate")
@address_argument
def migrate(address: str | None) -> None:
    """Upgrade the tables of an older Herald to this version, even while its servers run."""
    named, tables = _named(address), _tables()
    line = tables.connect(named)
    try:
        if not tables.version_of(line):
            raise Amiss(word("There are no tables of Herald; make them with `herald store create`."))
    finally:
        line.close()
    before, after = tables.bring_up_to_date(named)
    console.print(
        word("From schema {before} to {after}.", before=before, after=after)
        if before != after
        else word("The tables have schema {after} already.", after=after)
    )


@store_command.command("check")
@address_argument
@click.option("--deep", is_flag=True, help="Open every seal and check every die and signature too; takes longer.")
def check(address: str | None, deep: bool) -> None:
    """Check the database's settings, its tables, and every match. The exit status is 1 if something is wrong."""
    named = _named(address)
    faults: list[tuple[str, str]] = _tables().faults(named)
    store = open_address(named, readonly=True)
    try:
        with progress_bar() as bar:
            task = bar.add_task(word("matches"), total=None)
            found = check_matches(
                store,
                store.matches.latest(limit=EVERY),
                lambda done, total: bar.update(task, completed=done, total=total),
                deep=deep,
            )
    finally:
        store.close()
    faults += [(fault.match, fault.why) for fault in found.faults]
    for match, why in faults:
        console.print(
            f"[bold red]{word('wrong')}[/]  {escape(f'{match}: {told(why)}' if match else told(why))}", soft_wrap=True
        )
    if faults:
        click.get_current_context().exit(1)
    console.print(
        word(
            "[bold green]✓[/] {matches:,} matches with {lines:,} lines hold.", matches=found.matches, lines=found.lines
        )
    )


@store_command.command("copy")
@click.argument("source")
@click.argument("target")
@click.option("--match", "names", multiple=True, metavar="MATCH", help="This match alone; may be repeated.")
def copy(source: str, target: str, names: tuple[str, ...]) -> None:
    """Copy matches from one store to another, in either direction; each is a file or an address.

    First stop every server of both stores. Each match is checked, copied with its secrets, tokens and chat, read back
    and compared. A match that is there already, line for line, is left alone, so the command can continue an
    interrupted copy.
    """
    if not is_address(source) and not Path(source).is_file():
        raise Amiss(word("There is no database at {source}.", source=source))
    reading = open_named(source, readonly=True)
    try:
        writing = open_named(target)
        try:
            headers = _chosen(reading, names)
            with progress_bar() as bar:
                task = bar.add_task(word("matches"), total=None)
                done = copy_matches(
                    reading, writing, headers, lambda done, total: bar.update(task, completed=done, total=total)
                )
        finally:
            writing.close()
    finally:
        reading.close()
    console.print(
        word(
            "{matches:,} matches with {lines:,} lines are copied, {known:,} were there already.",
            matches=done.matches,
            lines=done.lines,
            known=done.known,
        )
    )
    console.print(word("The keys with which servers sign lie beside their databases and are not copied."))


def _chosen(store: Store, names: tuple[str, ...]) -> list[Header]:
    return [match_named(store, name) for name in names] if names else store.matches.latest(limit=EVERY)


def _named(address: str | None) -> str:
    named = address or address_of_settings()
    if not named:
        raise Amiss(word("Name the database: postgresql://USER@HOST:PORT/NAME."))
    if not is_address(named):
        raise Amiss(word("That is no address of a database; it begins with postgresql://."))
    return named


def _tables() -> ModuleType:
    """The module that knows the tables. Raises `Misconfigured` if the library for its protocol is missing."""
    try:
        from replay.store.postgres import schema  # noqa: PLC0415
    except ImportError as wrong:
        raise Amiss(word("psycopg is not installed; install what requirements-postgres.lock names.")) from wrong
    return schema


COMMANDS = (store_command,)
