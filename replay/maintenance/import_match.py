"""Imports a match from an export: the whole record is verified first, then stored in one commit or not at all."""

from collections.abc import Sequence
from typing import Any

from domain.kernel import Event, Game, MatchBegun, MatchEnded, SeatTaken
from domain.kernel.history import seats_in
from replay.audit.match_audit import Audit
from replay.audit.report import AuditReport
from replay.audit.rules_audit import Progress
from replay.errors import RecordInvalid
from replay.files.export import EVERYTHING, Held, Record
from replay.record.bulk_structs import without_collecting
from replay.record.line import RecordLine
from replay.record.referee import status_of
from replay.store.log import Commit, Entry, Log
from replay.store.matches import NEVER, Header
from replay.store.seats import SeatRow


def import_record(
    store: Log, game: Game[Any], record: Record, progress: Progress | None = None, *, decide_again: bool = True
) -> AuditReport:
    """Verify a record and put it into a store; returns the report of the audit.

    Raises `RecordInvalid` with the line for a record that is incomplete or fails verification, and `MatchExists` for a
    match that exists already. Without `decide_again` the rules do not decide again; everything else is checked.
    """
    if record.view != EVERYTHING or record.secrets is None:
        raise RecordInvalid(f"this file holds the view {record.view}; only a whole record can be imported")
    audit = Audit(game, record, decide_again=decide_again)
    with without_collecting():
        report = audit.run(progress)
    if report.fault is not None:
        raise RecordInvalid(report.fault.wrong, report.fault.line, report.fault.expected)
    entries = tuple(map(_entry, record.held, audit.lines))
    checkpoints = dict(record.checkpoints)
    last = checkpoints.pop(len(entries), None)
    status, result = _status(audit.events)
    earlier = tuple(sorted(checkpoints.items()))
    due = NEVER if status == "finished" else None
    commit = Commit(record.match, 0, entries, audit.heads[-1], last, status, result, earlier, due=due)
    first = audit.lines[0]
    rules = first.rules.partition("/")[2]
    header = Header(record.match, record.game, rules, first.at, "Imported", False, status, result, first.at)
    store.create(header, record.secrets, _seats(audit.events), commit)
    return report


def _entry(held: Held, line: RecordLine) -> Entry:
    openings = tuple([held.openings[slot] for slot in range(len(line.seals))])
    return Entry(line.seq, line.at, line.type, line.actor, held.line, openings)


def _status(events: Sequence[Event]) -> tuple[str, str]:
    status, result = status_of([event for event in events if isinstance(event, MatchBegun | MatchEnded)][-1:])
    return status or "open", result or ""


def _seats(events: Sequence[Event]) -> tuple[SeatRow, ...]:
    """The holders of the seats, without the tokens: an old link lets nobody play on in an imported match."""
    rows = {seat: SeatRow(seat) for seat in range(seats_in(events))}
    for event in events:
        if isinstance(event, SeatTaken):
            rows[event.seat] = SeatRow(event.seat, event.name, event.kind)
    return tuple(rows.values())
