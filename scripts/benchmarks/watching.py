"""Spectators of one match in a separate process: the time at which the last of them was shown each choice.

`python -m scripts.benchmarks.watching PORT COUNT FRAME` connects, sends FRAME on each socket, and prints `ready` once
each was shown the lines so far. When each was shown the end of the match, it prints one line of JSON (`Seen`).
"""

import asyncio
import sys
import time
from typing import Final

import msgspec
from msgspec import Struct

from scripts.benchmarks.sockets import Socket, allow_files
from server.wire.protocol import Events, read_server_message

AT_ONCE: Final = 100
EVENTS: Final = b'{"t":"events"'
ENDED: Final = rb"\"MatchEnded\""
PATIENCE_S: Final = 300.0


class Line(Struct, frozen=True, array_like=True):
    """The fields of a line that are read."""

    v: int
    mid: str
    seq: int
    at: int
    type: str
    rules: str
    actor: int
    cause: str
    payload: msgspec.Raw


class Answered(Struct, frozen=True):
    """The fields of a choice that are read."""

    number: int


_LINE: Final = msgspec.json.Decoder(Line)
_ANSWERED: Final = msgspec.json.Decoder(Answered)


class Seen(Struct, frozen=True):
    """The frames with lines sent to all spectators, and their bytes; by decision, the time at which the last spectator
    was shown its choice.

    Times are those of the machine's monotonic clock, which all its processes share.
    """

    frames: int
    bytes: int
    shown: dict[int, float]
    last: float


class Crowd:
    """The frames shown to all sockets of this process."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.frames = self.bytes = self.greeted = self.done = 0
        self.is_begun = False
        self.last_of: dict[bytes, float] = {}

    def seen(self) -> Seen:
        """The frames shown and the times, once the match is over."""
        shown: dict[int, float] = {}
        for payload, at in self.last_of.items():
            message = read_server_message(payload.decode())
            for text, _ in message.items if isinstance(message, Events) else ():
                line = _LINE.decode(text)
                if line.type == "Chosen":
                    number = _ANSWERED.decode(line.payload).number
                    shown[number] = max(at, shown.get(number, 0.0))
        return Seen(self.frames, self.bytes, shown, max(self.last_of.values()))


class Spectator(Socket):
    """The websocket of one spectator."""

    def __init__(self, hello: bytes, crowd: Crowd) -> None:
        super().__init__()
        self._hello, self._crowd, self._is_greeted = hello, crowd, False

    def opened(self) -> None:
        """Say hello."""
        self.send(self._hello)

    def text(self, payload: bytes) -> None:
        """Record the lines that arrive."""
        if not payload.startswith(EVENTS):
            return
        crowd = self._crowd
        if not self._is_greeted:
            self._is_greeted = True
            crowd.greeted += 1
            return
        crowd.frames += 1
        crowd.bytes += len(payload)
        crowd.last_of[payload] = time.perf_counter()
        if ENDED in payload:
            crowd.done += 1


async def watch(port: int, count: int, hello: bytes) -> Seen:
    """See the module. Raises `TimeoutError` if a spectator was not shown the end."""
    loop, crowd = asyncio.get_running_loop(), Crowd(count)
    async with asyncio.timeout(PATIENCE_S):
        for begun in range(0, count, AT_ONCE):
            group = [
                loop.create_connection(lambda: Spectator(hello, crowd), "127.0.0.1", port)
                for _ in range(min(AT_ONCE, count - begun))
            ]
            await asyncio.gather(*group)
            while crowd.greeted < min(count, begun + AT_ONCE):
                await asyncio.sleep(0.01)
        print("ready", flush=True)
        while crowd.done < count:
            await asyncio.sleep(0.01)
    return crowd.seen()


if __name__ == "__main__":
    allow_files(32_768)
    told = asyncio.run(watch(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3].encode()))
    print(msgspec.json.encode(told).decode())
