"""Three servers over one database, while each is killed, the database crashes, and hints go away: nothing is lost."""

import random
import signal
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import anyio
import psycopg
import pytest

from tests.server.machines.checker import Records, faults, of_database
from tests.server.machines.fleet import Fleet, fleet
from tests.server.machines.people import BOTS, Diary, Person, made
from tests.server.tabletop import TWO_PEOPLE

AT_ONCE = 12
"""Matches that are played at a time."""


async def aside(work: Callable[[], object]) -> None:
    await anyio.to_thread.run_sync(work)


async def trouble(where: Fleet, done: Counter[str]) -> None:
    """One thing after the other goes away and comes back."""
    (one, two, three), network, (near, far, farthest) = where.nodes, where.network, where.ways
    steps: tuple[tuple[str, Callable[[], object]], ...] = (
        ("a server is killed", one.end),
        ("the database crashes", lambda: where.database.stop(signal.SIGQUIT)),
        ("the database is back", where.database.start),
        ("hints are gone", where.nats.kill),
        ("a server is back", one.start),
        ("a server is killed", two.end),
        ("the database is restarted", where.database.restart),
        ("hints are back", where.nats.start),
        ("the way to the database is slow", lambda: network.slow(near, 0.05)),
        ("a server is back", two.start),
        ("the way to the database is cut", lambda: network.cut(far)),
        ("the way to the database is parted", lambda: network.part(farthest)),
        ("and heals", lambda: network.heal(farthest)),
        ("the way to the database is parted", lambda: network.part(near)),
        ("and is cut, and heals", lambda: network.renew(near)),
        ("a server is killed", three.end),
        ("a server is back", three.start),
    )
    for name, step in steps:
        await anyio.sleep(1.2)
        await aside(step)
        done[name] += 1
        for node in where.nodes:
            done["a server that could not start is started again"] += node.revive()


async def until_finished(where: Fleet, known: set[str]) -> None:
    """A match may be there besides, of whose creation nobody was told."""

    def left() -> int:
        with psycopg.connect(where.store) as line:
            unfinished = line.execute("SELECT match FROM matches WHERE status <> 'finished'").fetchall()
            return len(known & {match for (match,) in unfinished})

    while await anyio.to_thread.run_sync(left):
        await anyio.sleep(0.2)
        for node in where.nodes:
            node.revive()


@pytest.mark.postgres
@pytest.mark.nats
@pytest.mark.whole
@pytest.mark.xdist_group("postgres")
@pytest.mark.parametrize("matches", [12, pytest.param(2_000, marks=[pytest.mark.deep, pytest.mark.timeout(4 * 3600)])])
def test_whatever_is_killed_no_accepted_choice_is_lost_doubled_or_shown_before_it_lasts(
    matches: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    diary, done, rng = Diary(), Counter[str](), random.Random(23)
    bots = matches // 3

    left, known = [*range(matches)], set[str]()

    async def table(where: Fleet) -> None:
        """One match of people after the other."""
        while left:
            left.pop()
            created = await made(where, TWO_PEOPLE)
            known.add(created.match)
            async with anyio.create_task_group() as people:
                for seat in (0, 1, None):
                    people.start_soon(Person(where, diary, created, seat, random.Random(rng.random())).run)

    async def bots_play(where: Fleet) -> None:
        for _ in range(bots):
            known.add((await made(where, BOTS)).match)

    async def troubles(where: Fleet) -> None:
        await trouble(where, done)
        while left:
            await trouble(where, done)

    async def played(where: Fleet) -> None:
        async with anyio.create_task_group() as tasks:
            for _ in range(min(AT_ONCE, matches)):
                tasks.start_soon(table, where)
            tasks.start_soon(bots_play, where)
            tasks.start_soon(troubles, where)
        with anyio.fail_after(200):
            await until_finished(where, known)

    with fleet(tmp_path) as where:
        anyio.run(played, where)
        records = of_database(where.store)
        untold = records.heads.keys() - known
        for match in untold:
            del records.heads[match]
        found = list(faults(records, diary.accepted, diary.told))
        wrong = [fault for node in where.nodes for fault in node.faults()]
    with capsys.disabled():
        sys.stdout.write(f"\n{matches} matches of people and {bots} of bots at 3 servers; tried: {dict(done)};")
        sys.stdout.write(f" ways to the database {dict(where.network.counts)}; clients met")
        sys.stdout.write(f" {dict(diary.met)}; {len(diary.accepted)} choices accepted, lost or wrong: {len(found)}\n")
    assert not found
    assert not wrong
    assert records.heads.keys() == known
    assert len(known) == matches + bots
    assert len(diary.accepted) > 8 * matches
    assert sum(diary.met.values()) > 3


def test_the_checker_finds_what_is_wrong() -> None:
    records = Records({}, [])
    line = '[2,"AA",1,5,"Chosen","r",0,"",{"seat":0,"number":1,"id":"a"},[]]'
    records.heads["AAAAAAAAAAAAAAAAAAAAAA"] = (2, b"", "running")
    records.lines["AAAAAAAAAAAAAAAAAAAAAA"] = [line, line.replace(",1,5,", ",2,4,")]
    accepted = {("AAAAAAAAAAAAAAAAAAAAAA", 0, "a"): {1}, ("AAAAAAAAAAAAAAAAAAAAAA", 0, "b"): {3}}
    found = "\n".join(faults(records, accepted, [("AAAAAAAAAAAAAAAAAAAAAA", "seat0", ["else"])]))
    for told in ("time goes back", "the list says", "stands there 2 times", "stands at 2", "stands there 0 times",
                 "what is not in the record", "could not go on"):  # fmt: skip
        assert told in found
