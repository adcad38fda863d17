"""Bare inserts into PostgreSQL of rows that a server has just written: the most that the database can take.

There is no server, no referee and no chain. The lines and openings of choices, as one database stores them, and the
new end of each match are written into plain tables of another database, with many choices or one choice per
transaction.
"""

import time
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final

import psycopg
from msgspec import Struct

from scripts.benchmarks.measure import percentile

GROUP: Final = 50
"""Choices in one transaction."""
MOST: Final = 40_000
"""The most lines that are copied."""
_TABLES: Final = (
    "CREATE TABLE records (match TEXT, seq BIGINT, at BIGINT, type TEXT, actor BIGINT, line TEXT,"
    " PRIMARY KEY (match, seq))",
    "CREATE TABLE openings (match TEXT, seq BIGINT, slot BIGINT, value TEXT, PRIMARY KEY (match, seq, slot))",
    "CREATE TABLE matches (match TEXT PRIMARY KEY, seq BIGINT)",
)
_LINES: Final = """INSERT INTO records
SELECT * FROM unnest(%b::text[], %b::bigint[], %b::bigint[], %b::text[], %b::bigint[], %b::text[])"""
_OPENINGS: Final = "INSERT INTO openings SELECT * FROM unnest(%b::text[], %b::bigint[], %b::bigint[], %b::text[])"
_ENDS: Final = """UPDATE matches SET seq = n.seq FROM unnest(%b::text[], %b::bigint[]) AS n (match, seq)
WHERE matches.match = n.match"""
Line = psycopg.Connection[tuple[Any, ...]]


class Choice(Struct):
    """The rows that one choice wrote: rows of lines and of openings."""

    lines: list[tuple[Any, ...]]
    openings: list[tuple[Any, ...]]


class Bare(Struct, frozen=True):
    """Choices per second in groups, the ms that a single choice takes (p50), and lines per choice."""

    rate: float
    alone_ms: float
    lines: float


def choices_of(store: str) -> list[Choice]:
    """The choices in a database of Herald, taken from each match in turn, as in matches that are all played at once."""
    with psycopg.connect(store) as line:
        rows = line.execute(
            "SELECT match, seq, at, type, actor, line FROM records ORDER BY match, seq LIMIT %s", (MOST,)
        ).fetchall()
        last = rows[-1][0]
        opened = line.execute("SELECT match, seq, slot, value FROM openings WHERE match <= %s", (last,)).fetchall()
    openings: dict[tuple[str, int], list[tuple[Any, ...]]] = defaultdict(list)
    for opening in opened:
        openings[opening[0], opening[1]].append(opening)
    nth: dict[str, int] = defaultdict(int)
    found: dict[tuple[int, str], Choice] = {}
    for row in rows:
        match = row[0]
        nth[match] += row[3] == "Chosen"
        if nth[match]:
            choice = found.setdefault((nth[match], match), Choice([], []))
            choice.lines.append(row)
            choice.openings += openings[match, row[1]]
    return [found[place] for place in sorted(found)]


def _send(line: Line, choices: list[Choice]) -> None:
    """One transaction, its statements and the COMMIT in one go."""
    lines = [row for choice in choices for row in choice.lines]
    openings = [row for choice in choices for row in choice.openings]
    with line.pipeline():
        line.execute(_LINES, [list(column) for column in zip(*lines, strict=True)])
        if openings:
            line.execute(_OPENINGS, [list(column) for column in zip(*openings, strict=True)])
        ends = {row[0]: row[1] for row in lines}
        line.execute(_ENDS, [list(ends), list(ends.values())])
        line.commit()


def _passes(choices: list[Choice]) -> Iterator[Choice]:
    """The choices repeated endlessly, each time for other matches, whose names have the same length."""
    for number in range(1_000_000):
        for choice in choices:
            yield Choice(
                [(f"{number:06}{row[0][6:]}", *row[1:]) for row in choice.lines],
                [(f"{number:06}{row[0][6:]}", *row[1:]) for row in choice.openings],
            )


def bare_inserts(store: str, target: str, seconds: float) -> Bare:
    """Copy the rows of the source database into tables of the target database, which is empty."""
    choices = choices_of(store)
    source = _passes(choices)
    with psycopg.connect(target) as line:
        for statement in _TABLES:
            line.execute(statement)
        # The rows of the matches are made before the measurement, which covers further choices only.
        names = {f"{number:06}{choice.lines[0][0][6:]}" for number in range(40) for choice in choices}
        line.execute("INSERT INTO matches SELECT name, 0 FROM unnest(%b::text[]) AS n (name)", [list(names)])
        line.commit()
        grouped = _paced(line, source, GROUP, seconds)
        alone = _paced(line, source, 1, seconds / 2)
    rows = sum(len(choice.lines) for choice in choices) / len(choices)
    return Bare(GROUP * len(grouped) / sum(grouped), percentile(alone, 0.5) * 1000, rows)


def _paced(line: Line, source: Iterator[Choice], group: int, seconds: float) -> list[float]:
    """The seconds that each transaction of this many choices took."""
    took: list[float] = []
    while sum(took) < seconds:
        choices = [next(source) for _ in range(group)]
        begun = time.perf_counter()
        _send(line, choices)
        took.append(time.perf_counter() - begun)
    return took
