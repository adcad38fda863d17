"""The port of TLS: what is plain is sent to https, a renewed certificate is taken up, nobody keeps others out."""

import asyncio
import logging
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from replay.store.memory import MemoryStore
from server.gate import tls_port
from server.gate.app import port_of, running
from server.gate.tls_port import MOVED, REFUSED, redirect
from server.lobby.lobby import Lobby
from server.operations.bounds import BOUNDS, Bounds
from server.operations.certificate import Certificate
from server.operations.intervals import INTERVALS, Intervals
from server.wire.client import Client
from server.wire.protocol import SUBPROTOCOL, Ping, Pong
from tests.server.certificates import self_signed
from tests.server.tabletop import FACES, live


async def plain(port: int, request: bytes) -> bytes:
    """What a port answers to these bytes, until it closes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    try:
        async with asyncio.timeout(120):
            return await reader.read()
    finally:
        writer.close()


async def shown(port: int) -> bytes:
    """The certificate that a new connection is shown."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    _, writer = await asyncio.open_connection("127.0.0.1", port, ssl=context)
    certificate: bytes = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
    writer.close()
    return certificate


@asynccontextmanager
async def serving(
    certificate: Certificate, intervals: Intervals = INTERVALS, bounds: Bounds = BOUNDS
) -> AsyncIterator[int]:
    """A server's port with this certificate."""
    async with running(Lobby(MemoryStore(), FACES, intervals=intervals, bounds=bounds), tls=certificate) as server:
        yield port_of(server)


@pytest.mark.parametrize(
    ("head", "place"),
    [
        (b"GET / HTTP/1.1\r\nHost: herald.example\r\n\r\n", b"https://herald.example/"),
        (b"GET /play?x=1 HTTP/1.1\r\nhost: herald.example:8443\r\n\r\n", b"https://herald.example:8443/play?x=1"),
        (b"POST /ws HTTP/1.0\r\nA: b\r\nHost:[::1]:443\r\n\r\n", b"https://[::1]:443/ws"),
    ],
)
def test_a_plain_request_is_sent_to_the_same_address_with_https(head: bytes, place: bytes) -> None:
    answer = redirect(head)
    assert answer.startswith(b"HTTP/1.1 308 ")
    assert b"\r\nLocation: " + place + b"\r\n" in answer


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a/b\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a b\r\n\r\n",
        b"GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET /a b HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET /\xff HTTP/1.1\r\nHost: a\r\n\r\n",
        b"PRI * HTTP/2.0\r\nHost: a\r\n\r\n",
    ],
)
def test_a_request_that_names_no_address_is_refused(head: bytes) -> None:
    assert redirect(head) == REFUSED


@live
async def test_http_on_the_port_of_tls_is_answered_with_the_address_of_tls(tmp_path: Path) -> None:
    async with serving(Certificate(self_signed(tmp_path))) as port:
        answer = await plain(port, b"GET /watch HTTP/1.1\r\nHost: localhost:%d\r\n\r\n" % port)
        assert answer == MOVED % (b"localhost", b":%d" % port, b"/watch")
        assert await plain(port, b"\x00\x01\r\n\r\n") == REFUSED
        assert await plain(port, b"G" * tls_port.HEAD) == REFUSED


@live
async def test_a_renewed_certificate_is_shown_to_newcomers_and_nobody_is_cut_off(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    tls = self_signed(tmp_path)
    async with serving(Certificate(tls), Intervals(renew_s=0.01)) as port:
        former = await shown(port)
        trusting = ssl.create_default_context(cafile=tls.cert)
        url = f"wss://localhost:{port}/ws"
        async with connect(url, ssl=trusting, host="127.0.0.1", subprotocols=[Subprotocol(SUBPROTOCOL)]) as connection:
            self_signed(tmp_path)
            async with asyncio.timeout(120):
                while await shown(port) == former:
                    await asyncio.sleep(0.01)
            assert await Client(connection).ask(Ping(3), Pong) == Pong(3)
    assert "the certificate is read anew; it holds until 20" in caplog.text


def test_files_that_do_not_belong_together_leave_the_former_certificate(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    tls = self_signed(tmp_path)
    certificate = Certificate(tls)
    former, key = certificate.context, Path(tls.key).read_bytes()
    assert not certificate.renew()
    self_signed(tmp_path)
    renewed = Path(tls.key).read_bytes()
    Path(tls.key).write_bytes(key + b"\n")
    assert not certificate.renew()
    assert certificate.context is former
    assert caplog.text.count("cannot be used, the former one stays") == 1
    assert not certificate.renew()
    assert caplog.text.count("cannot be used") == 1
    Path(tls.key).write_bytes(renewed)
    assert certificate.renew()
    assert certificate.context is not former


def test_files_that_are_gone_leave_the_former_certificate(tmp_path: Path) -> None:
    tls = self_signed(tmp_path)
    certificate = Certificate(tls)
    former = certificate.context
    Path(tls.cert).unlink()
    assert not certificate.renew()
    assert certificate.context is former


@live
async def test_who_says_nothing_is_let_go(tmp_path: Path) -> None:
    async with serving(Certificate(self_signed(tmp_path)), Intervals(open_s=0.05)) as port:
        assert await plain(port, b"") == b""
        assert await plain(port, b"GET / HTTP/1.1\r\n") == b""
        assert await plain(port, b"\x16\x03\x01") == b""


@live
async def test_who_says_nothing_keeps_nobody_out(tmp_path: Path) -> None:
    async with serving(Certificate(self_signed(tmp_path)), bounds=Bounds(handshakes=2)) as port:
        silent = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
        assert await shown(port)
        async with asyncio.timeout(120):
            assert await silent[0][0].read() == b""
        for _, writer in silent:
            writer.close()


@live
async def test_a_server_stops_while_somebody_has_not_said_anything(tmp_path: Path) -> None:
    async with serving(Certificate(self_signed(tmp_path))) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        await shown(port)
    async with asyncio.timeout(120):
        assert await reader.read() == b""
    writer.close()
    with pytest.raises(OSError, match="onnect"):
        await asyncio.open_connection("127.0.0.1", port)
