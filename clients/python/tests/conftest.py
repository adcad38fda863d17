"""A Herald server of its own, started as an operator starts it: nothing of Herald's folders is imported here."""

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec

import pytest

from herald_client import Server

P = ParamSpec("P")
PATIENCE_S = 240
"""A test that takes this long hangs, on any machine."""


@pytest.fixture(scope="session")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that runs as long as the tests do."""
    folder = tmp_path_factory.mktemp("served")
    command = [sys.executable, "-m", "server.cli", "serve", "--port", "0", "--bot-delay", "0"]
    command += ["--set", "limits.creations_per_minute=100000", "--set", "limits.sign_ups_per_minute=1000"]
    command += ["--db", str(folder / "matches.sqlite"), "--log-level", "error"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", "NO_COLOR": "1", "HERALD_DATA": str(folder)}
    root = Path(__file__).parents[3]
    with subprocess.Popen(command, cwd=root, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://[\d.]+:\d+", process.stdout.readline())
            assert found, "the server did not start"
            yield found[0]
        finally:
            process.terminate()


def live(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Run a test on an event loop; one that hangs fails."""

    @wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        async def bounded() -> None:
            async with asyncio.timeout(PATIENCE_S):
                await test(*args, **kwargs)

        asyncio.run(bounded())

    return run


class Wire:
    """A connection to a server that can be cut, and that can hold back a client's messages."""

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port
        self._writers: list[asyncio.StreamWriter] = []
        self.connections = 0
        self.swallows = False
        """Whether a client's messages are taken and never passed on."""
        self.refuses = False
        """Whether every new connection is broken at once."""
        self.url = ""

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection to its end."""
        self.connections += 1
        if self.refuses:
            raise ConnectionAbortedError
        far_reader, far_writer = await asyncio.open_connection(self._host, self._port)
        self._writers += [writer, far_writer]
        ways = [asyncio.create_task(self._pass(reader, far_writer)), asyncio.create_task(_pass(far_reader, writer))]
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in ways:
            way.cancel()
        for end in (writer, far_writer):
            end.close()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            if not self.swallows:
                writer.write(data)

    def cut(self) -> None:
        """Break every connection."""
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65536):
        writer.write(data)


@asynccontextmanager
async def wire_to(url: str) -> AsyncIterator[Wire]:
    """A way to the server at an address."""
    host, _, port = url.removeprefix("http://").partition(":")
    wire = Wire(host, int(port))

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await wire.carry(reader, writer)
        except (OSError, asyncio.CancelledError):
            writer.transport.abort()

    async with await asyncio.start_server(carry, "127.0.0.1", 0) as listening:
        wire.url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
        yield wire
        wire.cut()


@pytest.fixture
def server(url: str) -> Server:
    """The server's address, as a client has it."""
    return Server(url)
