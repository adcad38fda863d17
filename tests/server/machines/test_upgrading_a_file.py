"""A server over a SQLite file is replaced by one of a later version while people play: nothing is lost, all go on."""

import random
import signal
import sys
from pathlib import Path

import anyio
import pytest

from projections.registry import faces
from tests.server.gate.restart import ROOT
from tests.server.machines.checker import faults, of_file
from tests.server.machines.people import Diary, made
from tests.server.machines.upgrading import REVISIONS, Chooser, OneServer, told_by, tree_of
from tests.server.tabletop import FACES, TWO_PEOPLE, live

GAME = "vera_discordia"
AT_ONCE = 12
"""Matches that are played at a time, each by two people, with somebody who watches."""


@pytest.mark.deep
@pytest.mark.timeout(600)
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM], ids=["killed", "stopped"])
@pytest.mark.parametrize("version", REVISIONS, ids=lambda path: path.parent.name)
def test_the_same_matches_go_on_in_the_same_file_and_it_is_kept_as_it_was(
    version: Path,
    how: signal.Signals,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(FACES, GAME, faces()[GAME])
    diary, statuses, rng, known = Diary(), list[int](), random.Random(29), set[str]()

    @live
    async def played(where: OneServer) -> None:
        over = anyio.Event()

        async def tables() -> None:
            while not over.is_set():
                created = await made(where, TWO_PEOPLE, GAME)
                known.add(created.match)
                async with anyio.create_task_group() as people:
                    for seat in (0, 1, None):
                        people.start_soon(Chooser(where, diary, created, seat, random.Random(rng.random())).run)

        async with anyio.create_task_group() as tasks:
            for _ in range(AT_ONCE):
                tasks.start_soon(tables)
            await anyio.sleep(8)
            statuses.append(await anyio.to_thread.run_sync(where.replace, how))
            await anyio.sleep(8)
            over.set()

    where = OneServer(tmp_path, tree_of(version.read_text().strip(), tmp_path / "old"), ROOT)
    where.node.start()
    try:
        played(where)
    finally:
        where.node.end()
    records = of_file(where.db)
    (kept,) = where.kept()
    before = of_file(kept)
    went_on = [match for match, (_, _, status) in before.heads.items() if status != "finished"]
    found = list(faults(records, diary.accepted, diary.told))
    with capsys.disabled():
        sys.stdout.write(f"\n{len(known)} matches of {GAME}, {len(went_on)} of them under way when the server ended;")
        sys.stdout.write(f" clients met {dict(diary.met)}; {len(diary.accepted)} choices accepted,")
        sys.stdout.write(f" {len(found)} lost or wrong\n")
    assert not found
    assert not where.node.faults()
    assert statuses == [0 if how is signal.SIGTERM else -signal.SIGKILL]
    assert known <= records.heads.keys()
    assert len(went_on) >= AT_ONCE // 2
    for match, lines in before.lines.items():
        assert records.lines[match][: len(lines)] == lines
    for match in went_on:
        told_by(ROOT, "audit", match, "--db", str(where.db))
