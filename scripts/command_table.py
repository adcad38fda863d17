"""`python -m scripts.command_table` writes the table of all commands, which serves their help and completion by Tab.

The table is made from the commands and stored, because loading the commands takes too long for completion by Tab. A
test fails if the table and the commands differ.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import click

from projections.registry import games
from server.bots import bots_of
from server.cli import main
from server.cli.language import paragraphs

KEPT: Final = Path(__file__).parents[1] / "server" / "cli" / "commands.json"
COMMAND: Final = "python -m scripts.command_table"

TAKEN: Final = {
    "--against": "bot",
    "--bot": "bot",
    "--bots": "bot",
    "--game": "game",
    "--match": "match",
    "game": "game",
}
"""The kinds of words that options and arguments of these names take."""
ARGUMENTS: Final = {
    "arena bots": "bot",
    "diff one": "match or file",
    "diff two": "match or file",
    "export match": "match",
    "lesson check given": "game",
    "lesson play name": "lesson",
    "replay name": "match or file",
}
"""The kinds of words that other arguments take, whose placeholders do not show the kind."""


def _takes(path: str, parameter: click.Parameter) -> str:
    """The words that a parameter takes: a name in `server.cli.completing.SOURCES`, `file`, or empty for any other."""
    written = set((parameter.metavar or "").strip("[].").replace("...", "").split("|"))
    if "MATCH" in written:
        return "match or file" if "FILE" in written else "match"
    named = ARGUMENTS.get(f"{path} {parameter.name}") or next(filter(None, map(TAKEN.get, parameter.opts)), "")
    return named or ("file" if isinstance(parameter.type, click.Path) or "FILE" in written else "")


def _shown(parameter: click.Parameter, context: click.Context) -> str:
    """The placeholder of the value in the help; empty if click would choose the same placeholder."""
    is_found = isinstance(parameter, click.Option) and isinstance(parameter.type, click.Choice)
    return "" if is_found else parameter.make_metavar(context)


def _parameter(path: str, parameter: click.Parameter, context: click.Context) -> dict[str, Any]:
    told: dict[str, Any] = {"names": [*parameter.opts, *parameter.secondary_opts]}
    if isinstance(parameter, click.Option):
        is_flag = parameter.is_flag or parameter.count
        told |= {"kind": "flag" if is_flag else "option", "help": parameter.help, "multiple": parameter.multiple}
        told["extra"] = parameter.get_help_extra(context)
        told["metavar"] = "" if is_flag else _shown(parameter, context)
        if parameter.secondary_opts:
            told["names"] = [f"{parameter.opts[0]}/{parameter.secondary_opts[0]}"]
    else:
        told |= {"kind": "argument", "nargs": parameter.nargs, "metavar": _shown(parameter, context)}
    if isinstance(parameter.type, click.Choice):
        told["choices"] = list(parameter.type.choices)
    return {name: value for name, value in (told | {"takes": _takes(path, parameter)}).items() if value}


def _parameters(path: str, command: click.Command) -> Iterator[dict[str, Any]]:
    """The parameters of a command itself, without `--games` and `--lang`, which `spoken` adds to each at the end."""
    context, shown = click.Context(command), list(command.params)
    for added in (["--games", "--lang"], ["--games"]):
        if path and [one.opts[0] for one in shown[-len(added) :]] == added:
            del shown[-len(added) :]
    for parameter in shown:
        if not getattr(parameter, "hidden", False):
            yield _parameter(path, parameter, context)


def _command(path: str, command: click.Command) -> dict[str, Any]:
    params = list(_parameters(path, command))
    told: dict[str, Any] = {"help": "\n\n".join(paragraphs(command.help or "")), "params": params}
    if not isinstance(command, click.Group):
        return told
    context = click.Context(command)
    found = {name: command.get_command(context, name) for name in command.list_commands(context)}
    if command.invoke_without_command:
        told["alone"] = True
    return told | {
        "commands": {name: _command(f"{path} {name}".strip(), each) for name, each in found.items() if each is not None}
    }


def table() -> dict[str, Any]:
    """The contents of `commands.json`."""
    return _command("", main) | {"games": {name: list(bots_of(name)) for name in sorted(games())}}


def written() -> str:
    """The file's text."""
    return json.dumps(table(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    KEPT.write_text(written(), "utf-8")
