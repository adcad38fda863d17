"""The interface of a database for side tables; both kinds of database understand their statements."""

from collections.abc import Sequence
from typing import Any, Protocol

Statement = tuple[str, tuple[object, ...]]
"""SQL with `?` in place of each value, and the values."""
Rows = Sequence[tuple[Any, ...]]


class Tables(Protocol):
    """A database as side tables use it. Every method may be called from any thread, and raises `StoreFailed`."""

    among: str
    """The condition that a column has one of the values that `listed` combines."""

    def listed(self, values: Sequence[str]) -> object:
        """Many values combined into one, for `among`."""
        ...

    def has(self, table: str) -> bool:
        """Whether the table is there; some are made when they are first needed."""
        ...

    def ask(self, sql: str, *values: object) -> Rows:
        """The rows of a query."""
        ...

    def change(self, statements: Sequence[Statement]) -> Rows:
        """Carry out statements in one durable transaction, and return the results of all of them.

        Raises `RowExists` if a new row is there already, and `StoreFailed` if the transaction may not be durable.
        """
        ...
