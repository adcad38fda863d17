"""Shared by `test_session` and other tests: Tap, gone."""

import asyncio
from typing import Any

import msgspec
import pytest
from websockets.exceptions import ConnectionClosedOK

from server.wire.protocol import (
    write_client_message,
)


class Tap:
    """A socket whose far end reads as much as the test lets it."""

    def __init__(self) -> None:
        self.frames: list[str] = []
        self.packets: list[list[str]] = []
        self.waits = 0
        self.closed: tuple[int, str] | None = None
        self.closings = 0
        self._coming: asyncio.Queue[str] = asyncio.Queue()

    def put(self, message: Any) -> None:
        """The next frame of the client."""
        self._coming.put_nowait(write_client_message(message))

    async def recv(self) -> str:
        frame = await self._coming.get()
        if not frame:
            raise ConnectionClosedOK(None, None)
        return frame

    async def close(self, code: int = 1000, reason: str = "") -> None:
        self.closed = (code, reason)
        self.closings += 1

    def write(self, *frames: str) -> None:
        self.frames.extend(frames)
        self.packets.append([msgspec.json.decode(frame)["t"] for frame in frames])

    def waiting(self) -> int:
        return self.waits

    def kinds(self) -> list[str]:
        return [msgspec.json.decode(frame)["t"] for frame in self.frames]

    def end(self) -> None:
        self._coming.put_nowait("")


async def gone(tap: Tap, task: "asyncio.Task[None]") -> None:
    tap.end()
    with pytest.raises(ConnectionClosedOK):
        await task
