"""Files with flipped bits, torn or truncated, and a server's reaction to them.

A false record never looks true: a damaged database is refused, or a match in it is, or nothing that counts
was hit. A log that lost its end, which no file can show, gives an earlier state of the record, true as far as it goes.
"""

import asyncio
import random
import shutil
import sqlite3
from pathlib import Path
from typing import Final

from replay.audit.match_audit import audit
from replay.errors import RecordError
from replay.files import export
from replay.record.referee import Referee
from replay.store.log import Entry
from replay.store.sqlite.store import SqliteStore
from tests.server.faults.scripted import play
from tests.skirmish.game import GAME

Files = dict[str, bytes]
DAMAGES: Final = ("flip a bit", "flip a byte in text", "zero a sector", "cut off", "double a page", "lose the log")


def played(folder: Path) -> tuple[tuple[Files, Files], str, list[Entry]]:
    """A finished match: the files while the server runs and after it has stopped, the match, and its true record."""
    path = folder / "herald.db"
    files: Files = {}

    def tell(frame: str) -> None:
        if '\\"MatchEnded\\"' in frame and not files:
            files.update({file.name: file.read_bytes() for file in folder.iterdir() if not file.name.endswith("-shm")})

    asyncio.run(play(path, tell, rounds=3))
    store = SqliteStore(path)
    match = store.matches.latest()[0].match
    entries = store.read(match)
    store.close()
    return (files, {path.name: path.read_bytes()}), match, entries


def damaged(files: Files, damage: str, rng: random.Random) -> Files:
    """The files with one damage."""
    name = rng.choice(sorted(files))
    data = bytearray(files[name])
    at = rng.randrange(len(data))
    match damage:
        case "flip a bit":
            data[at] ^= 1 << rng.randrange(8)
        case "flip a byte in text":
            places = [i for i in range(at, min(len(data), at + 20_000)) if 48 <= data[i] <= 57] or [at]
            data[rng.choice(places)] = rng.randrange(48, 58)
        case "zero a sector":
            # one that holds something: much of a database is free
            at = rng.choice([i for i in range(0, len(data), 512) if any(data[i : i + 512])])
            data[at : at + 512] = bytes(len(data[at : at + 512]))
        case "cut off":
            del data[at:]
        case "double a page":
            at -= at % 4096
            data[at : at + 4096] = data[:4096]
        case "lose the log":
            name, data = "herald.db-wal", bytearray()
    return {**files, name: bytes(data)}


def verdict(folder: Path, files: Files, match: str, entries: list[Entry]) -> str:
    """`refused`, `found`, `earlier` (true, but shorter), `whole`; or `false`, which must not be."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    try:
        store = SqliteStore(folder / "herald.db")
    except RecordError:
        return "refused"
    try:
        return _judge(store, match, entries)
    except (RecordError, sqlite3.DatabaseError):
        return "found"
    finally:
        store.close()


def _judge(store: SqliteStore, match: str, entries: list[Entry]) -> str:
    if match not in {header.match for header in store.matches.latest()}:
        return "earlier"
    referee = Referee.open(GAME, store, match)
    held = store.read(match)
    if held != entries[: len(held)] or referee.seq != len(held):
        return "false"
    if not audit(GAME, export.from_store(store, match)).ok:
        return "found by the audit"
    return "whole" if len(held) == len(entries) else "earlier"
