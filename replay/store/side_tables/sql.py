"""The services that a side table needs of its database; both kinds of database understand its statements."""

from collections.abc import Sequence
from typing import Any, Protocol

Statement = tuple[str, tuple[object, ...]]
"""SQL with `?` in the place of each value, and the values."""
Rows = Sequence[tuple[Any, ...]]


class Tables(Protocol):
    """A database as side tables use it. Every method may be called from any thread, and raises `StoreFailed`."""

    among: str
    """The condition that a column is one of the values that `listed` makes one of."""

    def listed(self, values: Sequence[str]) -> object:
        """Many values in the place of one, for `among`."""
        ...

    def has(self, table: str) -> bool:
        """Whether the table is there; some are made when they are first needed."""
        ...

    def ask(self, sql: str, *values: object) -> Rows:
        """The rows of a question."""
        ...

    def change(self, statements: Sequence[Statement]) -> Rows:
        """Carry statements out in one transaction that lasts, and return the results of all of them.

        Raises `RowExists` where a row that was to be new is there, and `StoreFailed` where it may not last.
        """
        ...
