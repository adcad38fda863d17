"""Quiet hours, vacations and how often mail may come: in the person's time zone, summer time included."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from msgspec.structs import replace

from server.notifications.errors import NoticeRefused
from server.notifications.quiet import AWAY_MOST_MS, DAY_MS, HOUR_MS, Quiet, checked_quiet, read_quiet

NIGHT = Quiet(zone="Europe/Berlin", begin=22 * 60, end=7 * 60)
NOON = Quiet(zone="UTC", begin=12 * 60, end=13 * 60)


def ms(text: str, zone: str = "UTC") -> int:
    return round(
        datetime.fromisoformat(text).replace(tzinfo=UTC if zone == "UTC" else ZoneInfo(zone)).timestamp() * 1000
    )


@pytest.mark.parametrize(
    ("at", "free"),
    [
        ("2026-01-10T21:59:59", "2026-01-10T21:59:59"),
        ("2026-01-10T22:00", "2026-01-11T07:00"),
        ("2026-01-11T00:30", "2026-01-11T07:00"),
        ("2026-01-11T06:59:59", "2026-01-11T07:00"),
        ("2026-01-11T07:00", "2026-01-11T07:00"),
        ("2026-03-28T23:00", "2026-03-29T07:00"),
        ("2026-10-24T23:00", "2026-10-25T07:00"),
    ],
)
def test_a_night_ends_in_the_morning_there(at: str, free: str) -> None:
    assert NIGHT.free_at(ms(at, NIGHT.zone)) == ms(free, NIGHT.zone)


@pytest.mark.parametrize(
    ("at", "free"), [("11:59", "11:59"), ("12:00", "13:00"), ("12:59", "13:00"), ("13:00", "13:00")]
)
def test_a_noon_ends_the_same_day(at: str, free: str) -> None:
    assert NOON.free_at(ms(f"2026-05-01T{at}")) == ms(f"2026-05-01T{free}")


def test_hours_that_begin_and_end_alike_are_none() -> None:
    quiet = Quiet(begin=60, end=60)
    assert all(quiet.free_at(at) == at for at in range(0, DAY_MS, HOUR_MS))


def test_an_hour_that_summer_time_leaves_out_is_no_trap() -> None:
    quiet = Quiet(zone="Europe/Berlin", begin=60, end=150)
    at = ms("2026-03-29T01:30", quiet.zone)
    assert at < quiet.free_at(at) <= at + 2 * HOUR_MS


def test_a_vacation_that_ends_at_night_ends_in_the_morning() -> None:
    away = replace(NIGHT, away_until=ms("2026-01-20T23:00", NIGHT.zone))
    assert away.free_at(ms("2026-01-10T12:00")) == ms("2026-01-21T07:00", NIGHT.zone)
    assert away.free_at(ms("2026-01-22T12:00")) == ms("2026-01-22T12:00")


@pytest.mark.parametrize(("pace", "next_ms"), [("day", DAY_MS), ("hour", HOUR_MS), ("move", 0)])
def test_a_mail_comes_no_sooner_than_it_may(pace: str, next_ms: int) -> None:
    quiet = read_quiet(f'{{"pace":"{pace}"}}')
    assert quiet.mail_at(1_000, 1_000) == 1_000 + next_ms
    assert quiet.mail_at(1_000, 0) == 1_000


@pytest.mark.parametrize(
    "wrong",
    [{"zone": "Mars/Base"}, {"zone": "../etc/passwd"}, {"begin": 1440}, {"end": -1}, {"away_until": AWAY_MOST_MS + 2}],
)
def test_wishes_that_cannot_be_kept_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(NoticeRefused):
        checked_quiet(Quiet(**wrong), 1)  # type: ignore[arg-type]


def test_wishes_that_can_be_kept_are() -> None:
    for quiet in (Quiet(), NIGHT, Quiet(zone="America/St_Johns", away_until=AWAY_MOST_MS)):
        assert checked_quiet(quiet, 1) == quiet
