"""Notices to a player's own programs: HTTPS POSTs that say whose move it is and how a match ended.

A body holds only facts that everybody may know: no token, no secret, nothing from the table. It is signed with a secret
that only the receiver and this server have, sent again when it fails, and never sent to an address that is not public.
"""

import asyncio
import hashlib
import hmac
import http.client
import logging
import re
import socket
import ssl
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final, Literal
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from server.errors import Misconfigured

LOG = logging.getLogger(__name__)

DELAYS_S: Final = (5.0, 30.0, 120.0, 600.0, 3600.0)
"""Waits before a delivery is tried again."""
WAITING: Final = 1_000
"""The number of deliveries that may be under way or wait to be tried again; further ones are dropped."""
AT_ONCE: Final = 4
TIMEOUT_S: Final = 10.0
WHOLE_S: Final = 20.0
URL_LIMIT: Final = 500
GONE: Final = 410
_THREADS: Final = ThreadPoolExecutor(16, "post")
"""Deliveries have separate threads: addresses that never answer hold up no other work, such as the store's."""
_LABEL: Final = "[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?"
HOST: Final = re.compile(rf"(?=.{{1,253}}$){_LABEL}(\.{_LABEL})*\.?")
NUMBER: Final = re.compile(r"[0-9]+|0[xX][0-9A-Fa-f]*")
"""The last label of an address that is no name: 127.1 and 0x7f000001 are other ways to write an address."""
SHROUDED: Final = tuple(
    ip_network(net)
    for net in ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32", "fec0::/10", "::/96", "::ffff:0:0:0/96")
)
"""Address ranges that embed another address, which may be private: NAT64, 6to4, Teredo, IPv4-compatible,
IPv4-translated; and the old site-local range, which `ipaddress` calls global."""


class Hook(Struct, frozen=True):
    """The address of a receiver and the secret for signatures. `private`: an address of this network, or plain HTTP, is
    meant.
    """

    url: str
    secret: str
    private: bool = False

    def __repr__(self) -> str:
        return f"Hook({urlsplit(self.url).hostname})"


class Notice(Struct, frozen=True, omit_defaults=True):
    """A notice. `seat` and `name`: the seat whose move it is; `due_ms`: the end of that seat's time, 0 without a clock;
    `decision`: the number of the open decision, 0 in a result.
    """

    event: Literal["your-move", "result"]
    match: str
    game: str
    title: str
    line: int
    seat: int | None = None
    name: str = ""
    due_ms: int = 0
    result: str = ""
    decision: int = 0

    @property
    def delivery(self) -> str:
        """The id of the notice: always the same, after a restart too, so that a receiver can recognise a repetition."""
        told = f"{self.match}/{self.event}/{self.seat}/{self.decision}"
        return hashlib.sha256(told.encode()).hexdigest()[:16]


class Lapsed(Struct, frozen=True):
    """A decision no longer waits for the seat: an undelivered notice of it is dropped."""

    match: str
    seat: int
    decision: int


class Departed(Struct, frozen=True):
    """A player has left the table while a decision waits for the seat; the player saw it, so no notice was sent."""

    match: str
    seat: int
    decision: int


def checked(hook: Hook) -> Hook:
    """The hook, if it can be used. Raises `Misconfigured` with its fault."""
    try:
        parts = urlsplit(hook.url)
        port = parts.port
    except ValueError as wrong:
        raise Misconfigured(f"The webhook's address cannot be read: {wrong}.") from wrong
    if len(hook.url) > URL_LIMIT or not parts.hostname or parts.username or port == 0:
        raise Misconfigured(f"A webhook's address names a host, no user, and has at most {URL_LIMIT} characters.")
    if not hook.url.isascii() or not hook.url.isprintable() or " " in hook.url:
        raise Misconfigured(
            "A webhook's address is ASCII without spaces; write other characters as %XX, names as xn--."
        )
    _assert_may_be_reached(parts.hostname, private=hook.private)
    if parts.scheme != "https" and not (hook.private and parts.scheme == "http"):
        raise Misconfigured("A webhook's address begins with https://.")
    if not hook.secret:
        raise Misconfigured("A webhook needs a secret, with which its messages are signed.")
    return hook


def _assert_may_be_reached(host: str, *, private: bool) -> None:
    """Refuse a host that no message would ever reach. Names are resolved at each connection."""
    try:
        is_open = is_public(host)
    except ValueError:
        if not HOST.fullmatch(host) or NUMBER.fullmatch(host.rstrip(".").rpartition(".")[2]):
            raise Misconfigured(f"The webhook's host {host!r} is neither a name nor an address.") from None
        is_open = not f".{host.rstrip('.')}".endswith(".localhost")
    if not is_open and not private:
        raise Misconfigured(
            "The webhook's address is of this machine or of a private network; name a public one."
            " Only the operator's own may be private, with webhook.private."
        )


def is_public(address: str) -> bool:
    """Whether an address is public; those of this machine and of private networks are not."""
    found: IPv4Address | IPv6Address = ip_address(address.partition("%")[0])
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            found = found.ipv4_mapped
        elif any(found in network for network in SHROUDED):
            return False
    return found.is_global and not found.is_multicast and not found.is_reserved


def signature(secret: str, sent_ms: int, delivery: str, body: bytes) -> str:
    """HMAC-SHA256 over time, delivery and body, in hex: the receiver computes and compares it."""
    signed = f"{sent_ms}.{delivery}.".encode() + body
    return hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()


class Post:
    """One attempt to deliver, in a thread of its own; `abort` ends it from outside."""

    def __init__(self, hook: Hook, body: bytes, headers: dict[str, str]) -> None:
        self._hook, self._body, self._headers = hook, body, headers
        self._socket: socket.socket | None = None

    def send(self) -> int:
        """The answer's status. Raises `OSError` or `http.client.HTTPException`; redirections are not followed."""
        parts = urlsplit(self._hook.url)
        host = parts.hostname or ""
        port = parts.port or (443 if parts.scheme == "https" else 80)
        connection = http.client.HTTPConnection(host, port, timeout=TIMEOUT_S)
        with closing(self._connect(host, port, tls=parts.scheme == "https")) as connection.sock:
            path = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
            connection.request("POST", path, self._body, self._headers)
            return connection.getresponse().status

    def _connect(self, host: str, port: int, *, tls: bool) -> socket.socket:
        # The address that is checked is the one that is connected to: a name may mean another one a moment later.
        found = [str(info[4][0]) for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
        if not self._hook.private and not all(map(is_public, found)):
            raise PermissionError("the webhook's host has an address that is not public")
        self._socket = socket.create_connection((found[0], port), TIMEOUT_S)
        if tls:
            self._socket = ssl.create_default_context().wrap_socket(self._socket, server_hostname=host)
        return self._socket

    def abort(self) -> None:
        """Give the attempt up."""
        if self._socket is not None:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)


async def posted(hook: Hook, body: bytes, headers: dict[str, str]) -> int:
    """The status of one attempt; 0 if there was no answer."""
    post = Post(hook, body, headers)
    try:
        # `wait_for` is not used: in Python 3.11 it forgets a cancellation that comes at the same moment as the answer.
        async with asyncio.timeout(WHOLE_S):
            return await asyncio.get_running_loop().run_in_executor(_THREADS, post.send)
    except (OSError, http.client.HTTPException, ValueError) as wrong:
        LOG.info("a message to %s failed: %s", hook, type(wrong).__name__)
        return 0
    finally:
        post.abort()


def signed_headers(hook: Hook, sent_ms: int, delivery: str, body: bytes) -> dict[str, str]:
    """The headers of a message with JSON, by which the receiver knows it."""
    return {
        "Content-Type": "application/json",
        "User-Agent": "herald",
        "Herald-Delivery": delivery,
        "Herald-Time": str(sent_ms),
        "Herald-Signature": f"sha256={signature(hook.secret, sent_ms, delivery, body)}",
    }


Wanted = Callable[[Hook, Notice], Awaitable[bool]]


class Messenger:
    """Delivers notices, a few at once, each until it is accepted or given up."""

    def __init__(
        self,
        now: Callable[[], int],
        delays_s: Sequence[float] = DELAYS_S,
        is_wanted: Wanted | None = None,
        most: int = WAITING,
    ) -> None:
        """`is_wanted`: whether to try again, asked before each attempt but the first; `most`: deliveries under way."""
        self._now, self._is_wanted = now, is_wanted
        self._delays_s, self._most = delays_s, most
        self._at_once = asyncio.Semaphore(AT_ONCE)
        self._under_way: dict[tuple[str, str, int | None], tuple[int, asyncio.Task[None]]] = {}
        """By address, match and seat: the decision of the notice, and its delivery."""
        self.dropped = 0

    @property
    def is_busy(self) -> bool:
        """Whether so many deliveries wait that less urgent notices should be held back."""
        return len(self._under_way) >= self._most // 2

    def tell(self, hook: Hook, notice: Notice, ended: Callable[[], None] = lambda: None) -> None:
        """Deliver soon. A newer notice for a seat replaces one that has not been delivered yet.

        `ended` is called once the notice is accepted, given up, replaced or dropped, but not if the server is closed
        before.
        """
        key = (hook.url, notice.match, notice.seat)
        former = self._under_way.pop(key, None)
        if former is not None:
            former[1].cancel()
        if len(self._under_way) >= self._most:
            self.dropped += 1
            LOG.warning("a webhook's message is dropped: %d are waiting", len(self._under_way))
            ended()
            return
        task = asyncio.get_running_loop().create_task(self._deliver(hook, notice))
        self._under_way[key] = notice.decision, task
        task.add_done_callback(lambda done: self._forget(key, done, ended))

    def drop(self, lapsed: Lapsed) -> None:
        """Stop delivering notices of the decision, to any address."""
        for key, (decision, task) in list(self._under_way.items()):
            if key[1:] == (lapsed.match, lapsed.seat) and decision == lapsed.decision:
                del self._under_way[key]
                task.cancel()

    def _forget(self, key: tuple[str, str, int | None], done: "asyncio.Task[None]", ended: Callable[[], None]) -> None:
        held = self._under_way.get(key)
        is_replaced = held is None or held[1] is not done
        if not is_replaced:
            del self._under_way[key]
        if is_replaced or not done.cancelled():
            ended()

    async def _deliver(self, hook: Hook, notice: Notice) -> None:
        body, delivery = msgspec.json.encode(notice), notice.delivery
        for wait_s in (0.0, *self._delays_s):
            await asyncio.sleep(wait_s)
            if wait_s and self._is_wanted is not None and not await self._is_wanted(hook, notice):
                return
            async with self._at_once:
                status = await self._attempt(hook, body, delivery)
            if 200 <= status < 300 or status == GONE:
                return
        LOG.warning("a message to %s is given up after %d attempts", hook, 1 + len(self._delays_s))

    async def _attempt(self, hook: Hook, body: bytes, delivery: str) -> int:
        """The status of one attempt; 0 if there was no answer."""
        return await posted(hook, body, signed_headers(hook, self._now(), delivery, body))

    async def close(self) -> None:
        """Give up undelivered notices."""
        tasks = [task for _, task in self._under_way.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
