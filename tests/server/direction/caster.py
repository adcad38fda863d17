"""A caster's program: it directs, and directs again whenever the connection was lost, as the desk does.

`python -m tests.server.direction.caster URL MATCH TOKEN NOTE` runs until it is killed.
"""

import asyncio
import sys

from websockets.exceptions import WebSocketException

from server.wire.client import connected
from server.wire.direction_messages import Direct, Direction
from server.wire.protocol import Hello, Welcome

AGAIN_S = 0.1


async def cast(url: str, match: str, token: str, note: str) -> None:
    """Direct, for ever."""
    while True:
        try:
            async with connected(url) as client:
                await client.ask(Hello(match, token, "open", 0, name="Cato"), Welcome)
                await client.send(Direct(Direction(note=note)))
                while True:
                    await client.receive()
        except (OSError, WebSocketException):
            await asyncio.sleep(AGAIN_S)


if __name__ == "__main__":
    asyncio.run(cast(*sys.argv[1:]))
