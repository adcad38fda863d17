"""Time controls on the command line: `10m+5s`, `45s/choice`, `3d/move`."""

import re
from collections.abc import Callable
from typing import Any, Final, TypeVar

import click

from domain.kernel import TimeControl
from server.cli.errors import Amiss
from server.cli.words import told, word

F = TypeVar("F", bound=Callable[..., Any])

UNITS: Final = {"s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
FORMS: Final = "10m+5s (a bank and the time that each answer adds), 45s/choice, or 3d/move (slow play)"
NO_TIME: Final = f"--time is {FORMS}, not {{time!r}}."


def length_ms(text: str) -> int:
    """A length of time: a number with s, m, h or d. Raises `Misconfigured`."""
    found = re.fullmatch(r"(\d{1,6})([smhd])", text)
    if found is None:
        raise Amiss(word("{text!r} is no length of time; write 45s, 10m, 2h or 3d.", text=text))
    return int(found[1]) * UNITS[found[2]]


def time_options(command: F) -> F:
    """`--time`, `--on-timeout`, `--vacation` and `--absence`."""
    for option in (
        click.option(
            "--absence", default="", metavar="LENGTH", help="The absence after which the others may claim the match."
        ),
        click.option(
            "--vacation", default="", metavar="LENGTH", help="In slow play, the length of each seat's vacation."
        ),
        click.option(
            "--on-timeout",
            type=click.Choice(("default", "random", "forfeit")),
            default="default",
            show_default=True,
            help="When time is over: the safe choice, one by lot, or the match is lost.",
        ),
        click.option("--time", "time", default="", metavar="TIME", help=f"Clocks: {FORMS}."),
    ):
        command = option(command)
    return command


def read_control(time: str, on_timeout: str, vacation: str, absence: str) -> TimeControl:
    """The time control that these options name. Raises `Misconfigured`."""
    kind, limit, increment = "none", 0, 0
    if time:
        bank = re.fullmatch(r"(\w+)\+(\w+)|(\w+)", time)
        each = re.fullmatch(r"(\w+)/(choice|move)", time)
        if each is not None:
            kind, limit = "decision" if each[2] == "choice" else "days", length_ms(each[1])
        elif bank is not None:
            kind, limit = "bank", length_ms(bank[1] or bank[3])
            increment = length_ms(bank[2]) if bank[2] else 0
        else:
            raise Amiss(word(NO_TIME, time=time))
    control = TimeControl(
        kind,  # type: ignore[arg-type]
        limit,
        increment,
        on_timeout if time else "default",  # type: ignore[arg-type]
        length_ms(vacation) if vacation else 0,
        length_ms(absence) if absence else 0,
    )
    if control.fault():
        raise Amiss(told(control.fault()))
    return control
