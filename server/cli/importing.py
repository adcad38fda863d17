"""`herald import`: take matches in from exported files."""

from functools import partial
from pathlib import Path

import click
from rich.markup import escape
from rich.progress import Progress, TaskID

from replay.errors import RecordError
from replay.maintenance.import_match import import_record
from server.cli.common import bounded_memory, console, db_option, face_of, open_store, read_record
from server.cli.errors import Amiss
from server.cli.words import refused, word
from server.errors import Misconfigured


@click.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--quick", is_flag=True, help="Verify everything but the rules: do not decide each choice again.")
@db_option
def import_command(files: tuple[Path, ...], quick: bool, db: Path | None) -> None:
    """Import matches from files of `herald export`.

    Each file is first verified as a whole, as `herald audit` does, and then stored in one transaction. A file that
    fails is refused, and the others are imported. A match that is there already is left as it is.
    """
    store = open_store(db)
    left = 0
    try:
        with Progress(console=console, transient=True) as progress:
            for path in files:
                task = progress.add_task(escape(path.name), total=None)
                try:
                    with bounded_memory():
                        record = read_record(path)
                    progress.update(task, total=len(record.held))
                    advance = partial(_advance, progress, task)
                    with bounded_memory():
                        report = import_record(
                            store, face_of(record.game).game, record, advance, decide_again=not quick
                        )
                    console.print(
                        word(
                            "[bold green]✓[/] {name}: {match}, {lines} lines",
                            name=escape(path.name),
                            match=record.match,
                            lines=report.lines,
                        )
                    )
                except (RecordError, Misconfigured) as wrong:
                    left += 1
                    console.print(f"[bold red]✗[/] {escape(path.name)}: {escape(refused(wrong))}", soft_wrap=True)
                progress.remove_task(task)
    finally:
        store.close()
    if left:
        raise Amiss(word("{left} of {n} files were not taken.", left=left, n=len(files)))


def _advance(progress: Progress, task: TaskID, done: int) -> None:
    progress.update(task, completed=done)


COMMANDS = (import_command,)
