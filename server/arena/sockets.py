"""Bots that connect to the arena by websocket and exchange the lines of a program, one line in each frame.

A connection plays one seat of one match after another. A bot can never lose more than its match.
"""

import contextlib
import hmac
import secrets
import socket
import threading
import time
from collections import deque
from collections.abc import Sequence
from http import HTTPStatus
from types import TracebackType
from typing import Any, Final, Self
from urllib.parse import parse_qs, urlsplit

import msgspec
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.sync.server import Server, ServerConnection, serve

from replay.record import sealing
from server.arena.errors import Forfeit
from server.arena.program import LINE_BYTES
from server.errors import Misconfigured

WAITING: Final = 16
"""The number of connections of one bot that may wait for a seat."""
CLOSING_S: Final = 1.0
"""How long a connection may take to close."""
TOO_LATE: Final = "it took longer than {:g} s"


def key_of(secret: str, name: str) -> str:
    """The key of a name: it reveals neither the secret from which it is derived nor another name's key."""
    return sealing.b64(hmac.digest(secret.encode(), name.encode(), "sha256"))


class BotListener:
    """Waits for bots, each at `url(name)`; use it in a `with`. Raises `Misconfigured` for an address taken.

    `secret`: the source of the keys that bots need to play under their names; random if it is empty.
    """

    def __init__(self, names: Sequence[str], host: str, port: int, secret: str = "") -> None:
        secret = secret or secrets.token_urlsafe(32)
        self._keys = {name: key_of(secret, name) for name in names}
        self._waiting: dict[str, deque[ServerConnection]] = {name: deque() for name in names}
        self._all: set[ServerConnection] = set()
        self._news = threading.Condition()
        try:
            self._server: Server = serve(
                self._hold,
                host,
                port,
                process_request=self._admit,
                compression=None,
                max_size=LINE_BYTES,
                ping_interval=None,
                close_timeout=CLOSING_S,
            )
        except OSError as wrong:
            raise Misconfigured(f"Nothing can listen on {host}:{port}: {wrong.strerror}. Name another.") from wrong
        self._at = f"{host}:{self._server.socket.getsockname()[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def url(self, name: str) -> str:
        """The address to which a bot connects."""
        return f"ws://{self._at}/{name}?key={self._keys[name]}"

    def _admit(self, connection: ServerConnection, request: Request) -> Response | None:
        """Refuse a client that does not know the key of a name, or names a bot that does not take part."""
        asked = urlsplit(request.path)
        name, key = asked.path[1:], parse_qs(asked.query).get("key", [""])[0]
        is_known = hmac.compare_digest(key.encode(), self._keys.get(name, "").encode())
        if not is_known or name not in self._waiting:
            return connection.respond(HTTPStatus.FORBIDDEN, "No bot of this name and key takes part.\n")
        with self._news:
            if len(self._open(name)) >= WAITING:
                return connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, "So many wait already.\n")
        return None

    def _open(self, name: str) -> deque[ServerConnection]:
        """The waiting connections of a bot; connections that have ended are forgotten."""
        waiting = self._waiting[name]
        for connection in [connection for connection in waiting if connection.state is not State.OPEN]:
            waiting.remove(connection)
            self.drop(connection)
        return waiting

    def _hold(self, connection: ServerConnection) -> None:
        """Offer a connection, and keep it while it lasts."""
        assert connection.request is not None
        with self._news:
            self._all.add(connection)
        self.offer(urlsplit(connection.request.path).path[1:], connection)
        with self._news:
            self._news.wait_for(lambda: connection not in self._all)

    def offer(self, name: str, connection: ServerConnection) -> None:
        """Let a connection wait for a seat."""
        with self._news:
            self._waiting[name].append(connection)
            self._news.notify_all()

    def drop(self, connection: ServerConnection) -> None:
        """Forget a connection."""
        with self._news:
            self._all.discard(connection)
            self._news.notify_all()

    def gather(self) -> None:
        """Wait until each bot has connected."""
        with self._news:
            while not all(self._open(name) for name in self._waiting):
                self._news.wait(1.0)

    def seat(self, name: str, seconds: float) -> "BotSocket":
        """A connection of a bot's, for a seat of a match. Raises `Forfeit` if none arrives within `seconds`."""
        until = time.monotonic() + seconds
        with self._news:
            while not self._open(name):
                left = until - time.monotonic()
                if left <= 0:
                    raise Forfeit(f"it was not connected for {seconds:g} s")
                self._news.wait(left)
            return BotSocket(self, name, self._waiting[name].popleft())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, wrong: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        with self._news:
            self._all.clear()
            self._news.notify_all()
        self._server.shutdown()


class BotSocket:
    """A bot in a seat, used as a `Program` is."""

    def __init__(self, listener: BotListener, name: str, connection: ServerConnection) -> None:
        self._listener, self._name, self._connection = listener, name, connection
        self._unsent: list[str] = []

    def say(self, message: Any) -> None:
        """Queue a line for the bot, which is sent with the next question."""
        self._unsent.append(msgspec.json.encode(message).decode())

    def ask(self, message: Any, seconds: float) -> bytes:
        """The line with which the bot answers. Raises `Forfeit`."""
        until = time.monotonic() + seconds
        try:
            self._assert_silent()
            self.say(message)
            self._send(seconds)
            answer = self._connection.recv(timeout=max(0.0, until - time.monotonic()))
        except TimeoutError as wrong:
            raise Forfeit(TOO_LATE.format(seconds)) from wrong
        except ConnectionClosed as wrong:
            late = time.monotonic() >= until
            raise Forfeit(TOO_LATE.format(seconds) if late else f"its connection ended: {wrong}") from wrong
        if isinstance(answer, bytes):
            raise Forfeit("it sent a frame that is no text")
        return answer.encode()

    def _assert_silent(self) -> None:
        try:
            self._connection.recv(timeout=0)
        except TimeoutError:
            return
        raise Forfeit("it spoke unasked")

    def _send(self, seconds: float) -> None:
        """Send the queued lines; a bot that reads nothing gets no more time than one that writes nothing."""
        late = threading.Timer(seconds, self._hang_up)
        late.daemon = True
        late.start()
        try:
            for line in self._unsent:
                self._connection.send(line)
        finally:
            late.cancel()
            self._unsent.clear()

    def _hang_up(self) -> None:
        with contextlib.suppress(OSError):
            self._connection.socket.shutdown(socket.SHUT_RDWR)

    def close(self, message: Any = None) -> None:
        """Send a last line, and let the connection wait for the next match; without one, close it."""
        if message is not None:
            try:
                self.say(message)
                self._send(CLOSING_S)
            except ConnectionClosed:
                message = None
        if message is not None:
            self._listener.offer(self._name, self._connection)
            return
        self._listener.drop(self._connection)
