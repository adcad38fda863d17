"""Matches between bots, in memory."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from domain.kernel import Event, MatchCreated, begin
from domain.kernel.history import views_of
from projections.registry import faces
from server.analysis.simulation import played
from server.bots import bots_of, make_bot
from server.bots.chance import SeededChance


class Played(Struct, frozen=True):
    """A match that bots have played. `won`: the seats that won, none in a draw. `reason`: why, in words.

    `events`: all events, nothing hidden. `choices`: the number of choices. `state`: the final state.
    """

    game: str
    won: tuple[int, ...]
    reason: str
    choices: int
    events: tuple[Event, ...]
    state: Any


def games() -> dict[str, tuple[str, ...]]:
    """The installed games, each with the names of the bots that play it, the usual one first."""
    return {name: bots_of(name) for name in sorted(faces())}


def play(game: str, bots: str | Sequence[str] = (), seed: int = 0, options: Mapping[str, Any] | None = None) -> Played:
    """A match between bots, each of which sees only its seat's view; the same seed plays the same match.

    `bots`: one name per seat, or one for all seats; by default, the game's usual bot. Raises `LookupError` for an
    unknown game or bot, and `ValueError` for a wrong number of bots or for unknown options.
    """
    known = faces()
    if game not in known:
        raise LookupError(f"there is no game {game!r}; there are {', '.join(sorted(known))}")
    played_by, given = known[game].game, dict(options or {})
    played_by.assert_playable(given)
    seats = played_by.seats_of(given)
    names = (bots,) * seats if isinstance(bots, str) else tuple(bots) or (bots_of(game)[0],) * seats
    if len(names) != seats:
        raise ValueError(f"{seats} seats, and {len(names)} bots")
    unknown = next((name for name in names if name not in bots_of(game)), None)
    if unknown is not None:
        raise LookupError(f"there is no bot {unknown!r} for {game}; there are {', '.join(bots_of(game))}")
    source = random.Random(seed)  # noqa: S311 - the same seed plays the same match
    chance = SeededChance(source)
    created = MatchCreated(game, given, tuple(f"seat {seat}" for seat in range(seats)))
    opening = begin(played_by, played_by.created(created), chance)
    events, state, choices = [created, *opening.events], opening.state, 0
    views = views_of(played_by, events)
    for made in played(played_by, views, [make_bot(game, name) for name in names], chance, source):
        events, state, choices = [*events, *made.events], made.state, choices + 1
    result = state.result
    assert result is not None, "`played` plays to the end"
    return Played(game, tuple(result.won), result.reason, choices, tuple(events), state)
