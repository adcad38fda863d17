"""`herald config`: the settings, the origin of each, and the errors in them."""

from pathlib import Path

import click
import msgspec
from rich.markup import escape
from rich.table import Table

from server.cli.common import console
from server.cli.output import echo
from server.cli.words import named, told, word
from server.operations.configuration import DEFAULT, Configuration, load

file_argument = click.argument(
    "file", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="[FILE]"
)


@click.group()
def config() -> None:
    """Show and check the server's settings from its file, the environment and flags.

    A flag of `herald serve` wins over a variable HERALD_..., which wins over the file, which wins over the default.
    The file is in TOML; name it with --config or in HERALD_CONFIG.
    """


@config.command("check")
@file_argument
def check(file: Path | None) -> None:
    """Check a file, and the environment, as `herald serve` would read them.

    All errors are shown at once, each with its place and the allowed values. The exit status is then 1.
    """
    found = load(file)
    for note in found.notes:
        console.print(word("[yellow]odd[/]    {note}", note=escape(told(str(note)))), soft_wrap=True)
    for defect in found.defects:
        console.print(word("[bold red]wrong[/]  {defect}", defect=escape(told(str(defect)))), soft_wrap=True)
    if found.defects:
        click.get_current_context().exit(1)
    console.print(
        word("[bold green]✓[/] {n} settings are made, and all of them fit.", n=len(found.places)), soft_wrap=True
    )


@config.command("show")
@file_argument
@click.option("--json", "as_json", is_flag=True, help="One JSON object: each setting with its value and its place.")
def show(file: Path | None, as_json: bool) -> None:
    """Show every setting, its value, and where it comes from. Secrets are not shown."""
    found = load(file)
    if as_json:
        echo(msgspec.json.encode(_plain(found)).decode())
    else:
        table = Table(word("setting"), word("value"), word("from"), box=None)
        for name, value, place in found.rows():
            style = "dim" if place == DEFAULT else ""
            table.add_row(*(escape(text) for text in (name, named(value), named(place))), style=style)
        console.print(table)
    for defect in found.defects:
        echo(f"{word('wrong')}: {told(str(defect))}", err=True)
    if found.defects:
        click.get_current_context().exit(1)


def _plain(found: Configuration) -> dict[str, dict[str, str]]:
    return {name: {"value": value, "from": place} for name, value, place in found.rows()}


COMMANDS = (config,)
