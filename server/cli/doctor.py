"""`herald doctor`: whether this machine and this database are fit to serve."""

from pathlib import Path

import click
import msgspec
from rich.markup import escape
from rich.table import Table

from server.cli.backup import progress_bar
from server.cli.common import console, db_option, file_of, named_config
from server.cli.output import echo
from server.cli.words import told, word
from server.operations.configuration import load
from server.operations.doctor import Finding, examine

MARKS = {"ok": "[bold green]✓[/]", "advice": "[bold yellow]![/]", "wrong": "[bold red]✗[/]"}


@click.command()
@click.option("--deep", is_flag=True, help="Open every seal and check every die and signature too; takes longer.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per finding and line.")
@db_option
def doctor(*, deep: bool, as_json: bool, db: Path | None) -> None:
    """Examine programs, settings, permissions, disk, clock, database and every match in it.

    It can run beside a server. The exit status is 1 if something is wrong; advice alone leaves it 0.
    """
    configuration = load(named_config())
    with progress_bar() as bar:
        task = bar.add_task(word("matches"), total=None)
        findings = examine(
            file_of(db),
            configuration,
            lambda done, total: bar.update(task, completed=done, total=total),
            deep=deep,
        )
    if as_json:
        for finding in findings:
            echo(msgspec.json.encode(finding).decode())
    else:
        console.print(_table(findings))
    if any(finding.status == "wrong" for finding in findings):
        click.get_current_context().exit(1)


def _table(findings: list[Finding]) -> Table:
    table = Table(show_header=False, box=None)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True, style="bold")
    table.add_column()
    for finding in findings:
        todo = f"\n[dim]{escape(told(finding.todo))}[/]" if finding.todo else ""
        table.add_row(MARKS[finding.status], word(finding.name), escape(told(finding.found)) + todo)
    return table


COMMANDS = (doctor,)
