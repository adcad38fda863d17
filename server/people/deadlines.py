"""A person's deadlines as a calendar (RFC 5545), at a link that the person can withdraw."""

import re
import secrets
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from typing import Final

from replay.record import sealing
from replay.store.store import Store
from server.people.own_matches import PAGE, OwnMatches
from server.wire.account_messages import MyMatch

TOKEN_BYTES: Final = 32
PATH: Final = "/calendar/"
SUFFIX: Final = ".ics"
LINK: Final = re.compile(r"/calendar/([A-Za-z0-9_-]{43})\.ics")
EVENTS: Final = 500
LINE_OCTETS: Final = 75
REMIND_H: Final = 6
"""The number of hours before a deadline at which a calendar reminds."""


class Deadlines:
    """Opens, withdraws and writes the calendars. Every method waits for the store. `now`: the time in ms."""

    def __init__(self, store: Store, own_matches: OwnMatches, now: Callable[[], int]) -> None:
        self._store, self._own_matches, self._now = store, own_matches, now

    def link(self, person: str, *, on: bool) -> str:
        """A new path to the person's calendar, replacing the earlier one; "" if the calendar is withdrawn."""
        if not on:
            self._store.calendars.close(person)
            return ""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        self._store.calendars.open(person, _token_hash(token), self._now())
        return f"{PATH}{token}{SUFFIX}"

    def read(self, path: str) -> bytes | None:
        """The calendar at a path; None if the path opens nothing."""
        found = LINK.fullmatch(path)
        person = self._store.calendars.person(_token_hash(found[1])) if found else ""
        return written(self._moves(person), self._now()) if person else None

    def _moves(self, person: str) -> Iterator[MyMatch]:
        """The matches in which the person is asked and a clock runs."""
        for after in range(0, EVENTS, PAGE):
            page = self._own_matches.page(person, "yours", after=after)
            yield from (match for match in page.matches if match.due_ms)
            if not page.more:
                return


def _token_hash(token: str) -> bytes:
    return sealing.tagged_hash("person/calendar", token.encode())


def written(moves: Iterable[MyMatch], now: int) -> bytes:
    """A calendar with an event for each move that is due: the match's title and the time; nothing from the table."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Herald//deadlines//EN", "METHOD:PUBLISH"]
    for move in moves:
        named = sealing.b64(sealing.tagged_hash("person/calendar-event", move.match.encode())[:12])
        lines += [
            "BEGIN:VEVENT",
            f"UID:{named}@herald",
            f"DTSTAMP:{_time(now)}",
            f"DTSTART:{_time(move.due_ms)}",
            f"SUMMARY:{_text(f'Your move is due: {move.title or move.game}')}",
            "BEGIN:VALARM",
            "ACTION:DISPLAY",
            f"DESCRIPTION:{_text(move.title or move.game)}",
            f"TRIGGER:-PT{REMIND_H}H",
            "END:VALARM",
            "END:VEVENT",
        ]
    return "".join(f"{part}\r\n" for line in [*lines, "END:VCALENDAR"] for part in _folded(line)).encode()


def _time(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms // 1000, UTC).strftime("%Y%m%dT%H%M%SZ")


def _text(text: str) -> str:
    """A text as a value: characters that would end or divide it are escaped."""
    escaped = re.sub(r"([\\;,])", r"\\\1", text)
    return " ".join(escaped.splitlines())


def _folded(line: str) -> Iterator[str]:
    """A line in parts of at most 75 octets, each further one begins with a space; no character is divided."""
    part = ""
    for char in line:
        if len((part + char).encode()) > LINE_OCTETS:
            yield part
            part = " "
        part += char
    yield part
