"""Sockets that listen, made before there is an event loop, so that several processes can accept connections
from them.
"""

import socket

from server.errors import Misconfigured

BACKLOG = 4096


def listening(host: str, port: int) -> list[socket.socket]:
    """A socket for each local address of a host; port 0 means any port, the same for all addresses.

    Raises `Misconfigured` if the port is not available.
    """
    made: list[socket.socket] = []
    try:
        for family, found in _addresses(host, port):
            address = (found[0], made[0].getsockname()[1], *found[2:]) if made and not port else found
            # asyncio sends small frames at once only if the socket's protocol is TCP by name; otherwise a frame waits
            # for the acknowledgement of the previous frame, which can take 40 ms
            one = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
            made.append(one)
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            one.setblocking(False)
            one.bind(address)
        for one in made:
            one.listen(BACKLOG)
    except OSError as wrong:
        for one in made:
            one.close()
        why = wrong.strerror or type(wrong).__name__
        raise Misconfigured(f"Cannot listen on {host}:{port}: {why}. Choose another with --port.") from wrong
    return made


def _addresses(host: str, port: int) -> list[tuple[socket.AddressFamily, tuple[str | int | bytes, ...]]]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    return list(dict.fromkeys((family, address) for family, _, _, _, address in found))
