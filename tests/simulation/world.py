"""A run: servers over one disk, people who play, and everything that can go wrong, all from one seed."""

import asyncio
import hashlib
import logging
import random
from collections import Counter
from collections.abc import Coroutine
from contextlib import ExitStack
from contextvars import copy_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Struct

from domain.kernel import TimeControl
from projections.plain import plain_face
from replay.record import seat_proof
from replay.record.serverkey import ServerKey
from replay.store.sqlite.store import SqliteStore
from server.cluster.servers import OtherServers
from server.gate.app import resume
from server.gate.session import Session
from server.lobby.lobby import Lobby
from server.operations.intervals import INTERVALS
from server.operations.settings import Limits
from server.table.clocks import LifeSign
from server.wire.protocol import (
    Create,
    Created,
    Delay,
    Join,
    Joined,
    SeatWish,
    read_server_message,
    write_client_message,
)
from tests.simulation.disk import Disk, LoopStore, PowerCut
from tests.simulation.hints import Bus, Hints
from tests.simulation.loop import OUTSIDE, PROCESS, Process, VirtualLoop, WallClock, virtual
from tests.simulation.network import Gone, Link
from tests.simulation.person import Person, commitment_of
from tests.simulation.timing import control_of, is_timed
from tests.simulation.witness import Witness
from tests.skirmish.game import GAME

FACES = {GAME.name: plain_face(GAME)}
KEY = ServerKey(1, Ed25519PrivateKey.from_private_bytes(b"k" * 32))
PATIENCE_S = 3600.0
"""Virtual seconds after the last fault in which every match must have ended."""
REVEAL_MS = 5_000
"""How long servers wait for a share of chance in runs in which some are withheld."""
ME, FRIEND, OPEN, BOT = SeatWish("me", "Ada"), SeatWish("friend", "Bo"), SeatWish("open"), SeatWish("bot")
TABLES = ((ME, FRIEND), (ME, FRIEND), (ME, BOT), (ME, OPEN), (BOT, BOT))


class Outcome(Struct, frozen=True):
    """The result of a run. `trace` is the hash over everything that happened; `faults` counts the faults, `times`
    the acts of the clocks."""

    seed: int
    trace: str
    virtual_s: float
    matches: int
    choices: int
    frames: int
    faults: dict[str, int]
    answers: dict[str, int]
    times: dict[str, int]
    story: tuple[str, ...]


class Failed(Exception):
    """A promise was broken; the seed shows it again."""

    def __init__(self, seed: int, story: list[str]) -> None:
        self.story = story
        super().__init__(f"seed {seed}; the last of its {len(story)} steps:\n" + "\n".join(story[-40:]))


class Server:
    """One process after the other over the same disk: started, stopped, crashed, started again."""

    def __init__(self, world: "World", name: str) -> None:
        self.name = name
        self._world = world
        self._links: dict[Link, None] = {}
        self._starts = 0
        self._stores: list[LoopStore] = []
        self.up = False

    def start(self) -> None:
        """A new process opens the database and continues from its contents."""
        world = self._world
        if self.up or world.is_over:
            return
        self._starts += 1
        self.up = True
        world.trace(f"{self.name} starts for the {self._starts}. time")
        self._process = Process(f"{self.name}.{self._starts}")
        self._store = LoopStore(world.disk, world.loop, self.crash)
        self._stores.append(self._store)
        bot_delay_s = world.rng.choice((0.0, 0.4))
        self._lobby = Lobby(self._store, FACES, bot_delay_s=bot_delay_s, sign=KEY.stamp, limits=world.limits,
                          life_sign=LifeSign(world.life_sign), is_shared=world.bus is not None)  # fmt: skip
        self._context = copy_context()
        self._context.run(PROCESS.set, self._process)
        self._store.on_failure(self._fail)
        # If nothing is lost, the runs of earlier seeds stay the same.
        self._spawn(resume(self._lobby) if world.loses else self._lobby.takeover.resume())
        self._spawn(self._chores())
        if world.bus is not None:
            hints = Hints(world.bus, self._process.name, self._context.copy())
            self._spawn(OtherServers(self._lobby, hints).run())

    def _spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        self._world.loop.create_task(work, context=self._context.copy())

    def _fail(self, _why: str) -> None:
        self._world.trace(f"{self.name} has no disk any more")
        self._world.spawn(self.stop())

    async def _chores(self) -> None:
        while True:
            for _ in range(int(INTERVALS.forget_s / INTERVALS.beat_s)):
                await asyncio.sleep(INTERVALS.beat_s)
                self._lobby.registry.heartbeat()
                if self._store.pulse().refuses:
                    await asyncio.to_thread(self._store.probe)
            self._lobby.registry.forget_idle(self._world.rng.choice((0.0, 60.0)))

    def accept(self, link: Link) -> None:
        """Somebody connects."""
        self._links[link] = None
        self._spawn(self._serve(link))

    async def _serve(self, link: Link) -> None:
        try:
            await Session(self._lobby, link).run()
        except Gone:
            pass
        finally:
            self._links.pop(link, None)

    def crash(self) -> None:
        """The process crashes."""
        if not self.up:
            return
        self.up = False
        self._world.trace(f"{self.name} crashes")
        self._leave()
        self._store.writer.dead = True
        self._process.dead = True
        for link in list(self._links):
            link.crash()
        self._links.clear()
        self._process.kill()
        self._store.close()
        self._world.loop.call_later(self._world.rng.uniform(0.05, 8), self.start, context=OUTSIDE)

    async def stop(self) -> None:
        """The process is asked to stop, as app.running does it."""
        if not self.up:
            return
        self._world.trace(f"{self.name} stops")
        closing = self._world.loop.create_task(self._lobby.close(), context=self._context.copy())
        await asyncio.wait([closing])
        if self._process.dead:
            return
        self._leave()
        self.up = False
        for link in list(self._links):
            link.down.send(Gone(1001))
            link.up.cut(1001, 0.01)
        self._links.clear()
        self._store.close()
        self._process.kill()
        self._world.loop.call_later(self._world.rng.uniform(0.05, 8), self.start, context=OUTSIDE)

    def _leave(self) -> None:
        """The process gets no further messages."""
        if self._world.bus is not None:
            self._world.bus.listening.pop(self._process.name, None)

    def let_go(self) -> None:
        """Close what every process had open: one that was still ending when it was closed may have opened it again."""
        for store in self._stores:
            store.writer.dead = True
            store.close()


class World:
    """Everything of one run."""

    def __init__(
        self, seed: int, loop: VirtualLoop, wall: WallClock, rng: random.Random, path: Path, limits: Limits
    ) -> None:
        self.rng = rng
        self.limits = limits
        self.loop = loop
        self.story: list[str] = []
        self.faults: Counter[str] = Counter()
        self.people: list[Person] = []
        self.mischief = rng.choice((0.0, 0.02, 0.1))
        self.away = random.Random(f"away {seed}")
        self.disk = Disk(path, rng, self.trace, self.away, loop.time)
        self.sociable = rng.choice((0.0, 0.05, 0.3))
        self.is_steady = rng.random() < 0.5
        self.is_timed = is_timed(seed)
        self.life_sign = path.with_name("alive") if self.is_timed and rng.random() < 0.5 else None
        self.witness = Witness(self.disk.durable, self.disk.ruled, lambda: wall.time_ns() // 1_000_000)
        self.frames = 0
        self.is_over = False
        self._wall = wall
        self._hash = hashlib.sha256(str(seed).encode())
        names = ["one", "two"][: rng.choice((1, 1, 2))]
        # One alone over a database may be one of several: it looks for news too.
        is_shared = seed % 4 if len(names) > 1 else self.away.random() < 0.3
        self.loses = self.away.choice((0.0, self.away.choice((0.1, 0.3, 0.5)))) if is_shared else 0.0
        """How likely the answer to a commit is lost, as that of a database which several servers share; then shares of
        chance are withheld too."""
        has_bus = is_shared and (len(names) > 1 or self.loses)
        self.bus = Bus(seed, loop, self.faults, self.trace) if has_bus else None
        """Where servers tell each other; without it they meet at the store alone."""
        if self.bus is not None and len(names) > 1 and self.bus.rng.random() < 0.5:
            names.append("three")
        self._servers = [Server(self, name) for name in names]
        self.witness.servers = len(self._servers)
        self.witness.is_one_clock = self.is_steady or len(self._servers) == 1
        self._connections = 0
        self._tasks: dict[asyncio.Task[None], None] = {}
        self._wrong: list[BaseException] = []

    def trace(self, what: str) -> None:
        """Something happened."""
        line = f"{self.loop.time():.6f} {what}"
        self._hash.update(line.encode())
        self.story.append(line[:160])

    @property
    def digest(self) -> str:
        """The hash over everything that happened."""
        return self._hash.hexdigest()

    def spawn(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        """A task of the world or of a person in it; an exception in it ends the run."""
        task = self.loop.create_task(self._watched(work))
        self._tasks[task] = None
        task.add_done_callback(lambda done: self._tasks.pop(done, None))
        return task

    async def _watched(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Exception as wrong:
            self._wrong.append(wrong)

    def connect(self, who: str) -> Link:
        """A connection to one of the servers. Raises `Gone` where the one asked is down."""
        asked = self.rng.choice(self._servers)
        if not asked.up:
            raise Gone(1006)
        self._connections += 1
        link = Link(f"{who}#{self._connections}", self.loop, self.rng, self._told)
        self.trace(f"{link.name} connects to {asked.name}")
        asked.accept(link)
        return link

    def _told(self, link: Link, frame: str) -> None:
        self.frames += 1
        self.trace(f"{link.name} < {frame}")
        try:
            self.witness.told(link, frame)
        except Exception as wrong:
            self._wrong.append(wrong)

    async def play(self) -> None:
        """The whole run."""
        for one in self._servers:
            one.start()
        chaos = self.spawn(self._chaos())
        begun = [chaos, *(self.spawn(self._match(number)) for number in range(self.rng.choice((1, 1, 2, 3))))]
        deadline = PATIENCE_S
        while not (all(t.done() for t in begun) and all(p.done for p in self.people)) and not self._wrong:
            await asyncio.sleep(0.5)
            deadline -= 0.5 * chaos.done()
            assert deadline > 0, f"not done: {[p.name for p in self.people if not p.done]}"
        if self._wrong:
            raise self._wrong[0]
        for one in self._servers:
            while not one.up:
                await asyncio.sleep(1)
            await one.stop()

    async def end(self) -> None:
        """Check that nothing continues after the run."""
        self.is_over = True
        for task in [task for task in asyncio.all_tasks(self.loop) if task is not asyncio.current_task()]:
            task.cancel()
        await asyncio.sleep(100)

    def let_go(self) -> None:
        """Check that nothing is open after the run."""
        for one in self._servers:
            one.let_go()

    async def _match(self, number: int) -> None:
        """Create a match, trying again while answers are lost; then its people come."""
        seats = self.rng.choice(TABLES)
        # After a restart the record's times are all there is, so that a clock that jumps lifts a delay by time.
        delay = Delay(self.rng.choice((0, 0, 1, 7, 30)), self.rng.choice((0, 0, 2, 20)) if self.is_steady else 0)
        share = self.rng.randbytes(32) if seats[0] is ME and self.rng.random() < 0.3 else b""
        if self.loses and seats[0] is ME:
            share = share or self.away.randbytes(32)
        is_withheld = bool(self.loses) and self.away.random() < 0.5
        wish = SeatWish("me", "Ada", entropy=commitment_of(share)) if share else seats[0]
        time = control_of(self.rng) if self.is_timed else TimeControl()
        while True:
            try:
                create = Create(GAME.name, (wish, *seats[1:]), delay_events=delay.events, delay_s=delay.s, time=time)
                created = await self._ask(f"host{number}", create, Created)
                if delay.events or delay.s:
                    self.witness.delays[created.match] = delay
                tokens = {int(seat): token for seat, token in created.tokens.items()}
                if OPEN in seats:
                    joined = await self._ask(f"guest{number}", Join(created.match, seats.index(OPEN), "Bo"), Joined)
                    tokens[joined.seat] = joined.token
                break
            except (Gone, TimeoutError):
                await asyncio.sleep(self.rng.uniform(0.1, 3))
        for seat, token in tokens.items():
            self.witness.tokens[created.match, seat] = token
            self._come(Person(self, f"m{number}s{seat}", created.match, token, scenes=self.rng.random() < 0.4,
                              share=share if seat == 0 and not is_withheld else b""))  # fmt: skip
        for watcher in range(self.rng.choice((0, 1, 2)) or int(not tokens)):
            self._come(Person(self, f"m{number}w{watcher}", created.match, "", scenes=self.rng.random() < 0.5))

    def cast(self, live_match: Person, token: str) -> None:
        """A person who was given a seat's view connects."""
        seat = next(
            seat for seat in range(GAME.seats) if token in self.witness.grants.get((live_match.match, seat), ())
        )
        name = f"{live_match.name}c{len(self.people)}"
        self._come(Person(self, name, live_match.match, token, scenes=self.rng.random() < 0.5, caster_of=seat))

    def _come(self, person: Person) -> None:
        self.people.append(person)
        self.spawn(person.run())

    async def _ask(self, who: str, message: Create | Join, answer: type[Any]) -> Any:
        link = self.connect(who)
        frame = write_client_message(message)
        self.trace(f"{link.name} > {frame}")
        link.up.send(frame)
        try:
            while True:
                told = read_server_message(await asyncio.wait_for(link.down.receive(), 20))
                if isinstance(told, answer):
                    return told
                if type(told).__name__ == "Error":
                    raise TimeoutError
        finally:
            link.drop()

    async def _chaos(self) -> None:
        """Faults, one after the other, for a while; then everything heals."""
        self.disk.chance = self.rng.choice((0.0, 0.0, 0.02, 0.1, 0.3))
        self.disk.loses = self.loses
        often_s = self.rng.choice((0.2, 1.0, 5.0))
        end = self.loop.time() + self.rng.uniform(1, 60)
        while self.loop.time() < end:
            await asyncio.sleep(self.rng.expovariate(1 / often_s))
            kinds = ("crash", "stop", "drop", "drop", "stall", "forget", "clock")
            self._fault(self.rng.choice(kinds[: -1 if self.is_steady else None]))
        self.disk.heal()
        self.trace("everything heals")

    def _fault(self, kind: str) -> None:
        struck = self.rng.choice(self._servers)
        person = self.rng.choice(self.people) if self.people else None
        self.faults[kind] += 1
        self.trace(f"fault {kind}")
        match kind:
            case "crash":
                struck.crash()
            case "stop":
                self.spawn(struck.stop())
            case "clock":
                self._wall.off_ns += self.rng.choice((-1, 1)) * self.rng.choice((10**6, 10**9, 3600 * 10**9, 10**15))
            case _ if person is not None and person.link is not None:
                self._trouble(person, person.link, kind)

    def _trouble(self, person: Person, link: Link, kind: str) -> None:
        if kind == "stall":
            link.down.stalled = True
            self.loop.call_later(self.rng.choice((0.1, 3, 50)), link.down.go_on, context=OUTSIDE)
            return
        link.drop()
        if kind == "forget":
            person.is_forgetful = True


def run(seed: int) -> Outcome:
    """One run. Raises `Failed` where a promise was broken."""
    rng = random.Random(seed)
    logging.disable(logging.CRITICAL)
    limits = Limits(waiting_bytes=rng.choice((1 << 20, 30_000, 3_000)))
    with TemporaryDirectory() as folder, virtual(rng) as (loop, wall), ExitStack() as stack:
        loop.set_exception_handler(lambda *_: None)
        world = World(seed, loop, wall, rng, Path(folder, "herald.db"), limits)
        if world.loses:
            # So that it ends while answers are lost.
            stack.enter_context(patch.object(seat_proof, "REVEAL_MS", REVEAL_MS))
        try:
            try:
                loop.run_until_complete(world.play())
            finally:
                loop.begin_anew()
                try:
                    loop.run_until_complete(world.end())
                finally:
                    world.let_go()
                    logging.disable(logging.NOTSET)
            store = SqliteStore(world.disk.path, readonly=True)
            try:
                world.witness.judge(store, world.people)
            finally:
                store.close()
        except (Exception, PowerCut) as wrong:
            raise Failed(seed, world.story) from wrong
        return Outcome(
            seed,
            world.digest,
            loop.time(),
            len(world.disk.durable.lines),
            len(world.witness.accepted),
            world.frames,
            {**world.faults, **{f"disk {kind}": count for kind, count in world.disk.happened.items()}},
            dict(world.witness.answers),
            dict(world.witness.times),
            tuple(world.story),
        )
