"""Addresses that who holds a seat has named to be told at, kept in a file beside the database."""

import os
import secrets
from pathlib import Path

import msgspec

from server.errors import HookRefused, Misconfigured
from server.settings import Webhook
from server.webhook import Hook, Notice, checked

MOST = 100_000
"""Addresses kept at most."""


class SeatHooks:
    """The operator's address, and those of seats; `path` is the file they are kept in, None keeps them nowhere."""

    def __init__(self, settings: Webhook | None = None, path: Path | None = None) -> None:
        self._settings = settings or Webhook()
        self._path = path
        self._own = Hook(self._settings.url, self._settings.secret, self._settings.private)
        self._seats: dict[str, dict[str, Hook]] = self._read()

    def __bool__(self) -> bool:
        """Whether anybody may ever be told anything."""
        return bool(self._own.url) or self._settings.seats

    def _read(self) -> dict[str, dict[str, Hook]]:
        try:
            text = self._path.read_bytes() if self._path is not None else b"{}"
            return msgspec.json.decode(text, type=dict[str, dict[str, Hook]])
        except FileNotFoundError:
            return {}
        except (OSError, msgspec.DecodeError) as wrong:
            raise Misconfigured(f"{self._path} cannot be read; move it away to begin anew.") from wrong

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
        self._seats.setdefault(match, {})[str(seat)] = hook
        self._write()
        return hook.secret

    def _drop(self, match: str, seat: str | None = None) -> None:
        kept = self._seats.get(match, {})
        if seat in kept or (seat is None and kept):
            left = {name: hook for name, hook in kept.items() if seat is not None and name != seat}
            self._seats.pop(match)
            if left:
                self._seats[match] = left
            self._write()

    def of(self, notice: Notice) -> list[Hook]:
        """Who is to be told; addresses of a match that has ended are told so, and forgotten."""
        found = [self._own] if self._own.url else []
        seats = self._seats.get(notice.match, {})
        found += [hook for seat, hook in seats.items() if notice.seat is None or seat == str(notice.seat)]
        if notice.event == "result":
            self._drop(notice.match)
        return found

    def _write(self) -> None:
        if self._path is None:
            return
        fresh = self._path.with_name(self._path.name + ".new")
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(msgspec.json.encode(self._seats))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self._path)
