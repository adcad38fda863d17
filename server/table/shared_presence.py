"""What a server says to others over the same store of one match: who is at it here.

The store is trusted with it; hints are not (`server.lobby.presence_exchange`).
"""

from collections.abc import Mapping

import msgspec
from msgspec import Struct


class ServerPresence(Struct, frozen=True, omit_defaults=True):
    """Who is at a match at one server, as `Presence` has it.

    `said`: the last line of chat that was told there, by room; `lent`: how often a seat's view was lent or taken back;
    `wishes`: the seats that would like to play once more, and the hash of the token by which each will be let in;
    `begun`: the match that has begun for it; `devices`: what the devices of each seat call themselves; `renewed`: how
    often a seat was given another token.
    """

    seats: tuple[int, ...] = ()
    spectators: int = 0
    casters: int = 0
    names: tuple[str, ...] = ()
    thinking: tuple[int, ...] = ()
    said: dict[str, int] = {}
    lent: int = 0
    wishes: dict[int, str] = {}
    begun: str = ""
    devices: dict[int, tuple[str, ...]] = {}
    renewed: int = 0

    def written(self) -> str:
        """As the store keeps it; "" for nothing to be said."""
        return "" if self == ServerPresence() else msgspec.json.encode(self).decode()


Elsewhere = Mapping[str, ServerPresence]
"""What the other servers say of a match, by their names."""


def read(words: str) -> ServerPresence:
    """What a server has said. What a later version writes in another way is passed over."""
    try:
        return msgspec.json.decode(words, type=ServerPresence)
    except msgspec.MsgspecError:
        return ServerPresence()
