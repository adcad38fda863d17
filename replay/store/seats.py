"""The holders of a match's seats, and the viewers who may watch through their eyes."""

from typing import Final, Protocol

from msgspec import Struct

from replay.store.errors import NoSuchMatch
from replay.store.side_tables.sql import Tables

_GRANT: Final = """INSERT INTO watchers (match, token_hash, seat) VALUES (?, ?, ?)
ON CONFLICT (match, token_hash) DO UPDATE SET seat = excluded.seat"""
_REOPEN: Final = "UPDATE seats SET token_hash = ? WHERE match = ? AND seat = ? AND token_hash = ? RETURNING seat"


class SeatRow(Struct, frozen=True):
    """The holder of a seat: `kind` is person, bot or "" (free); the token's hash lets the person in."""

    seat: int
    name: str = ""
    kind: str = ""
    bot: str = ""
    token_hash: bytes = b""

    def __repr__(self) -> str:
        return f"SeatRow({self.seat}, {self.kind!r})"


class WatchRow(Struct, frozen=True):
    """The right to watch through a seat's eyes with the token of this hash."""

    seat: int
    token_hash: bytes

    def __repr__(self) -> str:
        return f"WatchRow({self.seat})"


class SeatStore(Protocol):
    """The seats of all matches. Every method may be called from any thread.

    Only a commit changes the holder of a seat (`Commit.seat`), so the holder changes together with the line that says
    so. The token that opens the seat may change between lines.
    """

    def holders(self, match: str) -> tuple[SeatRow, ...]:
        """The holders of the seats, in their order. Raises `NoSuchMatch`."""
        ...

    def change_token(self, match: str, seat: int, former: bytes, token_hash: bytes) -> bool:
        """Let a token of this hash open the seat in place of a former one; False if the former one did not open it."""
        ...

    def watchers(self, match: str) -> tuple[WatchRow, ...]:
        """The viewers who may watch through a seat's eyes; none if there is no such match."""
        ...

    def grant(self, match: str, row: WatchRow) -> None:
        """Let somebody watch through a seat's eyes."""
        ...

    def revoke(self, match: str, seat: int) -> None:
        """Let nobody watch through the seat's eyes any more."""
        ...


class SqlSeats:
    """See `SeatStore`; in the tables of a database."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def holders(self, match: str) -> tuple[SeatRow, ...]:
        """See `SeatStore`."""
        sql = "SELECT seat, name, kind, bot, token_hash FROM seats WHERE match = ? ORDER BY seat"
        found = tuple(SeatRow(*row) for row in self._tables.ask(sql, match))
        if not found:
            raise NoSuchMatch(f"there is no match {match!r}")
        return found

    def change_token(self, match: str, seat: int, former: bytes, token_hash: bytes) -> bool:
        """See `SeatStore`."""
        return bool(self._tables.change([(_REOPEN, (token_hash, match, seat, former))]))

    def watchers(self, match: str) -> tuple[WatchRow, ...]:
        """See `SeatStore`."""
        rows = self._tables.ask("SELECT seat, token_hash FROM watchers WHERE match = ?", match)
        return tuple(WatchRow(*row) for row in rows)

    def grant(self, match: str, row: WatchRow) -> None:
        """See `SeatStore`."""
        self._tables.change([(_GRANT, (match, row.token_hash, row.seat))])

    def revoke(self, match: str, seat: int) -> None:
        """See `SeatStore`."""
        self._tables.change([("DELETE FROM watchers WHERE match = ? AND seat = ?", (match, seat))])
