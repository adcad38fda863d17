"""Copies matches from one store to another; reads each copy back and compares it, including its secrets."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from replay.errors import RecordInvalid
from replay.maintenance.database_check import Progress, check_match, quietly
from replay.store.errors import NoSuchMatch, StoreFailed
from replay.store.log import Commit, Committed, Entry, Head, Keys
from replay.store.matches import NEVER, Header
from replay.store.seats import SeatRow, WatchRow
from replay.store.side_tables.chat import ChatRow
from replay.store.store import Store

ROOMS: Final = ("players", "spectators")
EVERY: Final = 1_000_000
"""More lines than any chat room keeps."""


class MatchCopy(Struct, frozen=True):
    """Everything that a store keeps of a match."""

    header: Header
    head: Head
    keys: Keys
    seats: tuple[SeatRow, ...]
    entries: tuple[Entry, ...]
    checkpoints: tuple[tuple[int, bytes], ...]
    watchers: tuple[WatchRow, ...]
    chat: tuple[ChatRow, ...]

    @classmethod
    def read_from(cls, store: Store, match: str) -> "MatchCopy":
        """Read a match from a store. Raises `NoSuchMatch`."""
        watchers = sorted(store.seats.watchers(match), key=lambda row: (row.seat, row.token_hash))
        return cls(
            store.header(match),
            store.head(match),
            store.keys(match),
            store.seats.holders(match),
            tuple(store.read(match)),
            tuple(store.checkpoints(match)),
            tuple(watchers),
            tuple(row for room in ROOMS for row in store.chat.said(match, room, EVERY)),
        )

    def __repr__(self) -> str:
        return f"MatchCopy({self.header.match})"


class Copied(Struct, frozen=True):
    """The outcome of copying matches: the number of copied matches, of their lines, and of matches already there."""

    matches: int
    lines: int
    known: int


def copy_matches(source: Store, target: Store, headers: Sequence[Header], progress: Progress = quietly) -> Copied:
    """Copy these matches; nobody may play in them meanwhile.

    Each match is checked before the copy and compared after it. A match that is already in the target, line for line,
    is left alone. Raises `StoreFailed` for a match that continues differently there, lacks tokens or chat there, or
    changes during the copy, and `RecordInvalid` for a match that fails verification. Earlier matches stay copied.
    """
    copied = lines = known = 0
    for done, header in enumerate(headers):
        progress(done, len(headers))
        check_match(source, header.match)
        whole = MatchCopy.read_from(source, header.match)
        if _is_there(target, whole):
            known += 1
            continue
        put_match(target, whole)
        if MatchCopy.read_from(target, header.match) != whole:
            raise StoreFailed(f"the match {header.match} is not in the copy as it was; do not use the copy")
        if source.head(header.match) != whole.head:
            raise StoreFailed(f"the match {header.match} went on while it was copied; stop every server, and copy anew")
        copied, lines = copied + 1, lines + len(whole.entries)
    return Copied(copied, lines, known)


def _is_there(target: Store, whole: MatchCopy) -> bool:
    match = whole.header.match
    try:
        found = target.head(match)
    except NoSuchMatch:
        return False
    if found != whole.head or tuple(target.read(match)) != whole.entries:
        raise StoreFailed(f"the match {match} is there already and is another: it ends at line {found.seq}")
    there = MatchCopy.read_from(target, match)
    if {*whole.watchers} - {*there.watchers} or {*whole.chat} - {*there.chat}:
        # Adding them might give a token back to somebody who has lost it there.
        raise StoreFailed(
            f"the match {match} is there already, but without tokens or chat that the source has: its copying was"
            " broken off, or they were taken away there; copy into a new database, or the others with --match"
        )
    return True


def put_match(target: Store, whole: MatchCopy) -> None:
    """Write a new match. Raises `StoreFailed`, and `RecordInvalid` for a match without lines."""
    header, match, last = whole.header, whole.header.match, whole.head.seq
    if not whole.entries:
        raise RecordInvalid(f"the record of {match} is empty")
    signed = dict(whole.checkpoints)
    commit = Commit(
        match,
        0,
        whole.entries,
        whole.head.hash,
        signed.pop(last, None),
        header.status,
        header.result,
        tuple(sorted(signed.items())),
        due=NEVER if header.status == "finished" else None,
    )
    answer = target.create(replace(header, changed_ms=whole.entries[-1].at), whole.keys, whole.seats, commit)
    if not isinstance(answer, Committed):
        raise StoreFailed(f"the match {match} could not be written: {answer}")
    for watcher in whole.watchers:
        target.seats.grant(match, watcher)
    for row in whole.chat:
        target.chat.say(match, row, EVERY)
