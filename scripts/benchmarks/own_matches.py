"""`own-matches`: a page of one person's matches, among very many matches of other people."""

import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from replay.store.side_tables.devices import DeviceRow
from replay.store.side_tables.people import NameRow
from replay.store.sqlite.store import SqliteStore
from scripts.benchmarks.measure import Figure, Report, percentile
from server.people.own_matches import OwnMatches

GOAL_MS = 50.0
ROUNDS = 20
START_MS = 1_700_000_000_000
PERSON = "person"
OPPONENTS = 2000
"""The number of different names in the other seats."""


def _matches(count: int, mine: int) -> Iterator[tuple[str, int, bool]]:
    """Ids of finished matches, their times, and whether each is the person's; those are spread evenly."""
    every = max(1, count // mine)
    for number in range(count):
        # Like real ids, these come in no order.
        scattered = f"{(number * 2_654_435_761) % (1 << 32):08x}{number:014x}"
        yield scattered, START_MS + number * 1000, number % every == 0 and number // every < mine


def _fill(path: Path, count: int, mine: int) -> None:
    matches = list(_matches(count, mine))
    with closing(sqlite3.connect(path)) as line, line:
        line.execute("PRAGMA synchronous = OFF")
        line.executemany(
            "INSERT INTO matches (match, game, rules, created_ms, title, listed, status, result, changed_ms, seq, head)"
            " VALUES (?, 'skirmish', '1', ?, '', 1, 'finished', 'seat 0: won', ?, 0, x'')",
            ((match, at, at) for match, at, _ in matches),
        )
        line.executemany(
            "INSERT INTO seats VALUES (?, ?, ?, 'person', '', x'')",
            (
                (match, seat, f"Player {number // 7 % OPPONENTS}" if seat else "Anja")
                for number, (match, _, _) in enumerate(matches)
                for seat in (0, 1)
            ),
        )
        line.executemany(
            "INSERT INTO person_seats VALUES (?, ?, 0, ?)", ((PERSON, match, at) for match, at, own in matches if own)
        )


def own_matches_report(count: int, mine: int) -> Report:
    """Processor time of a page of one's own matches: of the latest page, of the last one, and of searches."""
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "many.db")
        store.people.sign_up(NameRow(PERSON, "Anja", "anja", 1), DeviceRow("key", PERSON, "", 1, 1), b"code")
        _fill(store.path, count, mine)
        own = OwnMatches(store)
        pages = (
            ("the latest", "", 0),
            ("the last page", "", mine - 50),
            ("a search that finds nothing", "zzz", 0),
            ("a search that finds some", "player 7", 0),
            ("a search that finds all", "skirmish", 0),
            ("a search by a name that all have", "anja", 0),
        )
        found = [(name, [_timed_ms(own, text, after) for _ in range(ROUNDS)]) for name, text, after in pages]
        store.close()
    figures = tuple(
        Figure(f"{name}, processor time, median", percentile(times, 0.5), "ms", goal=GOAL_MS) for name, times in found
    )
    return Report("own-matches", f"{mine:,} finished matches of one person among {count:,}, one core", figures)


def _timed_ms(own: OwnMatches, text: str, after: int) -> float:
    begun = time.process_time()
    own.page(PERSON, "", text, after)
    return (time.process_time() - begun) * 1000
