"""The command `herald`: all that is done at a terminal."""

import importlib
import sqlite3
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import click

from domain.kernel import KernelError
from replay.errors import RecordError
from server.cli.common import Failure
from server.errors import ServerError

PARTS = (
    "serve",
    "play",
    "configuring",
    "backup",
    "doctor",
    "demo",
    "matches",
    "replaying",
    "scenarios",
    "lessons",
    "cards",
    "rules",
    "audit",
    "exporting",
    "rebuilding",
    "importing",
    "diffing",
    "branching",
    "statistics",
    "completion",
    "chats",
    "inspecting",
)
"""Modules beside this one; each offers its commands as `COMMANDS`."""


def _first(group: ExceptionGroup[Exception]) -> Exception:
    inner = group.exceptions[0]
    return _first(inner) if isinstance(inner, ExceptionGroup) else inner


class Herald(click.Group):
    """The group of commands; our own errors end as a sentence, never as a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        """Carry out a command."""
        try:
            return super().invoke(ctx)
        except (ServerError, RecordError, KernelError) as wrong:
            raise Failure(str(wrong)) from wrong
        except sqlite3.DatabaseError as wrong:
            raise Failure(f"The database cannot be read: {wrong}. Restore it from a copy.") from wrong
        except ExceptionGroup as several:
            ours = several.subgroup((ServerError, RecordError, KernelError))
            if ours is None:
                raise
            raise Failure(str(_first(ours))) from several
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
def main() -> None:
    """Referees, records and broadcasts tabletop war games with hidden information.

    Start with `herald demo` to watch two bots play, or `herald serve` to play in the browser.
    """


def _collect() -> None:
    for part in PARTS:
        try:
            module = importlib.import_module(f"server.cli.{part}")
        except ModuleNotFoundError as missing:
            if missing.name != f"server.cli.{part}":
                raise
            continue
        for command in module.COMMANDS:
            main.add_command(command)


_collect()
