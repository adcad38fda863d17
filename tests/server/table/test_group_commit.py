"""Answers of the store reach the event loop: each its own, in order, one awakening for all that came meanwhile."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import cast

import pytest

from replay.store.errors import NoSuchMatch, StoreFailed
from replay.store.log import Append, Commit, Committed, Conflict, Done
from replay.store.store import Store
from server.table.group_commit import AT_ONCE, GroupCommit
from tests.server.tabletop import live


class Writer:
    """A store whose answers come when the test says so; it stages what comes while `stages`."""

    def __init__(self, *, stages: bool = False) -> None:
        self.futures: list[Future[Append]] = []
        self.stages = stages
        self.staged: list[tuple[list[Commit], Done]] = []

    def stage(self, commits: Sequence[Commit], done: Done) -> bool:
        if self.stages:
            self.staged.append((list(commits), done))
        return self.stages

    def submit(self, commit: Commit) -> "Future[Append]":
        self.futures.append(Future())
        return self.futures[-1]


COMMIT = Commit("m", 0, (), b"")


@live
async def test_each_append_is_answered_with_its_own_answer_and_the_loop_is_woken_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    writer = Writer()
    group_commit = GroupCommit(cast(Store, writer))
    waiting = [group_commit.append(COMMIT) for _ in range(3)]
    woken: list[object] = []
    loop = asyncio.get_running_loop()
    wake = loop.call_soon_threadsafe

    def count(deliver: Callable[..., object], *given: object) -> None:
        woken.append(deliver)
        wake(deliver, *given)

    monkeypatch.setattr(loop, "call_soon_threadsafe", count)
    await asyncio.sleep(0)
    await asyncio.to_thread(writer.futures[0].set_result, Committed(1))
    assert await waiting[0] == Committed(1)
    woken.clear()
    writer.futures[1].set_result(Conflict(7))
    writer.futures[2].set_exception(NoSuchMatch("none"))
    assert await waiting[1] == Conflict(7)
    with pytest.raises(NoSuchMatch):
        await waiting[2]
    assert len(woken) == 1


@live
async def test_who_no_longer_waits_holds_nobody_up() -> None:
    writer = Writer()
    group_commit = GroupCommit(cast(Store, writer))
    gone, there = group_commit.append(COMMIT), group_commit.append(COMMIT)
    gone.cancel()
    await asyncio.sleep(0)
    assert len(writer.futures) == 2
    for future in writer.futures:
        assert not future.cancelled(), "what is being written is not given up"
        future.set_result(Committed(2))
    assert await there == Committed(2)


@live
async def test_commits_of_one_turn_are_staged_together_and_what_comes_meanwhile_makes_the_next_group() -> None:
    writer = Writer(stages=True)
    group_commit = GroupCommit(cast(Store, writer))
    first = [group_commit.append(Commit(f"m{number}", 0, (), b"")) for number in range(3)]
    await asyncio.sleep(0)
    later = group_commit.append(Commit("m3", 0, (), b""))
    await asyncio.sleep(0)
    ((commits, done),) = writer.staged
    assert [commit.match for commit in commits] == ["m0", "m1", "m2"]
    first[1].cancel()
    await asyncio.to_thread(done, [Committed(1), Committed(1), NoSuchMatch("none")])
    assert await first[0] == Committed(1)
    with pytest.raises(NoSuchMatch):
        await first[2]
    commits, done = writer.staged[1]
    assert [commit.match for commit in commits] == ["m3"]
    done([Committed(1)])
    assert await later == Committed(1)


@live
async def test_what_cannot_be_staged_at_the_moment_is_submitted() -> None:
    writer = Writer()
    group_commit = GroupCommit(cast(Store, writer))
    waiting = group_commit.append(COMMIT)
    await asyncio.sleep(0)
    writer.futures[0].set_result(Committed(1))
    assert await waiting == Committed(1)
    writer.stages = True
    again = group_commit.append(COMMIT)
    await asyncio.sleep(0)
    writer.staged[0][1]([Committed(2)])
    assert await again == Committed(2)
    assert len(writer.futures) == 1


@live
async def test_no_more_are_staged_at_once_than_the_loop_can_spare_the_time_for() -> None:
    writer = Writer(stages=True)
    group_commit = GroupCommit(cast(Store, writer))
    waiting = [group_commit.append(COMMIT) for _ in range(AT_ONCE + 1)]
    await asyncio.sleep(0)
    assert [len(commits) for commits, _ in writer.staged] == [AT_ONCE]
    writer.staged[0][1]([Committed(1)] * AT_ONCE)
    await waiting[0]
    assert [len(commits) for commits, _ in writer.staged] == [AT_ONCE, 1]
    writer.staged[1][1]([Committed(1)])
    assert await waiting[-1] == Committed(1)


@pytest.mark.parametrize("stages", [False, True])
@live
async def test_a_store_that_takes_nothing_says_so_to_each_who_waits(stages: bool) -> None:
    class Broken(Writer):
        def submit(self, commit: Commit) -> "Future[Append]":
            raise StoreFailed("no disk")

        def stage(self, commits: Sequence[Commit], done: Done) -> bool:
            if stages:
                raise StoreFailed("no disk")
            return False

    group_commit = GroupCommit(cast(Store, Broken()))
    for waiting in (group_commit.append(COMMIT), group_commit.append(COMMIT)):
        with pytest.raises(StoreFailed):
            await waiting


@pytest.mark.parametrize("stages", [False, True])
@live
async def test_a_match_goes_on_before_whoever_waits_and_also_where_nobody_does_any_more(stages: bool) -> None:
    writer, order = Writer(stages=stages), list[str]()
    group_commit = GroupCommit(cast(Store, writer))

    async def wait(name: str) -> None:
        await group_commit.append(COMMIT, lambda: order.append(f"{name} is committed"))
        order.append(f"{name} goes on")

    ada, bo, cy = (asyncio.create_task(wait(name)) for name in ("Ada", "Bo", "Cy"))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    bo.cancel()
    answers: list[Append | Exception] = [Committed(1), Committed(1), Conflict(3)]
    if stages:
        writer.staged[0][1](answers)
    else:
        for future, answer in zip(writer.futures, answers, strict=True):
            assert not isinstance(answer, Exception)
            future.set_result(answer)
    await asyncio.wait((ada, bo, cy))
    assert order == ["Ada is committed", "Bo is committed", "Ada goes on", "Cy goes on"]


@live
async def test_a_match_that_cannot_go_on_says_so_to_whoever_waits_and_holds_up_no_other() -> None:
    writer = Writer(stages=True)
    group_commit = GroupCommit(cast(Store, writer))

    def fail() -> None:
        raise ZeroDivisionError

    failed, other = group_commit.append(COMMIT, fail), group_commit.append(COMMIT)
    await asyncio.sleep(0)
    writer.staged[0][1]([Committed(1), Committed(1)])
    with pytest.raises(ZeroDivisionError):
        await failed
    assert await other == Committed(1)


@live
async def test_where_other_processes_write_it_is_tried_again_to_stage_and_all_that_has_come_goes_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    writer, tried = Writer(), list[int]()
    stage = writer.stage

    def count(commits: Sequence[Commit], done: Done) -> bool:
        tried.append(len(commits))
        writer.stages = len(tried) == 3
        return stage(commits, done)

    monkeypatch.setattr(writer, "stage", count)
    group_commit = GroupCommit(cast(Store, writer), tries=2, pause_s=0.0)
    waiting = [group_commit.append(COMMIT)]
    while len(tried) < 2:
        await asyncio.sleep(0)
    waiting.append(group_commit.append(COMMIT))
    while not writer.staged:
        await asyncio.sleep(0)
    assert (tried, writer.futures) == ([1, 1, 2], [])
    writer.staged[0][1]([Committed(1), Committed(2)])
    assert [await each for each in waiting] == [Committed(1), Committed(2)]


@live
async def test_what_cannot_be_staged_after_so_many_tries_waits_for_its_turn_in_the_store() -> None:
    writer = Writer()
    group_commit = GroupCommit(cast(Store, writer), tries=2, pause_s=0.0)
    waiting = group_commit.append(COMMIT)
    while not writer.futures:
        await asyncio.sleep(0)
    writer.futures[0].set_result(Committed(1))
    assert await waiting == Committed(1)


@live
async def test_a_store_that_has_staged_is_waited_for_while_it_moves_its_log() -> None:
    writer = Writer(stages=True)
    group_commit = GroupCommit(cast(Store, writer), pause_s=0.0)
    first = group_commit.append(COMMIT)
    await asyncio.sleep(0)
    writer.stages = False
    writer.staged.pop()[1]([Committed(1)])
    assert await first == Committed(1)
    second = group_commit.append(COMMIT)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    writer.stages = True
    while not writer.staged:
        await asyncio.sleep(0)
    writer.staged[0][1]([Committed(2)])
    assert (await second, writer.futures) == (Committed(2), [])
