"""The chance to win of a match under way, from the knowledge of spectators: hidden cards are drawn anew for each
sample.

It does not judge the true position. The game's own bots play on from positions that fit everything a spectator has
seen, so two matches that look alike to spectators have the same chance, whatever is hidden in them.
"""

import hashlib
import random
from typing import Any, Final

from msgspec import Struct

from domain.kernel import Game
from domain.kernel.position import Views
from domain.kernel.state import sides_of
from projections.redaction import SPECTATOR
from replay.playback.branch import drawn, pause_before
from server.analysis.simulation import likely, play_on
from server.analysis.work_units import WholeMatch, events_of, views_at
from server.bots import bots_of, make_bot

SAMPLES: Final = 24


class Watched(Struct, frozen=True):
    """The match up to the last line that spectators may see."""

    match: str
    whole: WholeMatch
    line: int


class Outlook(Struct, frozen=True):
    """After `line`, for each side: its seats, its wins in `samples`, and the 95 percent bounds of its share."""

    line: int
    samples: int
    sides: tuple[tuple[int, ...], ...]
    share: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


def looked_ahead(watched: Watched) -> Outlook:
    """Play on from the last question that spectators may see. Raises `CannotBranch` if no position can be played on."""
    game, events = events_of(watched.whole)
    line = pause_before(game, events, min(watched.line, len(events)))
    return outlook(game, views_at(watched.whole, line), watched.match, line)


def outlook(game: Game[Any], views: Views[Any], match: str, line: int, samples: int = SAMPLES) -> Outlook:
    """The chances of each side; only the spectators' view of the world counts. Raises `CannotBranch`."""
    sides = sides_of(views.public)
    wins = [0.0] * len(sides)
    for number in range(samples):
        source = random.Random(_seed(match, line, number))  # noqa: S311 - repeatable on purpose
        position = drawn(game, views, SPECTATOR, source.randrange)
        bots = [make_bot(game.name, bots_of(game.name)[0]) for _ in views.seats]
        won = play_on(game, position, bots, source)
        for at, side in enumerate(sides):
            wins[at] += any(seat in won for seat in side) if won else 1 / len(sides)
    share = tuple(one / samples for one in wins)
    bands = [likely(one, samples) for one in share]
    seats = tuple(tuple(int(seat) for seat in side) for side in sides)
    return Outlook(line, samples, seats, share, tuple(low for low, _ in bands), tuple(high for _, high in bands))


def _seed(match: str, line: int, number: int) -> int:
    return int.from_bytes(hashlib.sha256(f"outlook {match} {line} {number}".encode()).digest()[:7], "big")
