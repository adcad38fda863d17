"""Records that a server rewrites as it likes: lines added, dropped and changed, and everything made to fit them.

No seat of these matches signs, so that nothing but the record's own rules stands in a forger's way.
"""

import json
import random
from collections.abc import Sequence
from typing import Any

import msgspec

from domain.kernel import Act, Chosen, Event, Game, Seat, TimeControl
from replay.files import export
from replay.files.export import Held, Record
from replay.record import sealing
from replay.record.preparation import Preparation
from replay.record.referee import Referee, read_event
from replay.store.memory import MemoryStore
from tests.replay.dishonest import in_form
from tests.replay.hostile import dumps, sealed
from tests.replay.matches import START, created, put
from tests.skirmish.game import GAME

Slots = Sequence[tuple[int, Any]]
LAST_CHOICE = "@"
"""In place of the cause of a line: the last choice before it."""


class Line:
    """A line of a draft: its ten parts, its openings, and the cause that it gave those behind it."""

    def __init__(self, parts: list[Any], openings: dict[int, bytes], cause: str = "") -> None:
        self.parts = parts
        self.openings = openings
        self.cause = cause
        self.as_it_is = False
        self.is_added = False

    @property
    def type(self) -> str:
        return str(self.parts[4])

    @property
    def fields(self) -> dict[str, Any]:
        found: dict[str, Any] = self.parts[8]
        return found


class Draft:
    """A record that is being forged."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.lines = [
            Line(json.loads(held.line), dict(held.openings), sealing.choice_cause(held.line)) for held in record.held
        ]

    def find(self, kind: str, place: int = 0) -> Line:
        return [line for line in self.lines if line.type == kind][place]

    def change(self, kind: str, place: int = 0, /, **fields: Any) -> None:
        self.find(kind, place).fields.update(fields)

    def misshape(self, kind: str, place: int = 0, /, **fields: Any) -> None:
        """Fields that are written as given, in any order and without leaving out defaults."""
        line = self.find(kind, place)
        line.fields.update(fields)
        line.as_it_is = True

    def hold(self, kind: str, payload: object) -> None:
        """Something else in place of all fields."""
        line = self.find(kind)
        line.parts[8] = payload
        line.as_it_is = True

    def drop(self, kind: str, place: int = 0) -> None:
        self.lines.remove(self.find(kind, place))

    def add(
        self,
        kind: str,
        fields: dict[str, Any],
        slots: Slots = (),
        actor: int = -1,
        cause: str = "",
        *,
        at: int | None = None,
        wait_ms: int = 1000,
        before: Line | None = None,
    ) -> None:
        """A line at the end, or before another one; `at` is its time, else it comes so long after the one before."""
        place = len(self.lines) if before is None else self.lines.index(before)
        last = self.lines[place - 1].parts
        seals = [[mask, sealing.b64(bytes(32))] for mask, _ in slots]
        time = last[3] + wait_ms if at is None else at
        parts = [*last[:3], time, kind, last[5], actor, cause, fields, seals]
        line = Line(parts, {slot: dumps(value) for slot, (_, value) in enumerate(slots)})
        line.is_added = True
        self.lines.insert(place, line)

    def end(self, reason: str, winner: int | None = None, rule: str = "", **more: Any) -> None:
        """The end, as the line before leads to it."""
        result = {"winner": winner, "reason": reason, "rule": rule, **more}
        self.add("MatchEnded", {"result": result}, wait_ms=0, actor=self.lines[-1].parts[6])

    def done(self) -> Record:
        """The record, every number, cause, head and seal made to fit."""
        mid, causes, last = sealing.unb64(self.record.match), dict[str, str](), ""
        heads, held = [sealing.genesis(mid)], list[Held]()
        for seq, line in enumerate(self.lines, 1):
            parts = line.parts
            parts[2] = seq
            parts[7] = last if parts[7] == LAST_CHOICE else causes.get(parts[7], parts[7])
            if not line.as_it_is:
                parts[8] = in_form(self.record.game, parts[4], parts[8], whole=line.is_added)
            if isinstance(parts[8], dict) and 0 < parts[8].get("ack_seq", 0) < seq:
                parts[8]["ack_head"] = sealing.b64(heads[parts[8]["ack_seq"]])
            _seal(self.record, seq, parts, line.openings)
            held.append(Held(dumps(parts), line.openings))
            heads.append(sealing.link(heads[-1], held[-1].line))
            if line.type == "Chosen":
                last = sealing.choice_cause(held[-1].line)
                causes[line.cause] = last
        self.record.held, self.record.heads, self.record.result = held, {}, None
        return sealed(self.record)


def _seal(record: Record, seq: int, parts: list[Any], openings: dict[int, bytes]) -> None:
    assert record.secrets is not None
    sealer = sealing.Sealer(sealing.unb64(record.match), record.secrets.k_m)
    for slot, seal in enumerate(parts[9]):
        if slot in openings and 0 <= seal[0] < 1 << 32:
            seal[1] = sealing.b64(sealer.seal(seq, slot, seal[0], openings[slot]))


class Match:
    """A match of seats without keys, played honestly."""

    def __init__(
        self,
        choices: int = 2,
        control: TimeControl | None = None,
        kinds: Sequence[str] = ("person", "person"),
        *,
        hints: bool = False,
        begins: bool = True,
        game: Game[Any] = GAME,
        options: dict[str, Any] | None = None,
    ) -> None:
        self.store = MemoryStore()
        self.referee: Referee[Any] = created(self.store, game, options=options, control=control, hints=hints)
        self.at = START
        self.random = random.Random(3)
        for seat, kind in enumerate(kinds):
            put(self.store, self.referee, Preparation(self.referee).take_seat(Seat(seat), f"P{seat}", kind, START))
        if begins:
            put(self.store, self.referee, Preparation(self.referee).begin(START))
        self.choose(choices if begins else 0)

    def now(self, wait_ms: int = 1000) -> int:
        self.at += wait_ms
        return self.at

    def choose(self, most: int = 1, seat: int | None = None) -> None:
        for _ in range(most):
            open_ones = [one for one in self.referee.state.asked if seat in (None, one.seat)]
            if not open_ones:
                return
            asked = open_ones[0]
            choice = self.referee.game.revive_decision(asked).form(self.referee.state).sample(self.random.randrange)
            by = "bot" if asked.seat in self.referee.state.table.bots else "seat"
            note = Chosen(asked.seat, asked.number, f"c{self.referee.seq}", by)
            put(self.store, self.referee, self.referee.choose(asked.seat, asked.number, choice, note, self.now()))

    def act(self, *acts: Event, wait_ms: int = 1000) -> "Match":
        for act in acts:
            named = msgspec.structs.replace(act, id=f"a{self.referee.seq}") if isinstance(act, Act) else act
            put(self.store, self.referee, self.referee.act(named, self.now(wait_ms), self.past))
        return self

    def past(self) -> list[Event]:
        return [read_event(self.referee.game, entry) for entry in self.store.read(self.referee.match)]

    @property
    def asked(self) -> tuple[int, int]:
        """The seat and number of the first open decision."""
        asked = self.referee.state.asked[0]
        return asked.seat, asked.number

    def draft(self) -> Draft:
        return Draft(export.from_store(self.store, self.referee.match))
