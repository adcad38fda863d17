"""`replay`: seeking, verified replay and import of long matches, each beside a raw limit."""

import hashlib
import sqlite3
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from domain.kernel import Game
from projections.redaction import SPECTATOR
from projections.registry import faces
from replay.files import export
from replay.maintenance.import_match import import_record
from replay.playback.seek import Replay
from replay.queries.readmodels import rebuild
from replay.store.sqlite.store import SqliteStore
from replay.store.store import Store
from scripts.benchmarks.append import BARE
from scripts.benchmarks.matches import game_of
from scripts.benchmarks.measure import Figure, Report, cpu_s
from tests.replay.matches import played

SEEK_FLOOR = 4.0
REPLAY_FLOOR, REPLAY_GOAL = 0.3, 500_000
IMPORT_FLOOR = 0.06
REBUILD_FLOOR = 0.15
LENGTH = 3_000
"""The least number of events of the match in which the benchmark seeks."""
MATCHES = 12
"""The number of matches in the database whose read models are rebuilt."""
ATTEMPTS = 400


def replay_report(name: str) -> Report:
    """The report on one long random match of a game; if no match reaches the length, on the longest one found."""
    game = game_of(name)
    with tempfile.TemporaryDirectory(prefix="herald-bench-") as folder:
        store, match = long_match(game, Path(folder) / "herald.db")
        try:
            return _report(name, game, store, match, Path(folder))
        finally:
            store.close()


def long_match(game: Game[Any], path: Path) -> tuple[SqliteStore, str]:
    """A random match of about `LENGTH` events, in a database."""
    best = b""
    longest = 0
    for seed in range(1, ATTEMPTS):
        memory, referee = played(seed, game=game)
        if longest < referee.seq < 2 * LENGTH:
            best, longest = b"".join(export.write(export.from_store(memory, referee.match))), referee.seq
        if longest >= LENGTH:
            break
    store = SqliteStore(path)
    record = export.read(best.splitlines(keepends=True))
    import_record(store, game, record)
    return store, record.match


def _report(name: str, game: Game[Any], store: SqliteStore, match: str, folder: Path) -> Report:
    end = store.head(match).seq
    read_s = cpu_s(lambda: store.read(match))
    return Report(
        f"replay --game {name}",
        f"one random match of {end:,} events in SQLite, one core",
        (
            *_seeks(name, store, match, end, read_s),
            *_verified(name, store, match, end),
            *_imports(game, store, match, folder),
            *_rebuilds(name, folder),
        ),
    )


def _seeks(name: str, store: Store, match: str, end: int, read_s: float) -> list[Figure]:
    face = faces()[name]
    worst = max(
        cpu_s(lambda at=at: Replay.of_store(face, store, match).at(at, SPECTATOR))  # type: ignore[misc]
        for at in range(1, end + 1, max(1, end // 12))
    )
    last = cpu_s(lambda: Replay.of_store(face, store, match).at(end, SPECTATOR))
    warm = Replay.of_store(face, store, match)
    warm.at(end, SPECTATOR)
    raw = "read the match's rows from SQLite"
    again = max(cpu_s(lambda at=at: warm.at(at, SPECTATOR)) for at in range(1, end + 1, max(1, end // 50)))  # type: ignore[misc]
    return [
        Figure(
            "seek cold, the slowest of many moments",
            max(worst, last) * 1e3,
            "ms",
            raw,
            read_s * 1e3,
            SEEK_FLOOR,
            "ratio",
        ),
        Figure("seek again, keyframes made", again * 1e3, "ms"),
    ]


def _verified(name: str, store: Store, match: str, end: int) -> list[Figure]:
    entries, head, face = store.read(match), store.head(match), faces()[name]

    def raw() -> None:
        for entry in entries:
            hashlib.sha256(entry.line).digest()
            msgspec.json.decode(entry.line)

    def replay() -> None:
        Replay.verified(face, match, entries, head).at(end, None)

    bare = "SHA-256 and untyped decode of the same lines"
    value, limit = end / cpu_s(replay), end / cpu_s(raw)
    return [
        Figure(
            "verified replay: chain, decode, fold", value, "events/s", bare, limit, REPLAY_FLOOR, "ratio", REPLAY_GOAL
        )
    ]


def _imports(game: Game[Any], store: Store, match: str, folder: Path) -> list[Figure]:
    end = store.head(match).seq
    lines = list(export.write(export.from_store(store, match)))
    rows = [(match, e.seq, e.at, e.type, e.actor, e.line.decode()) for e in store.read(match)]
    places = (folder / f"import{number}.db" for number in range(1_000))

    def taken(*, decide_again: bool) -> None:
        other = SqliteStore(next(places))
        import_record(other, game, export.read(lines), decide_again=decide_again)
        other.close()

    def raw() -> None:
        connection = sqlite3.connect(next(places), isolation_level=None)
        connection.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;" + BARE)
        connection.execute("BEGIN")
        connection.executemany("INSERT INTO records VALUES (?, ?, ?, ?, ?, ?)", rows)
        connection.execute("COMMIT")
        connection.close()

    bare, limit = "INSERT of the same lines, one COMMIT", end / cpu_s(raw)
    quick = end / cpu_s(lambda: taken(decide_again=False))
    whole = end / cpu_s(lambda: taken(decide_again=True))
    return [
        Figure("import, every line, seal and die verified", quick, "events/s", bare, limit, IMPORT_FLOOR, "ratio"),
        Figure("import, every choice decided again too", whole, "events/s", bare, limit),
    ]


def _rebuilds(name: str, folder: Path) -> list[Figure]:
    """Measure over a database of several matches, because real databases hold many short ones."""
    path = folder / "many.db"
    store = SqliteStore(path)
    game = game_of(name)
    events = sum(played(seed, store, game=game)[1].seq for seed in range(1, MATCHES + 1))
    store.close()

    def raw() -> None:
        connection = sqlite3.connect(path)
        for (line,) in connection.execute("SELECT line FROM records"):
            msgspec.json.decode(line)
        connection.close()

    value = events / cpu_s(lambda: rebuild(path, faces()), rounds=3)
    bare = "read and untyped decode of the same lines"
    return [
        Figure("read models rebuilt", value, "events/s", bare, events / cpu_s(raw, rounds=3), REBUILD_FLOOR, "ratio")
    ]
