"""The thread that writes: it takes all that waits and sends it as one transaction in one go.

The statements and the COMMIT are on their way before the first answer is there. The primary key `(match, seq)` is the
compare-and-set between machines: of two that write the same line, one is told that it is there.
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
"""Commits that go into one transaction at most."""
HEADS_KEPT: Final = 100_000
"""Matches whose last line the writer remembers."""
IN_DOUBT: Final = "40003"
"""The code of a distributed engine that cannot tell whether a commit has lasted."""


class Writer:
    """Commits of many threads, over a connection of its own, in the order in which they were given."""

    def __init__(self, connections: StoreConnections, health: Health) -> None:
        self._connections, self._health = connections, health
        self._tasks: queue.SimpleQueue[tuple[Commit, Future[Append]] | None] = queue.SimpleQueue()
        self._followers: list[Follower] = []
        self._heads: dict[str, int] = {}
        self._line: Line | None = None
        self._under_way: list[tuple[Commit, Future[Append]]] = []
        self._thread = threading.Thread(target=self._write, name="herald-writer", daemon=True)

    def start(self) -> None:
        """Begin to take commits."""
        self._thread.start()

    @property
    def waiting(self) -> int:
        """Commits that wait."""
        return self._tasks.qsize()

    def follow(self, follower: Follower) -> None:
        """Tell of every commit from now on."""
        self._followers.append(follower)

    def tell(self, match: str, seq: int) -> None:
        """Tell of a commit that was made elsewhere."""
        tell(self._followers, match, seq)

    def submit(self, commit: Commit) -> "Future[Append]":
        """Append soon; the future tells when it is durable."""
        future: Future[Append] = Future()
        if self._health.failed:
            future.set_exception(StoreFailed(self._health.failed))
        else:
            self._tasks.put((commit, future))
            if self._has_ended():
                self._abandon()  # it ended in this moment
        return future

    def _write(self) -> None:
        """The writer's thread: take all that waits, commit it in one transaction, then answer each."""
        try:
            self._serve_all()
        except BaseException as wrong:
            self._health.fail_by(wrong, self._connections.where)
            self._abandon()

    def _has_ended(self) -> bool:
        return bool(self._health.failed) and not self._thread.is_alive()

    def _abandon(self) -> None:
        """Answer everybody who waits for a thread that has ended: nobody knows the outcome."""
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
        # From here on a future cannot be cancelled; one that was already is not written.
        group = [task for task in group if task[1].set_running_or_notify_cancel()]
        for (commit, future), answer in zip(group, self._settle([commit for commit, _ in group]), strict=True):
            if isinstance(answer, Exception):
                future.set_exception(answer)
                continue
            future.set_result(answer)
            if isinstance(answer, Committed):
                tell(self._followers, commit.match, answer.seq)

    def _settle(self, commits: list[Commit]) -> list[Append | Exception]:
        """The outcome of each commit, together in one transaction, or one by one if one of them does not fit."""
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
            # An error that the database names has taken the transaction back; of all others nobody knows.
            is_known = wrong.sqlstate not in {None, IN_DOUBT} and self._roll_back()
            why = f"{self._connections.where}: {told(wrong)}"
            return self._give_up(commits, why, StoreFailed(f"{why}; nothing was written") if is_known else None)
        except Exception as wrong:  # whatever it is, everybody who waits is answered and the writer goes on
            self._hang_up()
            return self._give_up(commits, f"{self._connections.where}: {type(wrong).__name__}", None)

    def _alone(self, commit: Commit) -> Append | Exception:
        return self._settle([commit])[0]

    def _again(self, commit: Commit, wrong: psycopg.Error) -> Append | Exception:
        """A commit alone that was taken back: somebody else was first, or was in the way."""
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
        """Nothing was written (`known`), or nobody knows: what each is told."""
        self._health.refuse(why)
        self._heads.clear()
        if known is None:
            self._hang_up()
            return [Unknown(why) for _ in commits]
        return [StoreFailed(str(known)) for _ in commits]

    def _roll_back(self) -> bool:
        """Whether the writer's connection is fit for another transaction; if not it is closed."""
        try:
            if self._line is not None:
                # By this name the library forgets what it had prepared in a pipeline that was broken off.
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
        """One transaction, in one go. Raises the database's errors, and then nothing is known to be written."""
        if self._line is None or self._line.closed:
            self._line = connect(self._connections.address)
            self._heads.clear()
        heads, rows = self._known_heads(commits), Rows()
        answers: list[Append | Exception] = []
        # Every machine in the same order, so that no two wait for each other.
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
        """Where the matches' records end. A line that was there once stays: so only what may be news is asked for."""
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
