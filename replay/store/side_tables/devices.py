"""Devices of persons, their sessions, and codes with which new devices ask to join; side tables.

Sessions and codes are kept only as hashes. Times are in ms since 1970; a time of 0 means never.
"""

from collections.abc import Callable
from typing import Any, Final, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import astuple

from replay.store.side_tables.sql import Statement, Tables

R = TypeVar("R", bound=Struct)
DEVICES: Final = 32
"""The most devices of one person that are not revoked."""
SESSIONS: Final = 32
"""The most sessions of one device; a new one replaces the oldest."""

_PAIRED: Final = f"""INSERT INTO devices (key, person, name, added, used, revoked)
SELECT key, person, name, ?, 0, 0 FROM device_pairings
WHERE person = ? AND key = ? AND key <> '' AND until > ?
AND (SELECT count(*) FROM devices WHERE person = ? AND revoked = 0) < {DEVICES} RETURNING key"""  # noqa: S608
_REVOKE: Final = "UPDATE devices SET revoked = ? WHERE person = ? AND key = ? AND revoked = 0 RETURNING key"
_BEGIN: Final = """INSERT INTO device_sessions (token_hash, person, key, began, until) SELECT ?, ?, ?, ?, ?
WHERE EXISTS (SELECT 1 FROM devices WHERE key = ? AND person = ? AND revoked = 0) RETURNING person"""
_SHORTEN: Final = f"""DELETE FROM device_sessions WHERE key = ? AND token_hash NOT IN
(SELECT token_hash FROM device_sessions WHERE key = ? ORDER BY began DESC, token_hash LIMIT {SESSIONS})"""  # noqa: S608
_SESSION: Final = """SELECT s.token_hash, s.person, s.key, s.began, s.until FROM device_sessions s
JOIN devices d ON d.key = s.key AND d.person = s.person
WHERE s.token_hash = ? AND s.until > ? AND d.revoked = 0"""
_ASK: Final = """UPDATE device_pairings SET key = ?, name = ? WHERE code_hash = ? AND until > ? AND key = ''
AND NOT EXISTS (SELECT 1 FROM devices WHERE devices.key = ?) RETURNING person"""


class DeviceRow(Struct, frozen=True):
    """A device: its Ed25519 public key (base64url), and when it was added, last used and revoked."""

    key: str
    person: str
    name: str
    added: int
    used: int
    revoked: int = 0


class SessionRow(Struct, frozen=True):
    """A session of a device. `token_hash`: the hash of its token, which only the device has."""

    token_hash: bytes
    person: str
    key: str
    began: int
    until: int

    def __repr__(self) -> str:
        return f"SessionRow({self.person})"


class PairingRow(Struct, frozen=True):
    """A code with which a new device asks to join a person; `key` and `name` are the device's, once it has asked."""

    code_hash: bytes
    person: str
    until: int
    key: str = ""
    name: str = ""

    def __repr__(self) -> str:
        return f"PairingRow({self.person})"


class DeviceStore(Protocol):
    """The devices of a store's persons. Every method may be called from any thread, and waits; see `Store`."""

    def device(self, key: str) -> DeviceRow | None:
        """The device with a public key, revoked or not."""
        ...

    def devices(self, person: str) -> list[DeviceRow]:
        """Every device of a person, the first added first."""
        ...

    def revoke(self, person: str, key: str, at: int) -> bool:
        """Revoke a device, and end its sessions and all codes for new devices; False if there is no such device."""
        ...

    def begin_session(self, session: SessionRow) -> bool:
        """Begin a session, and delete those that are over or too many; False if the device may not sign in."""
        ...

    def session(self, token_hash: bytes, at: int) -> SessionRow | None:
        """The session of a token at a time; None if it is over, or its device is revoked."""
        ...

    def end_session(self, token_hash: bytes) -> None:
        """End a session."""
        ...

    def sessions(self, person: str) -> list[SessionRow]:
        """Every stored session of a person; some may be over."""
        ...

    def offer_pairing(self, row: PairingRow) -> None:
        """Let a device ask with a code; the person's earlier codes become void."""
        ...

    def ask_pairing(self, code_hash: bytes, key: str, name: str, at: int) -> str:
        """Let a device ask with a code, once; returns the person, "" if the code is not valid or the key is known."""
        ...

    def pairing(self, person: str, at: int) -> PairingRow | None:
        """The person's open code at a time."""
        ...

    def pair(self, person: str, key: str, at: int) -> bool:
        """Add the device that asked; False if none asked or there are too many devices. Raises `RowExists`."""
        ...


class SqlDevices:
    """See `DeviceStore`; in the tables of a database."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def device(self, key: str) -> DeviceRow | None:
        """See `DeviceStore`."""
        return self._one(DeviceRow, "SELECT key, person, name, added, used, revoked FROM devices WHERE key = ?", key)

    def devices(self, person: str) -> list[DeviceRow]:
        """See `DeviceStore`."""
        sql = "SELECT key, person, name, added, used, revoked FROM devices WHERE person = ? ORDER BY added, key"
        return [DeviceRow(*row) for row in self._tables.ask(sql, person)]

    def revoke(self, person: str, key: str, at: int) -> bool:
        """See `DeviceStore`."""
        statements: list[Statement] = [
            (_REVOKE, (at, person, key)),
            ("DELETE FROM device_sessions WHERE person = ? AND key = ?", (person, key)),
            ("DELETE FROM device_pairings WHERE person = ?", (person,)),
        ]
        return bool(self._tables.change(statements))

    def begin_session(self, session: SessionRow) -> bool:
        """See `DeviceStore`."""
        statements: list[Statement] = [
            ("DELETE FROM device_sessions WHERE person = ? AND until <= ?", (session.person, session.began)),
            (_BEGIN, (*astuple(session), session.key, session.person)),
            (_SHORTEN, (session.key, session.key)),
            ("UPDATE devices SET used = ? WHERE key = ?", (session.began, session.key)),
        ]
        return bool(self._tables.change(statements))

    def session(self, token_hash: bytes, at: int) -> SessionRow | None:
        """See `DeviceStore`."""
        return self._one(SessionRow, _SESSION, token_hash, at)

    def end_session(self, token_hash: bytes) -> None:
        """See `DeviceStore`."""
        self._tables.change([("DELETE FROM device_sessions WHERE token_hash = ?", (token_hash,))])

    def sessions(self, person: str) -> list[SessionRow]:
        """See `DeviceStore`."""
        sql = "SELECT token_hash, person, key, began, until FROM device_sessions WHERE person = ? ORDER BY began"
        return [SessionRow(*row) for row in self._tables.ask(sql, person)]

    def offer_pairing(self, row: PairingRow) -> None:
        """See `DeviceStore`."""
        statements: list[Statement] = [
            ("DELETE FROM device_pairings WHERE person = ?", (row.person,)),
            ("INSERT INTO device_pairings VALUES (?, ?, ?, ?, ?)", astuple(row)),
        ]
        self._tables.change(statements)

    def ask_pairing(self, code_hash: bytes, key: str, name: str, at: int) -> str:
        """See `DeviceStore`."""
        rows = self._tables.change([(_ASK, (key, name, code_hash, at, key))])
        return str(rows[0][0]) if rows else ""

    def pairing(self, person: str, at: int) -> PairingRow | None:
        """See `DeviceStore`."""
        sql = "SELECT code_hash, person, until, key, name FROM device_pairings WHERE person = ? AND until > ?"
        return self._one(PairingRow, sql, person, at)

    def pair(self, person: str, key: str, at: int) -> bool:
        """See `DeviceStore`."""
        statements: list[Statement] = [
            (_PAIRED, (at, person, key, at, person)),
            ("DELETE FROM device_pairings WHERE person = ? AND key = ? AND key <> ''", (person, key)),
        ]
        return bool(self._tables.change(statements))

    def _one(self, kind: Callable[..., R], sql: str, *values: object) -> R | None:
        rows: Any = self._tables.ask(sql, *values)
        return kind(*rows[0]) if rows else None
