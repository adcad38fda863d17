"""The spectators that a new match admits, by flags of the command line: `--unlisted`, `--closed`, `--delay 10m`."""

import re
from collections.abc import Callable
from typing import Any, Final, TypeVar

import click
from msgspec import Struct

from server.cli.errors import Amiss
from server.cli.words import word

F = TypeVar("F", bound=Callable[..., Any])

SECONDS: Final = {"s": 1, "m": 60, "h": 3600}
MOST_S: Final = 86_400
MOST_EVENTS: Final = 1000


class Watching(Struct, frozen=True):
    """The spectators that are admitted, as `Create` has it."""

    listed: bool = True
    closed: bool = False
    delay_events: int = 0
    delay_s: int = 0


def watching_options(command: F) -> F:
    """The flags for the spectators that are admitted."""
    for option in (
        click.option("--delay", "delays", multiple=True, help="Keep spectators behind: 90s, 10m, 1h, or 20events."),
        click.option("--closed", is_flag=True, help="Nobody watches whom no seat lets; to others there is no match."),
        click.option("--unlisted", is_flag=True, help="Not in the list; everybody who knows the match's id may watch."),
    ):
        command = option(command)
    return command


def read_watching(*, unlisted: bool, closed: bool, delays: tuple[str, ...]) -> Watching:
    """The spectators that are admitted. Raises `Misconfigured` for a text that is no delay."""
    events = seconds = 0
    for delay in delays:
        found = re.fullmatch(r"(\d{1,6})(s|m|h|events?)", delay)
        if found is None:
            raise Amiss(word("--delay is 90s, 10m, 1h or 20events, not {delay!r}.", delay=delay))
        if found[2] in SECONDS:
            seconds = int(found[1]) * SECONDS[found[2]]
        else:
            events = int(found[1])
    if seconds > MOST_S or events > MOST_EVENTS:
        raise Amiss(word("--delay is at most 24h and {MOST_EVENTS}events.", MOST_EVENTS=MOST_EVENTS))
    return Watching(not unlisted, closed, events, seconds)
