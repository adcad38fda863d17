"""Sockets that listen before there is an event loop."""

import socket

import pytest

from server.errors import Misconfigured
from server.gate import listening as module
from server.gate.listening import listening


def test_a_free_port_is_found_and_taken_connections_from() -> None:
    (door,) = listening("127.0.0.1", 0)
    with door, socket.create_connection(door.getsockname()):
        door.setblocking(True)
        door.accept()[0].close()


def test_all_addresses_of_a_host_get_the_same_port(monkeypatch: pytest.MonkeyPatch) -> None:
    both = [(socket.AF_INET, ("127.0.0.1", 0)), (socket.AF_INET, ("127.0.0.2", 0))]
    monkeypatch.setattr(module, "_addresses", lambda *_: both)
    bound = listening("both", 0)
    ports = [door.getsockname()[1] for door in bound]
    for door in bound:
        door.close()
    assert ports[0] == ports[1] > 0


def test_a_port_in_use_is_refused_and_no_socket_is_left_open() -> None:
    (door,) = listening("127.0.0.1", 0)
    with door, pytest.raises(Misconfigured, match=r"Cannot listen on 127\.0\.0\.1:\d+: .*--port"):
        listening("127.0.0.1", door.getsockname()[1])
