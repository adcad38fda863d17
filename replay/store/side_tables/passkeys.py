"""Passkeys of persons, with which new devices sign in; side tables. Times are in ms since 1970."""

from typing import Final, Protocol

from msgspec import Struct
from msgspec.structs import astuple

from replay.store.side_tables.devices import DEVICES, DeviceRow
from replay.store.side_tables.sql import Tables

PASSKEYS: Final = 16
"""The most passkeys of one person."""
_ADD: Final = f"""INSERT INTO passkeys SELECT ?, ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM persons WHERE person = ?)
AND (SELECT count(*) FROM passkeys WHERE person = ?) < {PASSKEYS} RETURNING id"""  # noqa: S608
_ENTER: Final = f"""INSERT INTO devices (key, person, name, added, used, revoked) SELECT ?, ?, ?, ?, ?, 0
WHERE EXISTS (SELECT 1 FROM passkeys WHERE id = ? AND person = ?)
AND (SELECT count(*) FROM devices WHERE person = ? AND revoked = 0) < {DEVICES} RETURNING key"""  # noqa: S608


class PasskeyRow(Struct, frozen=True):
    """A passkey: its id (base64url), public key (COSE), person and name, and when it was added and last used."""

    id: str
    public_key: bytes
    person: str
    name: str
    added: int
    used: int


class PasskeyStore(Protocol):
    """The passkeys of a store's persons. Every method may be called from any thread, and waits; see `Store`."""

    def passkey(self, id: str) -> PasskeyRow | None:  # noqa: A002 - the standard's name
        """The passkey with an id."""
        ...

    def passkeys(self, person: str) -> list[PasskeyRow]:
        """Every passkey of a person, the first added first."""
        ...

    def add(self, row: PasskeyRow) -> bool:
        """Keep a passkey; False if there are too many, or no such person. Raises `RowExists`."""
        ...

    def enter(self, id: str, device: DeviceRow, at: int) -> bool:  # noqa: A002 - the standard's name
        """Add a device with a passkey of its person; False if the passkey is gone or there are too many devices. Raises
        `RowExists` if the device is known."""
        ...

    def drop(self, person: str, id: str) -> bool:  # noqa: A002 - the standard's name
        """Delete a passkey; False if the person has no such passkey."""
        ...


class SqlPasskeys:
    """See `PasskeyStore`; in the tables of a database."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def passkey(self, id: str) -> PasskeyRow | None:  # noqa: A002 - the standard's name
        """See `PasskeyStore`."""
        rows = self._asked("WHERE id = ?", id)
        return rows[0] if rows else None

    def passkeys(self, person: str) -> list[PasskeyRow]:
        """See `PasskeyStore`."""
        return self._asked("WHERE person = ? ORDER BY added, id", person)

    def _asked(self, where: str, value: str) -> list[PasskeyRow]:
        sql = f"SELECT id, public_key, person, name, added, used FROM passkeys {where}"  # noqa: S608
        return [PasskeyRow(row[0], bytes(row[1]), *row[2:]) for row in self._tables.ask(sql, value)]

    def add(self, row: PasskeyRow) -> bool:
        """See `PasskeyStore`."""
        return bool(self._tables.change([(_ADD, (*astuple(row), row.person, row.person))]))

    def enter(self, id: str, device: DeviceRow, at: int) -> bool:  # noqa: A002 - the standard's name
        """See `PasskeyStore`."""
        own = (device.key, device.person, device.name, device.added, device.used)
        added = self._tables.change([(_ENTER, (*own, id, device.person, device.person))])
        if added:
            self._tables.change([("UPDATE passkeys SET used = ? WHERE id = ?", (at, id))])
        return bool(added)

    def drop(self, person: str, id: str) -> bool:  # noqa: A002 - the standard's name
        """See `PasskeyStore`."""
        return bool(
            self._tables.change([("DELETE FROM passkeys WHERE person = ? AND id = ? RETURNING id", (person, id))])
        )
