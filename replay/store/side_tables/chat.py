"""The messages that people write at a match. They are stored beside the record and can be erased; the record cannot."""

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Protocol

from msgspec import Struct
from msgspec.structs import replace

from replay.store.errors import RowExists
from replay.store.side_tables.sql import Tables

_SAY: Final = """INSERT INTO chat (match, room, n, at, who, name, text)
SELECT ?, ?, CASE WHEN next.n > ? THEN next.n ELSE ? END, ?, ?, ?, ?
FROM (SELECT 1 + coalesce(max(n), 0) AS n FROM chat WHERE match = ? AND room = ?) AS next RETURNING n"""
"""How often a line is tried, because another server of the database may have used its number meanwhile."""
_FORGET: Final = """DELETE FROM chat WHERE match = ? AND room = ?
AND n <= (SELECT max(n) FROM chat WHERE match = ? AND room = ?) - ?"""


class ChatRow(Struct, frozen=True):
    """A line of chat: its number in its room, time in ms, author and text. It is no part of the record."""

    n: int
    at: int
    room: str
    who: str
    name: str
    text: str

    def __repr__(self) -> str:
        return f"ChatRow({self.n}, {self.room!r})"


class ChatStore(Protocol):
    """The chat rooms of all matches. Every method may be called from any thread."""

    def say(self, match: str, row: ChatRow, keep: int) -> int:
        """Keep a line and the last `keep` of its room; returns its number, a higher one if the row's is taken."""
        ...

    def said(self, match: str, room: str, limit: int) -> list[ChatRow]:
        """The last lines of a room, in order; none if there is no such match."""
        ...

    def erase(self, match: str) -> bool:
        """Forget all messages in every room of the match.

        False if the words are still in the store's log, until it is moved.
        """
        ...


class SqlChat:
    """See `ChatStore`; in a table of a database. `emptied`: empties the database's log, and says whether it could."""

    def __init__(self, tables: Tables, emptied: Callable[[], bool]) -> None:
        self._tables, self._emptied = tables, emptied

    def say(self, match: str, row: ChatRow, keep: int) -> int:
        """See `ChatStore`."""
        room = (match, row.room)
        said = (_SAY, (*room, row.n, row.n, row.at, row.who, row.name, row.text, *room))
        while True:
            with suppress(RowExists):  # another server has just used the number
                ((number,),) = self._tables.change([said, (_FORGET, (*room, *room, keep))])
                return int(number)

    def said(self, match: str, room: str, limit: int) -> list[ChatRow]:
        """See `ChatStore`."""
        sql = "SELECT n, at, room, who, name, text FROM chat WHERE match = ? AND room = ? ORDER BY n DESC LIMIT ?"
        return [ChatRow(*row) for row in self._tables.ask(sql, match, room, limit)][::-1]

    def erase(self, match: str) -> bool:
        """See `ChatStore`."""
        self._tables.change([("DELETE FROM chat WHERE match = ?", (match,))])
        return self._emptied()


class MemoryChat:
    """See `ChatStore`; in memory."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lines: dict[str, list[ChatRow]] = {}

    def say(self, match: str, row: ChatRow, keep: int) -> int:
        """See `ChatStore`."""
        with self._lock:
            lines = self._lines.get(match, [])
            last = max((line.n for line in lines if line.room == row.room), default=0)
            row = replace(row, n=max(row.n, last + 1))
            gone = row.n - keep
            self._lines[match] = [*(line for line in lines if line.room != row.room or line.n > gone), row]
            return row.n

    def said(self, match: str, room: str, limit: int) -> list[ChatRow]:
        """See `ChatStore`."""
        return [line for line in self._lines.get(match, ()) if line.room == room][-limit:]

    def erase(self, match: str) -> bool:
        """See `ChatStore`."""
        with self._lock:
            self._lines.pop(match, None)
        return True
