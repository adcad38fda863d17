"""Checks files that state what must follow from a position: finds them, checks each, and prints every difference."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from rich.markup import escape

from replay.scenarios.errors import ScenarioInvalid
from replay.scenarios.play import Difference
from server.cli.common import console
from server.cli.errors import Amiss
from server.cli.words import refused, told, word
from server.errors import Misconfigured

Check = Callable[[Path], tuple[str, list[Difference]]]
"""A file's title, and its differences.

Raises `ScenarioInvalid` for a faulty file, and `Misconfigured` for a file that cannot be read.
"""


def files_in(path: Path, what: str) -> Iterator[Path]:
    """A file, or all files in a folder that end in .toml; the error names `what` if there are none. Raises
    `Misconfigured`.
    """
    if not path.is_dir():
        yield path
        return
    found = sorted(path.rglob("*.toml"))
    if not found:
        raise Amiss(word("There is no {what} in {path}.", what=what, path=path))
    yield from found


def count_wrong(
    files: Iterable[Path], check: Check, *, quiet: bool, where: Callable[[Path, Difference], str] | None = None
) -> int:
    """The number of files with differences; prints each file's result, or with `quiet` only the differences.

    `where`: names the place of a difference in a file, instead of the place alone.
    """
    return sum(not _is_as_told(file, check, quiet=quiet, where=where) for file in files)


def _is_as_told(
    file: Path, check: Check, *, quiet: bool, where: Callable[[Path, Difference], str] | None = None
) -> bool:
    try:
        title, differences = check(file)
    except (ScenarioInvalid, Misconfigured) as wrong:
        text = refused(wrong) if isinstance(wrong, Misconfigured) else told(str(wrong).removeprefix(f"{file}: "))
        console.print(
            word("[bold red]cannot be read[/]  {file}\n  {text}", file=escape(str(file)), text=escape(text)),
            soft_wrap=True,
        )
        return False
    if not differences and not quiet:
        console.print(
            word("[green]as told[/]  {file}  [dim]{title}[/]", file=escape(str(file)), title=escape(title)),
            soft_wrap=True,
        )
    if differences:
        console.print(
            word("[bold red]differs[/]  {file}  [dim]{title}[/]", file=escape(str(file)), title=escape(title)),
            soft_wrap=True,
        )
    for difference in differences:
        place = told(difference.place) if where is None else where(file, difference)
        console.print(f"  {escape(place)}", soft_wrap=True)
        console.print(word("    [green]expected[/]  {expected}", expected=escape(difference.expected)), soft_wrap=True)
        console.print(word("    [red]got[/]       {got}", got=escape(difference.got)), soft_wrap=True)
    return not differences
