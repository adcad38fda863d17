"""Tables of a contest: the rules alone, or a referee that writes a record too."""

import time
from collections.abc import Sequence
from typing import Any

from domain.kernel import (
    Asked,
    Choice,
    Chosen,
    Event,
    Game,
    MatchCreated,
    Resigned,
    Seat,
    begin,
    carry_out,
    decide,
)
from replay.maintenance.copy_matches import MatchCopy
from replay.record.creation import create_match
from replay.record.preparation import Preparation
from replay.record.referee import Referee, Ruling
from replay.store.memory import MemoryStore
from replay.store.seats import SeatRow
from server.bots.chance import SeededChance


class Unrecorded:
    """Plays by the rules alone: nothing is stored, and the dice come from a seed."""

    record: MatchCopy | None = None

    def __init__(self, game: Game[Any], options: dict[str, Any], chance: SeededChance) -> None:
        self._game, self._options, self._chance = game, options, chance
        self.state: Any = None

    def open(self, names: Sequence[str]) -> list[Event]:
        """Begin; returns all events up to the first question."""
        created = MatchCreated(self._game.name, self._options, tuple(names))
        opening = begin(self._game, self._game.created(created), self._chance)
        self.state = opening.state
        return [created, *opening.events]

    def choose(self, asked: Asked, choice: Choice | None) -> Sequence[Event]:
        """Carry a choice out. Raises `Refusal`."""
        assert choice is not None
        made = decide(self._game, self.state, asked.seat, asked.number, choice, self._chance)
        self.state = made.state
        return made.events

    def resign(self, seat: Seat) -> Sequence[Event]:
        """The seat is out as if it had resigned."""
        made = carry_out(self._game, self.state, None, Resigned(seat), 0, self._chance)
        self.state = made.state
        return made.events

    def close(self) -> None:
        """Does nothing, because nothing is open."""


class Recorded:
    """Plays with a referee that writes every line; the dice follow from its keys, which nobody can choose."""

    def __init__(self, game: Game[Any], options: dict[str, Any]) -> None:
        self._game, self._options = game, options
        self._store = MemoryStore()
        self._referee: Referee[Any]

    @property
    def state(self) -> Any:
        """The match's state."""
        return self._referee.state

    @property
    def record(self) -> MatchCopy:
        """All data that a store has about the match."""
        return MatchCopy.read_from(self._store, self._referee.match)

    def open(self, names: Sequence[str]) -> list[Event]:
        """Begin; returns all events up to the first question.

        In the record each seat belongs to a person who answers from outside, because any server would continue for a
        bot.
        """
        title = " against ".join(dict.fromkeys(names))
        self._referee, creation = create_match(self._game, self._options, ("",) * len(names), at=_now(), title=title)
        rows = tuple(SeatRow(seat, name, "person") for seat, name in enumerate(names))
        self._store.create(creation.header, creation.keys, rows, creation.ruling.commit)
        self._referee.accept(creation.ruling)
        events = [*creation.ruling.events]
        for seat, name in enumerate(names):
            events += self._put(Preparation(self._referee).take_seat(Seat(seat), name, "person", _now()))
        return [*events, *self._put(Preparation(self._referee).begin(_now()))]

    def choose(self, asked: Asked, choice: Choice | None) -> Sequence[Event]:
        """Carry a choice out. Raises `Refusal`."""
        assert choice is not None
        note = Chosen(asked.seat, asked.number, f"arena-{asked.number}", "seat")
        return self._put(self._referee.choose(asked.seat, asked.number, choice, note, _now()))

    def resign(self, seat: Seat) -> Sequence[Event]:
        """The seat resigns."""
        return self._put(self._referee.act(Resigned(seat, id=f"arena-out-{seat}"), _now()))

    def close(self) -> None:
        """Does nothing, because nothing is open."""

    def _put(self, ruling: Ruling[Any]) -> Sequence[Event]:
        self._store.append(ruling.commit)
        self._referee.accept(ruling)
        return ruling.events


def _now() -> int:
    return time.time_ns() // 1_000_000
