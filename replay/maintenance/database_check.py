"""Checks that a database is sound: SQLite's own check, and a check of every match (docs/record.md 2, 3, 4, 8)."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeVar

import msgspec
from msgspec import Struct

from domain.kernel import Event, MatchBegun, MatchCreated, MatchEnded
from domain.kernel.events import EntropyCommitted
from replay.audit.verify import check_signed, verify
from replay.errors import RecordError, RecordInvalid
from replay.files import export
from replay.queries import readmodels
from replay.record import integrity, keychain, sealing
from replay.record.line import read_line
from replay.record.referee import status_of
from replay.store.errors import NoSuchMatch, StoreFailed
from replay.store.log import Entry, Keys
from replay.store.matches import Header
from replay.store.side_tables import (
    analysis,
    arena,
    calendars,
    moderation,
    notices,
    opponents,
    people,
    presence,
    rated_players,
    ratings,
    rulings,
    seat_entries,
    standing,
)
from replay.store.sqlite.schema import assert_herald, strange
from replay.store.sqlite.store import SqliteStore
from replay.store.store import Store

T = TypeVar("T")
E = TypeVar("E", bound=Event)

EVERY = 10_000_000
"""More matches than one database holds."""
ORPHANED: Final = "the match list has lost it, its record is there"
_ORPHANS: Final = """
WITH RECURSIVE kept (match) AS (
  SELECT min(match) FROM records
  UNION ALL
  SELECT (SELECT min(match) FROM records WHERE match > kept.match) FROM kept WHERE kept.match IS NOT NULL
)
SELECT match FROM kept WHERE match IS NOT NULL
UNION SELECT match FROM match_keys
UNION SELECT match FROM seats
EXCEPT SELECT match FROM matches
"""
"""The query steps from match to match, because a record has many lines; UNION and EXCEPT are evaluated from left to
right.
"""
UNSIGNED: Final = "the server's signatures are missing"
_UNSIGNED: Final = """
WITH signed AS (SELECT match FROM checkpoints GROUP BY match)
SELECT match FROM matches
WHERE match NOT IN signed
AND created_ms >= (SELECT min(created_ms) FROM matches WHERE match IN signed)
AND match IN (SELECT match FROM seats WHERE length(token_hash) > 0 OR bot <> '')
"""
"""Unsigned matches that a server hosted (a seat has a token or a bot's name) after it had begun to sign."""
_LISTED: Final[dict[str, type[MatchBegun | MatchEnded]]] = {"MatchBegun": MatchBegun, "MatchEnded": MatchEnded}
"""The events that change a match's place in the list."""
Progress = Callable[[int, int], None]
"""Called with the number of matches checked and the number of all matches."""

OPTIONAL: Final = tuple(
    room.MADE
    for room in (
        readmodels,
        arena,
        analysis,
        presence,
        ratings,
        rated_players,
        rulings,
        standing,
        moderation,
        notices,
        opponents,
        people,
        calendars,
        seat_entries,
    )
)
"""Tables that a database has only once they have been used."""


def quietly(done: int, total: int) -> None:
    """Report no progress."""


class Unsound(Struct, frozen=True):
    """A defect: the match, empty for the database itself, and the reason."""

    match: str
    why: str


class DatabaseCheck(Struct, frozen=True):
    """The objects checked, and the defects found."""

    matches: int
    lines: int
    faults: tuple[Unsound, ...]


def check_database(store: SqliteStore, progress: Progress = quietly, *, deep: bool = False) -> DatabaseCheck:
    """Check the file and every match in it; a server may write meanwhile.

    For each match it checks numbering, chain and head, the secrets of each line, its keys, its seats, the server's last
    signature, and its entry in the match list; for an unfinished match every seal too. `deep` opens the seals of all
    matches and checks every die and signature, which takes about ten times as long.
    """
    faults = [Unsound("", why) for why in file_faults(store)]
    if faults:
        return DatabaseCheck(0, 0, tuple(faults))
    try:
        faults += [Unsound(match, ORPHANED) for match in _matches(store, _ORPHANS)]
        faults += [Unsound(match, UNSIGNED) for match in _matches(store, _UNSIGNED)]
        headers = store.matches.latest(limit=EVERY)
    except sqlite3.Error as wrong:
        return DatabaseCheck(0, 0, (Unsound("", str(wrong)),))
    found = check_matches(store, headers, progress, deep=deep)
    return DatabaseCheck(found.matches, found.lines, (*faults, *found.faults))


def check_matches(
    store: Store, headers: Sequence[Header], progress: Progress = quietly, *, deep: bool = False
) -> DatabaseCheck:
    """Check these matches of any store, as `check_database` does."""
    lines, faults = 0, []
    for done, header in enumerate(headers):
        progress(done, len(headers))
        try:
            lines += check_match(store, header.match, deep=deep)
        except (RecordError, sqlite3.Error) as wrong:
            faults.append(Unsound(header.match, str(wrong)))
    return DatabaseCheck(len(headers), lines, tuple(faults))


def _matches(store: SqliteStore, sql: str) -> list[str]:
    connection = store.tables().conn
    try:
        return [match for (match,) in connection.execute(sql)]
    finally:
        connection.close()


def file_faults(store: SqliteStore) -> Iterator[str]:
    """Faults that SQLite finds in its file, a file that is not Herald's, or objects that differ from the schema."""
    connection = store.tables().conn
    try:
        for (told,) in connection.execute("PRAGMA integrity_check(20)"):
            if told != "ok":
                yield str(told)
        assert_herald(connection, store.path)
        yield from strange(connection, {name: made for tables in OPTIONAL for name, made in tables.items()})
    except (sqlite3.DatabaseError, StoreFailed) as wrong:
        yield str(wrong)
    finally:
        connection.close()


def check_match(store: Store, match: str, *, deep: bool = False) -> int:
    """Check one match; returns its number of lines. Raises `RecordInvalid` with the first line that fails."""
    header, head = export.settled(store, match)
    entries = store.read(match, limit=head.seq)
    mid = _mid(match)
    for number, entry in enumerate(entries, 1):
        _check_line(number, entry)
    heads = integrity.heads_of(match, entries, head)
    if not entries:
        raise RecordInvalid("the record is empty")
    _check_list(header, entries)
    _check_keys(mid, entries, _kept(store.keys, match, "keys"), whole=header.status != "finished")
    seats = _kept(store.seats.holders, match, "seats")
    if len(seats) != len(_first(entries).seats):
        raise RecordInvalid(f"{len(seats)} seats are kept", expected=str(len(_first(entries).seats)))
    checkpoints = [at for at in store.checkpoints(match) if at[0] <= head.seq]
    if checkpoints:
        check_signed(mid, heads, *checkpoints[-1])
    if deep:
        verify(export.from_store(store, match))
    return head.seq


def _kept(read: Callable[[str], T], match: str, what: str) -> T:
    try:
        return read(match)
    except NoSuchMatch as wrong:
        raise RecordInvalid(f"its {what} are missing") from wrong


def _check_line(number: int, entry: Entry) -> None:
    line = read_line(entry.line)
    if entry.seq != number or line.seq != number:
        raise RecordInvalid(f"the line has number {line.seq}", number)
    if (entry.at, entry.type, entry.actor) != (line.at, line.type, line.actor):
        raise RecordInvalid("the columns beside the line are not the line's", number)
    if len(line.seals) != len(entry.openings):
        raise RecordInvalid(f"{len(entry.openings)} secrets are kept", number, str(len(line.seals)))


def _check_list(header: Header, entries: Sequence[Entry]) -> None:
    """Check that the match list's entry agrees with the record."""
    status, result = "open", ""
    for entry in entries:
        if entry.type in {"MatchBegun", "MatchEnded"}:
            status, result = (said or "" for said in status_of((_event(entry, _LISTED[entry.type]),)))
    if (header.status, header.result) != (status, result):
        told = f"{status}, {result!r}" if result else status
        raise RecordInvalid(f"the match list says {header.status}, {header.result!r}", expected=told)


def _check_keys(mid: bytes, entries: Sequence[Entry], keys: Keys, *, whole: bool) -> None:
    """Check that the keys made the record; `whole`: check every secret, otherwise one that proves K_m."""
    first = _first(entries)
    chance = keychain.MatchChance(mid, keys.k_m, keys.k_n, keys.hid)
    chance.expect(first)
    if first.anchor and sealing.b64(chance.anchor) != first.anchor:
        raise RecordInvalid("the key chain is not the one whose anchor the record has", 1)
    for entry in entries:
        if entry.type == "EntropyCommitted":
            fixed = _event(entry, EntropyCommitted)
            made = sealing.b64(keychain.entropy_commitment(chance.share(fixed.seat)))
            if fixed.by == "server" and made != fixed.commitment:
                raise RecordInvalid("the server's share of chance is not made of the match's key", entry.seq)
    sealed = [entry for entry in entries if entry.openings]
    integrity.check_openings(sealed if whole else sealed[:1], sealing.Sealer(mid, keys.k_m))


def _first(entries: Sequence[Entry]) -> MatchCreated:
    if entries[0].type != "MatchCreated":
        raise RecordInvalid(f"the line is {entries[0].type}", 1, "MatchCreated")
    return _event(entries[0], MatchCreated)


def _event(entry: Entry, kind: type[E]) -> E:
    try:
        return msgspec.json.decode(read_line(entry.line).payload, type=kind)
    except (msgspec.MsgspecError, UnicodeError) as wrong:
        raise RecordInvalid(f"the fields of {entry.type} do not fit: {wrong}", entry.seq) from wrong


def _mid(match: str) -> bytes:
    try:
        return sealing.unb64(match)
    except ValueError as wrong:
        raise RecordInvalid(f"{match!r} is no match id") from wrong


def assert_sound(store: SqliteStore, progress: Progress = quietly) -> DatabaseCheck:
    """As `check_database`. Raises `StoreFailed` with the first defect."""
    found = check_database(store, progress)
    if found.faults:
        first = found.faults[0]
        about = f"match {first.match}: " if first.match else ""
        count = "1 fault" if len(found.faults) == 1 else f"{len(found.faults):,} faults"
        raise StoreFailed(f"{store.path} is not sound: {about}{first.why} ({count} in all)")
    return found
