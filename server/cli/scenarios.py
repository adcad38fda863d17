"""`herald scenario`: positions and choices as text, checked against the rules (docs/scenarios.md)."""

from pathlib import Path

import click

from replay.scenarios.play import Difference, check, load
from server.cli.checking import count_wrong, files_in
from server.cli.common import console, face_of


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
    files = [file for path in paths for file in files_in(path, ".toml file")]
    wrong = count_wrong(files, _check, quiet=quiet)
    right = len(files) - wrong
    console.print(f"{right} of {len(files)} {'scenario is' if len(files) == 1 else 'scenarios are'} as told.")
    click.get_current_context().exit(1 if wrong else 0)


def _check(file: Path) -> tuple[str, list[Difference]]:
    told = load(file)
    return told.title, check(face_of(told.game).game, told)


COMMANDS = (scenario,)
