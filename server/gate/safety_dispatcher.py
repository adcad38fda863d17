"""Dispatches the messages about safety: messages of persons who are signed in, and reports from a match."""

from contextlib import suppress
from typing import Final

from msgspec.structs import replace

from replay.record import sealing
from replay.store.errors import NoSuchMatch
from replay.store.side_tables.devices import SessionRow
from replay.store.side_tables.moderation import LogRow, ReportRow
from server.lobby.lobby import Lobby
from server.moderation.errors import SafetyRefused
from server.moderation.reports import Reporter, evidence_of
from server.moderation.staff_log import GENESIS
from server.wire.safety_messages import (
    Moderate,
    Moderated,
    ReadReports,
    ReadSafety,
    ReadStaffLog,
    Report,
    ReportedLine,
    ReportInfo,
    ReportsTold,
    SafetyAnswer,
    SafetyMessage,
    SafetyTold,
    Shun,
    Shunned,
    StaffEntry,
    StaffLogTold,
)

PAGE: Final = 50
NOT_STAFF: Final = "This is for the staff of this server."


class SafetyDispatcher:
    """Serves the messages about safety; every method waits for the store."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby, self._safety = lobby, lobby.safety
        self._moderation, self._seats = lobby.store.moderation, lobby.store.seats

    def serve(self, message: SafetyMessage, session: SessionRow) -> SafetyAnswer:
        """The answer to a person who is signed in. Raises `SafetyRefused` if the message is refused."""
        person = session.person
        match message:
            case Shun():
                self._shun(message, person)
                return self.told(person)
            case ReadSafety():
                return self.told(person)
            case _ if not self._safety.log.is_staff(person):
                raise SafetyRefused(NOT_STAFF)
            case ReadReports(settled=settled, after=after):
                rows = self._moderation.reports(PAGE + 1, after=after, settled=settled)
                return ReportsTold(tuple(map(self._reported, rows[:PAGE])), len(rows) > PAGE)
            case ReadStaffLog(after=after):
                entries = self._moderation.entries(after, PAGE + 1)
                return StaffLogTold(tuple(self._entry(row) for row in entries[:PAGE]), len(entries) > PAGE)
            case Moderate():
                return Moderated(self._entry(self._moderate(message, person)))

    def _shun(self, message: Shun, person: str) -> None:
        shuns, other = self._safety.shuns, ""
        if message.of:
            other = next((row.other for row in self._moderation.shuns(person) if _named(row.other) == message.of), "")
            name = next((row.name for row in self._moderation.shuns(person) if row.other == other), "")
        elif message.handle:
            other, name = shuns.person(message.handle), message.handle
        else:
            other, name = shuns.at_seat(message.match, message.seat), self._name_at(message.match, message.seat)
        if message.kind:
            shuns.shun(person, other, message.kind, name)
        elif other:
            self._moderation.unshun(person, other)

    def _name_at(self, match: str, seat: int) -> str:
        return next((row.name for row in self._seats.holders(match) if row.seat == seat), "")

    def reports_by(self, person: str) -> tuple[ReportInfo, ...]:
        """The reports that a person has made, without the handles of the reported persons."""
        return tuple(replace(self._reported(row), handle="") for row in self._moderation.reports_by(person))

    def told(self, person: str) -> SafetyTold:
        """The persons whom a person blocks or mutes, the staff's acts about that person, and the end of the log."""
        last = self._moderation.last()
        return SafetyTold(
            tuple(Shunned(_named(row.other), row.name, row.kind, row.at) for row in self._moderation.shuns(person)),
            tuple(self._entry(row, is_staffs=False) for row in self._safety.log.about(person)),
            0 if last is None else last.n,
            sealing.b64(GENESIS if last is None else last.hash),
            self._safety.log.is_staff(person),
        )

    def _entry(self, row: LogRow, *, is_staffs: bool = True) -> StaffEntry:
        before = self._moderation.entries(row.n - 2, 1) if row.n > 1 else []
        handle = self._lobby.profiles.handle(self._moderation.person_of(row.about)) if is_staffs and row.about else ""
        return StaffEntry(
            row.n,
            row.at,
            row.act,
            row.why,
            row.author,
            row.about,
            row.until,
            row.report,
            sealing.b64(row.hash),
            sealing.b64(before[0].hash if before else GENESIS),
            handle,
        )

    def _reported(self, row: ReportRow) -> ReportInfo:
        handle = self._lobby.profiles.handle
        lines = evidence_of(row)
        names = self._names_at(row.match) if any(not line.name for line in lines) else {}
        return ReportInfo(
            row.id,
            row.at,
            row.match,
            row.why,
            row.who,
            row.name,
            handle(row.about) if row.about else "",
            handle(row.person) if row.person else "",
            tuple(
                ReportedLine(line.n, line.at, line.who, line.name or names.get(line.who, ""), line.text)
                for line in lines
            ),
            row.seq,
            row.settled,
        )

    def _names_at(self, match: str) -> dict[str, str]:
        """The players of a match by their names in chat; empty for a match that no longer exists."""
        with suppress(NoSuchMatch):
            return {f"seat{row.seat}": row.name for row in self._seats.holders(match)}
        return {}

    def _moderate(self, message: Moderate, person: str) -> LogRow:
        about = self._safety.shuns.person(message.handle) if message.handle else ""
        if message.report and not about:
            found = self._moderation.found_report(message.report)
            about = found.about if found is not None else ""
        if message.act == "settle" and not message.report:
            raise SafetyRefused("Name the report that is settled.")
        return self._safety.moderators.act(
            person, about, message.act, message.why, days=message.days, report=message.report
        )

    def report(self, message: Report, match: str, who: str, room: str, source: str) -> str:
        """Store a report from a match; `who` is the reported speaker's name in chat. Returns the report's id. Raises
        `SafetyRefused` if the report is refused.
        """
        seat = who.removeprefix("seat")
        person = self._safety.shuns.at_seat(match, int(seat)) if who.startswith("seat") and seat.isdecimal() else ""
        return self._safety.reports.take(Reporter(room, source, person), match, message.who, message.why, message.lines)


def _named(other: str) -> str:
    """The name of a blocked or muted person for one reader: it reveals nothing and differs for every reader."""
    return sealing.b64(sealing.tagged_hash("person/shunned", other.encode())[:12])
