"""Acts of the staff about persons and reports, each an entry in the log."""

from collections.abc import Callable
from typing import Final

from replay.store.side_tables.moderation import LogRow, Moderation
from replay.store.side_tables.people import People
from server.moderation.errors import SafetyRefused
from server.moderation.staff_log import HOST, SANCTIONS, Act, StaffLog
from server.wire.text import skeleton

DAY_MS: Final = 86_400_000
DAYS_MOST: Final = 3_650
BY_HOST: Final = ("appoint", "dismiss")
"""The acts that the host alone does."""


class Moderators:
    """Carries out acts of the staff. Every method waits for the store. `now`: the time in ms."""

    def __init__(self, moderation: Moderation, people: People, log: StaffLog, now: Callable[[], int]) -> None:
        self._moderation, self._people, self._log, self._now = moderation, people, log, now

    def act(self, author: str, about: str, act: Act, why: str, *, days: int = 0, report: str = "") -> LogRow:
        """Do something about a person, or settle a report; returns the entry.

        `author`: a person of the staff, or `HOST`.

        `days`: how long a sanction holds, 0 for ever. Raises `SafetyRefused`.
        """
        self._assert_may(author, about, act, days)
        self._assert_nameless(about, why)
        if report and self._moderation.found_report(report) is None:
            raise SafetyRefused("There is no such report.")
        until = self._now() + days * DAY_MS if days and act in SANCTIONS else 0
        row = self._log.append(author, about, act, why, until=until, report=report)
        if report:
            self._moderation.settle_report(report, self._now())
        return row

    def _assert_nameless(self, about: str, why: str) -> None:
        """Refuse a reason with a handle: the log is never changed, so the handle would outlive the account."""
        told = skeleton(why)
        if any(row.skeleton in told for row in self._people.handles(about)):
            raise SafetyRefused("Write no handle into the reason: the log is kept when the account is deleted.")

    def _assert_may(self, author: str, about: str, act: Act, days: int) -> None:
        if author != HOST and not self._log.is_staff(author):
            raise SafetyRefused("This is for the staff of this server.")
        if act in BY_HOST and author != HOST:
            raise SafetyRefused("The host alone appoints and dismisses, by a command.")
        if act != "settle" and not about:
            raise SafetyRefused("A guest was reported, whom nobody knows again: settle the report.")
        if author != HOST and about and (about == author or self._log.is_staff(about)):
            raise SafetyRefused("The staff does nothing about its own; the host does, by a command.")
        if act == "suspend" and not 0 < days <= DAYS_MOST:
            raise SafetyRefused(f"A person is suspended for 1 to {DAYS_MOST} days; else ban.")
        if not 0 <= days <= DAYS_MOST:
            raise SafetyRefused(f"A sanction holds for at most {DAYS_MOST} days, or for ever.")
