"""Addresses that seats have named to be told at, and calls: what is to be told of a line, and who has that in hand.

Both lie beside the match in its store, so that whichever server writes a line finds where to tell it, and one finds
what another has left untold. They are no part of a record: no copy, backup or export of a match has them.
"""

import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Final, Protocol

from msgspec import Struct

Call = tuple[str, int]
"""A match and the line of which somebody who is away is to be told."""
Statement = tuple[str, tuple[object, ...]]
Rows = Sequence[Sequence[object]]
EVER: Final = 1 << 62
"""Later than any time."""

CALL: Final = """INSERT INTO calls VALUES (?, ?, ?)
ON CONFLICT (match, seq) DO UPDATE SET held = excluded.held"""
_OF: Final = "SELECT seat, url, secret FROM hooks WHERE match = ? ORDER BY seat"
_NAME: Final = """INSERT INTO hooks SELECT ?, ?, ?, ? WHERE (SELECT count(*) FROM hooks) < ?
ON CONFLICT (match, seat) DO UPDATE SET url = excluded.url, secret = excluded.secret RETURNING match"""
_HOLD: Final = "UPDATE calls SET held = ? WHERE match = ? AND seq = ? AND held <= ? RETURNING match, seq"
_FORGET: Final = ("DELETE FROM hooks WHERE match = ?", "DELETE FROM calls WHERE match = ?")
_OVERDUE: Final = "SELECT match, seq FROM calls WHERE held <= ? ORDER BY held, match, seq"


class HookRow(Struct, frozen=True):
    """Where the holder of a seat is told, and what the messages are signed with."""

    seat: int
    url: str
    secret: str

    def __repr__(self) -> str:
        return f"HookRow({self.seat})"


class Hooks(Protocol):
    """The addresses and calls of a store. Every method may be called from any thread, and waits; see `Store`."""

    def of(self, match: str) -> tuple[HookRow, ...]:
        """Where holders of the match's seats are told; nowhere where there is no such match."""
        ...

    def matches(self) -> list[str]:
        """Every match in which a seat has named an address."""
        ...

    def name(self, match: str, row: HookRow, most: int) -> bool:
        """Tell the seat at this address instead of any before; False where there are `most` addresses already."""
        ...

    def drop(self, match: str, seat: int) -> None:
        """Tell the seat nowhere any more."""
        ...

    def call(self, match: str, seq: int, until: int) -> None:
        """Note a call that somebody has in hand until a time in ms, as a commit with `call` does."""
        ...

    def overdue(self, at: int) -> list[Call]:
        """The calls that nobody has in hand at a time in ms, the longest left first."""
        ...

    def hold(self, calls: Iterable[Call], until: int, at: int = EVER) -> list[Call]:
        """Take or keep these in hand until a time; those there are. `at`: and that nobody else had in hand then."""
        ...

    def settle(self, calls: Iterable[Call], over: Iterable[str] = ()) -> None:
        """These need to be told no longer. `over`: matches whose calls and addresses are all forgotten."""
        ...

    def clear(self) -> None:
        """Forget every address and call."""
        ...


class SqlHooks:
    """See `Hooks`; in the tables of a database. `read` asks, `change` carries statements out in one transaction.

    `change` gives what all of them return. Both are given `?` in the place of values.
    """

    def __init__(self, read: Callable[[Statement], Rows], change: Callable[[Sequence[Statement]], Rows]) -> None:
        self._read, self._change = read, change

    def of(self, match: str) -> tuple[HookRow, ...]:
        """See `Hooks`."""
        return tuple(HookRow(_number(seat), str(url), str(secret)) for seat, url, secret in self._read((_OF, (match,))))

    def matches(self) -> list[str]:
        """See `Hooks`."""
        return [str(match) for (match,) in self._read(("SELECT DISTINCT match FROM hooks", ()))]

    def name(self, match: str, row: HookRow, most: int) -> bool:
        """See `Hooks`."""
        return bool(self._change([(_NAME, (match, row.seat, row.url, row.secret, most))]))

    def drop(self, match: str, seat: int) -> None:
        """See `Hooks`."""
        self._change([("DELETE FROM hooks WHERE match = ? AND seat = ?", (match, seat))])

    def call(self, match: str, seq: int, until: int) -> None:
        """See `Hooks`."""
        self._change([(CALL, (match, seq, until))])

    def overdue(self, at: int) -> list[Call]:
        """See `Hooks`."""
        return _calls(self._read((_OVERDUE, (at,))))

    def hold(self, calls: Iterable[Call], until: int, at: int = EVER) -> list[Call]:
        """See `Hooks`."""
        return _calls(self._change([(_HOLD, (until, match, seq, at)) for match, seq in sorted(calls)]))

    def settle(self, calls: Iterable[Call], over: Iterable[str] = ()) -> None:
        """See `Hooks`."""
        forget: list[Statement] = [(sql, (match,)) for match in sorted(over) for sql in _FORGET]
        self._change([*forget, *(("DELETE FROM calls WHERE match = ? AND seq = ?", call) for call in sorted(calls))])

    def clear(self) -> None:
        """See `Hooks`."""
        self._change([("DELETE FROM hooks", ()), ("DELETE FROM calls", ())])


def _calls(rows: Rows) -> list[Call]:
    return [(str(match), _number(seq)) for match, seq in rows]


def _number(value: object) -> int:
    assert isinstance(value, int), "a column of numbers"
    return value


class MemoryHooks:
    """See `Hooks`; in memory."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rows: dict[tuple[str, int], HookRow] = {}
        self._held: dict[Call, int] = {}

    def of(self, match: str) -> tuple[HookRow, ...]:
        """See `Hooks`."""
        with self._lock:
            return tuple(row for (of, _), row in sorted(self._rows.items()) if of == match)

    def matches(self) -> list[str]:
        """See `Hooks`."""
        with self._lock:
            return sorted({match for match, _ in self._rows})

    def name(self, match: str, row: HookRow, most: int) -> bool:
        """See `Hooks`."""
        with self._lock:
            if len(self._rows) >= most:
                return False
            self._rows[match, row.seat] = row
            return True

    def drop(self, match: str, seat: int) -> None:
        """See `Hooks`."""
        with self._lock:
            self._rows.pop((match, seat), None)

    def call(self, match: str, seq: int, until: int) -> None:
        """See `Hooks`."""
        with self._lock:
            self._held[match, seq] = until

    def overdue(self, at: int) -> list[Call]:
        """See `Hooks`."""
        with self._lock:
            return [call for held, call in sorted((held, call) for call, held in self._held.items()) if held <= at]

    def hold(self, calls: Iterable[Call], until: int, at: int = EVER) -> list[Call]:
        """See `Hooks`."""
        with self._lock:
            found = [call for call in sorted(calls) if call in self._held and self._held[call] <= at]
            self._held.update(dict.fromkeys(found, until))
            return found

    def settle(self, calls: Iterable[Call], over: Iterable[str] = ()) -> None:
        """See `Hooks`."""
        gone = {*over}
        with self._lock:
            settled = {*calls, *(call for call in self._held if call[0] in gone)}
            self._held = {call: until for call, until in self._held.items() if call not in settled}
            self._rows = {key: row for key, row in self._rows.items() if key[0] not in gone}

    def clear(self) -> None:
        """See `Hooks`."""
        with self._lock:
            self._rows, self._held = {}, {}
