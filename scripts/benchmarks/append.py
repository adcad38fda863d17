"""`append`: durable commits a second, one match and many, beside a bare SQLite commit of the same rows."""

import sqlite3
import tempfile
import time
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from replay.referee import Creation, Referee
from replay.sqlite import SqliteStore
from replay.store import Append, Commit, Committed, SeatRow, Store
from scripts.benchmarks.measure import Figure, Report
from tests.skirmish.game import GAME

GROUP_FLOOR = 10.0
BARE = """
CREATE TABLE records (match TEXT, seq INTEGER, at INTEGER, type TEXT, actor INTEGER, line TEXT,
  PRIMARY KEY (match, seq)) STRICT, WITHOUT ROWID;
"""


def append_report(matches: int, seconds: float) -> Report:
    """The report; `matches` appends are under way at once in the second part."""
    with tempfile.TemporaryDirectory(prefix="herald-bench-") as folder:
        bare = bare_commits(Path(folder) / "bare.sqlite", seconds)
        alone = store_commits(Path(folder) / "alone.sqlite", 1, seconds)
        many = store_commits(Path(folder) / "many.sqlite", matches, seconds)
        bare = max(bare, bare_commits(Path(folder) / "again.sqlite", seconds))  # disks are moody
    commit = "one INSERT and COMMIT, WAL, synchronous=FULL"
    grouped = f"{matches} matches at once"
    return Report(
        "append",
        f"commits of one line with one opening, each durable; {seconds:g} s each",
        (
            Figure("one match, one commit at a time", alone, "commits/s", commit, bare),
            Figure(grouped, many, "commits/s", commit, bare),
            Figure(f"{grouped}, beside one at a time", many, "commits/s", "one at a time", alone, GROUP_FLOOR, "ratio"),
        ),
    )


def bare_commits(path: Path, seconds: float) -> float:
    """Commits a second of one row each, by a bare connection."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;" + BARE)
    line = _creation().ruling.commit.entries[0].line.decode()
    count, begun = 0, time.perf_counter()
    while time.perf_counter() - begun < seconds:
        count += 1
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO records VALUES (?, ?, ?, ?, ?, ?)", ("m", count, 0, "Chosen", 0, line))
        connection.execute("COMMIT")
    took = time.perf_counter() - begun
    connection.close()
    return count / took


def store_commits(path: Path, matches: int, seconds: float) -> float:
    """Commits a second through the store, one under way per match."""
    store = SqliteStore(path)
    try:
        return _drive(store, _create(store, matches), seconds)
    finally:
        store.close()


def _creation() -> Creation[Any]:
    return Referee.create(GAME, {}, ["A", "B"], at=0)[1]


def _create(store: Store, matches: int) -> list[Commit]:
    """New matches in the store; the second commit of each."""
    following = []
    for _ in range(matches):
        creation = _creation()
        commit = creation.ruling.commit
        store.create(creation.header, creation.keys, (SeatRow(0), SeatRow(1)), commit)
        entry = replace(commit.entries[-1], seq=2, openings=(b'"secret"',))
        following.append(replace(commit, expected=1, entries=(entry,)))
    return following


def _drive(store: Store, commits: list[Commit], seconds: float) -> float:
    waiting: list[tuple[Commit, Future[Append]]] = [(commit, store.submit(commit)) for commit in commits]
    count, begun = 0, time.perf_counter()
    while time.perf_counter() - begun < seconds:
        waiting[-1][1].result()  # the writer answers in order, so one wait serves all
        after: list[tuple[Commit, Future[Append]]] = []
        for commit, future in waiting:
            answer = future.result()
            assert isinstance(answer, Committed), answer
            count += 1
            entry = replace(commit.entries[0], seq=commit.expected + 2)
            following = replace(commit, expected=commit.expected + 1, entries=(entry,))
            after.append((following, store.submit(following)))
        waiting = after
    took = time.perf_counter() - begun
    for _, future in waiting:
        future.result()
    return count / took
