"""The signature of a server under a direction: how it is made and checked."""

from collections.abc import Callable
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from replay.record import statements
from server.wire.direction_messages import Directed, Direction

Words = tuple[Literal["directed"], str, str, int, Direction | None, str]


class About(Struct, frozen=True):
    """The match of a direction, its viewers ("spectator" or "open"), and when it was given, in ms since 1970."""

    match: str
    viewers: str
    at: int


def signed(told: Directed, about: About, stamp: Callable[[str], str]) -> Directed:
    """The direction with the server's signature; unchanged if there is no key."""
    text = statements.said(statements.DIRECTED, about.match, about.viewers, about.at, told.direction, told.name)
    stamped = stamp(text)
    return replace(told, said=text, signed=stamped) if stamped else told


def fault(told: Directed, match: str, viewers: str) -> str:
    """The reason why the signature is wrong; "" if it fits the direction, under any key, or if there is none."""
    if not told.signed and not told.said:
        return ""
    if not statements.signer(told.said, told.signed):
        return "its signature does not hold"
    try:
        _, of, whom, _, direction, name = msgspec.json.decode(told.said, type=Words)
    except (msgspec.MsgspecError, UnicodeError):
        return "what is signed is no direction"
    if (of, whom) != (match, viewers):
        return "it was signed for another match, or for other viewers"
    return "" if (direction, name) == (told.direction, told.name) else "another direction was signed"
