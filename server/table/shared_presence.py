"""The presence at one match that a server reports to other servers over the same store.

The store is trusted with presence; notifications are not (`server.lobby.presence_exchange`).
"""

from collections.abc import Mapping

import msgspec
from msgspec import Struct

from server.direction.directions import Pointed


class ServerPresence(Struct, frozen=True, omit_defaults=True):
    """The presence at a match at one server, in the form of `Presence`.

    `said`: the last line of chat that was sent there, by room; `lent`: how often sharing of a seat's view began or
    ended; `wishes`: the seats that would like a rematch, and the hash of the token with which each will enter; `begun`:
    the rematch that has begun; `devices`: the names of each seat's devices; `renewed`: how often a seat was given
    another token; `directed`: the direction that was given there, by kind of viewer.
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
    directed: dict[str, Pointed] = {}

    def written(self) -> str:
        """The row that the store keeps; "" if there is nothing to report."""
        return "" if self == ServerPresence() else msgspec.json.encode(self).decode()


Elsewhere = Mapping[str, ServerPresence]
"""The presence that other servers report of a match, by server."""


def read(words: str) -> ServerPresence:
    """The presence that a server reported. A report in the form of a later version is ignored."""
    try:
        return msgspec.json.decode(words, type=ServerPresence)
    except msgspec.MsgspecError:
        return ServerPresence()
