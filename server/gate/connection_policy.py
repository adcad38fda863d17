"""Connection policy: where a connection comes from, which page opened it, and how many sockets there may be."""

import re
import secrets
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Any, ClassVar, Final

from websockets.asyncio.server import ServerConnection
from websockets.datastructures import Headers

from server.gate.raw_connection import KeptConnection, hold_back_bodies
from server.operations.bounds import BOUNDS
from server.operations.settings import Limits, Networks
from server.people.challenges import Place

LOOPBACK_NAMES: Final = ("localhost", "127.0.0.1", "[::1]")
"""The names of a server on a loopback address where nobody says otherwise."""
FORWARDED: Final = ("Forwarded", "Via", "X-Forwarded-For", "X-Real-IP")
"""Headers that show that a proxy stands between: a request then only seems to come from this machine."""
HOST_BITS: Final = 64
"""Of an address of IPv6, those that whoever has it chooses (RFC 4291, 2.5.1)."""
_WITH_PORT: Final = re.compile(r"\[([0-9A-Fa-f:.%\w]+)\](?::\d{1,5})?|(\d+\.\d+\.\d+\.\d+):\d{1,5}")


def address_of(connection: ServerConnection, proxies: Networks) -> str:
    """Where a connection comes from: the socket's other end, or what the proxies named say of it, from right to left.

    Only what a proxy that was named has added to `X-Forwarded-For` is believed; the rest anybody can write. An address
    of IPv6 is told as its network of 64 bits, for whoever has one of these has all, and one of IPv4 as itself, however
    it is written.
    """
    near = str(connection.remote_address[0]).partition("%")[0]
    headers = connection.request.headers if connection.request else Headers()
    hops = [hop.strip() for value in headers.get_all("X-Forwarded-For") for hop in value.split(",")]
    while hops and _is_in(near, proxies):
        given = hops.pop()
        if _parsed(given) is None:
            break
        near = given
    return _counted_as(near)


def _counted_as(address: str) -> str:
    """The key by which limits count an address: itself, or of IPv6 its /64, which one customer of a provider has."""
    found = _parsed(address)
    if isinstance(found, IPv6Address) and not found.is_loopback:
        return str(IPv6Network((int(found) >> HOST_BITS << HOST_BITS, 128 - HOST_BITS)))
    return address if found is None else str(found)


def _parsed(address: str) -> IPv4Address | IPv6Address | None:
    """An address as proxies write it: bare, in brackets, with a port, with a zone. None for what is none."""
    bare = _WITH_PORT.fullmatch(address)
    try:
        found = ip_address((bare[1] or bare[2] if bare else address).partition("%")[0])
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return mapped or found


def _is_in(address: str, proxies: Networks) -> bool:
    found = _parsed(address)
    return found is not None and any(found in network for network in proxies)


def place_called(connection: ServerConnection) -> Place:
    """The names by which a client has called the server: its host, and the page's origin where a browser says one."""
    headers = connection.request.headers if connection.request else Headers()
    return Place(",".join(headers.get_all("Host")), ",".join(headers.get_all("Origin")))


def is_welcome(headers: Headers, origins: tuple[str, ...]) -> bool:
    """Browsers say which page connects (RFC 6455, 10.2): this server's own, or one named; other clients say nothing."""
    given, host = headers.get_all("Origin"), headers.get_all("Host")
    if not given:
        return True
    scheme, _, site = given[0].partition("://")
    return len(given) == 1 and (given[0] in origins or (scheme in {"http", "https"} and site in host))


def may_measure(connection: ServerConnection, headers: Headers, token: str) -> bool:
    """Whether a client may read the metrics: by the token, or, without one, from this machine behind no proxy."""
    if token:
        given = ",".join(headers.get_all("Authorization"))
        return secrets.compare_digest(given.encode(), f"Bearer {token}".encode())
    near = _parsed(str(connection.remote_address[0]).partition("%")[0])
    return near is not None and near.is_loopback and not any(headers.get_all(name) for name in FORWARDED)


def names_of(host: str, hosts: Sequence[str], *, is_forwarded: bool) -> tuple[str, ...]:
    """The names that a server answers to: those it is given, and on a loopback address without any its own.

    `is_forwarded`: whether a proxy stands before it, whose name it is called by.
    """
    near = _parsed(host.strip("[]"))
    is_loopback = host == "localhost" or (near is not None and near.is_loopback)
    return LOOPBACK_NAMES if is_loopback and not hosts and not is_forwarded else tuple(hosts)


def is_addressed(headers: Headers, hosts: tuple[str, ...]) -> bool:
    """Whether a request names the server as it is called (RFC 9110, 7.2); without names given, any will do.

    Pages of a name that somebody points at this server (DNS rebinding) name it so too, and would pass for its own.
    """
    given = headers.get_all("Host")
    if not hosts:
        return True
    named = [name.casefold() for name in given]
    known = {name.casefold() for name in hosts}
    return len(named) == 1 and (named[0] in known or named[0].rpartition(":")[0] in known)


class CountedSocket(KeptConnection):
    """Counted from its first packet to its last; cut off at once, unanswered, where there are `most` already.

    `there`: how many are open, `gone`: how many were.
    """

    most: ClassVar[int]
    there: ClassVar[int]
    gone: ClassVar[int]

    def connection_made(self, transport: Any) -> None:
        """The socket is open."""
        super().connection_made(transport)
        hold_back_bodies(self)
        type(self).there += 1
        if self.there > self.most:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """The socket is closed."""
        type(self).there -= 1
        type(self).gone += 1
        super().connection_lost(exc)


def counted(limits: Limits, pages: int = BOUNDS.pages) -> type[CountedSocket]:
    """The connections of one server, so many that no number of half-open ones fills the memory."""

    class Here(CountedSocket):
        most = limits.connections + limits.strangers + pages
        there = 0
        gone = 0

    return Here
