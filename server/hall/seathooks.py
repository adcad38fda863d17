"""Addresses that who holds a seat has named to be told at, and results that wait; kept beside the database."""

import fcntl
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import msgspec

from server.errors import Misconfigured
from server.operations.settings import Webhook
from server.webhooks.delivery import WAITING, Hook, Lapsed, Notice, checked
from server.webhooks.errors import HookRefused

T = TypeVar("T")
MOST = 100_000
"""Addresses kept at most."""


class SeatHooks:
    """The operator's address, and those of seats; `path` is the file they are kept in, None keeps them nowhere.

    How matches ended is kept in `<path>.results` until it is told.
    """

    def __init__(self, settings: Webhook | None = None, path: Path | None = None, *, is_shared: bool = False) -> None:
        """`is_shared`: other processes of the server keep theirs there too."""
        self._settings, self._is_shared = settings or Webhook(), is_shared
        self._path = path
        self._own = Hook(self._settings.url, self._settings.secret, self._settings.private)
        self._results_path = None if path is None else path.with_name(path.name + ".results")
        self._seats = _read(path, dict[str, dict[str, Hook]])
        self._results = _read(self._results_path, dict[str, Notice])

    def __bool__(self) -> bool:
        """Whether anybody may ever be told anything."""
        return bool(self._own.url) or self._settings.seats

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """While no other process changes what is kept, which is read anew first."""
        if self._path is None or not self._is_shared:
            yield
            return
        with self._path.with_name(self._path.name + ".lock").open("ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self._seats = _read(self._path, dict[str, dict[str, Hook]])
            self._results = _read(self._results_path, dict[str, Notice])
            yield

    def name(self, match: str, seat: int, url: str) -> str:
        """Tell the seat's holder at this address; the secret that the messages will be signed with.

        "" names none any more. Raises `HookRefused`.
        """
        if not self._settings.seats:
            raise HookRefused("This server sends no messages for seats; its operator may allow it.")
        if not url:
            self._drop(match, str(seat))
            return ""
        if sum(map(len, self._seats.values())) >= MOST:
            raise HookRefused("This server has as many addresses as it keeps.")
        try:
            hook = checked(Hook(url, secrets.token_urlsafe(32)))
        except Misconfigured as wrong:
            raise HookRefused(str(wrong)) from wrong
        with self._changing():
            self._seats.setdefault(match, {})[str(seat)] = hook
            _write(self._path, self._seats)
        return hook.secret

    def _drop(self, match: str, seat: str | None = None) -> None:
        kept = self._seats.get(match, {})
        if seat not in kept and (seat is not None or not kept):
            return
        left = {name: hook for name, hook in kept.items() if seat is not None and name != seat}
        with self._changing():
            self._seats.pop(match, None)
            if left:
                self._seats[match] = left
            _write(self._path, self._seats)

    def matches(self) -> set[str] | None:
        """The matches of which somebody is told; None: of all."""
        return None if self._own.url else {*self._seats} if self._settings.seats else set()

    def of(self, notice: Notice | Lapsed) -> list[Hook]:
        """Who is to be told, or was. A result is kept until it is `settled`."""
        found = [self._own] if self._own.url else []
        seats = self._seats.get(notice.match, {})
        found += [hook for seat, hook in seats.items() if notice.seat is None or seat == str(notice.seat)]
        if isinstance(notice, Lapsed) or notice.event != "result":
            return found
        if found and notice.match not in self._results and len(self._results) < WAITING:
            with self._changing():
                self._results[notice.match] = notice
                _write(self._results_path, self._results)
        return found

    def results(self) -> list[Notice]:
        """The results that not everybody was told."""
        return list(self._results.values())

    def settled(self, match: str) -> None:
        """Everybody was told how the match ended, or cannot be: its addresses are forgotten."""
        self._drop(match)
        if match in self._results:
            with self._changing():
                self._results.pop(match, None)
                _write(self._results_path, self._results)


def _read(path: Path | None, kind: type[dict[str, T]]) -> dict[str, T]:
    try:
        text = path.read_bytes() if path is not None else b"{}"
        return msgspec.json.decode(text, type=kind)
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.DecodeError) as wrong:
        raise Misconfigured(f"{path} cannot be read; move it away to begin anew.") from wrong


def _write(path: Path | None, kept: object) -> None:
    if path is None:
        return
    fresh = path.with_name(path.name + ".new")
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(msgspec.json.encode(kept))
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
