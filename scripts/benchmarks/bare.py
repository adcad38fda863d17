"""The lowest possible cost of a choice, without a referee: the signature, its rows on the disk, and an echo."""

import asyncio
import sqlite3
import tempfile
import time
from pathlib import Path

from nacl.signing import SigningKey

from scripts.benchmarks.live import echoes
from scripts.benchmarks.measure import cpu_s
from scripts.benchmarks.servers import served

SIGNATURES = 500
GROUPS = 40
GROUP = 50
"""Choices in one transaction."""
LINES = 4
LINE = '[1,"AAAAAAAAAAAAAAAAAAAAAA",' + "1" * 370 + "]"
TABLE = "CREATE TABLE records (match INTEGER, seq INTEGER, line TEXT, PRIMARY KEY (match, seq)) STRICT, WITHOUT ROWID;"


def signature_s() -> float:
    """Seconds for an Ed25519 signature."""
    key, message = SigningKey.generate(), bytes(100)

    def sign() -> None:
        for _ in range(SIGNATURES):
            key.sign(message)

    return cpu_s(sign) / SIGNATURES


def rows_s() -> float:
    """Seconds for the rows of a choice, many choices of different matches in one transaction that is synced."""
    with tempfile.TemporaryDirectory(prefix="herald-bench-") as folder:
        connection = sqlite3.connect(Path(folder) / "bare.sqlite", isolation_level=None)
        connection.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;" + TABLE)
        begun = time.perf_counter()
        for first in range(0, GROUPS * LINES, LINES):
            rows = [(match, first + line, LINE) for match in range(GROUP) for line in range(LINES)]
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany("INSERT INTO records VALUES (?, ?, ?)", rows)
            connection.execute("COMMIT")
        took = time.perf_counter() - begun
        connection.close()
    return took / GROUPS / GROUP


def choices_a_second(connections: int) -> float:
    """The choices per second that one process could take if it only did this, without reading, deciding or hashing."""
    with served("echo") as url:
        rate, _ = asyncio.run(echoes(url, connections))
    return 1 / (signature_s() + rows_s() + 1 / rate)
