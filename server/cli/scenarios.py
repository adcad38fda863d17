"""`herald scenario`: positions and choices as text, checked against the rules (docs/scenarios.md)."""

from collections.abc import Iterator
from pathlib import Path

import click
from rich.markup import escape

from replay.scenarios.errors import ScenarioInvalid
from replay.scenarios.play import check, load
from server.cli.common import console, face_of
from server.errors import Misconfigured


@click.group()
def scenario() -> None:
    """Check scenario files: a position, choices with scripted dice, and what must come of them."""


@scenario.command("check")
@click.argument("paths", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("-q", "--quiet", is_flag=True, help="Name only the files that are not as told.")
def check_files(paths: tuple[Path, ...], quiet: bool) -> None:
    """Play scenario files and print every difference; a folder stands for all files in it that end in .toml.

    The exit status is 0 when all is as told, 1 when anything differs or a file cannot be read.
    """
    files = list(_files(paths))
    wrong = sum(not _check(file, quiet=quiet) for file in files)
    click.get_current_context().exit(1 if _report(len(files), wrong) else 0)


def _files(paths: tuple[Path, ...]) -> Iterator[Path]:
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        found = sorted(path.rglob("*.toml"))
        if not found:
            raise Misconfigured(f"There is no .toml file in {path}.")
        yield from found


def _check(file: Path, *, quiet: bool) -> bool:
    """Whether a file is as told; says so."""
    try:
        told = load(file)
        differences = check(face_of(told.game).game, told)
    except (ScenarioInvalid, Misconfigured) as wrong:
        text = str(wrong).removeprefix(f"{file}: ")
        console.print(f"[bold red]cannot be read[/]  {escape(str(file))}\n  {escape(text)}", soft_wrap=True)
        return False
    if not differences:
        if not quiet:
            console.print(f"[green]as told[/]  {escape(str(file))}  [dim]{escape(told.title)}[/]", soft_wrap=True)
        return True
    console.print(f"[bold red]differs[/]  {escape(str(file))}  [dim]{escape(told.title)}[/]", soft_wrap=True)
    for difference in differences:
        console.print(f"  {escape(difference.place)}", soft_wrap=True)
        console.print(f"    [green]expected[/]  {escape(difference.expected)}", soft_wrap=True)
        console.print(f"    [red]got[/]       {escape(difference.got)}", soft_wrap=True)
    return False


def _report(files: int, wrong: int) -> int:
    right = files - wrong
    console.print(f"{right} of {files} {'scenario is' if files == 1 else 'scenarios are'} as told.")
    return wrong


COMMANDS = (scenario,)
