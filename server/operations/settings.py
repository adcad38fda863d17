"""Settings of an operator: limits, access, TLS, proxies. Every value has a default that suits a single machine.

The structs are plain data, so that flags, environment and a file can fill them: `msgspec.convert(table, Settings)`
checks names and bounds.
"""

import ssl
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from server.errors import Misconfigured

Count = Annotated[int, Meta(ge=1, le=10_000_000)]
Seconds = Annotated[float, Meta(ge=0.001, le=86_400)]
Rate = Annotated[float, Meta(ge=0.001, le=1_000_000)]
Bytes = Annotated[int, Meta(ge=1024, le=1 << 40)]
Secret = Annotated[str, Meta(extra={"secret": True})]
"""Secrets, which are never shown in a report of the settings or in an error."""

SMALLEST_TLS: Final = ssl.TLSVersion.TLSv1_2


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """Limits for one connection, for one address, and for all connections together.

    Per connection: `frame_bytes`, the size of a client's frame (a larger frame closes with 1009); `hello_s` until the
    first message (4000); `messages_per_s` over a longer time and `message_burst` at once (faster messages wait); the
    number of `broken_messages` (4001), and of `refused_entries` (wrong tokens and unknown matches, 4003), before the
    connection is closed; `waiting_bytes` for a slow reader, who catches up later, and `slow_s` until a slow reader is
    dropped (4008); `incoming_frames`, the frames read ahead.

    All together: `connections`, those in a match; `spectators`, how many of these may watch; `spectators_per_match`,
    how many may watch one match; `strangers`, connections not yet in a match, the oldest of which is closed for a
    newcomer; `all_waiting_bytes`, the bytes that wait for all slow readers. Above this last limit, strangers are closed
    first (4013), then spectators, and seats last.

    Per address, except addresses of this machine: `connections_per_address`, and `replays_per_minute`, the replays and
    records requested. `creations_per_minute`, the matches created, also applies to this machine, unless `proxies` names
    it. Above `wrong_tokens_per_minute` from one address, or for one match from anywhere, each answer to a wrong token
    is delayed by `wrong_token_s`. `sign_ups_per_minute` and `sign_ins_per_minute` are counted like creations.
    `account_requests_per_minute` applies to one person, from any address.

    Chat: `chat_characters` in a line, `chat_per_minute` of one person, `chat_burst` at once, `chat_lines` stored for
    each room. `reports_per_minute` of one seat, or of one address that watches.
    """

    frame_bytes: Bytes = 64 * 1024
    hello_s: Seconds = 5.0
    messages_per_s: Rate = 200.0
    message_burst: Rate = 400.0
    broken_messages: Count = 20
    refused_entries: Count = 10
    waiting_bytes: Bytes = 1 << 20
    slow_s: Seconds = 30.0
    incoming_frames: Count = 4
    connections: Count = 10_000
    spectators: Count = 8_000
    spectators_per_match: Count = 4_000
    strangers: Count = 4_000
    all_waiting_bytes: Bytes = 256 << 20
    connections_per_address: Count = 500
    creations_per_minute: Rate = 60.0
    replays_per_minute: Rate = 60.0
    wrong_tokens_per_minute: Rate = 30.0
    wrong_token_s: Seconds = 2.0
    sign_ups_per_minute: Rate = 5.0
    sign_ins_per_minute: Rate = 60.0
    account_requests_per_minute: Rate = 240.0
    chat_characters: Annotated[int, Meta(ge=1, le=500)] = 500
    chat_per_minute: Rate = 20.0
    chat_burst: Rate = 5.0
    chat_lines: Count = 1_000
    reports_per_minute: Rate = 3.0


DEFAULT_LIMITS: Final = Limits()


class Tls(Struct, frozen=True, forbid_unknown_fields=True):
    """PEM files: the certificate with its chain, and its key. Set both or neither."""

    cert: str = ""
    key: str = ""

    def __repr__(self) -> str:
        return f"Tls({self.cert!r})"


class LogSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The form of the log on standard error, and its lowest level."""

    format: Literal["text", "json"] = "text"
    level: Literal["debug", "info", "warning", "error"] = "info"


class Metrics(Struct, frozen=True, forbid_unknown_fields=True):
    """`token`: a client that sends it as `Authorization: Bearer ...` may read `/metrics`; without a token, only this
    machine may.
    """

    token: Secret = ""

    def __repr__(self) -> str:
        return "Metrics(...)"


class Webhook(Struct, frozen=True, forbid_unknown_fields=True):
    """The address to which the server reports moves and results, by HTTPS POSTs signed with `secret`.

    `private`: whether the address may belong to this machine or its network, and may use plain HTTP. `seats`: whether
    the holder of a seat may set an address for the seat, which has to be public. The address is also a secret, because
    many services put their token into it.
    """

    url: Annotated[str, Meta(max_length=500, extra={"secret": True})] = ""
    secret: Secret = ""
    private: bool = False
    seats: bool = False

    def __repr__(self) -> str:
        return "Webhook(...)"


class NoticeSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """How persons are notified that it is their move, over the channels that they name (docs/people.md).

    `site`: the address by which people open this server, for links in mails. `smtp`: the mail server, as
    `smtp://USER@HOST` (STARTTLS) or `smtps://USER@HOST`; `password`: its password; `mail_from`: the sender.
    `push_contact`: switches Web Push on, and is the address at which push services reach the operator: `mailto:` or
    `https://`. `webhooks`: whether persons may set webhooks. `private`: whether the addresses that persons set may
    belong to this network and use plain HTTP; never set this on a server that strangers use.
    """

    site: Annotated[str, Meta(max_length=200)] = ""
    smtp: Annotated[str, Meta(max_length=200)] = ""
    password: Secret = ""
    mail_from: Annotated[str, Meta(max_length=200)] = ""
    push_contact: Annotated[str, Meta(max_length=200)] = ""
    webhooks: bool = False
    private: bool = False

    def __repr__(self) -> str:
        return "Notices(...)"


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of `herald serve`.

    `host`, `port`: where to listen; port 0: any port. `db`: the database, if not the default.

    `store`: a database on the PostgreSQL protocol instead, as `postgresql://USER@HOST/NAME`, for several machines;
    `pubsub`: the address over which they notify each other of new lines, as `nats://HOST`. Both may hold passwords.

    `origins`: other origins whose pages may connect; `embedders`: origins whose pages may embed a match; `hosts`: the
    names to which the server answers, or none to answer to all names; `proxies`: the addresses or networks of proxies
    in front of the server. Only a proxy's `X-Forwarded-For` is believed. `workers`: processes of the server, among
    which the matches are divided. `bot_delay_s`: how long a bot waits; `bot_workers`: processes for bots that look
    ahead, for each process of the server; 0: they run in the server's own process. `guest_links`: guests may write
    links in chat.
    """

    host: Annotated[str, Meta(min_length=1)] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65_535)] = 8000
    db: str = ""
    store: Secret = ""
    pubsub: Secret = ""
    workers: Annotated[int, Meta(ge=1, le=64)] = 1
    bot_delay_s: Annotated[float, Meta(ge=0, le=60)] = 0.4
    bot_workers: Annotated[int, Meta(ge=0, le=64)] = 1
    limits: Limits = DEFAULT_LIMITS
    tls: Tls = Tls()
    origins: tuple[str, ...] = ()
    embedders: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
    log: LogSettings = LogSettings()
    metrics: Metrics = Metrics()
    webhook: Webhook = Webhook()
    notices: NoticeSettings = NoticeSettings()
    guest_links: bool = False


def tls_context(tls: Tls) -> ssl.SSLContext | None:
    """The context for TLS, None without TLS.

    Raises `Misconfigured`, which names the wrong file, if a file cannot be used.
    """
    if not tls.cert and not tls.key:
        return None
    if not (tls.cert and tls.key):
        raise Misconfigured("TLS needs a certificate and its key; give both --tls-cert and --tls-key, or neither.")
    for name in (tls.cert, tls.key):
        if not Path(name).is_file():
            raise Misconfigured(f"There is no file {name}; --tls-cert and --tls-key name files in PEM.")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = SMALLEST_TLS
    try:
        context.load_cert_chain(tls.cert, tls.key)
    except (OSError, ssl.SSLError) as wrong:
        raise Misconfigured(f"{tls.cert} and {tls.key} do not belong together, or are not PEM: {wrong}.") from wrong
    return context


Networks = tuple[IPv4Network | IPv6Network, ...]
LOOPBACK: Final = {4: ("127.0.0.0/8",), 6: ("::1/128", "::ffff:127.0.0.0/104")}
"""The loopback addresses, by the version of the protocol."""


def networks(proxies: tuple[str, ...]) -> Networks:
    """The networks that `proxies` names. Raises `Misconfigured` if a name is not an address or network."""
    try:
        return tuple(ip_network(proxy) for proxy in proxies)
    except ValueError as wrong:
        raise Misconfigured(f"A proxy is an address or a network, as 10.0.0.0/8: {wrong}.") from wrong


def names_this_machine(proxies: Networks) -> bool:
    """Whether a proxy on this machine may be among these networks."""
    return any(ip_network(own).overlaps(named) for named in proxies for own in LOOPBACK[named.version])
