"""`herald people` and `herald prune`: persons, reports, the staff's log, and the deletion of old data."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import click
from rich.markup import escape

from replay.store.side_tables.moderation import LogRow, ReportRow
from replay.store.store import Store
from server.cli.common import console, db_option, open_store
from server.cli.errors import Amiss
from server.cli.words import word
from server.moderation.errors import SafetyRefused
from server.moderation.moderators import DAYS_MOST, Moderators
from server.moderation.reports import evidence_of
from server.moderation.shuns import Shuns
from server.moderation.staff_log import HOST, Act, StaffLog
from server.people.profiles import Profiles

DAY_MS: Final = 86_400_000
PERSONAL: Final[tuple[Act, ...]] = ("warn", "mute", "suspend", "ban", "lift", "appoint", "dismiss")
REPORTS_DAYS: Final = 180
UNCONFIRMED_DAYS: Final = 7
SHOWN: Final = 100
DONE: Final = "{handle}: {act}. Entry {n} of the staff's log."
SETTLED: Final = "The report is settled. Entry {n} of the staff's log."
BROKEN: Final = "Entry {n} does not follow from the one before: the log was changed."
WHOLE: Final = "The log is whole. Entries: {n}; hash of the last one: {head}."
PRUNED: Final = "Deleted: {n} of the reports, settled more than {days} days ago."
NOTICES_PRUNED: Final = "Deleted: {n} addresses that nobody confirmed within {days} days, and limits that are over."
WOULD_PRUNE_NOTICES: Final = (
    "To delete: {n} addresses that nobody confirmed within {days} days, and limits that are over."
)
WOULD_PRUNE: Final = "To delete: {n} of the reports, settled more than {days} days ago."


def _now() -> int:
    return time.time_ns() // 1_000_000


class Office:
    """The parts of moderation over a store, as the host uses them."""

    def __init__(self, store: Store, now: Callable[[], int] = _now) -> None:
        self.store, self.now = store, now
        self.log = StaffLog(store.moderation, now)
        self.moderators = Moderators(store.moderation, store.people, self.log, now)
        self._shuns = Shuns(store, self.log, now)
        self._profiles = Profiles(store, now)

    def person(self, handle: str) -> str:
        """The person with a handle. Raises `SafetyRefused`."""
        return self._shuns.person(handle)

    def handle(self, person: str) -> str:
        """The handle of a person, or a dash."""
        return (self._profiles.handle(person) if person else "") or "–"

    def person_lines(self, handle: str) -> list[str]:
        """A person as the host sees it: the numbers of devices and seats, and the sanctions in force."""
        person = self.person(handle)
        devices = self.store.devices.devices(person)
        held = self.log.in_force(person)
        return [
            word(
                "{handle}, since {since}; devices: {devices}, noted seats: {seats}",
                handle=self.handle(person),
                since=_day(min((device.added for device in devices), default=0)),
                devices=sum(not device.revoked for device in devices),
                seats=len(self.store.people.seats(person)),
            ),
            *(word("{act} until {until}: {why}", act=one.act, until=_until(one.until), why=one.why) for one in held),
            *([word("of the staff")] if self.log.is_staff(person) else []),
            *map(self.entry_line, self.log.about(person)),
        ]

    def entry_line(self, row: LogRow) -> str:
        """An entry of the log in a line."""
        named = self.store.moderation.person_of
        author = row.author if row.author == HOST else self.handle(named(row.author))
        about = self.handle(named(row.about)) if row.about else "–"
        until = f" ({word('until {until}', until=_until(row.until))})" if row.until else ""
        return f"{row.n}  {_day(row.at)}  {author}  {row.act}  {about}{until}  {row.why}"

    def report_lines(self, row: ReportRow) -> list[str]:
        """A report in a line, with the lines of chat that it holds below it."""
        about = f"{row.name or '–'} ({self.handle(row.about)})" if row.who else word("the match")
        head = f"{row.id}  {_day(row.at)}  {row.match[:8]}, {row.seq}  {about}  {row.why}"
        return [head, *(f"    {line.n}  {line.name or line.who}: {line.text}" for line in evidence_of(row))]


def _day(at_ms: int) -> str:
    return time.strftime("%Y-%m-%d", time.localtime(at_ms / 1000)) if at_ms else "–"


def _until(at_ms: int) -> str:
    return _day(at_ms) if at_ms else word("for ever")


def _print(*lines: str) -> None:
    for line in lines:
        console.print(escape(line), soft_wrap=True)


def _within(db: Path | None, act: Callable[[Office], list[str]], *, reads: bool = False) -> None:
    store = open_store(db, must_exist=reads)
    try:
        _print(*act(Office(store)))
    except SafetyRefused as wrong:
        raise Amiss(str(wrong)) from wrong
    finally:
        store.close()


reason_option = click.option("--reason", required=True, help="The reason; the person concerned can always read it.")


@click.group()
def people() -> None:
    """Persons of a server: look, warn, mute, suspend, ban; reports, and the log of what was done."""


@people.command("show")
@click.argument("handle", metavar="HANDLE")
@db_option
def show_person(handle: str, db: Path | None) -> None:
    """Show a person: number of devices and seats, and what the staff did about the person."""
    _within(db, lambda office: office.person_lines(handle), reads=True)


@people.command("act")
@click.argument("what", metavar="ACT", type=click.Choice(PERSONAL))
@click.argument("handle", metavar="HANDLE")
@reason_option
@click.option("--days", default=0, type=click.IntRange(0, DAYS_MOST), help="The days for which it holds; 0: for ever.")
@click.option("--report", default="", help="The report that this settles.")
@db_option
def act_on_person(what: Act, handle: str, reason: str, days: int, report: str, db: Path | None) -> None:
    """Warn, mute, suspend or ban a person, or lift all of it; appoint to the staff, or dismiss.

    ACT is warn, mute, suspend, ban, lift, appoint or dismiss. Each is an entry of the staff's log, which the person
    concerned reads and which nobody changes.
    """

    def act(office: Office) -> list[str]:
        person = office.person(handle)
        row = office.moderators.act(HOST, person, what, reason, days=days, report=report)
        return [word(DONE, handle=office.handle(person), act=what, n=row.n)]

    _within(db, act)


@people.command("reports")
@click.option("--settled", is_flag=True, help="List the settled reports instead.")
@click.option("--after", default=0, type=click.IntRange(0), help="Skip this many.")
@db_option
def list_reports(settled: bool, after: int, db: Path | None) -> None:
    """List the reports that wait, with the lines of chat that they hold."""

    def listed(office: Office) -> list[str]:
        rows = office.store.moderation.reports(SHOWN, after=after, settled=settled)
        return [line for row in rows for line in office.report_lines(row)] or [word("There are no reports.")]

    _within(db, listed, reads=True)


@people.command("settle")
@click.argument("report", metavar="REPORT")
@reason_option
@db_option
def settle_report(report: str, reason: str, db: Path | None) -> None:
    """Settle a report without doing anything about a person."""

    def settled(office: Office) -> list[str]:
        return [word(SETTLED, n=office.moderators.act(HOST, "", "settle", reason, report=report).n)]

    _within(db, settled)


@people.command("log")
@click.option("--after", default=0, type=click.IntRange(0), help="Entries after this one.")
@db_option
def show_log(after: int, db: Path | None) -> None:
    """Show the staff's log, and check that each entry follows from the one before."""

    def told(office: Office) -> list[str]:
        wrong, last = office.log.fault(), office.store.moderation.last()
        if wrong:
            raise Amiss(word(BROKEN, n=wrong))
        lines = [office.entry_line(row) for row in office.store.moderation.entries(after, SHOWN)]
        whole = word(WHOLE, n=last.n if last else 0, head=last.hash.hex() if last else "–")
        return [*lines, whole]

    _within(db, told, reads=True)


@click.command()
@click.option("--dry-run", is_flag=True, help="Print what would be deleted, and delete nothing.")
@click.option(
    "--reports-days",
    "days",
    default=REPORTS_DAYS,
    show_default=True,
    type=click.IntRange(0),
    help="Keep settled reports for this many days.",
)
@db_option
def prune(dry_run: bool, days: int, db: Path | None) -> None:
    """Delete data that need not be kept: settled reports with the chat that they hold, unconfirmed addresses.

    Records, persons and the staff's log stay.
    """

    def pruned(office: Office) -> list[str]:
        found = office.store.moderation.drop_reports(office.now() - days * DAY_MS, dry=dry_run)
        if found and not dry_run:
            office.log.append(HOST, "", "prune", f"{found} reports settled more than {days} days ago")
        at = office.now()
        left = office.store.notices.prune(at, at - UNCONFIRMED_DAYS * DAY_MS, dry=dry_run)
        notices = word(WOULD_PRUNE_NOTICES if dry_run else NOTICES_PRUNED, n=left, days=UNCONFIRMED_DAYS)
        return [word(WOULD_PRUNE if dry_run else PRUNED, n=found, days=days), notices]

    _within(db, pruned)


COMMANDS = (people, prune)
