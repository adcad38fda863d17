"""A record as plain rows for jq, spreadsheets and SQL: the events that its holder may see, each with its sentence.

The rows are made from a `Record`, so a row holds no more than the file that the same viewer may save.
"""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from domain.kernel import DiceRolled, Event, MatchEnded, Seat
from projections.face import Face
from projections.redaction import SPECTATOR, Viewer
from projections.words import join
from replay.files.export import EVERYTHING, Record
from replay.playback.seek import Eyes, Replay
from replay.record import sealing
from replay.record.line import read_line

SEATS: Final = 8
TABLES: Final = """
CREATE TABLE match (match TEXT, game TEXT, view TEXT, lines INTEGER, result TEXT, winner TEXT) STRICT;
CREATE TABLE players (seat INTEGER PRIMARY KEY, name TEXT) STRICT;
CREATE TABLE events (
  seq INTEGER PRIMARY KEY, at TEXT, type TEXT, seat INTEGER, said TEXT, event TEXT
) STRICT;
CREATE TABLE dice (
  seq INTEGER, die INTEGER, sides INTEGER, face INTEGER, rule TEXT, title TEXT, seat INTEGER, PRIMARY KEY (seq, die)
) STRICT;
CREATE TABLE lines (seq INTEGER PRIMARY KEY, line TEXT, hash TEXT) STRICT;
CREATE TABLE openings (seq INTEGER, slot INTEGER, value TEXT, PRIMARY KEY (seq, slot)) STRICT;
CREATE TABLE checkpoints (seq INTEGER PRIMARY KEY, signed TEXT) STRICT;
CREATE VIEW chronicle AS SELECT seq, at, said FROM events WHERE said <> '' ORDER BY seq;
"""


class EventRow(Struct, frozen=True):
    """An event. `at` in ms since 1970, `seat` counts from 1 and is null for the server, `said` may be empty."""

    match: str
    seq: int
    at: int
    type: str
    seat: int | None
    said: str
    event: dict[str, Any]


def eyes_of(record: Record) -> Eyes:
    """The viewer whose view a record holds; None for everything."""
    if record.view == EVERYTHING:
        return None
    seats = {viewer.label: viewer for viewer in (Viewer(Seat(seat)) for seat in range(SEATS))}
    return seats.get(record.view, SPECTATOR)


def rows(face: Face[Any], record: Record) -> Iterator[EventRow]:
    """The events of a record in order. Raises `RecordInvalid`."""
    replay = Replay.of_record(face, record)
    eyes = eyes_of(record)
    said = {told.seq: told.text for told in replay.chronicle(1, replay.end, eyes)}
    for seq, held in enumerate(record.held, 1):
        line = read_line(held.line)
        seat = line.actor + 1 if line.actor >= 0 else None
        event = _plain(replay.seen(seq, eyes))
        yield EventRow(record.match, seq, line.at, line.type, seat, said.get(seq, ""), event)


def _plain(event: Event) -> dict[str, Any]:
    made: dict[str, Any] = msgspec.to_builtins(event, str_keys=True)
    return made


def jsonl(face: Face[Any], record: Record) -> Iterator[bytes]:
    """One JSON object a line for each event."""
    encode = msgspec.json.Encoder().encode
    yield from (encode(row) + b"\n" for row in rows(face, record))


def write_sqlite(face: Face[Any], record: Record, path: Path) -> None:
    """Write a small database of one match, for Datasette, `sqlite-utils` and SQL; `path` must not exist."""
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.executescript("BEGIN;" + TABLES)
        _fill(connection, face, record)
        connection.execute("COMMIT")
    finally:
        connection.close()


def _fill(connection: sqlite3.Connection, face: Face[Any], record: Record) -> None:
    replay = Replay.of_record(face, record)
    eyes = eyes_of(record)
    players = replay.at(replay.end, eyes).players
    ended = next((e.result for e in replay.events if isinstance(e, MatchEnded)), None)
    winner = None if ended is None or not ended.won else join([players[seat] for seat in ended.won])
    reason = None if ended is None else ended.reason
    many = connection.executemany
    many(
        "INSERT INTO match VALUES (?, ?, ?, ?, ?, ?)",
        [(record.match, record.game, record.view, replay.end, reason, winner)],
    )
    many("INSERT INTO players VALUES (?, ?)", [(seat, name) for seat, name in enumerate(players, 1)])
    many(
        "INSERT INTO events VALUES (?, strftime('%Y-%m-%d %H:%M:%f', ? / 1000.0, 'unixepoch'), ?, ?, ?, ?)",
        (
            (row.seq, row.at, row.type, row.seat, row.said, msgspec.json.encode(row.event).decode())
            for row in rows(face, record)
        ),
    )
    many("INSERT INTO dice VALUES (?, ?, ?, ?, ?, ?, ?)", _dice(replay))
    many("INSERT INTO lines VALUES (?, ?, ?)", _lines(record))
    many(
        "INSERT INTO openings VALUES (?, ?, ?)",
        (
            (seq, slot, value.decode())
            for seq, held in enumerate(record.held, 1)
            for slot, value in held.openings.items()
        ),
    )
    many(
        "INSERT OR IGNORE INTO checkpoints VALUES (?, ?)",
        ((seq, sealing.b64(signed)) for seq, signed in record.checkpoints),
    )


def _dice(replay: Replay[Any]) -> Iterator[tuple[object, ...]]:
    for seq, event in enumerate(replay.events, 1):
        if isinstance(event, DiceRolled):
            seat = None if event.seat is None else event.seat + 1
            for die, face in enumerate(event.dice, 1):
                yield seq, die, event.sides, face, event.rule, event.title, seat


def _lines(record: Record) -> Iterator[tuple[object, ...]]:
    head = sealing.genesis(sealing.unb64(record.match))
    for seq, held in enumerate(record.held, 1):
        head = sealing.link(head, held.line)
        yield seq, held.line.decode(), sealing.b64(head)
