"""Commands made from the table of all commands: they give their help and can be completed, but cannot be carried out.

The module of a command is not loaded for it, because that takes longer than reading its help.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, cast

import click
from click.shell_completion import CompletionItem
from click.types import OptionHelpExtra

from server.cli.language import translated

Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]
Offered = Callable[[str], Completer | None]
"""The words that a shell offers for a kind of value, as the table names it; None if it offers none."""
HELP: Final = frozenset({"-h", "--help"})


def nothing(_: str) -> None:
    """Offers no words: for help alone."""


def asks_help(words: Sequence[str], told: Mapping[str, Any]) -> bool:
    """Whether the words after `herald` are a command in the table, or one within it, followed by the option for its
    help.
    """
    if len(words) < 2 or words[-1] not in HELP:
        return False
    for word in words[:-1]:
        if word not in told.get("commands", ()):
            return False
        told = told["commands"][word]
    return True


class _Option(click.Option):
    """An option with the default, range and so on that the table states."""

    def __init__(self, names: Sequence[str], extra: Mapping[str, Any], **named: Any) -> None:
        super().__init__(names, **named)
        self._extra = extra

    def get_help_extra(self, ctx: click.Context) -> OptionHelpExtra:
        """The default, the range and so on, in brackets after the help."""
        del ctx
        return cast("OptionHelpExtra", {**self._extra})


def _type_of(told: Mapping[str, Any]) -> click.ParamType[Any]:
    if told.get("choices"):
        return click.Choice(told["choices"])
    return click.Path() if told.get("takes") == "file" else click.STRING


def _parameter(told: Mapping[str, Any], offered: Offered) -> click.Parameter:
    """A parameter in the table: its names, its help, and the values that it takes."""
    kind, completer = _type_of(told), offered(told.get("takes", ""))
    shown = told.get("metavar")
    if told["kind"] == "argument":
        nargs = told.get("nargs", 1)
        return click.Argument(
            told["names"], nargs=nargs, required=False, type=kind, shell_complete=completer, metavar=shown
        )
    extra, said = told.get("extra", {}), told.get("help")
    if told["kind"] == "flag":
        return _Option(told["names"], extra, is_flag=True, help=said)
    multiple = told.get("multiple", False)
    return _Option(
        told["names"], extra, multiple=multiple, help=said, type=kind, shell_complete=completer, metavar=shown
    )


class CommandStub(click.Group):
    """A group from the table; its commands are made when they are asked for, in the current language."""

    def __init__(self, name: str, told: Mapping[str, Any], offered: Offered = nothing) -> None:
        parameters = [_parameter(each, offered) for each in told.get("params", ())]
        alone = told.get("alone", False)
        super().__init__(name, help=told.get("help"), params=parameters, invoke_without_command=alone)
        self._told: Mapping[str, Any] = told["commands"]
        self._offered = offered

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the table."""
        del ctx
        return list(self._told)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A command that can be completed and not carried out."""
        del ctx
        told = self._told.get(cmd_name)
        if told is None:
            return None
        if "commands" in told:
            return translated(CommandStub(cmd_name, told, self._offered))
        parameters = [_parameter(each, self._offered) for each in told["params"]]
        return translated(click.Command(cmd_name, help=told["help"], params=parameters))
