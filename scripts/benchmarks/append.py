"""`append`: durable commits per second, with one match and with many, beside a bare SQLite commit of the same rows."""

import sqlite3
import tempfile
import time
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from replay.record.creation import Creation, create_match
from replay.store.log import Append, Commit, Committed, Entry
from replay.store.seats import SeatRow
from replay.store.sqlite.store import SqliteStore
from replay.store.store import Store
from scripts.benchmarks.measure import Figure, Report
from tests.skirmish.game import GAME

GROUP_FLOOR, GROUP_GOAL = 3.0, 10.0
ALONE_FLOOR, ALONE_GOAL = 0.5, 0.8
BARE = """
CREATE TABLE records (match TEXT, seq INTEGER, at INTEGER, type TEXT, actor INTEGER, line TEXT,
  PRIMARY KEY (match, seq)) STRICT, WITHOUT ROWID;
"""


def append_report(matches: int, seconds: float) -> Report:
    """The report. In the second part `matches` appends are under way at once."""
    with tempfile.TemporaryDirectory(prefix="herald-bench-") as folder:
        bare = bare_commits(Path(folder) / "bare.sqlite", seconds)
        alone = store_commits(Path(folder) / "alone.sqlite", 1, seconds)
        many = store_commits(Path(folder) / "many.sqlite", matches, seconds)
        bare = max(bare, bare_commits(Path(folder) / "again.sqlite", seconds))  # the speed of a disk varies
    commit = "one INSERT and COMMIT, WAL, synchronous=FULL"
    grouped = f"{matches} matches at once"
    return Report(
        "append",
        f"commits of one line with one opening, each durable; {seconds:g} s each",
        (
            Figure(
                "one match, one commit at a time",
                alone,
                "commits/s",
                commit,
                bare,
                ALONE_FLOOR,
                "ratio",
                ALONE_GOAL,
                "ratio",
            ),
            Figure(grouped, many, "commits/s", commit, bare),
            Figure(
                f"{grouped}, beside one at a time",
                many,
                "commits/s",
                "one at a time",
                alone,
                GROUP_FLOOR,
                "ratio",
                GROUP_GOAL,
                "ratio",
            ),
        ),
    )


def bare_commits(path: Path, seconds: float) -> float:
    """The number of commits per second, of one row each, over a bare connection."""
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
    """Commits per second through the store, one under way per match. With a single match, each commit is awaited."""
    store = SqliteStore(path)
    try:
        commits = _create(store, matches)
        return _drive_alone(store, commits[0], seconds) if matches == 1 else _drive(store, commits, seconds)
    finally:
        store.close()


def _creation() -> Creation[Any]:
    return create_match(GAME, {}, ["A", "B"], at=0)[1]


def _create(store: Store, matches: int) -> list[Commit]:
    """Create matches in the store; returns the second commit of each."""
    following = []
    for _ in range(matches):
        creation = _creation()
        commit = creation.ruling.commit
        store.create(creation.header, creation.keys, (SeatRow(0), SeatRow(1)), commit)
        entry = replace(commit.entries[-1], seq=2, openings=(b'"secret"',))
        following.append(replace(commit, expected=1, entries=(entry,)))
    return following


def _drive(store: Store, commits: list[Commit], seconds: float) -> float:
    """One commit is under way per match. While the commits of one half of the matches are written, those of the other
    half are made.
    """
    halves = [half for half in (commits[::2], commits[1::2]) if half]
    waiting = [[(commit, store.submit(commit)) for commit in half] for half in halves]
    count, begun = 0, time.perf_counter()
    while time.perf_counter() - begun < seconds:
        for i, under_way in enumerate(waiting):
            under_way[-1][1].result()  # the writer answers in order, so one wait serves all
            waiting[i] = [_next(store, commit, future) for commit, future in under_way]
            count += len(under_way)
    took = time.perf_counter() - begun
    for half in waiting:
        half[-1][1].result()
    return count / took


def _drive_alone(store: Store, commit: Commit, seconds: float) -> float:
    count, begun = 0, time.perf_counter()
    while time.perf_counter() - begun < seconds:
        commit = _following(commit, store.append(commit))
        count += 1
    return count / (time.perf_counter() - begun)


def _next(store: Store, commit: Commit, future: "Future[Append]") -> "tuple[Commit, Future[Append]]":
    following = _following(commit, future.result())
    return following, store.submit(following)


def _following(commit: Commit, answer: Append) -> Commit:
    assert isinstance(answer, Committed), answer
    (entry,) = commit.entries
    seq = entry.seq + 1
    entries = (Entry(seq, entry.at, entry.type, entry.actor, entry.line, entry.openings),)
    return Commit(commit.match, answer.seq, entries, commit.head, commit.checkpoint)
