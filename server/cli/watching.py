"""The spectators that a new match admits, by flags of the command line: `--unlisted`, `--closed`, `--delay 10m`,
`--open-cards 2m`."""

import re
from collections.abc import Callable
from typing import Any, Final, TypeVar

import click
from msgspec import Struct

from domain.kernel import OpenCards
from projections.face import Face
from projections.open_cards import lasting_secrets
from server.cli.common import said
from server.cli.errors import Amiss
from server.cli.words import word

F = TypeVar("F", bound=Callable[..., Any])

SECONDS: Final = {"s": 1, "m": 60, "h": 3600}
MOST_S: Final = 86_400
MOST_EVENTS: Final = 1000
PHASE: Final = "phase"
"""The delay that ends with the phase under way."""


class Watching(Struct, frozen=True):
    """The spectators that are admitted, in the form of `Create`."""

    listed: bool = True
    closed: bool = False
    delay_events: int = 0
    delay_s: int = 0
    open_cards: OpenCards | None = None
    open_cards_sooner: bool = False


def watching_options(command: F) -> F:
    """The flags for the spectators that are admitted."""
    for option in (
        click.option("--delay", "delays", multiple=True, help="Delay spectators by 90s, 10m, 1h, or 20events."),
        click.option(
            "--open-cards-sooner", is_flag=True, help="Open cards with a delay shorter than the game's own minimum."
        ),
        click.option(
            "--open-cards",
            multiple=True,
            metavar="DELAY",
            help="Spectators see all hands with a delay: 2m, 20events, phase, or several. Players agree to it by "
            "sitting down.",
        ),
        click.option(
            "--closed",
            is_flag=True,
            help="Only viewers whom a seat admits may watch; to others the match does not exist.",
        ),
        click.option("--unlisted", is_flag=True, help="Not in the list; everybody who knows the match's id may watch."),
    ):
        command = option(command)
    return command


def read_watching(
    *,
    unlisted: bool,
    closed: bool,
    delays: tuple[str, ...],
    open_cards: tuple[str, ...] = (),
    open_cards_sooner: bool = False,
) -> Watching:
    """The spectators that are admitted. Raises `Misconfigured` for a text that is no delay."""
    seconds, events = _read_delay("--delay", delays)
    cards = None
    if open_cards:
        timed = tuple(one for one in open_cards if one != PHASE)
        cards = OpenCards(*_read_delay("--open-cards", timed), phase=len(timed) < len(open_cards))
    return Watching(not unlisted, closed, events, seconds, cards, open_cards_sooner)


def _read_delay(flag: str, delays: tuple[str, ...]) -> tuple[int, int]:
    """The delays, as seconds and as a number of lines."""
    events = seconds = 0
    for delay in delays:
        found = re.fullmatch(r"(\d{1,6})(s|m|h|events?)", delay)
        if found is None:
            raise Amiss(word("{flag} is 90s, 10m, 1h or 20events, not {delay!r}.", flag=flag, delay=delay))
        if found[2] in SECONDS:
            seconds = int(found[1]) * SECONDS[found[2]]
        else:
            events = int(found[1])
    if seconds > MOST_S or events > MOST_EVENTS:
        raise Amiss(word("{flag} is at most 24h and {MOST_EVENTS}events.", flag=flag, MOST_EVENTS=MOST_EVENTS))
    return seconds, events


def told_later(cards: OpenCards) -> str:
    """The delay of all hands, in words."""
    if not cards.events and not cards.phase:
        return word("{s} s later", s=cards.s)
    if not cards.phase:
        return word("{s} s and {events} lines later", s=cards.s, events=cards.events)
    if not cards.events:
        return word("{s} s later, once the phase is over", s=cards.s)
    return word("{s} s and {events} lines later, once the phase is over", s=cards.s, events=cards.events)


def warned(cards: OpenCards, face: Face[Any]) -> list[str]:
    """Sentences for the creator of a match with open cards: their meaning and their price."""
    later = told_later(cards)
    told = [word("Open cards: spectators see all hands {later}. Players who sit down agree to it.", later=later)]
    lasting = [said(face.game.name, secret) for secret in lasting_secrets(face)]
    if lasting:
        told.append(
            word("An accomplice who watches learns what matters for longer: {secrets}.", secrets=", ".join(lasting))
        )
    return told
