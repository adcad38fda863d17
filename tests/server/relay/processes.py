"""Relays as processes of their own, which tests may kill and look into."""

import asyncio
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.server.gate.restart import ROOT


class Process:
    """`herald relay` in a process of its own."""

    def __init__(self, process: "asyncio.subprocess.Process", port: int) -> None:
        self._process = process
        self.url = f"ws://127.0.0.1:{port}/ws"

    async def end(self, how: signal.Signals) -> int:
        """End it; its exit status."""
        self._process.send_signal(how)
        return await self._process.wait()

    def memory(self) -> Iterator[bytes]:
        """All that it may write to in its memory, part by part (Linux, proc(5))."""
        place = Path("/proc", str(self._process.pid))
        with (place / "mem").open("rb") as memory:
            for line in (place / "maps").read_text().splitlines():
                bounds, access, *_ = line.split()
                if access.startswith("rw"):
                    first, last = (int(bound, 16) for bound in bounds.split("-"))
                    memory.seek(first)
                    yield memory.read(last - first)


async def started(url: str, program: str = "tests.server.serving") -> Process:
    """A relay of a server."""
    command = [sys.executable, "-m", program, "relay", url, "--port", "0"]
    environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "200"}
    process = await asyncio.create_subprocess_exec(
        *command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert process.stdout is not None
    said = re.search(rb"relays to spectators on http://127.0.0.1:(\d+)/", await process.stdout.readline())
    assert said is not None
    return Process(process, int(said[1]))
