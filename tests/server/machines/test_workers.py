"""One server of several processes, each of which is killed in turn while people play: nothing is lost."""

import random
import re
import sys
from collections import Counter
from pathlib import Path

import anyio
import pytest

from server.table.placement import Placement
from tests.server.machines.checker import faults, of_file
from tests.server.machines.people import BOTS, Diary, Person, made
from tests.server.machines.workers import WORKERS, Household, household
from tests.server.tabletop import TWO_PEOPLE, live


async def trouble(where: Household, done: Counter[str]) -> None:
    """Each process is killed in turn, then the parent, whose children end with it."""
    for number in range(WORKERS):
        await anyio.sleep(0.6)
        await anyio.to_thread.run_sync(where.kill, number)
        done["a process is killed"] += 1
    await anyio.sleep(0.6)
    await anyio.to_thread.run_sync(where.end)
    while where.is_open():
        await anyio.sleep(0.01)
    where.start()
    done["the parent is killed"] += 1


@pytest.mark.whole
def test_whichever_process_is_killed_no_accepted_choice_is_lost_doubled_or_shown_before_it_lasts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    diary, done, rng = Diary(), Counter[str](), random.Random(23)
    matches = 8

    @live
    async def played(where: Household) -> None:
        async with anyio.create_task_group() as tasks:
            created = [await made(where, TWO_PEOPLE) for _ in range(matches)]
            for _ in range(4):
                await made(where, BOTS)
            for each in created:
                for seat in (0, 1, None):
                    tasks.start_soon(Person(where, diary, each, seat, random.Random(rng.random())).run)
            tasks.start_soon(trouble, where, done)
        with anyio.fail_after(200):
            while await anyio.to_thread.run_sync(where.left):
                await anyio.sleep(0.2)

    with household(tmp_path) as where:
        played(where)
        assert where.end_each() == 0
        assert len(re.findall(r"SIGTERM: what is being written is finished.* process=\d", where.log)) >= WORKERS
        assert "was ended as it stopped" not in where.log
        wrong = re.findall(r"Traceback.*|.*nothing has caught.*|.*TypeError.*|.*AssertionError.*", where.log)
    records = of_file(where.db)
    found = list(faults(records, diary.accepted, diary.told))
    with capsys.disabled():
        sys.stdout.write(f"\n{matches} matches of people and 4 of bots at {WORKERS} processes; tried: {dict(done)};")
        sys.stdout.write(f" clients met {dict(diary.met)}; {len(diary.accepted)} choices accepted, lost or wrong:")
        sys.stdout.write(f" {len(found)}\n")
    assert not found
    assert not wrong
    assert done == {"a process is killed": WORKERS, "the parent is killed": 1}
    assert len(records.heads) == matches + 4
    assert len({Placement(0, WORKERS).has(match) for match in records.heads}) == 2
    assert len(diary.accepted) > 4 * matches
