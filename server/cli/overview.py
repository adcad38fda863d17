"""All commands without loading one: `commands.json`, made from them by `python -m scripts.command_table`."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

import click

from server.cli.language import helped, paragraphs, said_by_click

INDENT: Final = 6
"""The number of columns that click leaves free around a command and its sentence."""


@cache
def table() -> Mapping[str, Any]:
    """`commands`: by name each command's help and parameters, or its own commands; `games`: by name their bots."""
    held: Mapping[str, Any] = json.loads(files(__package__).joinpath("commands.json").read_text("utf-8"))
    return held


def write(formatter: click.HelpFormatter) -> None:
    """Write every command with its first sentence, in the command's language."""
    commands = table()["commands"]
    limit = formatter.width - INDENT - max(map(len, commands))
    with formatter.section(said_by_click("Commands")):
        told = {name: helped(next(paragraphs(command["help"]))) for name, command in commands.items()}
        formatter.write_dl(
            [(name, click.Command(name, help=text).get_short_help_str(limit)) for name, text in told.items()]
        )
