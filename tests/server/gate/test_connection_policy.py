"""Where connections come from and what they may carry: origins, cookies, queries, proxies, TLS."""

import asyncio
import http.client
import socket
import ssl
from contextlib import suppress
from ipaddress import ip_network
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import anyio
import anyio.to_thread
import pytest
from websockets.asyncio.client import connect
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed, InvalidMessage, InvalidStatus
from websockets.typing import Subprotocol

from replay.store.memory import MemoryStore
from server.gate.app import port_of, running
from server.gate.connection_policy import LOOPBACK_NAMES, CountedSocket, address_of, counted, is_addressed, names_of
from server.lobby.lobby import Lobby
from server.operations.bounds import Bounds
from server.operations.certificate import Certificate
from server.operations.settings import Limits
from server.wire.client import Client, enter
from server.wire.errors import NotAdmitted
from server.wire.protocol import SUBPROTOCOL, Hello, Ping, Pong
from tests.server.certificates import self_signed
from tests.server.tabletop import FACES, Table, live, table

PROXIES = (ip_network("10.0.0.0/8"), ip_network("127.0.0.1/32"), ip_network("::1/128"))


def came(near: str, *forwarded: str) -> Any:
    """A connection from an address, with what was forwarded."""
    headers = Headers([("X-Forwarded-For", value) for value in forwarded])
    return SimpleNamespace(remote_address=(near, 4711), request=SimpleNamespace(headers=headers))


@pytest.mark.parametrize(
    ("near", "forwarded", "found"),
    [
        ("203.0.113.7", (), "203.0.113.7"),
        ("203.0.113.7", ("198.51.100.1",), "203.0.113.7"),
        ("127.0.0.1", (), "127.0.0.1"),
        ("127.0.0.1", ("198.51.100.1",), "198.51.100.1"),
        ("127.0.0.1", ("198.51.100.1, 203.0.113.7",), "203.0.113.7"),
        ("127.0.0.1", ("198.51.100.1, 10.1.2.3",), "198.51.100.1"),
        ("127.0.0.1", ("198.51.100.1", "203.0.113.7"), "203.0.113.7"),
        ("127.0.0.1", ("rubbish",), "127.0.0.1"),
        ("127.0.0.1", ("198.51.100.1, rubbish",), "127.0.0.1"),
        ("::1", ("2001:db8::5",), "2001:db8::/64"),
        ("2001:db8:1:2:3:4:5:6", (), "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", (), "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", (), "2001:db8:1:3::/64"),
        ("::1", (), "::1"),
        ("::ffff:203.0.113.7", (), "203.0.113.7"),
        ("127.0.0.1", ("::ffff:203.0.113.7",), "203.0.113.7"),
        ("127.0.0.1", ("203.0.113.7:4711",), "203.0.113.7"),
        ("127.0.0.1", ("[2001:db8::5]:4711",), "2001:db8::/64"),
        ("127.0.0.1", ("[2001:db8::5]",), "2001:db8::/64"),
        ("127.0.0.1", ("203.0.113.7:x",), "127.0.0.1"),
        ("::ffff:127.0.0.1", ("198.51.100.1",), "198.51.100.1"),
    ],
)
def test_only_what_a_named_proxy_has_added_is_believed(near: str, forwarded: tuple[str, ...], found: str) -> None:
    assert address_of(came(near, *forwarded), PROXIES) == found


def test_without_proxies_nothing_forwarded_is_believed() -> None:
    assert address_of(came("127.0.0.1", "198.51.100.1"), ()) == "127.0.0.1"


def opened(at: Table, path: str = "", **more: Any) -> Any:
    return connect(at.url + path, subprotocols=[Subprotocol(SUBPROTOCOL)], **more)


@pytest.mark.parametrize("query", ["?t=secret", "?match=x"])
@live
async def test_a_query_at_the_sockets_address_is_refused(query: str) -> None:
    async with table() as at:
        with pytest.raises(InvalidStatus) as refused:
            await opened(at, query)
        assert refused.value.response.status_code == 400
        assert b"secret" not in (refused.value.response.body or b"")


@live
async def test_no_cookie_and_no_header_opens_a_seat() -> None:
    async with table() as at:
        created = await at.create()
        token = created.tokens["0"]
        headers = {"Cookie": f"token={token}; t={token}", "Authorization": f"Bearer {token}"}
        async with opened(at, additional_headers=headers) as connection:
            client = Client(connection)
            with pytest.raises(NotAdmitted):
                await client.ask(Hello(created.match), Pong)
            assert "Set-Cookie" not in connection.response.headers


@live
async def test_compression_is_not_agreed_upon() -> None:
    async with table() as at, opened(at) as connection:
        assert connection.protocol.extensions == []


@live
async def test_tls_is_served_with_the_files_given(tmp_path: Path) -> None:
    tls = self_signed(tmp_path)
    lobby = Lobby(MemoryStore(), FACES)
    async with running(lobby, tls=Certificate(tls)) as server:
        trusting = ssl.create_default_context(cafile=tls.cert)
        url = f"wss://localhost:{port_of(server)}/ws"
        async with connect(url, ssl=trusting, host="127.0.0.1", subprotocols=[Subprotocol(SUBPROTOCOL)]) as connection:
            assert await Client(connection).ask(Ping(3), Pong) == Pong(3)
        with pytest.raises(ssl.SSLCertVerificationError):
            await connect(url, ssl=ssl.create_default_context(), host="127.0.0.1")


@live
async def test_a_proxys_clients_are_told_apart_by_their_own_addresses() -> None:
    lobby = Lobby(MemoryStore(), FACES, limits=Limits(connections_per_address=1))
    async with running(lobby, proxies=PROXIES) as server:
        url = f"ws://127.0.0.1:{port_of(server)}/ws"
        connections, answers = [], []
        for address in ("203.0.113.7", "203.0.113.8", "203.0.113.7"):
            connection = await connect(
                url, additional_headers={"X-Forwarded-For": address}, subprotocols=[Subprotocol(SUBPROTOCOL)]
            )
            with suppress(ConnectionClosed):
                await connection.send('{"t":"ping","n":1}')
                answers.append(await connection.recv())
            connections.append(connection)
        assert (len(answers), connections[-1].close_code) == (2, 4013)
        for connection in connections:
            await connection.close()


@live
async def test_an_address_has_replays_made_at_a_pace_and_pages_always() -> None:
    lobby = Lobby(MemoryStore(), FACES, limits=Limits(replays_per_minute=1))
    async with running(lobby, proxies=PROXIES) as server:

        def ask(path: str) -> int:
            connection = http.client.HTTPConnection("127.0.0.1", port_of(server), timeout=60)
            connection.request("GET", path, headers={"X-Forwarded-For": "203.0.113.7"})
            status = connection.getresponse().status
            connection.close()
            return status

        paths = ("/api/bundle/x", "/api/record/x", "/")
        assert [await anyio.to_thread.run_sync(ask, path) for path in paths] == [404, 429, 200]


@pytest.mark.parametrize(
    ("host", "hosts", "status"),
    [
        ("herald.example", ("herald.example",), 200),
        ("herald.example:8000", ("herald.example",), 200),
        ("[::1]:8000", ("[::1]",), 200),
        ("evil.example", ("herald.example",), 421),
        ("evil.example:8000", ("herald.example",), 421),
        ("herald.example.evil.example", ("herald.example",), 421),
        ("", ("herald.example",), 421),
        ("evil.example", (), 200),
    ],
)
@live
async def test_a_server_that_is_told_its_names_answers_to_no_other(
    host: str, hosts: tuple[str, ...], status: int
) -> None:
    async with running(Lobby(MemoryStore(), FACES), hosts=hosts) as server:

        def ask(path: str) -> int:
            connection = http.client.HTTPConnection("127.0.0.1", port_of(server), timeout=60)
            connection.request("GET", path, headers={"Host": host})
            found = connection.getresponse().status
            connection.close()
            return found

        assert await anyio.to_thread.run_sync(ask, "/") == status
        assert await anyio.to_thread.run_sync(ask, "/healthz") == 200


@live
async def test_more_sockets_than_can_be_are_cut_off_before_they_say_anything() -> None:
    async with table(limits=Limits(connections=1, strangers=1), bounds=Bounds(pages=1)) as at:
        port = int(at.http.rpartition(":")[2])
        silent = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
        with pytest.raises((ConnectionResetError, InvalidMessage)):
            await at.client()
        silent[0][1].close()
        await silent[0][1].wait_closed()
        client = await at.client()
        assert await client.ask(Ping(1), Pong) == Pong(1)
        for _, writer in silent:
            writer.close()


@live
async def test_a_small_frame_does_not_wait_until_the_one_before_is_acknowledged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made, at_once = CountedSocket.connection_made, list[int]()

    def note(connection: CountedSocket, transport: Any) -> None:
        made(connection, transport)
        at_once.append(transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))

    monkeypatch.setattr(CountedSocket, "connection_made", note)
    async with table() as at:
        await (await opened(at)).close()
    assert at_once == [1]


@live
async def test_every_connection_counts_when_it_goes_be_it_a_websocket_a_page_or_one_that_says_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = counted(Limits())
    monkeypatch.setattr("server.gate.app.counted", lambda *_: made)
    async with table() as at:
        port = int(at.url.split(":")[2].split("/")[0])
        (await asyncio.open_connection("127.0.0.1", port))[1].close()
        asked = http.client.HTTPConnection("127.0.0.1", port)
        await anyio.to_thread.run_sync(asked.request, "GET", "/healthz")
        await anyio.to_thread.run_sync(asked.getresponse)
        asked.close()
        await (await opened(at)).close()
        with anyio.fail_after(120):
            while made.gone < 3:
                await anyio.sleep(0.01)
        assert (made.gone, made.there) == (3, 0)


@live
async def test_a_token_is_asked_in_the_first_message_and_its_hash_alone_is_kept() -> None:
    async with table() as at:
        created = await at.create()
        token = created.tokens["0"]
        assert len(token) == 43  # 32 bytes, 256 bits
        client = await at.client()
        await enter(client, created.match, token)
        kept = [row.token_hash for row in at.store.seats.holders(created.match)]
        assert all(len(value) == 32 and token.encode() not in value for value in kept)


@pytest.mark.parametrize("offered", [None, ["herald.v9+json"], ["chat"]])
@live
async def test_a_client_that_offers_no_subprotocol_or_another_is_refused_the_websocket(
    offered: list[str] | None,
) -> None:
    async with table() as at:
        names = None if offered is None else [Subprotocol(name) for name in offered]
        with pytest.raises(InvalidStatus) as wrong:
            await connect(at.url, subprotocols=names)
        assert wrong.value.response.status_code == 400
        both = [Subprotocol("herald.v9+json"), Subprotocol(SUBPROTOCOL)]
        async with connect(at.url, subprotocols=both) as connection:
            assert connection.subprotocol == SUBPROTOCOL


@pytest.mark.parametrize(
    ("host", "hosts", "is_forwarded", "found"),
    [
        ("127.0.0.1", (), False, LOOPBACK_NAMES),
        ("::1", (), False, LOOPBACK_NAMES),
        ("localhost", (), False, LOOPBACK_NAMES),
        ("127.0.0.1", ("herald.example",), False, ("herald.example",)),
        ("127.0.0.1", (), True, ()),
        ("0.0.0.0", (), False, ()),
        ("192.0.2.1", (), False, ()),
    ],
)
def test_a_server_on_loopback_answers_to_loopbacks_names_alone(
    host: str, hosts: tuple[str, ...], is_forwarded: bool, found: tuple[str, ...]
) -> None:
    assert names_of(host, hosts, is_forwarded=is_forwarded) == found


@pytest.mark.parametrize(
    ("name", "fits"),
    [
        ("localhost:8000", True),
        ("LOCALHOST", True),
        ("127.0.0.1:8000", True),
        ("[::1]:8000", True),
        ("[::1]", True),
        ("rebound.example:8000", False),
        ("127.0.0.1.example", False),
        ("", False),
    ],
)
def test_a_name_that_somebody_points_at_loopback_is_not_the_servers(name: str, fits: bool) -> None:
    assert is_addressed(Headers({"Host": name}), LOOPBACK_NAMES) is fits
