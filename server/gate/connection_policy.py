"""Who may come in at all: where a connection comes from, which page opened it, and how many sockets there may be."""

import secrets
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any, ClassVar, Final

from websockets.asyncio.server import ServerConnection
from websockets.datastructures import Headers

from server.operations.settings import Limits, Networks

FORWARDED: Final = ("Forwarded", "Via", "X-Forwarded-For", "X-Real-IP")
"""Headers that show that a proxy stands between: a request then only seems to come from this machine."""
PAGES: Final = 256
"""Sockets beside those of `connections` and `strangers` that may ask for pages or shake hands."""


def address_of(connection: ServerConnection, proxies: Networks) -> str:
    """Where a connection comes from: the socket's other end, or what the proxies named say of it, from right to left.

    Only what a proxy that was named has added to `X-Forwarded-For` is believed; the rest anybody can write.
    """
    near = str(connection.remote_address[0]).partition("%")[0]
    headers = connection.request.headers if connection.request else Headers()
    hops = [hop.strip() for value in headers.get_all("X-Forwarded-For") for hop in value.split(",")]
    while hops and _is_in(near, proxies):
        given = hops.pop()
        if _parsed(given) is None:
            break
        near = given
    return near


def _parsed(address: str) -> IPv4Address | IPv6Address | None:
    try:
        found = ip_address(address)
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return mapped or found


def _is_in(address: str, proxies: Networks) -> bool:
    found = _parsed(address)
    return found is not None and any(found in network for network in proxies)


def is_welcome(headers: Headers, origins: tuple[str, ...]) -> bool:
    """Browsers say which page connects (RFC 6455, 10.2): this server's own, or one named; other clients say nothing."""
    given, host = headers.get_all("Origin"), headers.get_all("Host")
    if not given:
        return True
    scheme, _, site = given[0].partition("://")
    return len(given) == 1 and (given[0] in origins or (scheme in {"http", "https"} and site in host))


def may_measure(connection: ServerConnection, headers: Headers, token: str) -> bool:
    """Who may read the metrics: who sends the token; where there is none, programs of this machine behind no proxy."""
    if token:
        given = ",".join(headers.get_all("Authorization"))
        return secrets.compare_digest(given.encode(), f"Bearer {token}".encode())
    near = _parsed(str(connection.remote_address[0]).partition("%")[0])
    return near is not None and near.is_loopback and not any(headers.get_all(name) for name in FORWARDED)


def is_addressed(headers: Headers, hosts: tuple[str, ...]) -> bool:
    """Whether a request names the server as it is called (RFC 9110, 7.2); without names given, any will do.

    Pages of a name that somebody points at this server (DNS rebinding) name it so too, and would pass for its own.
    """
    given = headers.get_all("Host")
    return not hosts or (len(given) == 1 and (given[0] in hosts or given[0].rpartition(":")[0] in hosts))


class CountedSocket(ServerConnection):
    """Counted from its first packet to its last; cut off at once, unanswered, where there are `most` already.

    `there`: how many are open, `gone`: how many were.
    """

    most: ClassVar[int]
    there: ClassVar[int]
    gone: ClassVar[int]

    def connection_made(self, transport: Any) -> None:
        """The socket is open."""
        super().connection_made(transport)
        type(self).there += 1
        if self.there > self.most:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """The socket is closed."""
        type(self).there -= 1
        type(self).gone += 1
        super().connection_lost(exc)


def counted(limits: Limits) -> type[CountedSocket]:
    """The connections of one server, so many that no number of half-open ones fills the memory."""

    class Here(CountedSocket):
        most = limits.connections + limits.strangers + PAGES
        there = 0
        gone = 0

    return Here
