"""`herald rebuild`: every read model anew, from the records."""

import time
from pathlib import Path

import click
from rich.progress import Progress

from projections.registry import faces
from replay.queries.readmodels import MATCH_LIST, rebuild
from server.cli.common import console, db_option, file_of, open_store, progress_console
from server.errors import Misconfigured


@click.command("rebuild")
@click.option(
    "--verify", is_flag=True, help="Only compare with what is there; write nothing. Ends with 1 on a difference."
)
@db_option
def rebuild_command(verify: bool, db: Path | None) -> None:
    """Rebuild what is computed from the records: the match list's results, and the tables read_* for queries.

    Everything is built beside the old and compared; then it is swapped in one transaction. docs/querying.md says what
    the tables hold.
    """
    path = file_of(db)
    if not verify and path.exists():
        open_store(db).close()  # brings an older database up to date
    store = open_store(db, must_exist=True)
    total = len(store.matches(limit=10_000_000))
    store.close()
    known = faces()
    began = time.perf_counter()
    with Progress(console=progress_console(), transient=True) as progress:
        task = progress.add_task("verifying" if verify else "rebuilding", total=total)
        found = rebuild(path, known, verify=verify, progress=lambda done: progress.update(task, completed=done))
    took = time.perf_counter() - began
    console.print(
        f"{found.matches} matches, {found.events} events, {found.events / max(took, 1e-9):,.0f} events a second",
        soft_wrap=True,
    )
    for table, number in found.differences.items():
        if number:
            what = "the match list" if table == MATCH_LIST else table
            console.print(f"  [yellow]differed[/] {what}: {number} rows")
    for game in found.unknown:
        console.print(f"  [yellow]left out[/] matches of {game}, which this program does not have")
    if verify and not found.ok:
        raise Misconfigured("The read models are not what the records say; `herald rebuild` makes them so.")
    console.print("Every read model is what the records say." if found.ok else "Every read model is made anew.")


COMMANDS = (rebuild_command,)
