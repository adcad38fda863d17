"""Taking a match in from an export: verified whole first, then stored in one commit, or not at all."""

from typing import Any

from domain.kernel import Game, SeatTaken
from replay import hr1
from replay.audit import Progress, Report, audit
from replay.errors import RecordInvalid
from replay.export import EVERYTHING, Record
from replay.line import Codec, read_line
from replay.referee import status_of
from replay.store import Commit, Entry, Header, SeatRow, Store


def entries_of(record: Record) -> tuple[Entry, ...]:
    """The lines of a whole record as a store keeps them. Raises `RecordInvalid`."""
    entries = []
    for held in record.held:
        line = read_line(held.line)
        missing = [slot for slot in range(len(line.seals)) if slot not in held.openings]
        if missing:
            raise RecordInvalid(f"slot {missing[0]} is not opened; only a whole record can be imported", line.seq)
        openings = tuple(held.openings[slot] for slot in range(len(line.seals)))
        entries.append(Entry(line.seq, line.at, line.type, line.actor, held.line, openings))
    return tuple(entries)


def import_record(store: Store, game: Game[Any], record: Record, progress: Progress | None = None) -> Report:
    """Verify a record and put it into a store; the report of the audit.

    Raises `RecordInvalid` for a record that is not whole or does not hold, with the line, and `MatchExists` for one
    that is there already. Of the signed checkpoints the last is kept.
    """
    if record.view != EVERYTHING or record.secrets is None:
        raise RecordInvalid(f"this file holds the view {record.view}; only a whole record can be imported")
    entries = entries_of(record)
    report = audit(game, record, (), progress)
    if report.fault is not None:
        raise RecordInvalid(report.fault.wrong, report.fault.line, report.fault.expected)
    head = hr1.genesis(hr1.unb64(record.match))
    for entry in entries:
        head = hr1.link(head, entry.line)
    checkpoint = next((signed for seq, signed in reversed(record.checkpoints) if seq == len(entries)), None)
    status, result = _status(game, entries)
    commit = Commit(record.match, 0, entries, head, checkpoint, status, result)
    first = read_line(entries[0].line)
    rules = first.rules.partition("/")[2]
    header = Header(
        record.match, record.game, rules, first.at, "Imported", False, status, record.result or "", first.at
    )
    store.create(header, record.secrets, _seats(game, entries), commit)
    return report


def _status(game: Game[Any], entries: tuple[Entry, ...]) -> tuple[str, str]:
    codec = Codec(game)
    turning = [codec.read_entry(entry) for entry in entries if entry.type in {"MatchBegun", "MatchEnded"}]
    status, result = status_of(turning[-1:])
    return status or "open", result or ""


def _seats(game: Game[Any], entries: tuple[Entry, ...]) -> tuple[SeatRow, ...]:
    """Who sat where, without the tokens: nobody can play on in an imported match by an old link."""
    codec = Codec(game)
    rows = {seat: SeatRow(seat) for seat in range(game.seats)}
    for entry in entries:
        if entry.type == SeatTaken.__name__:
            event = codec.read_entry(entry)
            assert isinstance(event, SeatTaken), "read by its type"
            rows[event.seat] = SeatRow(event.seat, event.name, event.kind)
    return tuple(rows.values())
