"""Notifications over NATS: matches and their last lines, and never anything else."""

import asyncio
import logging
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from server.cluster.servers import Notified
from server.errors import Misconfigured

if TYPE_CHECKING:
    from nats.aio.client import Client
    from nats.aio.msg import Msg

LOG = logging.getLogger(__name__)
SUBJECT: Final = "herald.lines"
AGAIN_S: Final = 2.0
"""The pause before a connection is tried again, in seconds."""
MOST: Final = 200
"""The number of matches in one message."""
ID_BYTES: Final = 64
"""A limit that is longer than any match's name."""


def written(lines: Mapping[str, int]) -> Iterator[bytes]:
    """Notifications as messages."""
    told = [f"{match} {seq}" for match, seq in lines.items()]
    for first in range(0, len(told), MOST):
        yield "\n".join(told[first : first + MOST]).encode()


def read(message: bytes) -> dict[str, int]:
    """The notifications in a message; anything else is ignored, because anybody may write there."""
    found: dict[str, int] = {}
    for line in message[: MOST * ID_BYTES * 2].decode(errors="replace").split("\n"):
        match, _, seq = line.partition(" ")
        if match and len(match) <= ID_BYTES and seq.isascii() and seq.isdecimal() and len(seq) < 16:
            found[match] = int(seq)
    return found


class NatsPubSub:
    """See `PubSub`. A connection that cannot reach its server keeps trying, and logs that once."""

    def __init__(self, address: str, again_s: float = AGAIN_S) -> None:
        """`again_s`: how often a lost server is tried again. Raises `Misconfigured` without the library."""
        try:
            import nats  # noqa: PLC0415
        except ImportError as wrong:
            raise Misconfigured(
                "nats-py is not installed, which --pubsub needs; install what requirements-postgres.lock names."
            ) from wrong
        self._connect = nats.connect
        self._address, self._again_s = address, again_s
        self._client: Client | None = None
        self._connecting: asyncio.Task[None] | None = None
        self._giving: set[asyncio.Task[None]] = set()

    @property
    def is_connected(self) -> bool:
        """See `PubSub`."""
        return self._client is not None and self._client.is_connected

    async def start(self, notified: Notified) -> None:
        """See `PubSub`."""
        self._connecting = asyncio.get_running_loop().create_task(self._keep_connected(notified))

    async def _keep_connected(self, notified: Notified) -> None:
        async def take(message: "Msg") -> None:
            notified(read(message.data))

        async def lost(*_: object) -> None:
            if self._client is not None:  # otherwise it was closed here
                LOG.warning("notifications of other servers do not come at the moment; the store is asked instead")

        async def found(*_: object) -> None:
            LOG.info("notifications of other servers come again")

        async def failed(*_: object) -> None:
            """The other callbacks report the fault."""

        is_told = False
        while self._client is None:
            try:
                client = await self._connect(
                    self._address,
                    no_echo=True,
                    connect_timeout=2,
                    allow_reconnect=True,
                    max_reconnect_attempts=-1,
                    reconnect_time_wait=self._again_s,
                    ping_interval=5,
                    max_outstanding_pings=2,
                    disconnected_cb=lost,
                    reconnected_cb=found,
                    error_cb=failed,
                )
                await client.subscribe(SUBJECT, cb=take)
            except Exception as wrong:  # whatever keeps notifications away, the store has the lines
                if not is_told:
                    LOG.warning("notifications cannot be had: %s; the store is asked instead", type(wrong).__name__)
                is_told = True
                await asyncio.sleep(AGAIN_S)
            else:
                self._client = client
                LOG.info("notifications of other servers come")

    def give(self, lines: Mapping[str, int]) -> None:
        """See `PubSub`."""
        if not self.is_connected:
            return
        task = asyncio.get_running_loop().create_task(self._send(lines))
        self._giving.add(task)
        task.add_done_callback(self._giving.discard)

    async def _send(self, lines: Mapping[str, int]) -> None:
        if self._client is None:
            return
        try:
            for message in written(lines):
                await self._client.publish(SUBJECT, message)
        except Exception as wrong:
            LOG.debug("a notification could not be given: %s", type(wrong).__name__)

    async def close(self) -> None:
        """See `PubSub`."""
        if self._connecting is not None:
            self._connecting.cancel()
        client, self._client = self._client, None
        if client is not None:
            await client.close()
