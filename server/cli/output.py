"""The one place through which all output goes: the texts of others never reach the terminal as a command.

Names, titles and chat come from records and files that anybody may have written. A control sequence among them could
clear the screen, rename the window, or reverse the direction of the text. Every such character is therefore replaced.
"""

import unicodedata
from collections.abc import Iterable
from typing import Any, Final

import click
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

KEPT: Final = frozenset("\n\t")
SHOWN: Final = "\N{REPLACEMENT CHARACTER}"
ORDINARY: Final = frozenset({"Cn", "Co"})
"""The categories of unassigned and private characters, for which a terminal does nothing."""


def clean(text: str) -> str:
    """The text without characters that a terminal obeys, or that reverse or hide neighbouring text."""
    if text.isascii() and text.isprintable():
        return text
    lines = ("".join(char if _is_harmless(char) else SHOWN for char in line) for line in text.split("\r\n"))
    return "\r\n".join(lines)


def _is_harmless(char: str) -> bool:
    category = unicodedata.category(char)
    return category[0] not in "CZ" or category in ORDINARY or char in KEPT or category == "Zs"


class CleanConsole(Console):
    """A console that never treats a character of a text as a command; its own styles work as usual."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The segments of the output, each with a clean text."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(clean(segment.text), segment.style)


def echo(text: Any = "", *, nl: bool = True, err: bool = False) -> None:
    """Print data, such as a report in JSON or a table in CSV; bytes as they are, for a file or a pipe."""
    click.echo(clean(text) if isinstance(text, str) else text, nl=nl, err=err)
