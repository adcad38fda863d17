"""Side tables in a database on the PostgreSQL protocol."""

from collections.abc import Sequence
from typing import Any

from psycopg import errors

from replay.store.errors import RowExists
from replay.store.postgres.connections import NUL, StoreConnections
from replay.store.postgres.schema import Cursor, Line
from replay.store.side_tables.sql import Statement


class PostgresTables:
    """See `Tables`. `is_beside`: the rows are no part of a match; a missing right for them stops nothing else."""

    among = "= ANY(?)"

    def __init__(self, connections: StoreConnections, *, is_beside: bool = True) -> None:
        self._connections = connections
        self._carry = connections.carry_beside if is_beside else connections.carry

    def listed(self, values: Sequence[str]) -> object:
        """See `Tables`."""
        return [value for value in values if NUL not in value]

    def has(self, table: str) -> bool:
        """See `Tables`; all are made with the database."""
        del table
        return True

    def ask(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """See `Tables`."""
        return self._connections.rows(_placed(sql), *values)

    def change(self, statements: Sequence[Statement]) -> list[tuple[Any, ...]]:
        """See `Tables`."""

        def write(line: Line) -> list[Cursor]:
            return [line.execute(_placed(sql).encode(), values) for sql, values in statements]

        if not statements:
            return []
        try:
            return self._carry(write)
        except errors.UniqueViolation as wrong:
            raise RowExists("it exists already") from wrong


def _placed(sql: str) -> str:
    """A statement with this database's placeholders for values."""
    return sql.replace("?", "%s")
