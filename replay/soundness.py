"""Whether a database is sound: SQLite's own check, and the chain of every match (RECORD 2, 8)."""

import sqlite3
from collections.abc import Callable, Iterator

from msgspec import Struct

from replay import export, hr1
from replay.errors import RecordError, RecordInvalid, StoreFailed
from replay.line import read_line
from replay.schema import assert_herald
from replay.sqlite import SqliteStore
from replay.store import Entry, Store
from replay.verify import verify

EVERY = 10_000_000
"""More matches than one database holds."""
Progress = Callable[[int, int], None]
"""Called with how many matches are checked, and of how many."""


def quietly(done: int, total: int) -> None:
    """Tell nobody how far a check is."""


class Unsound(Struct, frozen=True):
    """What does not hold: the match, empty for the database itself, and why."""

    match: str
    why: str


class Soundness(Struct, frozen=True):
    """What was checked, and what does not hold."""

    matches: int
    lines: int
    faults: tuple[Unsound, ...]


def check_database(store: SqliteStore, progress: Progress = quietly, *, deep: bool = False) -> Soundness:
    """Check the file and every match in it; a server may be writing meanwhile.

    Of each match numbering, chain and head are checked, and that each line has its secrets; `deep` opens every seal
    and checks every die and signature too, which takes some ten times as long.
    """
    faults = [Unsound("", why) for why in file_faults(store)]
    lines = 0
    if not faults:
        headers = store.matches(limit=EVERY)
        for done, header in enumerate(headers):
            progress(done, len(headers))
            try:
                lines += check_match(store, header.match, deep=deep)
            except (RecordError, sqlite3.Error) as wrong:
                faults.append(Unsound(header.match, str(wrong)))
        return Soundness(len(headers), lines, tuple(faults))
    return Soundness(0, lines, tuple(faults))


def file_faults(store: SqliteStore) -> Iterator[str]:
    """What SQLite finds wrong with its file, and that it is not one of Herald's."""
    connection = store.tables().conn
    try:
        for (told,) in connection.execute("PRAGMA integrity_check(20)"):
            if told != "ok":
                yield str(told)
        assert_herald(connection, store.path)
    except (sqlite3.DatabaseError, StoreFailed) as wrong:
        yield str(wrong)
    finally:
        connection.close()


def check_match(store: Store, match: str, *, deep: bool = False) -> int:
    """Check one match; how many lines it has. Raises `RecordInvalid` with the first line that does not hold."""
    if deep:
        return verify(export.from_store(store, match)).seq
    # The head first: what is appended between the two reads is then beyond it, and left out.
    head = store.head(match)
    entries = store.read(match, limit=head.seq)
    if len(entries) != head.seq:
        raise RecordInvalid(f"there are {len(entries)} lines", expected=str(head.seq))
    chain = hr1.genesis(_mid(match))
    for number, entry in enumerate(entries, 1):
        _check_line(number, entry)
        chain = hr1.link(chain, entry.line)
    if chain != head.hash:
        raise RecordInvalid("the chain does not come to the head that the match list has", head.seq)
    return head.seq


def _check_line(number: int, entry: Entry) -> None:
    line = read_line(entry.line)
    if entry.seq != number or line.seq != number:
        raise RecordInvalid(f"the line has number {line.seq}", number)
    if len(line.seals) != len(entry.openings):
        raise RecordInvalid(f"{len(entry.openings)} secrets are kept", number, str(len(line.seals)))


def _mid(match: str) -> bytes:
    try:
        return hr1.unb64(match)
    except ValueError as wrong:
        raise RecordInvalid(f"{match!r} is no match id") from wrong


def assert_sound(store: SqliteStore, progress: Progress = quietly) -> Soundness:
    """As `check_database`. Raises `StoreFailed` with the first thing that does not hold."""
    found = check_database(store, progress)
    if found.faults:
        first = found.faults[0]
        about = f"match {first.match}: " if first.match else ""
        raise StoreFailed(f"{store.path} is not sound: {about}{first.why} ({len(found.faults)} faults in all)")
    return found
