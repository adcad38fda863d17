"""Whether an origin has a line that a relay does not hold.

After a hello, the origin sends the lines that it has. If the record in its welcome ends before the wanted line, the
relay asks the origin for that line (`need`), because the origin may also be a relay, which then asks its own origin.
The relay then sends a ping: if its answer arrives and the line has not been refused, the origin has the line.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from server.relay.errors import HeadUnknown
from server.wire.protocol import Hello, Need, Ping

PATIENCE_S: Final = 5.0
"""How long a spectator waits for the origin's answer, and for the lines that the answer promises."""
REACH: Final = "reach"
"""The id of the question for a line."""
UNKNOWN: Final = "The server that this match comes from did not say how far its record goes; try again."

Send = Callable[[Hello | Need | Ping], Awaitable[None]]


class HeadInquiry:
    """The questions of one relayed match to its origin, and the spectators who wait for an answer or a line.

    Only one inquiry runs at a time, for the earliest of the awaited lines: if the origin does not have that line, it
    has none of the others. Even if many clients lie about the lines that they have seen, the origin gets only one
    question at a time.
    """

    def __init__(self, hello: Callable[[], Hello]) -> None:
        """`hello`: the relay's own hello, from the last line that the relay holds."""
        self._hello = hello
        self._send: Send | None = None
        self._hellos = 0
        """The number of hellos that are not yet answered."""
        self._welcome: tuple[int, asyncio.Future[int]] | None = None
        """The number of welcomes before the welcome for the inquiry, and the end of the record according to that
        welcome.
        """
        self._answer: asyncio.Future[bool] | None = None
        self._lines: list[tuple[int, asyncio.Future[bool]]] = []
        """For each awaited line, whether the origin has it."""
        self._asking: asyncio.Task[None] | None = None

    async def connected(self, send: Send) -> None:
        """Use a new connection, and say hello over it."""
        self._send, self._hellos = send, 0
        await self.say_hello()

    async def say_hello(self) -> None:
        """Say hello, again or for the first time. Raises `HeadUnknown` if there is no connection."""
        await self._say(self._hello())

    async def _say(self, message: Hello | Need | Ping) -> None:
        if self._send is None:
            raise HeadUnknown(UNKNOWN)
        self._hellos += isinstance(message, Hello)
        await self._send(message)

    def lost(self) -> None:
        """Note that the connection is gone, and drop every question asked over it."""
        self._send = None
        if self._asking is not None:
            self._asking.cancel()
        self._fail()

    def _fail(self) -> None:
        for _, waiting in self._lines:
            if not waiting.done():
                waiting.set_exception(HeadUnknown(UNKNOWN))
        self._lines.clear()

    def welcomed(self, end: int) -> None:
        """Handle the origin's answer to a hello; the origin's record ends at `end`."""
        self._hellos = max(0, self._hellos - 1)
        if self._welcome is not None:
            left, answer = self._welcome
            self._welcome = left - 1, answer
            if left == 1 and not answer.done():
                answer.set_result(end)

    def answered(self, *, is_there: bool) -> None:
        """Handle the origin's answer to the question for a line."""
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(is_there)

    def unanswered(self) -> None:
        """Note that the origin could not answer the question for a line."""
        self._fail()

    def reached(self, seq: int) -> None:
        """Note that the lines up to `seq` have arrived."""
        for line, waiting in self._lines:
            if line <= seq and not waiting.done():
                waiting.set_result(True)
        self._lines = [each for each in self._lines if not each[1].done()]

    async def reach(self, since: int) -> bool:
        """Wait until the line `since` is here; returns False if the origin does not have it.

        Raises `HeadUnknown` if nobody knows.
        """
        waiting: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._lines.append((since, waiting))
        if self._asking is None or self._asking.done():
            self._asking = asyncio.get_running_loop().create_task(self._ask_on())
        try:
            async with asyncio.timeout(PATIENCE_S):
                return await waiting
        except TimeoutError as wrong:
            raise HeadUnknown(UNKNOWN) from wrong
        finally:
            self._lines = [each for each in self._lines if each[1] is not waiting]

    async def _ask_on(self) -> None:
        """Ask the origin until nobody waits."""
        try:
            async with asyncio.timeout(None) as patience:
                while self._lines:
                    patience.reschedule(asyncio.get_running_loop().time() + PATIENCE_S)
                    asked = [*self._lines]
                    least, first = min(asked, key=lambda each: each[0])
                    if await self._has(least):
                        await asyncio.wait([first])  # the lines are about to arrive
                        continue
                    for _, waiting in asked:
                        if not waiting.done():
                            waiting.set_result(False)
                    self._lines = [each for each in self._lines if not each[1].done()]
        except (HeadUnknown, TimeoutError, OSError):
            self._fail()

    async def _has(self, line: int) -> bool:
        loop = asyncio.get_running_loop()
        self._welcome = self._hellos + 1, loop.create_future()
        await self.say_hello()
        if await self._welcome[1] >= line:
            return True
        self._answer = loop.create_future()
        await self._say(Need(line, id=REACH))
        await self._say(Ping(line))
        return await self._answer
