"""`scale broadcast`: a match with open cards, thousands of viewers at relays, and a check of every frame."""

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

import herald_client
from herald_client.verifier import Verifier
from replay.record.line import read_line
from replay.store.log import Entry
from scripts.benchmarks.crowds import program
from scripts.benchmarks.measure import Figure, Report, percentile
from scripts.benchmarks.servers import Served, started
from scripts.benchmarks.sockets import allow_files
from scripts.benchmarks.viewers import OPEN, PLAIN, Frame, Seen
from scripts.benchmarks.weights import cpu_s
from server.cli.common import open_store
from server.wire.protocol import Events, read_server_message
from tests.postgres import free_port

DELAY_S: Final = 2
PROCESSES: Final = 2
"""The number of processes that hold viewers."""
PACE_S: Final = 1.0
"""The pause of the playing bots before each choice."""
LATE_MS: Final = 250.0
COST_US: Final = 30.0
HERALD: Final = (sys.executable, "-m", "tests.server.serving")
QUIET: Final = ("--log-level", "error")


class Wish(Struct, frozen=True):
    """The numbers of `viewers`, of `relays` and of seconds. `opened`: the number of viewers who see all hands."""

    game: str
    viewers: int
    opened: int
    relays: int
    seconds: float


class Watched(Struct, frozen=True):
    """The measurement: the frames of all viewers, and the processor time of the relays and of the players' server."""

    seen: list[Seen]
    relays_s: float
    server_s: float

    def frames(self) -> Iterator[Frame]:
        """The frames of all viewers."""
        return (frame for one in self.seen for frame in one.frames)

    @property
    def deliveries(self) -> int:
        """The frames sent to all viewers during the measurement."""
        return sum(len(frame.times) for frame in self.frames() if frame.live)

    def lags_ms(self, kind: str, stored: Sequence[Entry], delay_s: float) -> list[float]:
        """The delay of each frame at each viewer, beyond the intended delay of viewers of this kind."""
        return [
            at - stored[frame.last - 1].at - delay_s * 1000
            for frame in self.frames()
            if frame.kind == kind and frame.live
            for at in frame.times
        ]


async def _created(url: str, game: str) -> str:
    bots = [herald_client.bot("steady"), herald_client.bot("steady")]
    opened = {"s": DELAY_S, "events": 0}
    made = await herald_client.Server(url).create(game, bots, open_cards=opened, open_cards_sooner=True)
    return made.match


def _viewers(match: str, wish: Wish, relays: Sequence[Served]) -> "list[subprocess.Popen[str]]":
    ports = ",".join(str(relay.port) for relay in relays)
    plain, opened = (wish.viewers - wish.opened) // PROCESSES, wish.opened // PROCESSES
    children = [started("viewers", match, str(plain), str(opened), ports) for _ in range(PROCESSES)]
    for child in children:
        assert child.stdout is not None
        assert child.stdout.readline().strip() == "ready", "the viewers could not connect"
    return children


def _say(children: "list[subprocess.Popen[str]]") -> None:
    for child in children:
        assert child.stdin is not None
        print(file=child.stdin, flush=True)


def watched(match: str, wish: Wish, server: Served, relays: Sequence[Served]) -> Watched:
    """Watch the match for a while."""
    children = _viewers(match, wish, relays)
    used, at_home = [cpu_s(relay.pid) for relay in relays], cpu_s(server.pid)
    _say(children)
    time.sleep(wish.seconds)
    spent = sum(cpu_s(relay.pid) - former for relay, former in zip(relays, used, strict=True))
    at_home = cpu_s(server.pid) - at_home
    _say(children)
    seen = [msgspec.json.decode(child.communicate()[0], type=Seen) for child in children]
    return Watched(seen, spent, at_home)


def check(match: str, found: Watched, stored: Sequence[Entry]) -> int:
    """Compare every frame with the record and open each seal; returns the number of frames. Raises `RuntimeError` if a
    frame differs.
    """
    if any(one.unordered or one.closed for one in found.seen):
        raise RuntimeError("a viewer lost its connection, or was not sent each line once and in order")
    verifier, checked = Verifier(match, sees_hands=True), 0
    for frame in sorted(found.frames(), key=lambda frame: (frame.kind, frame.first)):
        told = read_server_message(frame.text)
        assert isinstance(told, Events)
        for entry, (text, openings) in zip(stored[frame.first - 1 : frame.last], told.items, strict=True):
            if text != entry.line.decode() or tuple(openings) != _opened(entry, frame.kind):
                raise RuntimeError(f"line {entry.seq} is not as in the record")
        salts = told.salts or ((),) * len(told.items)
        if frame.kind == OPEN:
            for seq, (text, openings), held in zip(range(frame.first, frame.last + 1), told.items, salts, strict=True):
                if seq == verifier.seq + 1:
                    verifier.take(text, openings, held)
        checked += 1
    return checked


def _opened(entry: Entry, kind: str) -> tuple[tuple[int, str], ...]:
    """The slots of a line that a viewer sees: with open cards, those that some seat holds."""
    if kind != OPEN or not entry.openings:
        return ()
    masks = read_line(entry.line).masks
    return tuple((slot, entry.openings[slot].decode()) for slot, mask in enumerate(masks) if mask)


@contextmanager
def broadcast(folder: Path, wish: Wish) -> Iterator[tuple[Path, Served, list[Served]]]:
    """A server and its relays while the context lasts, and the server's database."""
    database, port = folder / "bench.db", free_port()
    with ExitStack() as stack:
        words = ["serve", "--db", str(database), "--bot-delay", str(PACE_S), "--bot-workers", "0", *QUIET]
        server = stack.enter_context(program([*HERALD, *words, "--port", str(port)], port))
        relays = []
        for _ in range(wish.relays):
            own = free_port()
            words = ["relay", f"http://127.0.0.1:{server.port}", "--port", str(own), *QUIET]
            relays.append(stack.enter_context(program([*HERALD, *words], own)))
        yield database, server, relays


def broadcast_report(wish: Wish) -> Report:
    """The report. Raises `RuntimeError` if a viewer was sent anything but the record."""
    allow_files(32_768)
    with tempfile.TemporaryDirectory(prefix="herald-bench-") as name:
        with broadcast(Path(name), wish) as (database, server, relays):
            match = asyncio.run(_created(f"http://127.0.0.1:{server.port}", wish.game))
            found = watched(match, wish, server, relays)
        stored = open_store(database, must_exist=True).read(match)
    checked = check(match, found, stored)
    each, theirs = 1e6 / found.deliveries, sum(one.used_s for one in found.seen)
    figures = [
        Figure("processor time of the relays a delivery", each * found.relays_s, "µs", goal=COST_US),
        Figure("processor time of the viewers themselves a delivery", each * theirs, "µs"),
    ]
    for kind, called, delay_s in ((PLAIN, "spectators", 0), (OPEN, "viewers of open cards", DELAY_S)):
        lags = found.lags_ms(kind, stored, delay_s)
        if lags:
            figures += [
                Figure(f"{called} behind the end, p50", percentile(lags, 0.5), "ms"),
                Figure(f"{called} behind the end, p99", percentile(lags, 0.99), "ms"),
                Figure(f"{called} behind the end, at most", max(lags), "ms", goal=LATE_MS),
            ]
    return Report(
        f"scale broadcast --game {wish.game} --viewers {wish.viewers} --opened {wish.opened} --relays {wish.relays}"
        f" --seconds {wish.seconds:g}",
        f"one match of bots that wait {PACE_S:g} s before each choice, {wish.viewers:,} viewers at {wish.relays}"
        f" relays, {wish.opened:,} of them in view of all hands {DELAY_S} s later, for {wish.seconds:g} s;"
        f" {found.deliveries:,} deliveries; {checked} frames are as in the record, and each viewer had each line once;"
        f" the players' server used {found.server_s:.2f} s of a processor",
        tuple(figures),
    )
