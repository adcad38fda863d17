"""The tasks of the writing thread."""

from collections.abc import Iterable, Sequence
from concurrent.futures import Future

from replay.store.log import Append, Commit, Done
from replay.store.side_tables.sql import Statement
from replay.store.sqlite.rows import Rows


class Task:
    """Statements to run in the writer's transaction, and the commit that follows them; either may be missing.

    `found`: the rows that the statements returned.
    """

    __slots__ = ("commit", "found", "future", "statements")

    def __init__(self, commit: Commit | None, statements: Iterable[Statement] = ()) -> None:
        self.commit = commit
        self.statements = tuple(statements)
        self.found: list[tuple[object, ...]] = []
        self.future: Future[Append] = Future()


class Staged:
    """A transaction whose statements have run; after the COMMIT, the writer's thread tells `done` the answers."""

    __slots__ = ("answers", "commits", "done", "rows")

    def __init__(self, commits: Sequence[Commit], answers: list[Append | Exception], rows: Rows, done: Done) -> None:
        self.commits = commits
        self.answers = answers
        self.rows = rows
        self.done = done
