"""The addresses for people who are away: the operator's, and those of seats, which the store keeps."""

import logging
import secrets
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from replay.store.errors import NoSuchMatch
from replay.store.matches import AT_ONCE
from replay.store.side_tables.webhooks import WebhookRow
from replay.store.store import Store
from server.errors import Misconfigured
from server.operations.settings import Webhook
from server.webhooks.delivery import Hook, Notice, checked
from server.webhooks.errors import HookRefused

LOG = logging.getLogger(__name__)
T = TypeVar("T")
MOST: Final = 100_000
"""The largest number of addresses that are kept."""


class SeatWebhooks:
    """The webhook addresses of the operator and of seats. Methods that wait for the store are called in a thread."""

    def __init__(
        self, store: Store, settings: Webhook | None = None, most: int = MOST, *, are_persons_told: bool = False
    ) -> None:
        """`are_persons_told`: reminders go to persons too (`server.notifications.person_sender`)."""
        self._most = most
        self._store, self._settings = store, settings or Webhook()
        self._are_persons_told = are_persons_told
        self._own = Hook(self._settings.url, self._settings.secret, self._settings.private)

    def __bool__(self) -> bool:
        """Whether anybody can be notified at all."""
        return bool(self._own.url) or self._settings.seats or self._are_persons_told

    def name(self, match: str, seat: int, url: str) -> str:
        """Notify the seat's holder at this address; returns the secret that signs the messages.

        "" removes the address. Raises `HookRefused` for an unusable address, and `StoreFailed` if the store fails.
        """
        if not self._settings.seats:
            raise HookRefused("This server sends no messages for seats; its operator may allow it.")
        if not url:
            self._store.webhooks.remove_address(match, seat)
            return ""
        try:
            hook = checked(Hook(url, secrets.token_urlsafe(32)))
        except Misconfigured as wrong:
            raise HookRefused(str(wrong)) from wrong
        if self._store.header(match).status == "finished":
            raise HookRefused("This match is over; nothing is told of it any more.")
        if not self._store.webhooks.set_address(match, WebhookRow(seat, hook.url, hook.secret), self._most):
            raise HookRefused("This server has as many addresses as it keeps.")
        return hook.secret

    def matches(self) -> set[str] | None:
        """The matches with an address for notices; None: all matches. Raises `StoreFailed`."""
        return None if self._own.url else {*self._store.webhooks.matches()} if self._settings.seats else set()

    def addresses_of(self, match: str) -> list[tuple[int | None, Hook]]:
        """The addresses for a match, each with its seat; None for the whole match. Raises `StoreFailed`."""
        found: list[tuple[int | None, Hook]] = [(None, self._own)] if self._own.url else []
        rows = self._store.webhooks.addresses(match) if self._settings.seats else ()
        return found + [(row.seat, Hook(row.url, row.secret)) for row in rows]


def take_over(store: Store, path: Path) -> None:
    """Move into the store what an older Herald kept in files: addresses, and results that waited.

    The files are deleted afterwards.

    An address that is in the store is newer and stays. Raises `Misconfigured` for a file that cannot be read.
    """
    results = path.with_name(path.name + ".results")
    if not path.exists() and not results.exists():
        return
    seats, waiting = _read(path, dict[str, dict[str, Hook]]), _read(results, dict[str, Notice])
    taken = sum(_take(store, match, hooks, is_waited=match in waiting) for match, hooks in seats.items())
    for match in waiting:
        _note(store, match)
    for file in (path, results, path.with_name(path.name + ".lock")):
        file.unlink(missing_ok=True)
    LOG.info("%d addresses of webhooks and %d results were taken over from %s", taken, len(waiting), path)


def _take(store: Store, match: str, hooks: dict[str, Hook], *, is_waited: bool) -> int:
    """Move the addresses; for a match that is over, only a waiting result is still sent. Returns the number of moved
    addresses.
    """
    try:
        is_over = store.header(match).status == "finished"
    except NoSuchMatch:
        return 0
    if is_over and not is_waited:
        return 0
    known = {row.seat for row in store.webhooks.addresses(match)}
    fresh = [WebhookRow(int(seat), hook.url, hook.secret) for seat, hook in hooks.items() if int(seat) not in known]
    return sum(store.webhooks.set_address(match, row, MOST) for row in fresh)


def _note(store: Store, match: str) -> None:
    try:
        store.webhooks.remind(match, store.head(match).seq, AT_ONCE)
    except NoSuchMatch:
        LOG.warning("how match %s ended waited to be told, and is not in the store", match)


def _read(path: Path, kind: type[dict[str, T]]) -> dict[str, T]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.DecodeError) as wrong:
        raise Misconfigured(f"{path} cannot be read; move it away to begin anew.") from wrong
