"""People: persons of a server with their devices, handles, sessions and seats; side tables, and no part of a record.

A person is a random id. A device is a public key. A handle is the name that others read. Sessions, recovery codes and
pairing codes are kept only as hashes. Times are in ms since 1970; a time of 0 means never.
"""

from collections.abc import Callable
from typing import Any, Final, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import astuple

from replay.store.side_tables.devices import DEVICES, DeviceRow
from replay.store.side_tables.sql import Statement, Tables

R = TypeVar("R", bound=Struct)
OWN: Final = (
    "persons",
    "person_handles",
    "devices",
    "device_sessions",
    "device_pairings",
    "person_notices",
    "person_seats",
    "person_claims",
    "device_vouchers",
    "passkeys",
)
"""Every table that names a person in the column `person`."""


MADE: Final = {"person_seats_by_match": "CREATE INDEX person_seats_by_match ON person_seats (match, seat)"}
"""An index that a SQLite database gets when a server next opens it."""
MAKE: Final = tuple(made.replace("INDEX ", "INDEX IF NOT EXISTS ", 1) for made in MADE.values())


class NameRow(Struct, frozen=True):
    """A handle of a person; `until`: 0 for the current one, else the time until which others cannot take it."""

    person: str
    handle: str
    skeleton: str
    since: int
    until: int = 0


class NoticeRow(Struct, frozen=True):
    """A change of a person's account, shown on all the person's devices: its time, its kind, and the key or name."""

    person: str
    at: int
    what: str
    about: str


class OwnSeatRow(Struct, frozen=True):
    """A seat that a person has claimed, with its token as proof."""

    person: str
    match: str
    seat: int
    at: int


_PERSON: Final = """INSERT INTO persons SELECT ?, ?, ?, ?
WHERE EXISTS (SELECT 1 FROM person_handles WHERE skeleton = ? AND person = ? AND until = 0)"""
_TAKE: Final = """ON CONFLICT (skeleton) DO UPDATE
SET person = excluded.person, handle = excluded.handle, since = excluded.since, until = 0
WHERE person_handles.person = excluded.person OR (person_handles.until > 0 AND person_handles.until <= excluded.since)
RETURNING skeleton"""
_HANDLE: Final = f"""INSERT INTO person_handles (person, handle, skeleton, since, until) VALUES (?, ?, ?, ?, 0)
{_TAKE}"""  # noqa: S608
_RENAME: Final = f"""INSERT INTO person_handles (person, handle, skeleton, since, until) SELECT ?, ?, ?, ?, 0
WHERE EXISTS (SELECT 1 FROM persons WHERE person = ?) {_TAKE}"""  # noqa: S608
"""No handle is kept for a person who has deleted the account meanwhile."""
_RETIRE: Final = """UPDATE person_handles SET until = ? WHERE person = ? AND skeleton <> ? AND until = 0
AND EXISTS (SELECT 1 FROM person_handles AS own WHERE own.skeleton = ? AND own.person = ? AND own.until = 0)"""
_DEVICE: Final = f"""INSERT INTO devices (key, person, name, added, used, revoked) SELECT ?, ?, ?, ?, ?, 0
WHERE EXISTS (SELECT 1 FROM persons WHERE person = ? AND recovery = ?)
AND (SELECT count(*) FROM devices WHERE person = ? AND revoked = 0) < {DEVICES} RETURNING key"""  # noqa: S608
_RENEW: Final = f"""UPDATE persons SET recovery = ? WHERE person = ? AND recovery = ?
AND (SELECT count(*) FROM devices WHERE devices.person = persons.person AND revoked = 0) < {DEVICES}
RETURNING person"""  # noqa: S608
_NOTE: Final = """INSERT INTO person_notices SELECT ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM persons WHERE person = ?)
ON CONFLICT (person, at, what, about) DO NOTHING"""
_KEEP: Final = """INSERT INTO person_seats SELECT ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM persons WHERE person = ?)
AND (SELECT count(*) FROM person_seats WHERE person = ?) < ?
ON CONFLICT (person, match, seat) DO UPDATE SET at = person_seats.at RETURNING match"""


class People(Protocol):
    """The persons of a store. Every method may be called from any thread, and waits; see `Store`."""

    def sign_up(self, handle: NameRow, device: DeviceRow, recovery: bytes) -> bool:
        """Add a person with a first device; False if the handle is another person's.

        Raises `RowExists` if the device, the person or the code is known.
        """
        ...

    def handles(self, person: str) -> list[NameRow]:
        """The handles of a person that nobody else has: the current one first, then former ones."""
        ...

    def named(self, skeleton: str) -> NameRow | None:
        """The current handle that has this skeleton."""
        ...

    def rename(self, row: NameRow, until: int) -> bool:
        """Give a person another handle, and keep the former one from others until a time.

        False if the handle is another person's, or if the person is gone.
        """
        ...

    def by_recovery(self, recovery: bytes) -> str:
        """The person with this hash of a recovery code; empty if there is none."""
        ...

    def recover(self, device: DeviceRow, former: bytes, recovery: bytes) -> bool:
        """Add a device with a recovery code, and replace the code; False if the code is used or devices are too many.

        Raises `RowExists` if the device is known.
        """
        ...

    def renew_recovery(self, person: str, recovery: bytes) -> None:
        """Replace the recovery code with another."""
        ...

    def note(self, notice: NoticeRow) -> None:
        """Note a change for all devices of the person."""
        ...

    def notices(self, person: str, limit: int = 1 << 31) -> list[NoticeRow]:
        """The last changes, the latest first."""
        ...

    def keep_seat(self, row: OwnSeatRow, most: int) -> bool:
        """Note a seat as the person's; False if there are `most` already."""
        ...

    def drop_seat(self, person: str, match: str, seat: int) -> None:
        """Remove the note that a seat is the person's."""
        ...

    def seats(self, person: str) -> list[OwnSeatRow]:
        """Every seat that is noted as the person's."""
        ...

    def noted(self, person: str) -> dict[str, int]:
        """The matches in which the person has noted a seat, each with that seat, or the highest one of several."""
        ...

    def at(self, match: str) -> list[OwnSeatRow]:
        """Every seat of a match that somebody has noted."""
        ...

    def forget(self, person: str) -> bool:
        """Delete everything that is kept of a person. False if it is still in the store's log, until that is moved."""
        ...


class SqlPeople:
    """See `People`; in the tables of a database. `emptied`: empties the database's log, and says whether it could."""

    def __init__(self, tables: Tables, emptied: Callable[[], bool]) -> None:
        self._tables, self._emptied = tables, emptied

    def sign_up(self, handle: NameRow, device: DeviceRow, recovery: bytes) -> bool:
        """See `People`."""
        person, skeleton, at = handle.person, handle.skeleton, handle.since
        found = self._tables.change(
            [
                (_HANDLE, (person, handle.handle, skeleton, at)),
                (_PERSON, (person, recovery, at, at, skeleton, person)),
                _device_statement(device, recovery),
            ]
        )
        return bool(found)

    def handles(self, person: str) -> list[NameRow]:
        """See `People`."""
        sql = """SELECT person, handle, skeleton, since, until FROM person_handles
        WHERE person = ? ORDER BY until = 0 DESC, since DESC"""
        return [NameRow(*row) for row in self._tables.ask(sql, person)]

    def named(self, skeleton: str) -> NameRow | None:
        """See `People`."""
        sql = "SELECT person, handle, skeleton, since, until FROM person_handles WHERE skeleton = ? AND until = 0"
        return self._one(NameRow, sql, skeleton)

    def rename(self, row: NameRow, until: int) -> bool:
        """See `People`."""
        # Update the person's row first: of two changes at once, on two servers, one waits here for the other.
        own = (row.person, row.skeleton, row.skeleton, row.person)
        statements: list[Statement] = [
            ("UPDATE persons SET changed = ? WHERE person = ?", (row.since, row.person)),
            (_RENAME, (row.person, row.handle, row.skeleton, row.since, row.person)),
            (_RETIRE, (until, *own)),
        ]
        return bool(self._tables.change(statements))

    def by_recovery(self, recovery: bytes) -> str:
        """See `People`."""
        rows = self._tables.ask("SELECT person FROM persons WHERE recovery = ?", recovery)
        return str(rows[0][0]) if rows else ""

    def recover(self, device: DeviceRow, former: bytes, recovery: bytes) -> bool:
        """See `People`."""
        # Update the code first: of two users at once, on two servers, one waits here and then finds it used.
        renew: Statement = (_RENEW, (recovery, device.person, former))
        return bool(self._tables.change([renew, _device_statement(device, recovery)]))

    def renew_recovery(self, person: str, recovery: bytes) -> None:
        """See `People`."""
        self._tables.change([("UPDATE persons SET recovery = ? WHERE person = ?", (recovery, person))])

    def note(self, notice: NoticeRow) -> None:
        """See `People`."""
        self._tables.change([(_NOTE, (*astuple(notice), notice.person))])

    def notices(self, person: str, limit: int = 1 << 31) -> list[NoticeRow]:
        """See `People`."""
        sql = (
            "SELECT person, at, what, about FROM person_notices WHERE person = ? ORDER BY at DESC, what, about LIMIT ?"
        )
        return [NoticeRow(*row) for row in self._tables.ask(sql, person, limit)]

    def keep_seat(self, row: OwnSeatRow, most: int) -> bool:
        """See `People`."""
        return bool(self._tables.change([(_KEEP, (*astuple(row), row.person, row.person, most))]))

    def drop_seat(self, person: str, match: str, seat: int) -> None:
        """See `People`."""
        sql = "DELETE FROM person_seats WHERE person = ? AND match = ? AND seat = ?"
        self._tables.change([(sql, (person, match, seat))])

    def seats(self, person: str) -> list[OwnSeatRow]:
        """See `People`."""
        sql = "SELECT person, match, seat, at FROM person_seats WHERE person = ?"
        return [OwnSeatRow(*row) for row in self._tables.ask(sql, person)]

    def noted(self, person: str) -> dict[str, int]:
        """See `People`."""
        sql = "SELECT match, seat FROM person_seats WHERE person = ? ORDER BY match, seat"
        return dict(self._tables.ask(sql, person))

    def at(self, match: str) -> list[OwnSeatRow]:
        """See `People`."""
        sql = "SELECT person, match, seat, at FROM person_seats WHERE match = ? ORDER BY seat, at, person"
        return [OwnSeatRow(*row) for row in self._tables.ask(sql, match)]

    def forget(self, person: str) -> bool:
        """See `People`."""
        self._tables.change([(f"DELETE FROM {table} WHERE person = ?", (person,)) for table in OWN])  # noqa: S608
        return self._emptied()

    def _one(self, kind: Callable[..., R], sql: str, *values: object) -> R | None:
        rows: Any = self._tables.ask(sql, *values)
        return kind(*rows[0]) if rows else None


def _device_statement(device: DeviceRow, recovery: bytes) -> Statement:
    """Add a device to the person with this hash of a recovery code, unless it is known or there are too many."""
    own = (device.key, device.person, device.name, device.added, device.used)
    return _DEVICE, (*own, device.person, recovery, device.person)
