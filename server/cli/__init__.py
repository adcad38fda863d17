"""The command `herald`: everything that can be done at a terminal."""

import importlib
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final

import click

from server.cli.language import games_option, in_language_of, language_option, translated

COMMANDS: Final[Mapping[str, str]] = {
    "serve": "serve",
    "play": "play",
    "config": "configuring",
    "conformance": "conforming",
    "backup": "backup",
    "restore": "backup",
    "docs": "docs",
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
    "analyse": "analyse",
    "hint": "analyse",
    "arena": "arena",
    "stats": "statistics",
    "ratings": "ratings",
    "completion": "completion",
    "chat": "chats",
    "inspect": "inspecting",
    "store": "stores",
    "find": "opponents",
    "invitation": "opponents",
    "login": "accounts",
    "devices": "accounts",
    "handle": "accounts",
    "my": "accounts",
    "notices": "notices",
    "people": "people",
    "prune": "people",
    "relay": "relaying",
    "watch": "headlines",
}
"""Each command, and the module beside this one that offers it; only the module of the command that is called is loaded.

Help and the shell's completion load none of them: they read `commands.json` (`python -m scripts.command_table`).
"""
OURS: Final = ("domain", "projections", "replay", "server")
"""The packages of this distribution: a module of theirs that is missing is a fault of ours."""
COMPLETE: Final = "_HERALD_COMPLETE"
"""The variable in which a shell asks for completions."""


def module(name: str) -> Any:
    """A module beside this one, loaded now. Raises `ClickException` if a package that Herald needs is missing."""
    try:
        return importlib.import_module(f"server.cli.{name}")
    except ModuleNotFoundError as wrong:
        if (wrong.name or "").partition(".")[0] in OURS:
            raise
        raise click.ClickException(
            f"the module {wrong.name} is not installed, which Herald needs: pip check says which package it is of."
        ) from wrong


class Herald(click.Group):
    """The group of commands; our own errors end as a sentence, never as a traceback."""

    def main(self, args: Sequence[str] | None = None, *more: Any, **named: Any) -> Any:
        """Carry out a command line in the language that it chooses."""
        given = sys.argv[1:] if args is None else list(args)
        with in_language_of(given):
            if os.environ.get(COMPLETE, "").endswith("_complete"):
                module("completing").complete(os.environ[COMPLETE])
            return click.Group.main(translated(self), given, *more, **named)

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """The names of all commands, in alphabetical order."""
        return sorted(COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name, or None if there is none."""
        if cmd_name not in COMMANDS:
            return None
        offered: list[click.Command] = module(COMMANDS[cmd_name]).COMMANDS
        return translated(next(command for command in offered if command.name == cmd_name))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The named command; if only its help is requested, a copy from the table, so that no module is loaded."""
        if args[-1] in ctx.help_option_names:
            command_stubs, told = module("command_stubs"), module("overview").table()
            if command_stubs.asks_help(args, told):
                return args[0], command_stubs.CommandStub("herald", told).get_command(ctx, args[0]), args[1:]
        return super().resolve_command(ctx, args)

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands, without loading any."""
        module("overview").write(formatter)

    def invoke(self, ctx: click.Context) -> Any:
        """Carry out a command."""
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except BrokenPipeError:
            ctx.exit(0)
        except Exception as wrong:
            failure = module("failures").failure_of(wrong)
            if failure is None:
                raise
            raise failure from wrong


def _tell_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    """Print the installed version; a checkout that is not installed has none."""
    if wanted and not context.resilient_parsing:
        metadata = importlib.import_module("importlib.metadata")
        try:
            click.echo(f"herald, version {metadata.version('herald')}")
        except metadata.PackageNotFoundError:
            click.echo("herald, version of a checkout")
        context.exit()


@click.group(cls=Herald, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_tell_version,
    help="Show the version and exit.",
)
@games_option
@language_option
def main() -> None:
    """Referees, records and broadcasts tabletop war games with hidden information.

    Start with `herald demo` to watch two bots play, or `herald serve` to play in the browser.
    """
