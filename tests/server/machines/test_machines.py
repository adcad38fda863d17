"""Three servers over one database, while each is killed, the database crashes, and hints go away: nothing is lost."""

import random
import signal
import sys
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path

import anyio
import psycopg
import pytest
from msgspec import to_builtins
from websockets.exceptions import WebSocketException

from server.wire.client import View, connected, enter
from server.wire.errors import NotAdmitted
from server.wire.protocol import Accepted, Create, Created, SeatWish
from tests.server.machines.checker import Records, Told, faults
from tests.server.machines.fleet import Fleet, fleet
from tests.server.tabletop import TWO_PEOPLE, Player, live
from tests.skirmish.game import GAME

BOTS = (SeatWish("bot"), SeatWish("bot"))
GONE = (OSError, WebSocketException, NotAdmitted, TimeoutError)
"""What a client meets whose server is away, or whose server's store is."""
PATIENCE_S = 12.0
"""So long somebody waits for a move before connecting anew, perhaps elsewhere."""


class Diary:
    """What clients heard."""

    def __init__(self) -> None:
        self.accepted: dict[tuple[str, int, str], set[int]] = defaultdict(set)
        self.told: list[Told] = []
        self.met: Counter[str] = Counter()


class Person:
    """Somebody at a match, now at this server, now at that one, until it is over. Without a seat, a spectator."""

    def __init__(self, where: Fleet, diary: Diary, created: Created, seat: int | None, rng: random.Random) -> None:
        self._fleet, self._diary, self._created, self._seat, self._rng = where, diary, created, seat, rng
        self._token = "" if seat is None else created.tokens[str(seat)]

    async def run(self) -> None:
        """Go on, whatever happens."""
        is_over = False
        while not is_over:
            try:
                async with connected(self._rng.choice(self._fleet.nodes).url) as client:
                    with anyio.fail_after(PATIENCE_S):
                        welcome = await enter(client, self._created.match, self._token)
                    player = Player(client, View(GAME, welcome))
                    try:
                        is_over = await self._stay(player)
                    finally:
                        lines = [text for text, _ in player.items]
                        self._diary.told.append((self._created.match, player.view.viewer.label, lines))
            except GONE as wrong:
                self._diary.met[type(wrong).__name__] += 1
                await anyio.sleep(self._rng.uniform(0.05, 0.4))

    async def _stay(self, player: Player) -> bool:
        """Whether the match is over; False where one connects anew for no reason."""
        for _ in range(self._rng.choice((3, 8, 99))):
            with anyio.fail_after(PATIENCE_S):
                await player.until(lambda: player.is_over() or bool(player.view.asked()))
            if player.is_over():
                return True
            assert self._seat is not None
            await anyio.sleep(self._rng.uniform(0.0, 0.6))
            asked = player.asked()
            name = f"{self._seat}-{asked.number}"
            # The first option, always: sent again, it is the same choice.
            with anyio.fail_after(PATIENCE_S):
                answer = await player.client.choose(asked, to_builtins(player.options()[0]), id=name)
            if isinstance(answer, Accepted):
                self._diary.accepted[self._created.match, self._seat, name].add(answer.seq)
                with anyio.fail_after(PATIENCE_S):
                    await player.reach(answer.seq)
            else:
                self._diary.met[f"refused: {answer.code}"] += 1
                await anyio.sleep(0.1)
                return False
        return False


async def made(where: Fleet, seats: tuple[SeatWish, ...]) -> Created:
    """A match at the first server, as soon as it listens."""
    with anyio.fail_after(200):
        while True:
            try:
                async with connected(where.nodes[0].url) as client:
                    return await client.ask(Create(GAME.name, seats), Created)
            except GONE:
                await anyio.sleep(0.1)


async def aside(work: Callable[[], object]) -> None:
    await anyio.to_thread.run_sync(work)


async def trouble(where: Fleet, done: Counter[str]) -> None:
    """One thing after the other goes away and comes back."""
    one, two, three = where.nodes
    steps: tuple[tuple[str, Callable[[], object]], ...] = (
        ("a server is killed", one.end),
        ("the database crashes", lambda: where.database.stop(signal.SIGQUIT)),
        ("the database is back", where.database.start),
        ("hints are gone", where.nats.kill),
        ("a server is back", one.start),
        ("a server is killed", two.end),
        ("the database is restarted", where.database.restart),
        ("hints are back", where.nats.start),
        ("a server is back", two.start),
        ("a server is killed", three.end),
        ("a server is back", three.start),
    )
    for name, step in steps:
        await anyio.sleep(1.5)
        await aside(step)
        done[name] += 1


async def until_finished(where: Fleet) -> None:
    def left() -> int:
        with psycopg.connect(where.store) as line:
            row = line.execute("SELECT count(*) FROM matches WHERE status <> 'finished'").fetchone()
            return int(row[0]) if row else 0

    while await anyio.to_thread.run_sync(left):
        await anyio.sleep(0.2)


@pytest.mark.postgres
@pytest.mark.nats
@pytest.mark.whole
@pytest.mark.xdist_group("postgres")
def test_whatever_is_killed_no_accepted_choice_is_lost_doubled_or_shown_before_it_lasts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    diary, done, rng = Diary(), Counter[str](), random.Random(23)
    matches = 12

    @live
    async def played(where: Fleet) -> None:
        async with anyio.create_task_group() as tasks:
            created = [await made(where, TWO_PEOPLE) for _ in range(matches)]
            for _ in range(4):
                await made(where, BOTS)
            for each in created:
                for seat in (0, 1, None):
                    tasks.start_soon(Person(where, diary, each, seat, random.Random(rng.random())).run)
            tasks.start_soon(trouble, where, done)
        with anyio.fail_after(200):
            await until_finished(where)

    with fleet(tmp_path) as where:
        played(where)
        found = list(faults(Records(where.store), diary.accepted, diary.told))
        records = Records(where.store)
        wrong = [fault for node in where.nodes for fault in node.faults()]
    with capsys.disabled():
        sys.stdout.write(f"\n{matches} matches of people and 4 of bots at 3 servers; tried: {dict(done)}; clients met")
        sys.stdout.write(f" {dict(diary.met)}; {len(diary.accepted)} choices accepted, lost or wrong: {len(found)}\n")
    assert not found
    assert not wrong
    assert len(records.heads) == matches + 4
    assert len(diary.accepted) > 8 * matches
    assert sum(diary.met.values()) > 3


def test_the_checker_finds_what_is_wrong() -> None:
    records = Records.__new__(Records)
    records.gaps, records.heads, records.lines = [], {}, {}
    line = '[2,"AA",1,5,"Chosen","r",0,"",{"seat":0,"number":1,"id":"a"},[]]'
    records.heads["AAAAAAAAAAAAAAAAAAAAAA"] = (2, b"", "running")
    records.lines["AAAAAAAAAAAAAAAAAAAAAA"] = [line, line.replace(",1,5,", ",2,4,")]
    accepted = {("AAAAAAAAAAAAAAAAAAAAAA", 0, "a"): {1}, ("AAAAAAAAAAAAAAAAAAAAAA", 0, "b"): {3}}
    found = "\n".join(faults(records, accepted, [("AAAAAAAAAAAAAAAAAAAAAA", "seat0", ["else"])]))
    for told in ("time goes back", "the list says", "stands there 2 times", "stands at 2", "stands there 0 times",
                 "what is not in the record", "could not go on"):  # fmt: skip
        assert told in found
