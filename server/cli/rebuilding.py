"""`herald rebuild`: every read model anew, from the records."""

import time
from pathlib import Path

import click
from rich.progress import Progress

from projections.registry import faces
from replay.queries.readmodels import MATCH_LIST, rebuild
from server.cli.common import console, db_option, file_of, open_store, progress_console
from server.cli.errors import Amiss
from server.cli.words import word


@click.command("rebuild")
@click.option(
    "--verify", is_flag=True, help="Only compare with the present tables; write nothing. Ends with 1 on a difference."
)
@db_option
def rebuild_command(verify: bool, db: Path | None) -> None:
    """Rebuild what is computed from the records: the match list's results, and the tables read_* for queries.

    The new tables are built beside the old ones and compared, then swapped in one transaction. docs/querying.md
    describes the tables.
    """
    path = file_of(db)
    if not verify and path.exists():
        open_store(db).close()  # brings an older database up to date
    store = open_store(db, must_exist=True)
    total = len(store.matches.latest(limit=10_000_000))
    store.close()
    known = faces()
    began = time.perf_counter()
    with Progress(console=progress_console(), transient=True) as progress:
        task = progress.add_task(word("verifying") if verify else word("rebuilding"), total=total)
        found = rebuild(path, known, verify=verify, progress=lambda done: progress.update(task, completed=done))
    took = time.perf_counter() - began
    console.print(
        word(
            "{matches} matches, {events} events, {rate:,.0f} events a second",
            matches=found.matches,
            events=found.events,
            rate=found.events / max(took, 1e-09),
        ),
        soft_wrap=True,
    )
    for table, number in found.differences.items():
        if number:
            what = word("the match list") if table == MATCH_LIST else table
            console.print(word("  [yellow]differed[/] {what}: {number} rows", what=what, number=number))
    for game in found.unknown:
        console.print(word("  [yellow]left out[/] matches of {game}, which this program does not have", game=game))
    if verify and not found.ok:
        raise Amiss(word("The read models are not what the records say; `herald rebuild` makes them so."))
    console.print(
        word("Every read model is what the records say.") if found.ok else word("Every read model is made anew.")
    )


COMMANDS = (rebuild_command,)
