"""The command `herald`: all that is done at a terminal."""

import importlib
import sqlite3
import sys
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

import click

from domain.kernel import KernelError
from replay.errors import RecordError
from server.cli.common import Failure, language_option
from server.cli.language import in_language_of, spoken
from server.cli.words import refused, word
from server.errors import ServerError

COMMANDS: Final[Mapping[str, str]] = {
    "serve": "serve",
    "play": "play",
    "config": "configuring",
    "backup": "backup",
    "restore": "backup",
    "doctor": "doctor",
    "dataset": "dataset",
    "demo": "demo",
    "duplicate": "duplicate",
    "match": "matches",
    "replay": "replaying",
    "scenario": "scenarios",
    "lesson": "lessons",
    "cards": "cards",
    "army": "cards",
    "map": "cards",
    "rules": "rules",
    "audit": "audit",
    "save": "audit",
    "key": "audit",
    "export": "exporting",
    "rebuild": "rebuilding",
    "import": "importing",
    "diff": "diffing",
    "branch": "branching",
    "analyse": "analysing",
    "hint": "analysing",
    "arena": "arena",
    "stats": "statistics",
    "completion": "completion",
    "chat": "chats",
    "inspect": "inspecting",
    "store": "storing",
    "relay": "relaying",
}
"""Each command, and the module beside this one that offers it, loaded when it is asked for: none waits for all."""


def _first(group: ExceptionGroup[Exception]) -> Exception:
    inner = group.exceptions[0]
    return _first(inner) if isinstance(inner, ExceptionGroup) else inner


class Herald(click.Group):
    """The group of commands; our own errors end as a sentence, never as a traceback."""

    def main(self, args: Sequence[str] | None = None, *more: Any, **named: Any) -> Any:
        """Carry out a command line in the language that it chooses."""
        given = sys.argv[1:] if args is None else list(args)
        with in_language_of(given):
            return click.Group.main(spoken(self), given, *more, **named)

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """The names of all commands, in the order of the alphabet."""
        return sorted(COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name, or None where there is none."""
        if cmd_name not in COMMANDS:
            return None
        offered: list[click.Command] = importlib.import_module(f"server.cli.{COMMANDS[cmd_name]}").COMMANDS
        return spoken(next(command for command in offered if command.name == cmd_name))

    def invoke(self, ctx: click.Context) -> Any:
        """Carry out a command."""
        try:
            return super().invoke(ctx)
        except (ServerError, RecordError, KernelError) as wrong:
            raise Failure(refused(wrong)) from wrong
        except sqlite3.DatabaseError as wrong:
            raise Failure(word("The database cannot be read: {wrong}. Restore it from a copy.", wrong=wrong)) from wrong
        except ExceptionGroup as several:
            ours = several.subgroup((ServerError, RecordError, KernelError))
            if ours is None:
                raise
            raise Failure(refused(_first(ours))) from several
        except BrokenPipeError:
            ctx.exit(0)


def _version() -> str:
    """The installed version; a checkout that is not installed has none."""
    try:
        return version("herald")
    except PackageNotFoundError:
        return "of a checkout"


@click.group(cls=Herald, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(version=_version(), prog_name="herald")
@language_option
def main() -> None:
    """Referees, records and broadcasts tabletop war games with hidden information.

    Start with `herald demo` to watch two bots play, or `herald serve` to play in the browser.
    """
