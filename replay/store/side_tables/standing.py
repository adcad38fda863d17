"""Answers that seats have signed ahead, until a server uses them (docs/record.md 5, *Standing answers*); a side table.

Only the seat can see them. The first answer makes the table in a SQLite database. No copy of a match holds them.
"""

from collections.abc import Sequence
from typing import Final, Protocol

from msgspec import Struct
from msgspec.structs import astuple

from replay.store.side_tables.sql import Statement, Tables

MADE: Final = {
    "standing_answers": "CREATE TABLE standing_answers (match TEXT NOT NULL, seat INTEGER NOT NULL,"
    " looked INTEGER NOT NULL, made TEXT NOT NULL, ack_seq INTEGER NOT NULL, ack_head TEXT NOT NULL,"
    " answers TEXT NOT NULL, PRIMARY KEY (match, seat)) STRICT, WITHOUT ROWID",
}
"""How the table is made in SQLite."""
MAKE: Final = tuple(made.replace("TABLE ", "TABLE IF NOT EXISTS ", 1) for made in MADE.values())
_COLUMNS: Final = "match, seat, looked, made, ack_seq, ack_head, answers"


class StandingRow(Struct, frozen=True):
    """The answers that a seat has signed ahead: `answers` as JSON, all signed after the line `ack_seq` and its head.

    `looked`: the last line at which a server has checked whether one fits. `made`: a random name of the stored answers,
    so that answers replaced meanwhile do not come back.
    """

    match: str
    seat: int
    looked: int
    made: str
    ack_seq: int
    ack_head: str
    answers: str

    def __repr__(self) -> str:
        return "StandingRow()"


class StandingAnswerStore(Protocol):
    """The answers that seats have signed ahead. Every method may be called from any thread, and waits; see `Store`."""

    def keep(self, row: StandingRow) -> None:
        """Keep these answers, in place of all earlier ones of the seat."""
        ...

    def drop(self, match: str, seat: int) -> None:
        """Delete all answers of the seat."""
        ...

    def of_seat(self, match: str, seat: int) -> StandingRow | None:
        """The answers that are kept for a seat."""
        ...

    def left(self, row: StandingRow) -> None:
        """Store the remaining answers, unless the seat has replaced them since."""
        ...

    def looked(self) -> list[tuple[str, int, int]]:
        """The seats with answers: match, seat, and the last line at which a server has checked them."""
        ...


class SqlStandingAnswers:
    """See `StandingAnswerStore`; in a table of a database.

    `made`: the statements that make the table, which may be missing.
    """

    def __init__(self, tables: Tables, made: Sequence[Statement] = ()) -> None:
        self._tables, self._made = tables, made

    def keep(self, row: StandingRow) -> None:
        """See `StandingAnswerStore`."""
        sql = f"""INSERT INTO standing_answers ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (match, seat)
        DO UPDATE SET looked = excluded.looked, made = excluded.made, ack_seq = excluded.ack_seq,
        ack_head = excluded.ack_head, answers = excluded.answers"""  # noqa: S608
        self._tables.change([*self._made, (sql, astuple(row))])

    def drop(self, match: str, seat: int) -> None:
        """See `StandingAnswerStore`."""
        if self._tables.has("standing_answers"):
            self._tables.change([("DELETE FROM standing_answers WHERE match = ? AND seat = ?", (match, seat))])

    def of_seat(self, match: str, seat: int) -> StandingRow | None:
        """See `StandingAnswerStore`."""
        if not self._tables.has("standing_answers"):
            return None
        sql = f"SELECT {_COLUMNS} FROM standing_answers WHERE match = ? AND seat = ?"  # noqa: S608
        rows = self._tables.ask(sql, match, seat)
        return StandingRow(*rows[0]) if rows else None

    def left(self, row: StandingRow) -> None:
        """See `StandingAnswerStore`."""
        sql = "UPDATE standing_answers SET looked = ?, answers = ? WHERE match = ? AND seat = ? AND made = ?"
        self._tables.change([(sql, (row.looked, row.answers, row.match, row.seat, row.made))])

    def looked(self) -> list[tuple[str, int, int]]:
        """See `StandingAnswerStore`."""
        if not self._tables.has("standing_answers"):
            return []
        rows = self._tables.ask("SELECT match, seat, looked FROM standing_answers")
        return [(match, seat, looked) for match, seat, looked in rows]
