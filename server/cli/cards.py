"""`herald cards`: check card sets of one's own."""

from pathlib import Path

import click
from rich.markup import escape

from domain.vera_discordia import check_text
from server.cli.common import console
from server.errors import Misconfigured


@click.group()
def cards() -> None:
    """Check card sets of Vera Discordia."""


@cards.command("check")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def check(file: Path) -> None:
    """Check a card-set file: everything wrong with it at once, with card, field and what is allowed.

    Ends with 0 when the set can be played with; advice alone does not refuse it.
    """
    defects = check_text(file.read_bytes(), file.name)
    for defect in defects:
        style, word = ("yellow", "advice") if defect.advice else ("bold red", "wrong")
        console.print(f"[{style}]{word}[/] {escape(str(defect))}", soft_wrap=True)
    fatal = sum(not defect.advice for defect in defects)
    if fatal:
        raise Misconfigured(f"{file.name} has {fatal} defect{'s' if fatal > 1 else ''}; it cannot be played with.")
    console.print(f"{escape(file.name)} can be played with.")


COMMANDS: tuple[click.Command, ...] = (cards,)
