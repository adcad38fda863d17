"""Servers of an older version are replaced one at a time while matches go on: each choice is in the record once."""

import random
import sys
from pathlib import Path

import anyio
import pytest

from projections.registry import faces
from tests.server.gate.restart import ROOT
from tests.server.machines.checker import faults, of_database
from tests.server.machines.people import Diary, made
from tests.server.machines.upgrading import REVISIONS, SERVERS, Chooser, Upgraded, next_of, tree_of, upgraded
from tests.server.tabletop import FACES, TWO_PEOPLE, live

AT_ONCE = 16
"""Matches that are played at a time, each by two people, with somebody who watches."""


async def replaced(where: Upgraded, statuses: list[int]) -> None:
    await anyio.sleep(4)
    await anyio.to_thread.run_sync(where.migrate)
    for number in range(SERVERS):
        await anyio.sleep(4)
        statuses.append(await anyio.to_thread.run_sync(where.replace, number))
        while not where.is_back(number):
            await anyio.sleep(0.05)
    await anyio.sleep(4)


@pytest.mark.postgres
@pytest.mark.nats
@pytest.mark.deep
@pytest.mark.timeout(1200)
@pytest.mark.xdist_group("postgres")
@pytest.mark.parametrize(
    ("game", "version"),
    [*(("vera_discordia", path) for path in REVISIONS), ("war_for_edadh", None)],
    ids=[*(path.parent.name for path in REVISIONS), "to newer rules"],
)
def test_servers_are_replaced_one_at_a_time_and_every_accepted_choice_is_in_the_record_once(
    game: str,
    version: Path | None,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """From each kept version to this one; and from this one to a later one, which has newer rules."""
    monkeypatch.setitem(FACES, game, faces()[game])
    diary, statuses, rng, known = Diary(), list[int](), random.Random(23), set[str]()

    @live
    async def played(where: Upgraded) -> None:
        over = anyio.Event()

        async def tables() -> None:
            while not over.is_set():
                created = await made(where, TWO_PEOPLE, game)
                known.add(created.match)
                async with anyio.create_task_group() as people:
                    for seat in (0, 1, None):
                        people.start_soon(Chooser(where, diary, created, seat, random.Random(rng.random())).run)

        async with anyio.create_task_group() as tasks:
            for _ in range(AT_ONCE):
                tasks.start_soon(tables)
            await replaced(where, statuses)
            over.set()

    if version is None:
        old, new = ROOT, next_of(game, tmp_path / "next")
    else:
        old, new = tree_of(version.read_text().strip(), tmp_path / "old"), ROOT
    with upgraded(tmp_path, old, new) as where:
        played(where)
        records = of_database(where.store)
        where.check()
        wrong = [fault for node in where.nodes for fault in node.faults()]
    found = list(faults(records, diary.accepted, diary.told))
    changed = [match for match, lines in records.lines.items() if any('"RulesChanged"' in line for line in lines)]
    with capsys.disabled():
        sys.stdout.write(f"\n{len(known)} matches of {game} at {SERVERS} servers, each replaced by a later version;")
        sys.stdout.write(f" clients met {dict(diary.met)}; {len(diary.accepted)} choices accepted, lost or wrong:")
        sys.stdout.write(f" {len(found)}; {len(changed)} matches went on under newer rules\n")
    assert not found
    assert not wrong
    assert statuses == [0] * SERVERS
    assert known <= records.heads.keys()
    assert bool(changed) == (version is None)
    assert diary.met["ConnectionClosedOK"] > SERVERS * 5, "people who went to another server"
