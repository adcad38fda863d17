"""Read models: tables for frequent queries, computed from the records (docs/record.md 6) and rebuilt from them at any
time.

The store updates the match list (status, result, last line and head of `matches`) with every commit. This module makes
the tables `read_*` from what everybody at the table saw: a row for each match, player, side, face of a die and rule.
`read_progress` is their checkpoint: the last line of each match that they include. A rebuild makes the new tables
beside the old ones, compares them, and swaps them in one transaction. Until then, and if it fails, the old tables stay.
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from msgspec import Struct, field

from projections.face import Face
from projections.redaction import SPECTATOR
from replay.errors import RecordInvalid
from replay.playback.seek import Replay
from replay.queries.statistics import Count, count_match
from replay.record import sealing
from replay.record.referee import status_of
from replay.store.log import Entry
from replay.store.sqlite.checkpoint_lock import CheckpointLock
from replay.store.sqlite.schema import connect

TABLES: Final = {
    "read_matches": "match TEXT PRIMARY KEY, game TEXT NOT NULL, finished INTEGER NOT NULL, branch INTEGER NOT NULL,"
    " winner INTEGER, reason TEXT, lines INTEGER NOT NULL, choices INTEGER NOT NULL, dice INTEGER NOT NULL",
    "read_players": "match TEXT NOT NULL, seat INTEGER NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, won INTEGER,"
    " choices INTEGER NOT NULL, PRIMARY KEY (match, seat)",
    "read_sides": "match TEXT NOT NULL, seat INTEGER NOT NULL, what TEXT NOT NULL, which TEXT NOT NULL,"
    " PRIMARY KEY (match, seat, what)",
    "read_dice": "match TEXT NOT NULL, sides INTEGER NOT NULL, face INTEGER NOT NULL, rolled INTEGER NOT NULL,"
    " PRIMARY KEY (match, sides, face)",
    "read_rules": "match TEXT NOT NULL, rule TEXT NOT NULL, cited INTEGER NOT NULL, PRIMARY KEY (match, rule)",
    "read_progress": "match TEXT PRIMARY KEY, seq INTEGER NOT NULL",
}
"""The read models and their columns. Seats count from 1."""
MADE: Final = {name: f"CREATE TABLE {name} ({columns}) STRICT, WITHOUT ROWID" for name, columns in TABLES.items()}
"""How the tables of the read models are made; the first rebuild of a database makes them."""
_LIST: Final = (
    "match TEXT PRIMARY KEY, was INTEGER, seq INTEGER, head BLOB, changed_ms INTEGER, status TEXT, result TEXT"
)
_LISTED: Final = "seq, head, changed_ms, status, result"
MATCH_LIST: Final = "matches"
Rows = Iterator[tuple[object, ...]]


class Rebuilt(Struct):
    """The findings of a rebuild: `differences` are rows that differed from the records, by table."""

    matches: int = 0
    events: int = 0
    differences: dict[str, int] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    swapped: bool = False

    @property
    def ok(self) -> bool:
        """Whether nothing differed."""
        return not any(self.differences.values())


def rebuild(
    path: Path, faces: Mapping[str, Face[Any]], *, verify: bool = False, progress: Callable[[int], None] | None = None
) -> Rebuilt:
    """Rebuild every read model of a database; with `verify`, only compare and write nothing.

    `progress` is called with the number of matches done. Matches of games that are not installed keep their entries in
    the list and have no other rows; `unknown` names the games. Raises `StoreFailed`, and `RecordInvalid` with the match
    and the line of a record that cannot be read; then nothing is swapped.
    """
    connection = connect(path, readonly=verify)
    try:
        found = Rebuilt()
        _build(connection, faces, found, progress)
        _compare(connection, found)
        if not verify:
            with closing(CheckpointLock(path)) as turns, turns.committing():
                _swap(connection)
            found.swapped = True
        return found
    finally:
        connection.close()


def _build(
    connection: sqlite3.Connection,
    faces: Mapping[str, Face[Any]],
    found: Rebuilt,
    progress: Callable[[int], None] | None,
) -> None:
    execute = connection.execute
    for table, columns in TABLES.items():
        execute(f"CREATE TEMP TABLE new_{table} ({columns}) STRICT")
    execute(f"CREATE TEMP TABLE new_matches ({_LIST}) STRICT")
    execute("BEGIN")  # read everything as of one moment, even while a server writes
    for match, game, seq in execute("SELECT match, game, seq FROM matches ORDER BY match").fetchall():
        entries = _entries(connection, match)
        face = faces.get(game)
        if not entries:
            raise RecordInvalid(f"match {match} has no lines")
        if face is None:
            found.unknown += [game] if game not in found.unknown else []
        else:
            _build_match(connection, match, seq, face, entries)
        found.matches, found.events = found.matches + 1, found.events + len(entries)
        if progress is not None:
            progress(found.matches)
    execute("COMMIT")


def _entries(connection: sqlite3.Connection, match: str) -> list[Entry]:
    rows = connection.execute("SELECT seq, at, type, actor, line FROM records WHERE match = ? ORDER BY seq", (match,))
    return [Entry(seq, at, kind, actor, line.encode()) for seq, at, kind, actor, line in rows]


def _build_match(connection: sqlite3.Connection, match: str, was: int, face: Face[Any], entries: list[Entry]) -> None:
    try:
        replay = Replay(face, entries)
        count = count_match(replay)
        head = sealing.linked(sealing.genesis(sealing.unb64(match)), [entry.line for entry in entries])
    except RecordInvalid as wrong:
        raise RecordInvalid(f"match {match}: {wrong.why}", wrong.seq, wrong.expected) from wrong
    except ValueError as wrong:
        raise RecordInvalid(f"match {match!r}: {wrong}") from wrong
    for table, rows in rows_of(match, count).items():
        written = list(rows)
        if written:
            places = ", ".join("?" * len(written[0]))
            connection.executemany(f"INSERT INTO new_{table} VALUES ({places})", written)  # noqa: S608
    turning = [replay.seen(seq, SPECTATOR) for seq in (count.begun, count.ended) if seq is not None]
    status, result = status_of(turning[-1:])
    last = entries[-1]
    row = (match, was, last.seq, head, last.at, status or "open", result or "")
    connection.execute("INSERT INTO new_matches VALUES (?, ?, ?, ?, ?, ?, ?)", row)


def rows_of(match: str, count: Count) -> dict[str, Rows]:
    """The rows of a match by table."""
    finished = count.reason is not None
    winner = None if count.winner is None else count.winner + 1
    own = (count.game, int(finished), int(count.branch), winner, count.reason, count.lines, sum(count.choices))
    won = [int(seat in count.winners) if finished else None for seat in range(len(count.names))]
    seats = zip(count.names, count.kinds, won, count.choices, strict=True)
    sides = enumerate(count.sides, 1)
    return {
        "read_matches": iter([(match, *own, sum(count.dice.values()))]),
        "read_players": ((match, seat, *row) for seat, row in enumerate(seats, 1)),
        "read_sides": ((match, seat, *pair) for seat, side in sides for pair in side.items()),
        "read_dice": ((match, *die, rolled) for die, rolled in count.dice.items()),
        "read_rules": ((match, rule, cited) for rule, cited in count.cited.items()),
        "read_progress": iter([(match, count.lines)]),
    }


def _compare(connection: sqlite3.Connection, found: Rebuilt) -> None:
    execute = connection.execute
    there = {name for (name,) in execute("SELECT name FROM main.sqlite_master WHERE type = 'table'")}
    for table in TABLES:
        new, old = f"SELECT * FROM temp.new_{table}", f"SELECT * FROM main.{table}"  # noqa: S608
        if table not in there:
            differ = f"SELECT count(*) FROM ({new})"  # noqa: S608
        else:
            differ = f"SELECT (SELECT count(*) FROM ({new} EXCEPT {old})) + (SELECT count(*) FROM ({old} EXCEPT {new}))"  # noqa: S608
        found.differences[table] = execute(differ).fetchone()[0]
    sql = f"SELECT match, {_LISTED} FROM new_matches EXCEPT SELECT match, {_LISTED} FROM main.matches"  # noqa: S608
    found.differences[MATCH_LIST] = execute(f"SELECT count(*) FROM ({sql})").fetchone()[0]  # noqa: S608


def _swap(connection: sqlite3.Connection) -> None:
    execute = connection.execute
    execute("BEGIN IMMEDIATE")
    try:
        for table, columns in TABLES.items():
            execute(f"DROP TABLE IF EXISTS main.{table}")
            execute(f"CREATE TABLE main.{table} ({columns}) STRICT, WITHOUT ROWID")
            execute(f"INSERT INTO main.{table} SELECT * FROM temp.new_{table}")  # noqa: S608
        # Lines that a server appended meanwhile stay: the server has written a newer row of the list itself.
        execute(
            f"UPDATE main.matches SET ({_LISTED}) = (SELECT {_LISTED} FROM temp.new_matches AS n"  # noqa: S608
            " WHERE n.match = matches.match) WHERE EXISTS (SELECT 1 FROM temp.new_matches AS n"
            " WHERE n.match = matches.match AND n.was = matches.seq)"
        )
        execute("COMMIT")
    except BaseException:
        execute("ROLLBACK")
        raise
