"""Webhooks: addresses that seats have named, and reminders: messages to send there, and the server that sends each.

Both are stored beside the match, so that the server that writes a line finds the address, and any server finds messages
that another has left unsent. They are no part of a record: no copy, backup or export of a match has them.
"""

import threading
from collections.abc import Iterable
from typing import Final, Protocol

from msgspec import Struct

from replay.store.side_tables.sql import Rows, Statement, Tables

Reminder = tuple[str, int]
"""A match and a line that concerns somebody who is away."""
EVER: Final = 1 << 62
"""A time later than any other."""

REMIND: Final = """INSERT INTO calls VALUES (?, ?, ?)
ON CONFLICT (match, seq) DO UPDATE SET held = excluded.held"""
_ADDRESSES: Final = "SELECT seat, url, secret FROM hooks WHERE match = ? ORDER BY seat"
_SET: Final = """INSERT INTO hooks SELECT ?, ?, ?, ? WHERE (SELECT count(*) FROM hooks) < ?
ON CONFLICT (match, seat) DO UPDATE SET url = excluded.url, secret = excluded.secret RETURNING match"""
_HOLD: Final = "UPDATE calls SET held = ? WHERE match = ? AND seq = ? AND held <= ? RETURNING match, seq"
_FORGET: Final = ("DELETE FROM hooks WHERE match = ?", "DELETE FROM calls WHERE match = ?")
_OVERDUE: Final = "SELECT match, seq FROM calls WHERE held <= ? ORDER BY held, match, seq"


class WebhookRow(Struct, frozen=True):
    """The address for messages to the holder of a seat, and the secret that signs them."""

    seat: int
    url: str
    secret: str

    def __repr__(self) -> str:
        return f"WebhookRow({self.seat})"


class Webhooks(Protocol):
    """The addresses and reminders of a store. Every method may be called from any thread, and waits; see `Store`."""

    def addresses(self, match: str) -> tuple[WebhookRow, ...]:
        """The addresses of the holders of the match's seats; none if there is no such match."""
        ...

    def matches(self) -> list[str]:
        """Every match in which a seat has named an address."""
        ...

    def set_address(self, match: str, row: WebhookRow, most: int) -> bool:
        """Set the seat's address, in place of an earlier one; False if there are `most` addresses already."""
        ...

    def remove_address(self, match: str, seat: int) -> None:
        """Delete the seat's address."""
        ...

    def remind(self, match: str, seq: int, until: int) -> None:
        """Note a reminder that a server is in charge of until a time in ms, as a commit with `reminder` does."""
        ...

    def overdue(self, at: int) -> list[Reminder]:
        """The reminders that no server is in charge of at a time in ms, the longest left first."""
        ...

    def hold(self, reminders: Iterable[Reminder], until: int, at: int = EVER) -> list[Reminder]:
        """Take charge of these until a time; returns those taken. `at`: only those that nobody else held then."""
        ...

    def settle(self, reminders: Iterable[Reminder], over: Iterable[str] = ()) -> None:
        """Delete these reminders. `over`: matches whose reminders and addresses are all deleted."""
        ...

    def clear(self) -> None:
        """Delete every address and reminder."""
        ...


class SqlWebhooks:
    """See `Webhooks`; in the tables of a database."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def addresses(self, match: str) -> tuple[WebhookRow, ...]:
        """See `Webhooks`."""
        return tuple(WebhookRow(*row) for row in self._tables.ask(_ADDRESSES, match))

    def matches(self) -> list[str]:
        """See `Webhooks`."""
        return [str(match) for (match,) in self._tables.ask("SELECT DISTINCT match FROM hooks")]

    def set_address(self, match: str, row: WebhookRow, most: int) -> bool:
        """See `Webhooks`."""
        return bool(self._tables.change([(_SET, (match, row.seat, row.url, row.secret, most))]))

    def remove_address(self, match: str, seat: int) -> None:
        """See `Webhooks`."""
        self._tables.change([("DELETE FROM hooks WHERE match = ? AND seat = ?", (match, seat))])

    def remind(self, match: str, seq: int, until: int) -> None:
        """See `Webhooks`."""
        self._tables.change([(REMIND, (match, seq, until))])

    def overdue(self, at: int) -> list[Reminder]:
        """See `Webhooks`."""
        return _reminders(self._tables.ask(_OVERDUE, at))

    def hold(self, reminders: Iterable[Reminder], until: int, at: int = EVER) -> list[Reminder]:
        """See `Webhooks`."""
        return _reminders(self._tables.change([(_HOLD, (until, match, seq, at)) for match, seq in sorted(reminders)]))

    def settle(self, reminders: Iterable[Reminder], over: Iterable[str] = ()) -> None:
        """See `Webhooks`."""
        forget: list[Statement] = [(sql, (match,)) for match in sorted(over) for sql in _FORGET]
        settled = "DELETE FROM calls WHERE match = ? AND seq = ?"
        self._tables.change([*forget, *((settled, reminder) for reminder in sorted(reminders))])

    def clear(self) -> None:
        """See `Webhooks`."""
        self._tables.change([("DELETE FROM hooks", ()), ("DELETE FROM calls", ())])


def _reminders(rows: Rows) -> list[Reminder]:
    return [(match, seq) for match, seq in rows]


class MemoryWebhooks:
    """See `Webhooks`; in memory."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rows: dict[tuple[str, int], WebhookRow] = {}
        self._held: dict[Reminder, int] = {}

    def addresses(self, match: str) -> tuple[WebhookRow, ...]:
        """See `Webhooks`."""
        with self._lock:
            return tuple(row for (of, _), row in sorted(self._rows.items()) if of == match)

    def matches(self) -> list[str]:
        """See `Webhooks`."""
        with self._lock:
            return sorted({match for match, _ in self._rows})

    def set_address(self, match: str, row: WebhookRow, most: int) -> bool:
        """See `Webhooks`."""
        with self._lock:
            if len(self._rows) >= most:
                return False
            self._rows[match, row.seat] = row
            return True

    def remove_address(self, match: str, seat: int) -> None:
        """See `Webhooks`."""
        with self._lock:
            self._rows.pop((match, seat), None)

    def remind(self, match: str, seq: int, until: int) -> None:
        """See `Webhooks`."""
        with self._lock:
            self._held[match, seq] = until

    def overdue(self, at: int) -> list[Reminder]:
        """See `Webhooks`."""
        with self._lock:
            return [each for held, each in sorted((held, each) for each, held in self._held.items()) if held <= at]

    def hold(self, reminders: Iterable[Reminder], until: int, at: int = EVER) -> list[Reminder]:
        """See `Webhooks`."""
        with self._lock:
            found = [each for each in sorted(reminders) if each in self._held and self._held[each] <= at]
            self._held.update(dict.fromkeys(found, until))
            return found

    def settle(self, reminders: Iterable[Reminder], over: Iterable[str] = ()) -> None:
        """See `Webhooks`."""
        gone = {*over}
        with self._lock:
            settled = {*reminders, *(each for each in self._held if each[0] in gone)}
            self._held = {each: until for each, until in self._held.items() if each not in settled}
            self._rows = {key: row for key, row in self._rows.items() if key[0] not in gone}

    def clear(self) -> None:
        """See `Webhooks`."""
        with self._lock:
            self._rows, self._held = {}, {}
