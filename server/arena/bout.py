"""One match of a contest: dice do not depend on the order of the seats, and players see only their seats' views."""

import random
from collections.abc import Sequence
from contextlib import closing
from typing import Any, Final

from msgspec import Struct

from domain.kernel import Asked, Choice, Event, KernelError, Mask, Refusal, Result, Seat, result_of
from domain.kernel.history import views_of
from projections.face import Face
from replay.maintenance.copy_matches import MatchCopy
from server.analysis.simulation import DECISIONS
from server.arena.errors import Forfeit
from server.arena.hosted import Hosted
from server.arena.players import Entrant, LinkedPlayer, Player, PlayerInvited, take_seat
from server.arena.program import ProgramLimits
from server.arena.sockets import BotListener
from server.arena.tables import Recorded, Unrecorded
from server.bots import with_procedures
from server.bots.chance import SeededChance
from server.wire.text import visible

ENDLESS: Final = "void: it did not end"
ABSENT: Final = "void: nobody could take a seat"
LATER_S: Final = 2.0
"""The time by which a server's clock runs later than the arena's."""
WHY_CHARS: Final = 300
"""The limit of a reason for a loss: it may contain any text of a program."""


class Bout(Struct, frozen=True):
    """A match to be played: which entrant holds each seat, and the seed of its dice and of our bots' choices."""

    number: int
    seed: str
    seats: tuple[int, ...]


class EntrantFault(Struct, frozen=True):
    """The fault of an entrant in a seat, for which it lost."""

    seat: Seat
    why: str


class Outcome(Struct, frozen=True):
    """How a match went. `seats`: the entrant in each seat; `places`: seats by rank, seats with equal rank together.

    `thought_s`: by seat, how long all its answers took. `record`: the match as a store keeps it, until one does; then
    `match` is its id.
    """

    number: int
    seats: tuple[int, ...]
    places: tuple[tuple[Seat, ...], ...]
    reason: str
    decisions: int
    thought_s: tuple[float, ...]
    faults: tuple[EntrantFault, ...] = ()
    record: MatchCopy | None = None
    match: str = ""


class ContestSetting(Struct, frozen=True):
    """Settings that all matches of a contest share."""

    game: str
    options: dict[str, Any]
    entrants: tuple[Entrant, ...]
    bounds: ProgramLimits = ProgramLimits()
    hears_errors: bool = False


class _Match:
    """A match under way: each seat's view, and the players. `table`: the state, and the part that carries
    out choices.
    """

    def __init__(
        self,
        face: Face[Any],
        setting: ContestSetting,
        bout: Bout,
        table: Unrecorded | Recorded | Hosted,
        listener: BotListener | None = None,
    ) -> None:
        self._listener = listener
        self.face, self.game, self.table = face, face.game, table
        names = tuple(setting.entrants[entrant].name for entrant in bout.seats)
        self.below = [_source(bout.seed, f"seat {seat}").randrange for seat in range(len(names))]
        opening = table.open(names)
        self.views = list(views_of(self.game, opening).seats)
        self.players: dict[Seat, Player] = {}
        self.faults: list[EntrantFault] = []
        self.decisions = 0
        for seat, entrant in enumerate(bout.seats):
            place = table.place(Seat(seat)) if isinstance(table, Hosted) else None
            invited = PlayerInvited(face, Seat(seat), names, setting.options, place)
            self._seat(Seat(seat), setting, entrant, invited)
        self._see(opening)

    @property
    def state(self) -> Any:
        """The match's state."""
        return self.table.state

    def _seat(self, seat: Seat, setting: ContestSetting, entrant: int, invited: PlayerInvited) -> None:
        try:
            self.players[seat] = take_seat(
                self.game,
                setting.entrants[entrant],
                invited,
                setting.bounds,
                hears_errors=setting.hears_errors,
                listener=self._listener,
            )
        except Forfeit as wrong:
            self._blame(seat, str(wrong))

    def play(self) -> Result:
        """Play to the end. An entrant that cannot take its seat is out; if none can, nobody wins."""
        if not self.players:
            return result_of((), ABSENT)
        for fault in tuple(self.faults):
            self._give_up(fault.seat)
        while self.state.result is None and self.decisions < DECISIONS:
            self._step()
        ended: Result | None = self.state.result
        return ended or result_of((), ENDLESS)

    def _step(self) -> None:
        asked = self._asked()
        self.decisions += 1
        try:
            choice = self._choice(asked)
            events = self.table.choose(asked, choice)
        except Refusal as wrong:
            self._fault(asked.seat, f"its answer to {asked.kind} breaks a rule: {wrong}")
        except Forfeit as wrong:
            self._fault(asked.seat, str(wrong))
        else:
            self._take(events)

    def _asked(self) -> Asked:
        """The seat to ask next; a seat that answers at the server comes last, because all clocks run there."""
        open_now: tuple[Asked, ...] = self.state.asked
        return min(open_now, key=lambda asked: isinstance(self.players.get(asked.seat), LinkedPlayer))

    def _choice(self, asked: Asked) -> Choice | None:
        view = self.views[asked.seat]
        form = self.game.revive_decision(asked).form(view)
        player = self.players[asked.seat]
        known = with_procedures(view, self.state) if player.looks_ahead else view
        return player.choose(known, asked, form, self.below[asked.seat])

    def _fault(self, seat: Seat, why: str) -> None:
        self._blame(seat, why)
        self.players.pop(seat).leave(None)
        self._give_up(seat)

    def _blame(self, seat: Seat, why: str) -> None:
        self.faults.append(EntrantFault(seat, visible(why)[:WHY_CHARS]))

    def _give_up(self, seat: Seat) -> None:
        """Put the seat out as if it had resigned; the rules decide the rest of the match."""
        if self.state.result is None:
            self._take(self.table.resign(seat))

    def _take(self, made: Sequence[Event]) -> None:
        redacted = [[self.game.redact(event, Mask(1 << seat)) for event in made] for seat in range(self.seats)]
        for seat, events in enumerate(redacted):
            self.views[seat] = self.game.fold(events, self.views[seat])
            if seat in self.players:
                self.players[Seat(seat)].see(events)

    def _see(self, events: Sequence[Event]) -> None:
        for seat, player in self.players.items():
            player.see([self.game.redact(event, Mask(1 << seat)) for event in events])

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.views)

    def leave(self, result: Result | None) -> None:
        """End the match for all players."""
        for player in self.players.values():
            player.leave(result)


def _source(seed: str, use: str) -> random.Random:
    return random.Random(f"{seed}:{use}")  # noqa: S311 - repeatable on purpose


def play_bout(
    face: Face[Any], setting: ContestSetting, bout: Bout, *, is_kept: bool = False, listener: BotListener | None = None
) -> Outcome:
    """Play one match, whatever its players do. `is_kept`: the match is recorded, and its outcome holds the record if it
    came to an end.

    The dice of a recorded match are its own, as in any match: no other match has the same, whatever the seed. The same
    is true of a match that is played at a server because a program enters by its seat's link.
    """
    with closing(_table(face, setting, bout, is_kept=is_kept)) as table:
        return _played(_Match(face, setting, bout, table, listener), bout, is_kept=is_kept)


def _table(face: Face[Any], setting: ContestSetting, bout: Bout, *, is_kept: bool) -> Unrecorded | Recorded | Hosted:
    if any(setting.entrants[entrant].comes_by_link for entrant in bout.seats):
        return Hosted(face, setting.options, setting.bounds.choice_s + setting.bounds.start_s + LATER_S)
    if is_kept:
        return Recorded(face.game, setting.options)
    return Unrecorded(face.game, setting.options, SeededChance(_source(bout.seed, "dice")))


def _played(match: _Match, bout: Bout, *, is_kept: bool) -> Outcome:
    result = None
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
    faults, record = tuple(match.faults), match.table.record if is_kept and match.state.result is not None else None
    return Outcome(bout.number, bout.seats, places, result.reason, match.decisions, spent, faults, record)


def _places(result: Result, seats: int) -> tuple[tuple[Seat, ...], ...]:
    """Places: winners before the others; one place for all if nobody won."""
    lost = tuple(Seat(seat) for seat in range(seats) if seat not in result.won)
    return tuple(place for place in (result.won, lost) if place)
