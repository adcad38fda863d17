"""Connection policy: where a connection comes from, which page opened it, and how many sockets may be open."""

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
from server.people.challenges import SigningPlace

LOOPBACK_NAMES: Final = ("localhost", "127.0.0.1", "[::1]")
"""The names of a server on a loopback address, unless others are configured."""
FORWARDED: Final = ("Forwarded", "Via", "X-Forwarded-For", "X-Real-IP")
"""Headers which show that a request came through a proxy, and therefore only seems to come from this machine."""
HOST_BITS: Final = 64
"""The number of bits of an IPv6 address that its holder can choose freely (RFC 4291, 2.5.1)."""
_WITH_PORT: Final = re.compile(r"\[([0-9A-Fa-f:.%\w]+)\](?::\d{1,5})?|(\d+\.\d+\.\d+\.\d+):\d{1,5}")


def address_of(connection: ServerConnection, proxies: Networks) -> str:
    """The origin of a connection: the socket's other end, or the address that the configured proxies report, read from
    right to left.

    Only entries that a configured proxy has added to `X-Forwarded-For` are believed, because anybody can write other
    entries. An IPv6 address is reduced to its /64 network, because one holder has that entire network. An IPv4 address
    is only normalised.
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
    """The key under which limits count an address: an IPv6 address is counted as its /64, which belongs to one
    customer.
    """
    found = _parsed(address)
    if isinstance(found, IPv6Address) and not found.is_loopback:
        return str(IPv6Network((int(found) >> HOST_BITS << HOST_BITS, 128 - HOST_BITS)))
    return address if found is None else str(found)


def _parsed(address: str) -> IPv4Address | IPv6Address | None:
    """An address as proxies write it: bare, in brackets, with a port, or with a zone.

    None if the text is not an address.
    """
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


def place_called(connection: ServerConnection) -> SigningPlace:
    """The names by which a client has addressed the server: the host, and the page's origin if the browser sends
    one.
    """
    headers = connection.request.headers if connection.request else Headers()
    return SigningPlace(",".join(headers.get_all("Host")), ",".join(headers.get_all("Origin")))


def is_welcome(headers: Headers, origins: tuple[str, ...]) -> bool:
    """Whether the page that connects is allowed. Browsers name this page (RFC 6455, 10.2), and it must belong to this
    server or to a configured origin; other clients name no page.
    """
    given, host = headers.get_all("Origin"), headers.get_all("Host")
    if not given:
        return True
    scheme, _, site = given[0].partition("://")
    return len(given) == 1 and (given[0] in origins or (scheme in {"http", "https"} and site in host))


def may_measure(connection: ServerConnection, headers: Headers, token: str) -> bool:
    """Whether a client may read the metrics: with the token or, if none is set, from this machine and not through a
    proxy.
    """
    if token:
        given = ",".join(headers.get_all("Authorization"))
        return secrets.compare_digest(given.encode(), f"Bearer {token}".encode())
    near = _parsed(str(connection.remote_address[0]).partition("%")[0])
    return near is not None and near.is_loopback and not any(headers.get_all(name) for name in FORWARDED)


def names_of(host: str, hosts: Sequence[str], *, is_forwarded: bool) -> tuple[str, ...]:
    """The names to which a server answers: the configured names or, if there are none and it listens on a loopback
    address, its loopback names.

    `is_forwarded`: whether a proxy in front of the server forwards the requests.
    """
    near = _parsed(host.strip("[]"))
    is_loopback = host == "localhost" or (near is not None and near.is_loopback)
    return LOOPBACK_NAMES if is_loopback and not hosts and not is_forwarded else tuple(hosts)


def is_addressed(headers: Headers, hosts: tuple[str, ...]) -> bool:
    """Whether a request names the server correctly (RFC 9110, 7.2); without configured names, any name is correct.

    If somebody points another name at this server (DNS rebinding), pages under that name send that name, and would
    otherwise pass as the server's own pages.
    """
    given = headers.get_all("Host")
    if not hosts:
        return True
    named = [name.casefold() for name in given]
    known = {name.casefold() for name in hosts}
    return len(named) == 1 and (named[0] in known or named[0].rpartition(":")[0] in known)


class CountedSocket(KeptConnection):
    """A connection that is counted from its first packet to its last. If `most` connections are already open, it is cut
    off at once, unanswered.

    `there`: the number of open sockets; `gone`: the number of closed ones.
    """

    most: ClassVar[int]
    there: ClassVar[int]
    gone: ClassVar[int]

    def connection_made(self, transport: Any) -> None:
        """Count the socket as open."""
        super().connection_made(transport)
        hold_back_bodies(self)
        type(self).there += 1
        if self.there > self.most:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Count the socket as closed."""
        type(self).there -= 1
        type(self).gone += 1
        super().connection_lost(exc)


def counted(limits: Limits, pages: int = BOUNDS.pages) -> type[CountedSocket]:
    """The connections of one server, limited so that half-open ones cannot fill the memory."""

    class Here(CountedSocket):
        most = limits.connections + limits.strangers + pages
        there = 0
        gone = 0

    return Here
