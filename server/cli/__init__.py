"""The command `herald`."""

import importlib
from typing import Any

import click
from rich.console import Console

from domain.kernel import KernelError
from replay.errors import RecordError
from server.errors import ServerError

PARTS = ("serve", "demo", "matches", "replaying", "scenarios", "cards", "audit")
"""Modules beside this one; each offers its commands as `COMMANDS`."""


class Failure(click.ClickException):
    """An error with one clear sentence, in red, on standard error."""

    def show(self, file: Any = None) -> None:
        """Print it."""
        del file
        Console(stderr=True, highlight=False).print(f"[bold red]error:[/] {self.message}", soft_wrap=True)


class Herald(click.Group):
    """The group of commands; our own errors end as a sentence, never as a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        """Carry out a command."""
        try:
            return super().invoke(ctx)
        except (ServerError, RecordError, KernelError) as wrong:
            raise Failure(str(wrong)) from wrong
        except BrokenPipeError:
            ctx.exit(0)


@click.group(cls=Herald, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="herald", prog_name="herald")
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
