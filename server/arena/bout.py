"""One match of a contest: dice that are the same whoever sits where, and players that see their seats' views alone."""

import random
from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct

from domain.kernel import (
    Choice,
    Event,
    KernelError,
    Mask,
    MatchCreated,
    Play,
    Refusal,
    Resigned,
    Result,
    Seat,
    begin,
    carry_out,
    decide,
    result_of,
)
from domain.kernel.history import views_of
from projections.face import Face
from server.analysis.simulation import DECISIONS
from server.arena.errors import Forfeit
from server.arena.players import Entrant, Invited, Player, take_seat
from server.arena.program import Bounds
from server.bots import with_procedures
from server.bots.chance import SeededChance
from server.wire.text import visible

ENDLESS: Final = "void: it did not end"
ABSENT: Final = "void: nobody could take a seat"
WHY_CHARS: Final = 300
"""Of a reason for which somebody lost: it may hold what a program said, which may be anything."""


class Bout(Struct, frozen=True):
    """A match to be played: which entrant holds each seat, and the seed of its dice and of our bots' choices."""

    number: int
    seed: str
    seats: tuple[int, ...]


class Fault(Struct, frozen=True):
    """What an entrant did wrong in a seat, for which it lost."""

    seat: Seat
    why: str


class Outcome(Struct, frozen=True):
    """How a match went. `seats`: which entrant held each; `places`: seats by rank, those that share one together.

    `thought_s`: by seat, how long all its answers took.
    """

    number: int
    seats: tuple[int, ...]
    places: tuple[tuple[Seat, ...], ...]
    reason: str
    decisions: int
    thought_s: tuple[float, ...]
    faults: tuple[Fault, ...] = ()


class Setting(Struct, frozen=True):
    """What all matches of a contest have in common."""

    game: str
    options: dict[str, Any]
    entrants: tuple[Entrant, ...]
    bounds: Bounds = Bounds()
    hears_errors: bool = False


class _Match:
    """A match under way: the world, each seat's view, and who plays."""

    def __init__(self, face: Face[Any], setting: Setting, bout: Bout) -> None:
        self.face, self.game = face, face.game
        names = tuple(setting.entrants[entrant].name for entrant in bout.seats)
        self.chance = SeededChance(_source(bout.seed, "dice"))
        self.below = [_source(bout.seed, f"seat {seat}").randrange for seat in range(len(names))]
        created = MatchCreated(setting.game, setting.options, names)
        opening = begin(self.game, self.game.created(created), self.chance)
        views = views_of(self.game, [created, *opening.events])
        self.state, self.views = views.world, list(views.seats)
        self.players: dict[Seat, Player] = {}
        self.faults: list[Fault] = []
        self.decisions = 0
        for seat, entrant in enumerate(bout.seats):
            invited = Invited(face, Seat(seat), names, setting.options)
            self._seat(Seat(seat), setting, entrant, invited)
        self._see([created, *opening.events])

    def _seat(self, seat: Seat, setting: Setting, entrant: int, invited: Invited) -> None:
        try:
            self.players[seat] = take_seat(
                self.game, setting.entrants[entrant], invited, setting.bounds, hears_errors=setting.hears_errors
            )
        except Forfeit as wrong:
            self._blame(seat, str(wrong))

    def play(self) -> Result:
        """Play to the end. Who cannot take its seat is out from the beginning; where nobody can, nobody wins."""
        if not self.players:
            return result_of((), ABSENT)
        for fault in tuple(self.faults):
            self._give_up(fault.seat)
        while self.state.result is None and self.decisions < DECISIONS:
            self._step()
        ended: Result | None = self.state.result
        return ended or result_of((), ENDLESS)

    def _step(self) -> None:
        asked = self.state.asked[0]
        self.decisions += 1
        try:
            choice = self._choice(asked.seat)
            made = decide(self.game, self.state, asked.seat, asked.number, choice, self.chance)
        except Refusal as wrong:
            self._fault(asked.seat, f"its answer to {asked.kind} breaks a rule: {wrong}")
        except Forfeit as wrong:
            self._fault(asked.seat, str(wrong))
        else:
            self._take(made)

    def _choice(self, seat: Seat) -> Choice:
        asked, view = self.state.asked[0], self.views[seat]
        form = self.game.revive_decision(asked).form(view)
        player = self.players[seat]
        known = with_procedures(view, self.state) if player.looks_ahead else view
        return player.choose(known, asked, form, self.below[seat])

    def _fault(self, seat: Seat, why: str) -> None:
        self._blame(seat, why)
        self.players.pop(seat).leave(None)
        self._give_up(seat)

    def _blame(self, seat: Seat, why: str) -> None:
        self.faults.append(Fault(seat, visible(why)[:WHY_CHARS]))

    def _give_up(self, seat: Seat) -> None:
        """The seat is out as if it had resigned; what becomes of the match the rules say."""
        if self.state.result is None:
            self._take(carry_out(self.game, self.state, None, Resigned(seat), 0, self.chance))

    def _take(self, made: Play[Any]) -> None:
        self.state = made.state
        redacted = [[self.game.redact(event, Mask(1 << seat)) for event in made.events] for seat in range(self.seats)]
        for seat, events in enumerate(redacted):
            self.views[seat] = self.game.fold(events, self.views[seat])
            if seat in self.players:
                self.players[Seat(seat)].see(events)

    def _see(self, events: Sequence[Event]) -> None:
        for seat, player in self.players.items():
            player.see([self.game.redact(event, Mask(1 << seat)) for event in events])

    @property
    def seats(self) -> int:
        """How many there are."""
        return len(self.views)

    def leave(self, result: Result | None) -> None:
        """Let all players go."""
        for player in self.players.values():
            player.leave(result)


def _source(seed: str, use: str) -> random.Random:
    return random.Random(f"{seed}:{use}")  # noqa: S311 - repeatable on purpose


def play_bout(face: Face[Any], setting: Setting, bout: Bout) -> Outcome:
    """Play one match, whatever its players do."""
    match, result = _Match(face, setting, bout), None
    thought = dict.fromkeys(range(match.seats), 0.0)
    players = dict(match.players)
    try:
        result = match.play()
    except KernelError as wrong:
        result = result_of((), f"void: {wrong}")
    finally:
        match.leave(result)
    thought.update((seat, player.thought_s) for seat, player in players.items())
    places = result.places or _places(result, match.seats)
    spent = tuple(round(seconds, 4) for seconds in thought.values())
    return Outcome(bout.number, bout.seats, places, result.reason, match.decisions, spent, tuple(match.faults))


def _places(result: Result, seats: int) -> tuple[tuple[Seat, ...], ...]:
    """Who won before who did not; one place for all where nobody did."""
    lost = tuple(Seat(seat) for seat in range(seats) if seat not in result.won)
    return tuple(place for place in (result.won, lost) if place)
