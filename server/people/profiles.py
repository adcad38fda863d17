"""A person's own data: the account as its person sees it, its seats, and the export of all stored data."""

from collections.abc import Callable
from typing import Final

from replay.store.side_tables.devices import DeviceRow, SessionRow
from replay.store.side_tables.people import NoticeRow, OwnSeatRow
from replay.store.store import Store
from server.people.errors import AccountRefused
from server.people.passkeys import are_possible
from server.wire.account_messages import (
    AccountTold,
    DeviceInfo,
    Exported,
    FormerHandle,
    NoticeInfo,
    OwnSeat,
    PairingInfo,
    PasskeyInfo,
    SessionInfo,
)

SEATS: Final = 20_000
"""The number of seats that one person may note."""
SHOWN: Final = 50
"""The number of changes that a page shows; an export holds all."""


class Profiles:
    """Reads and writes a person's data other than for the sign-in. Every method waits for the store.

    `now`: the time in ms.
    """

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self._store, self._people, self._devices, self._now = store, store.people, store.devices, now

    def handle(self, person: str) -> str:
        """The handle of a person; empty if there is no such person."""
        rows = self._people.handles(person)
        return rows[0].handle if rows and not rows[0].until else ""

    def account(self, session: SessionRow) -> AccountTold:
        """The account as its person is shown it."""
        person = session.person
        handle, former = self._handles(person)
        asks = self._devices.pairing(person, self._now())
        return AccountTold(
            handle,
            tuple(_device(row, session) for row in self._devices.devices(person)),
            former,
            tuple(_notice(row) for row in self._people.notices(person, SHOWN)),
            PairingInfo(asks.key, asks.name, asks.until) if asks is not None and asks.key else None,
            passkeys=self._passkeys(person),
            can_passkeys=are_possible(),
        )

    def export(self, session: SessionRow) -> Exported:
        """All data stored about a person, except hashes, which are of no use to anybody."""
        person = session.person
        handle, former = self._handles(person)
        return Exported(
            person,
            handle,
            former,
            tuple(_device(row, session) for row in self._devices.devices(person)),
            tuple(SessionInfo(row.key, row.began, row.until) for row in self._devices.sessions(person)),
            tuple(_notice(row) for row in self._people.notices(person)),
            tuple(OwnSeat(row.match, row.seat, row.at) for row in self._people.seats(person)),
            passkeys=self._passkeys(person),
        )

    def _passkeys(self, person: str) -> tuple[PasskeyInfo, ...]:
        rows = self._store.passkeys.passkeys(person)
        return tuple(PasskeyInfo(row.id, row.name, row.added, row.used) for row in rows)

    def _handles(self, person: str) -> tuple[str, tuple[FormerHandle, ...]]:
        rows = self._people.handles(person)
        return self.handle(person), tuple(FormerHandle(row.handle, row.until) for row in rows if row.until)

    def keep_seat(self, person: str, match: str, seat: int, *, on: bool) -> None:
        """Note a seat as the person's, or remove the note. Raises `AccountRefused`."""
        if not on:
            self._people.drop_seat(person, match, seat)
        elif not self._people.keep_seat(OwnSeatRow(person, match, seat, self._now()), SEATS):
            raise AccountRefused(f"You have noted {SEATS} seats, and no more are kept.")


def _device(row: DeviceRow, session: SessionRow) -> DeviceInfo:
    return DeviceInfo(row.key, row.name, row.added, row.used, row.revoked, row.key == session.key)


def _notice(row: NoticeRow) -> NoticeInfo:
    return NoticeInfo(row.at, row.what, row.about)
