"""`scale slow`: the cost of a server's search for matches that are due, among very many that wait."""

import time
from collections.abc import Callable
from typing import Final

import psycopg

from replay.store.postgres.store import PostgresStore
from scripts.benchmarks.farm import farm
from scripts.benchmarks.measure import Figure, Report, percentile

DUE: Final = 100
"""This many matches are due within half a minute; one in twenty has a clock that runs for days, the rest have none."""
LOOKS: Final = 20
DAY_MS: Final = 86_400_000
_FILL: Final = """INSERT INTO matches (match, game, rules, created_ms, title, listed, status, result, changed_ms, seq,
  head, closed, delay_events, delay_s, due)
SELECT lpad(n::text, 22, 'm'), 'vera_discordia', '1', %(now)s, 'A match', true, 'running', '', %(now)s, 200, %(head)s,
  false, 0, 0, CASE WHEN n <= %(due)s THEN %(now)s WHEN n %% 20 = 0 THEN %(now)s + %(day)s * (1 + n %% 7) END
FROM generate_series(1, %(stored)s) AS n"""


def _ms(work: Callable[[], object], times: int) -> float:
    took = []
    for _ in range(times):
        begun = time.perf_counter()
        work()
        took.append((time.perf_counter() - begun) * 1000)
    return percentile(took, 0.5)


def slow_report(stored: int) -> Report:
    """A search for due matches, beside a search without an index, through every match that is not over."""
    now = int(time.time() * 1000)
    values = {"now": now, "due": min(DUE, stored), "day": DAY_MS, "head": b"h" * 32, "stored": stored}
    with farm() as where:
        address = where.store()
        with psycopg.connect(address, autocommit=True) as line:
            line.execute(_FILL, values)
            line.execute("VACUUM ANALYZE matches")
        store = PostgresStore(address)
        found = store.matches.due(now)
        look = _ms(lambda: store.matches.due(now), LOOKS)
        every = _ms(lambda: store.heads([header.match for header in store.matches.unfinished()]), 1)
        store.close()
    assert len(found) == min(DUE, stored)
    return Report(
        f"scale slow --stored {stored}",
        f"{stored:,} matches in PostgreSQL in which people are asked; in one of twenty a clock runs out in some days;"
        f" in {len(found)} something is due now",
        (
            Figure("one look for what is due, p50", look, "ms", "every match and where it ends", every),
            Figure("of one core, at a look every 5 s", look / 50, "%"),
        ),
    )
