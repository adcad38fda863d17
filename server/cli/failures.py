"""How a command fails: our own errors end as a sentence, never as a traceback. Loaded when something fails."""

import logging
import sqlite3
from typing import Any, Final

import click
from rich.markup import escape

from domain.kernel import KernelError
from replay.errors import RecordError
from server.cli.output import CleanConsole
from server.cli.words import refused, word
from server.errors import ServerError
from server.operations import logs

LOG = logging.getLogger(__name__)
OURS: Final = (ServerError, RecordError, KernelError)


class Failure(click.ClickException):
    """An error with one clear sentence, in red, on standard error."""

    def show(self, file: Any = None) -> None:
        """Print it; if the log is in JSON, write it into the log."""
        del file
        if logs.is_json():
            LOG.error("%s", self.message)
            return
        CleanConsole(stderr=True, highlight=False).print(
            f"[bold red]{word('error:')}[/] {escape(self.message)}", soft_wrap=True
        )


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    inner = group.exceptions[0]
    return _first(inner) if isinstance(inner, BaseExceptionGroup) else inner


def failure_of(wrong: Exception) -> Failure | None:
    """The sentence with which an error ends a command; None for a fault of ours, which is shown as it is."""
    if isinstance(wrong, OURS):
        return Failure(refused(wrong))
    if isinstance(wrong, sqlite3.DatabaseError):
        return Failure(word("The database cannot be read: {wrong}. Restore it from a copy.", wrong=wrong))
    ours = wrong.subgroup(OURS) if isinstance(wrong, ExceptionGroup) else None
    first = None if ours is None else _first(ours)
    return Failure(refused(first)) if isinstance(first, Exception) else None
