"""A network between servers and the services they share: a TCP proxy that is slow, cuts, and parts its two sides."""

import asyncio
import random
import threading
from collections import Counter
from collections.abc import Coroutine
from typing import Any, Final

CHUNK: Final = 16 * 1024
LEAST_S: Final = 0.0005


class Network:
    """A port of its own for each client, all of them to one port; it runs in a thread of its own.

    Its behaviour is set by name and can change at any moment: `delay_s` for every piece of bytes, each way;
    `is_parted`: nothing goes through, and nobody is told, as if a cable were pulled.
    """

    def __init__(self, target: int, seed: int = 0) -> None:
        self._target, self._rng = target, random.Random(seed)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._ways: list[Way] = []
        self.counts: Counter[str] = Counter()

    def start(self) -> None:
        """Begin to carry."""
        self._thread.start()

    def way(self) -> "Way":
        """One more client's port."""
        way = Way(self, self._target, random.Random(self._rng.random()))
        self._do(way.open())
        self._ways.append(way)
        return way

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(30)

    def slow(self, way: "Way", seconds: float) -> None:
        """Bytes take up to so long from now on; 0: none."""
        self.counts["slowed"] += bool(seconds)
        way.delay_s = seconds

    def cut(self, way: "Way") -> None:
        """Every connection is reset."""
        self.counts["cut"] += 1
        self._do(way.cut())

    def part(self, way: "Way") -> None:
        """Nothing goes through from now on, neither way, and no connection is closed."""
        self.counts["parted"] += 1
        self._do(way.let_through(on=False))

    def heal(self, way: "Way") -> None:
        """Waiting and further bytes go through."""
        self._do(way.let_through(on=True))

    def renew(self, way: "Way") -> None:
        """Every connection is reset; later bytes go through at once."""
        self.cut(way)
        self.slow(way, 0)
        self.heal(way)

    def close(self) -> None:
        """Carry nothing any more."""
        for way in self._ways:
            self._do(way.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(30)
        self._loop.close()


class Way:
    """From one port to the other."""

    def __init__(self, network: Network, target: int, rng: random.Random) -> None:
        self.port = 0
        self.delay_s = 0.0
        self._network, self._target, self._rng = network, target, rng
        self._through = asyncio.Event()
        self._carrying: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()

    async def open(self) -> None:
        """Listen."""
        self._through.set()
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def let_through(self, *, on: bool) -> None:
        """Whether anything goes through."""
        if on:
            self._through.set()
        else:
            self._through.clear()

    async def cut(self) -> None:
        """Reset every connection."""
        for writer in [*self._writers]:
            writer.transport.abort()

    async def close(self) -> None:
        """End."""
        self._server.close()
        for task in [*self._carrying]:
            task.cancel()
        await asyncio.gather(*self._carrying, return_exceptions=True)
        await self.cut()
        await asyncio.sleep(0)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._carrying.add(task)
        self._writers.add(writer)
        self._network.counts["connections"] += 1
        try:
            await self._through.wait()
            far_reader, far = await asyncio.open_connection("127.0.0.1", self._target)
        except (OSError, asyncio.CancelledError):
            writer.transport.abort()
            self._forget(task, writer)
            return
        self._writers.add(far)
        both = [asyncio.create_task(self._carry(reader, far)), asyncio.create_task(self._carry(far_reader, writer))]
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for one in both:
                one.cancel()
            await asyncio.gather(*both, return_exceptions=True)
            for each in (writer, far):
                each.transport.abort()
            self._forget(task, writer, far)

    def _forget(self, task: "asyncio.Task[None]", *writers: asyncio.StreamWriter) -> None:
        self._carrying.discard(task)
        self._writers.difference_update(writers)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(CHUNK):
                if self.delay_s > LEAST_S:
                    await asyncio.sleep(self._rng.uniform(0, self.delay_s))
                await self._through.wait()
                writer.write(data)
                await writer.drain()
        except OSError:
            return
