"""The writing thread: it takes all waiting tasks, commits them in one transaction, then answers each."""

import queue
import threading
import time
from collections.abc import Sequence
from typing import Final

from replay.store.errors import StoreFailed
from replay.store.health import Health
from replay.store.log import Append, Commit, Committed, Done, Follower, Unknown, tell
from replay.store.sqlite.checkpoint_lock import PAUSE_S
from replay.store.sqlite.schema import WAITS, Waits
from replay.store.sqlite.tasks import Staged, Task
from replay.store.sqlite.transactions import Transactions

GROUP_LIMIT: Final = 2000
"""The most commits in one transaction."""


class _Look:
    """A task without writes: the thread checks the length of the log."""


_LOOK: Final = _Look()


class Writer:
    """Writes the commits of many threads, in the order in which they were given."""

    def __init__(self, transactions: Transactions, health: Health, waits: Waits = WAITS) -> None:
        self.transactions, self._health, self._waits = transactions, health, waits
        self._tasks: queue.SimpleQueue[Task | Staged | _Look | None] = queue.SimpleQueue()
        self._mutex = threading.Lock()
        self._counting = threading.Lock()
        self._given = self._answered = 0
        """The number of tasks given to the thread, and of tasks answered."""
        self._staged: Staged | None = None
        self._under_way: list[Task] = []
        self._followers: list[Follower] = []
        self._thread = threading.Thread(target=self._write, name="herald-writer", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    @property
    def waiting(self) -> int:
        """The number of waiting tasks."""
        return self._tasks.qsize()

    def follow(self, follower: Follower) -> None:
        """Add a follower, which is told of every later commit."""
        self._followers.append(follower)

    def submit(self, task: Task) -> None:
        """Carry out a task soon; its future is done when it is durable."""
        if self._health.failed:
            task.future.set_exception(StoreFailed(self._health.failed))
            return
        with self._counting:
            self._given += 1
        self._tasks.put(task)
        if self._has_ended():
            self._abandon()  # the thread has just ended

    def carry_out(self, task: Task) -> Append:
        """Carry out a task and wait."""
        if not self._commit_here(task):
            self.submit(task)
        return task.future.result()

    def _commit_here(self, task: Task) -> bool:
        """Commit in the calling thread, which waits anyway, if the writing thread is idle; returns whether it has."""
        if self._health.failed or self._given != self._answered or not self._mutex.acquire(blocking=False):
            return False
        try:
            if self._staged is not None or not self._thread.is_alive():
                return False
            was_empty = not self.transactions.is_logged
            self.commit([task])
        finally:
            self._mutex.release()
        if was_empty or self.transactions.log_is_long():
            self._tasks.put(_LOOK)
        return True

    def stage(self, commits: Sequence[Commit], done: Done) -> bool:
        """See `Log`. The statements run in this thread; COMMIT and its sync run in the writing thread.

        `sqlite3` releases the interpreter's lock for every row. A thread that writes many rows beside a busy event loop
        would wait for that lock at every row, and both would take several times as long.
        """
        if self._health.failed or not self._mutex.acquire(blocking=False):
            return False
        try:
            return self._staged is None and not self.transactions.is_tight and self._stage(commits, done)
        finally:
            self._mutex.release()

    def _stage(self, commits: Sequence[Commit], done: Done) -> bool:
        try:
            if not self.transactions.begin_at_once():
                return False
        except Exception as wrong:
            done(self.transactions.give_up(len(commits), wrong))
            return True
        try:
            rows = self.transactions.rows()
            answers = [self.transactions.append(commit, rows) for commit in commits]
            rows.flush(self.transactions.connection)
        except Exception as wrong:
            done(self.transactions.give_up(len(commits), wrong))
            self.transactions.end()
            return True
        self._staged = Staged(commits, answers, rows, done)
        self._tasks.put(self._staged)
        return True

    def _finish(self) -> Staged | None:
        """Make staged commits durable, if there are any; the mutex is held, but released to give the answers."""
        staged, self._staged = self._staged, None
        if staged is None:
            return None
        try:
            self.transactions.commit(staged.rows, len(staged.commits))
        except Exception as wrong:
            staged.answers = self.transactions.give_up(len(staged.commits), wrong)
        finally:
            self.transactions.end()
        return staged

    def _tell(self, staged: Staged | None) -> None:
        """Give the answers; a caller may stage the next commits at once."""
        if staged is None:
            return
        staged.done(staged.answers)
        if self._followers:
            for commit, answer in zip(staged.commits, staged.answers, strict=True):
                if isinstance(answer, Committed):
                    tell(self._followers, commit.match, answer.seq)

    def _write(self) -> None:
        try:
            self._serve()
        except BaseException as wrong:
            self._health.fail_by(wrong, str(self.transactions.path))
            self._abandon()

    def _has_ended(self) -> bool:
        return bool(self._health.failed) and not self._thread.is_alive()

    def _abandon(self) -> None:
        """Answer everybody who waits for a thread that has ended: the result is unknown."""
        staged, self._staged = self._staged, None
        if staged is not None:
            staged.done([Unknown(self._health.failed)] * len(staged.commits))
        waiting, self._under_way = self._under_way, []
        while not self._tasks.empty():
            task = self._tasks.get()
            waiting += [task] if isinstance(task, Task) else []
        for task in waiting:
            if not task.future.done():
                task.future.set_result(Unknown(self._health.failed))

    def _serve(self) -> None:
        is_last = False
        while not is_last:
            group, is_last = self._gather(self._next_task())
            self._under_way = group
            if self._staged is not None:
                with self._mutex:
                    staged = self._finish()
                self._tell(staged)
            if group or self.transactions.log_is_long():
                self._work(group)
            self._answered += len(group)

    def _gather(self, task: "Task | Staged | _Look | None") -> tuple[list[Task], bool]:
        """This task and the waiting ones, and whether they are the last."""
        group: list[Task] = []
        while task is not None:
            if isinstance(task, Task):
                group.append(task)
            if len(group) >= GROUP_LIMIT or self._tasks.empty():
                return group, False
            task = self._tasks.get()
        return group, True

    def _next_task(self) -> "Task | Staged | _Look | None":
        """The first waiting task. While none waits, the log is moved, so that the file soon holds all lines."""
        while self.transactions.is_logged and not self._health.failed:
            try:
                return self._tasks.get(timeout=self._waits.rest_s)
            except queue.Empty:
                with self._mutex:
                    if self._staged is None:
                        self.transactions.move_log()
        return self._tasks.get()

    def _work(self, group: list[Task]) -> None:
        """Commit a group, and move the log if it is long."""
        with self._mutex:
            staged = self._finish()
            if group:
                self.commit(group)
            if self.transactions.log_is_long() and not self._health.failed:
                self.transactions.move_log()
        self._tell(staged)

    def commit(self, group: list[Task]) -> None:
        """Commit a group in this thread, which has the connection to itself, and answer each task."""
        # Futures can no longer be cancelled; a task whose future was cancelled before is not carried out.
        group = [task for task in group if task.future.set_running_or_notify_cancel()]
        if self.transactions.is_tight and self.transactions.has_room_to_move():
            self.transactions.move_log()
        answers: list[Append | Exception] = []
        try:
            with self.transactions.begun():
                rows = self.transactions.rows()
                answers = [self.transactions.carry_out(task, rows) for task in group]
                self.transactions.commit(rows, len(group))
        except Exception as wrong:  # after any error, everybody who waits is answered and the writer continues
            answers = self.transactions.give_up(len(group), wrong)
        for task, answer in zip(group, answers, strict=True):
            if isinstance(answer, Exception):
                task.future.set_exception(answer)
            else:
                task.future.set_result(answer)
                if isinstance(answer, Committed) and task.commit is not None:
                    tell(self._followers, task.commit.match, answer.seq)

    def empty_log(self) -> bool:
        """Empty the log of erased rows; False while somebody else reads from it."""
        until = time.monotonic() + self._waits.empty_log_s
        while True:
            with self._mutex:
                staged = self._finish()
                is_empty = self.transactions.empty_log()
            self._tell(staged)
            if is_empty or time.monotonic() > until:
                return is_empty
            time.sleep(PAUSE_S)

    def stop(self) -> None:
        """Finish the waiting work."""
        if self._thread.is_alive():
            self._tasks.put(None)
            self._thread.join()

    def close(self) -> None:
        """Close the connection, after any commit; may be called twice."""
        with self._mutex:
            self.transactions.close()
