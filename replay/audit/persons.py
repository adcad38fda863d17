"""Checks openings of claims against an audited record: which person is behind a seat (docs/record.md 5)."""

from collections.abc import Iterable

import msgspec

from replay.audit.report import AuditFault, AuditReport
from replay.errors import RecordInvalid
from replay.record import claims
from replay.record.claims import OpenedClaim


def read_openings(data: bytes) -> list[OpenedClaim]:
    """The openings in a file, one JSON object a line. Raises `RecordInvalid`, which names the line of the file."""
    found = []
    for number, line in enumerate(data.splitlines(), 1):
        if line.strip():
            try:
                found.append(msgspec.json.decode(line, type=OpenedClaim))
            except (msgspec.MsgspecError, UnicodeError) as wrong:
                why = f"line {number} of the openings is none: {wrong}"
                raise RecordInvalid(why, expected="match, line, site, key, salt and signature") from wrong
    return found


def check_openings(report: AuditReport, openings: Iterable[OpenedClaim]) -> None:
    """Check the openings of this match against its claims; the first that opens nothing is the report's fault."""
    for opening in openings:
        if report.fault is not None or opening.match != report.match:
            continue
        claim = report.claims.get(opening.line)
        if claim is None:
            report.fault = AuditFault(opening.line, "no person stands behind a seat by this line", "a line SeatClaimed")
        elif why := claims.fault(report.match, claim, opening):
            report.fault = AuditFault(opening.line, why)
        else:
            report.persons.append(f"seat {claim.seat}: the person with the key {opening.key} at {opening.site}")
