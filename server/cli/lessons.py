"""`herald lesson`: lessons of a game, checked and taken (docs/lessons.md)."""

from collections.abc import Iterator
from pathlib import Path

import click
from rich.markup import escape

from projections.registry import games
from replay.scenarios.errors import ScenarioInvalid
from replay.scenarios.lessons import folder_of, line_of, load
from replay.scenarios.teaching import check
from server.cli.common import console, face_of
from server.errors import Misconfigured


@click.group()
def lesson() -> None:
    """Learn a game by doing: lessons are positions with a voice, scripted dice, and answers to likely mistakes."""


@lesson.command("check")
@click.argument("given", metavar="FILE...|GAME", nargs=-1, required=True)
@click.option("-q", "--quiet", is_flag=True, help="Name only the lessons that are not as told.")
def check_lessons(given: tuple[str, ...], quiet: bool) -> None:
    """Play lessons through the rules and print every difference; a game's name stands for all that come with it.

    The exit status is 0 when all is as told, 1 when anything differs or a file cannot be read.
    """
    paths = [path for word in given for path in _files(word)]
    wrong = sum(not _check(path, quiet=quiet) for path in paths)
    right = len(paths) - wrong
    console.print(f"{right} of {len(paths)} {'lesson is' if len(paths) == 1 else 'lessons are'} as told.")
    click.get_current_context().exit(1 if wrong else 0)


def _files(word: str) -> Iterator[Path]:
    path = folder_of(word) if word in games() else Path(word)
    if not path.is_dir():
        yield path
        return
    found = sorted(path.rglob("*.toml"))
    if not found:
        raise Misconfigured(f"There is no lesson in {path}.")
    yield from found


def _check(file: Path, *, quiet: bool) -> bool:
    """Whether a lesson is as told; says so."""
    try:
        told = load(file)
        differences = check(face_of(told.game).game, told)
    except (ScenarioInvalid, Misconfigured) as wrong:
        text = str(wrong).removeprefix(f"{file}: ")
        console.print(f"[bold red]cannot be read[/]  {escape(str(file))}\n  {escape(text)}", soft_wrap=True)
        return False
    if not differences and not quiet:
        console.print(f"[green]as told[/]  {escape(str(file))}  [dim]{escape(told.title)}[/]", soft_wrap=True)
    if differences:
        console.print(f"[bold red]differs[/]  {escape(str(file))}  [dim]{escape(told.title)}[/]", soft_wrap=True)
    for difference in differences:
        line = line_of(file.read_text("utf-8"), difference.place.partition(":")[0])
        console.print(f"  line {line}: {escape(difference.place)}", soft_wrap=True)
        console.print(f"    [green]expected[/]  {escape(difference.expected)}", soft_wrap=True)
        console.print(f"    [red]got[/]       {escape(difference.got)}", soft_wrap=True)
    return not differences


COMMANDS = (lesson,)
