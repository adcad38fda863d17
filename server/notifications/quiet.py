"""The times when a person is not to be notified: at night, while away, and by mail not too often."""

from datetime import UTC, datetime, time, timedelta, tzinfo
from functools import lru_cache
from typing import Final, Literal
from zoneinfo import ZoneInfo, available_timezones

import msgspec
from msgspec import Struct

from projections.languages import ENGLISH
from server.notifications.errors import NoticeRefused

HOUR_MS: Final = 3_600_000
DAY_MS: Final = 24 * HOUR_MS
DAY_MINUTES: Final = 24 * 60
AWAY_MOST_MS: Final = 366 * DAY_MS
Pace = Literal["day", "hour", "move"]
PACES: Final[dict[Pace, int]] = {"day": DAY_MS, "hour": HOUR_MS, "move": 0}
"""The shortest time between two mails, in ms."""


class Quiet(Struct, frozen=True, omit_defaults=True):
    """A person's wishes about the times of notices. `zone`: one of IANA's time zones; `begin`, `end`: the quiet hours
    there, in minutes of the day, equal for none; `away_until`: on vacation until a time in ms; `pace`: how often mail
    may come.
    """

    language: str = ENGLISH
    zone: str = "UTC"
    begin: int = 0
    end: int = 0
    away_until: int = 0
    pace: Pace = "day"

    def free_at(self, at: int) -> int:
        """The first time from `at` on at which the person may be notified, in ms."""
        at = max(at, self.away_until)
        local = datetime.fromtimestamp(at / 1000, zone_of(self.zone))
        minute = local.hour * 60 + local.minute
        if not self._is_quiet(minute):
            return at
        day = local.date() + timedelta(days=minute >= self.end)
        ends = datetime.combine(day, time(self.end // 60, self.end % 60), local.tzinfo)
        return max(at + 1, round(ends.timestamp() * 1000))

    def _is_quiet(self, minute: int) -> bool:
        if self.begin <= self.end:
            return self.begin <= minute < self.end
        return minute >= self.begin or minute < self.end

    def mail_at(self, at: int, sent: int) -> int:
        """The first time from `at` on at which a mail may be sent; `sent`: the time of the last mail, 0 for none."""
        return self.free_at(max(at, sent + PACES[self.pace] if sent else 0))


def read_quiet(told: str) -> Quiet:
    """Wishes as they are stored; the defaults if none are."""
    return msgspec.json.decode(told, type=Quiet) if told else Quiet()


def checked_quiet(quiet: Quiet, at: int) -> Quiet:
    """The wishes, if they are valid. Raises `NoticeRefused`."""
    if quiet.zone != "UTC" and quiet.zone not in _zones():
        raise NoticeRefused("This server knows no such time zone; name one as Europe/Berlin.")
    if not (0 <= quiet.begin < DAY_MINUTES and 0 <= quiet.end < DAY_MINUTES):
        raise NoticeRefused("Quiet hours begin and end between 00:00 and 23:59.")
    if quiet.away_until > at + AWAY_MOST_MS:
        raise NoticeRefused("A vacation lasts a year at most.")
    return quiet


@lru_cache(maxsize=1)
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())


@lru_cache(maxsize=1024)
def zone_of(name: str) -> tzinfo:
    """A time zone by its name; UTC if the system no longer knows it."""
    try:
        return UTC if name == "UTC" else ZoneInfo(name)
    except (OSError, ValueError):
        return UTC
