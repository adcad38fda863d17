"""The writing thread: it takes all waiting commits and sends them as one transaction in one go.

The statements and the COMMIT are sent before the first answer arrives. The primary key `(match, seq)` is the
compare-and-set between machines: if two write the same line, one gets an error because the line exists.
"""

import queue
import threading
from concurrent.futures import Future
from typing import Final

import psycopg
from psycopg import errors

from replay.store.errors import NoSuchMatch, StoreFailed
from replay.store.health import Health
from replay.store.log import Append, Commit, Committed, Conflict, Follower, Unknown, tell
from replay.store.postgres.connections import ATTEMPTS, TAKEN_BACK, StoreConnections
from replay.store.postgres.rows import Rows
from replay.store.postgres.schema import Line, connect, told

GROUP_LIMIT: Final = 500
"""The most commits in one transaction."""
HEADS_KEPT: Final = 100_000
"""The number of matches whose last line the writer remembers."""
IN_DOUBT: Final = "40003"
"""The error code of a distributed engine that does not know whether a commit is durable."""


class Writer:
    """Writes the commits of many threads, over its own connection, in the order in which they were given."""

    def __init__(self, connections: StoreConnections, health: Health) -> None:
        self._connections, self._health = connections, health
        self._tasks: queue.SimpleQueue[tuple[Commit, Future[Append]] | None] = queue.SimpleQueue()
        self._followers: list[Follower] = []
        self._heads: dict[str, int] = {}
        self._line: Line | None = None
        self._under_way: list[tuple[Commit, Future[Append]]] = []
        self._thread = threading.Thread(target=self._write, name="herald-writer", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    @property
    def waiting(self) -> int:
        """The number of waiting commits."""
        return self._tasks.qsize()

    def follow(self, follower: Follower) -> None:
        """Add a follower, which is told of every later commit."""
        self._followers.append(follower)

    def tell(self, match: str, seq: int) -> None:
        """Tell the followers of a commit that was made elsewhere."""
        tell(self._followers, match, seq)

    def submit(self, commit: Commit) -> "Future[Append]":
        """Append soon; the future is done when the commit is durable."""
        future: Future[Append] = Future()
        if self._health.failed:
            future.set_exception(StoreFailed(self._health.failed))
        else:
            self._tasks.put((commit, future))
            if self._has_ended():
                self._abandon()  # the thread has just ended
        return future

    def _write(self) -> None:
        """The code of the thread: take all waiting commits, commit them in one transaction, then answer each."""
        try:
            self._serve_all()
        except BaseException as wrong:
            self._health.fail_by(wrong, self._connections.where)
            self._abandon()

    def _has_ended(self) -> bool:
        return bool(self._health.failed) and not self._thread.is_alive()

    def _abandon(self) -> None:
        """Answer everybody who waits for a thread that has ended: the outcome is unknown."""
        waiting, self._under_way = self._under_way, []
        while not self._tasks.empty():
            task = self._tasks.get()
            waiting += [] if task is None else [task]
        for _, future in waiting:
            if not future.done():
                future.set_result(Unknown(self._health.failed))

    def _serve_all(self) -> None:
        task = self._tasks.get()
        while task is not None:
            group = [task]
            while len(group) < GROUP_LIMIT and not self._tasks.empty():
                task = self._tasks.get()
                if task is None:
                    break
                group.append(task)
            self._under_way = group
            self._serve(group)
            if task is not None:
                task = self._tasks.get()

    def _serve(self, group: list[tuple[Commit, "Future[Append]"]]) -> None:
        # Futures can no longer be cancelled; a commit whose future was cancelled before is not written.
        group = [task for task in group if task[1].set_running_or_notify_cancel()]
        for (commit, future), answer in zip(group, self._settle([commit for commit, _ in group]), strict=True):
            if isinstance(answer, Exception):
                future.set_exception(answer)
                continue
            future.set_result(answer)
            if isinstance(answer, Committed):
                tell(self._followers, commit.match, answer.seq)

    def _settle(self, commits: list[Commit]) -> list[Append | Exception]:
        """The outcome of each commit: together in one transaction, or one by one if one of them does not fit."""
        try:
            answers = self._together(commits)
            self._health.count(len(commits))
            return answers
        except (errors.UniqueViolation, *TAKEN_BACK) as wrong:
            self._heads.clear()
            self._roll_back()
            return [self._alone(commit) for commit in commits] if len(commits) > 1 else [self._again(commits[0], wrong)]
        except StoreFailed as wrong:
            return self._give_up(commits, str(wrong), wrong)
        except psycopg.Error as wrong:
            # After an error with a code the transaction is rolled back; after others the outcome is unknown.
            is_known = wrong.sqlstate not in {None, IN_DOUBT} and self._roll_back()
            why = f"{self._connections.where}: {told(wrong)}"
            return self._give_up(commits, why, StoreFailed(f"{why}; nothing was written") if is_known else None)
        except Exception as wrong:  # after any error, everybody who waits is answered and the writer continues
            self._hang_up()
            return self._give_up(commits, f"{self._connections.where}: {type(wrong).__name__}", None)

    def _alone(self, commit: Commit) -> Append | Exception:
        return self._settle([commit])[0]

    def _again(self, commit: Commit, wrong: psycopg.Error) -> Append | Exception:
        """Retry a single commit that was rolled back because another transaction was first or in the way."""
        for _ in range(ATTEMPTS):
            try:
                return self._together([commit])[0]
            except (errors.UniqueViolation, *TAKEN_BACK) as again:
                wrong = again
                self._heads.clear()
                self._roll_back()
            except (psycopg.Error, StoreFailed) as gone:
                self._hang_up()
                return Unknown(f"{self._connections.where}: {told(gone) if isinstance(gone, psycopg.Error) else gone}")
        return StoreFailed(f"{self._connections.where}: {told(wrong)}; nothing was written")

    def _give_up(self, commits: list[Commit], why: str, known: StoreFailed | None) -> list[Append | Exception]:
        """The answer to each commit: nothing was written (`known`), or the outcome is unknown."""
        self._health.refuse(why)
        self._heads.clear()
        if known is None:
            self._hang_up()
            return [Unknown(why) for _ in commits]
        return [StoreFailed(str(known)) for _ in commits]

    def _roll_back(self) -> bool:
        """Roll back; False, and the connection is closed, if it cannot be used for another transaction."""
        try:
            if self._line is not None:
                # With `rollback` the library forgets the statements that it prepared in the broken pipeline.
                self._line.rollback()
                return True
        except psycopg.Error:
            self._hang_up()
        return False

    def _hang_up(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            line.close()

    def _together(self, commits: list[Commit]) -> list[Append | Exception]:
        """Commit one transaction in one go. Raises the database's errors; then the outcome is unknown."""
        if self._line is None or self._line.closed:
            self._line = connect(self._connections.address)
            self._heads.clear()
        heads, rows = self._known_heads(commits), Rows()
        answers: list[Append | Exception] = []
        # Every machine uses the same order, so that no two wait for each other.
        for commit in commits:
            head = heads.get(commit.match)
            if head is None:
                answers.append(NoSuchMatch(f"there is no match {commit.match!r}"))
            elif head != commit.expected:
                answers.append(Conflict(head))
            else:
                heads[commit.match] = rows.add(commit)
                answers.append(Committed(heads[commit.match]))
        if rows:
            with self._line.pipeline():
                self._line.execute("BEGIN")
                rows.send(self._line)
                self._line.execute("COMMIT")
        if len(self._heads) > HEADS_KEPT:
            self._heads.clear()
        self._heads.update(heads)
        return answers

    def _known_heads(self, commits: list[Commit]) -> dict[str, int]:
        """The ends of the matches' records. Lines stay for ever, so only ends that may be out of date are queried."""
        first: dict[str, int] = {}
        for commit in commits:
            first.setdefault(commit.match, commit.expected)
        heads = {match: self._heads[match] for match in first if match in self._heads}
        asked = [match for match, expected in first.items() if heads.get(match, -1) < expected]
        if asked and self._line is not None:
            heads.update(
                self._line.execute("SELECT match, seq FROM matches WHERE match = ANY(%s)", (asked,)).fetchall()
            )
        return heads

    def close(self) -> None:
        """Finish the waiting work, then close; may be called twice."""
        if self._thread.is_alive():
            self._tasks.put(None)
            self._thread.join()
        self._hang_up()
