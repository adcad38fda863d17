"""`herald scenario`: positions and choices as text, checked against the rules (docs/scenarios.md)."""

from pathlib import Path
from typing import Final

import click

from replay.scenarios.play import Difference, check, load
from server.cli.checking import count_wrong, files_in
from server.cli.common import console, face_of
from server.cli.words import word

AS_TOLD: Final = "{right} of {n} scenarios are as told."
ONE_AS_TOLD: Final = "{right} of {n} scenario is as told."


@click.group()
def scenario() -> None:
    """Check scenario files: a position, choices with scripted dice, and the expected results."""


@scenario.command("check")
@click.argument("paths", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("-q", "--quiet", is_flag=True, help="Name only the files that differ.")
def check_files(paths: tuple[Path, ...], quiet: bool) -> None:
    """Play scenario files and print every difference; a folder stands for all files in it that end in .toml.

    The exit status is 0 if nothing differs, and 1 if anything does or if a file cannot be read.
    """
    files = [file for path in paths for file in files_in(path, word(".toml file"))]
    wrong = count_wrong(files, _check, quiet=quiet)
    right = len(files) - wrong
    one = len(files) == 1
    console.print(word(ONE_AS_TOLD if one else AS_TOLD, right=right, n=len(files)))
    click.get_current_context().exit(1 if wrong else 0)


def _check(file: Path) -> tuple[str, list[Difference]]:
    told = load(file)
    return told.title, check(face_of(told.game).game, told)


COMMANDS = (scenario,)
