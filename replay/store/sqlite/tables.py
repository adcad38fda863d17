"""Side tables in a SQLite file: the calling thread's connection reads, and the writer's connection writes."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from replay.store.errors import StoreFailed
from replay.store.log import Append, Unknown
from replay.store.side_tables.sql import Statement
from replay.store.sqlite.readers import Readers
from replay.store.sqlite.tasks import Task


class SqliteTables:
    """See `Tables`. `carry_out`: lets the writer carry out a task, and waits."""

    among = "IN (SELECT value FROM json_each(?))"

    def __init__(self, readers: Readers, carry_out: Callable[[Task], Append]) -> None:
        self._readers, self._carry_out = readers, carry_out

    def listed(self, values: Sequence[str]) -> object:
        """See `Tables`."""
        return json.dumps(list(values))

    def has(self, table: str) -> bool:
        """See `Tables`."""
        return bool(self._readers.rows("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", table))

    def ask(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """See `Tables`."""
        return self._readers.rows(sql, *values)

    def change(self, statements: Sequence[Statement]) -> list[tuple[Any, ...]]:
        """See `Tables`."""
        if not statements:
            return []
        task = Task(None, statements)
        lasting(self._carry_out(task))
        return task.found


def lasting(answer: Append) -> Append:
    """The answer, if it states a result. Raises `StoreFailed` if the result is unknown."""
    if isinstance(answer, Unknown):
        raise StoreFailed(f"{answer.why}; whether it was written is not known")
    return answer
