"""`herald relay`: a node for spectators."""

import logging
import signal
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import click

from herald_client.errors import BadLink
from herald_client.links import base_of, socket_of
from projections.registry import faces
from server.cli.common import console, given
from server.cli.errors import Amiss
from server.cli.words import told, word
from server.operations import logs
from server.operations.certificate import certificate_of
from server.operations.configuration import load
from server.operations.garbage import rare_collections
from server.operations.settings import Settings, networks
from server.relay.app import relaying
from server.relay.registry import RelayLimits, RelayRegistry

LOG = logging.getLogger(__name__)
FLAGS = {
    "host": "host",
    "port": "port",
    "origin": "origins",
    "embedder": "embedders",
    "proxy": "proxies",
    "tls_cert": "tls.cert",
    "tls_key": "tls.key",
    "log_format": "log.format",
    "log_level": "log.level",
}
"""The setting that each flag makes; `--set` makes any."""
FOREIGN = ("db", "store", "pubsub", "webhook.url", "webhook.secret")
"""The settings that a relay must not have: databases, and secrets of the servers that play matches."""


@click.command()
@click.argument("urls", metavar="ORIGIN...", nargs=-1, required=True)
@click.option(
    "--config", type=click.Path(path_type=Path), help="A file of settings, in TOML.  [default: $HERALD_CONFIG]"
)
@click.option("--host", help="The address to listen on; 0.0.0.0 for all.  [default: 127.0.0.1]")
@click.option("--port", type=click.IntRange(0, 65535), help="The port; 0 for any.  [default: 8000]")
@click.option(
    "--home", metavar="URL", help="The address at which people play, as browsers reach it.  [default: the first ORIGIN]"
)
@click.option("--matches", type=click.IntRange(1), default=1_000, show_default=True, help="Matches held at most.")
@click.option("--memory", type=click.IntRange(1), default=256, show_default=True, help="MiB of lines held at most.")
@click.option(
    "--idle",
    type=click.FloatRange(1),
    default=300.0,
    show_default=True,
    help="Seconds until an unwatched match is dropped.",
)
@click.option("--origin", multiple=True, help="An Origin whose pages may connect, beside this server's own.")
@click.option("--embedder", multiple=True, help="An Origin whose pages may embed matches in a frame.")
@click.option(
    "--proxy", multiple=True, help="A proxy in front, by address or network, whose X-Forwarded-For is believed."
)
@click.option("--tls-cert", metavar="FILE", help="Serve TLS with this certificate and its chain, in PEM.")
@click.option("--tls-key", metavar="FILE", help="The certificate's key, in PEM.")
@click.option("--log-format", type=click.Choice(["text", "json"]), help="The format of the log.  [default: text]")
@click.option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    help="The lowest level that is logged.  [default: info]",
)
@click.option(
    "--set", "more", multiple=True, metavar="NAME=VALUE", help="Any setting, as `herald config show` names it."
)
def relay(
    urls: tuple[str, ...],
    config: Path | None,
    home: str | None,
    matches: int,
    memory: int,
    idle: float,
    more: tuple[str, ...],
    **flags: Any,
) -> None:
    """Serve spectators of matches that are played at other servers.

    ORIGIN is such a server's address, as https://herald.example; several are tried in turn. A relay asks them for
    everything that spectators may see, checks it, and passes it on. It has no database, no key and no seat.
    """
    found = load(config, flags=given(FLAGS, flags, more))
    logs.start(found.settings.log.format, found.settings.log.level)
    if logs.is_json():
        logs.take_faults()
    settings = found.sound()
    foreign = [f"{name} ({place})" for name, place in found.places.items() if name in FOREIGN]
    if foreign:
        raise Amiss(
            word("A relay has no matches and no secrets of its own; take away: {foreign}.", foreign=", ".join(foreign))
        )
    try:
        bases = [base_of(url) for url in urls]
        own = base_of(home) if home else bases[0]
    except BadLink as wrong:
        raise Amiss(told(str(wrong))) from wrong
    registry = RelayRegistry(
        [socket_of(base) for base in bases],
        faces(),
        limits=settings.limits,
        bounds=RelayLimits(matches, memory << 20, idle),
        home=own,
    )
    # A garbage collection over all objects of thousands of connections would hold every viewer up meanwhile.
    with rare_collections():
        anyio.run(partial(_relay, registry, settings, bases))
    LOG.info("stopped")


async def _relay(registry: RelayRegistry, settings: Settings, bases: list[str]) -> None:
    tls, host = certificate_of(settings.tls), settings.host
    async with relaying(
        registry,
        host,
        settings.port,
        origins=settings.origins,
        hosts=settings.hosts,
        proxies=networks(settings.proxies),
        tls=tls,
        metrics_token=settings.metrics.token,
        embedders=settings.embedders,
    ) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        near = "127.0.0.1" if host in {"0.0.0.0", "::"} else host  # noqa: S104 - compared, not bound
        scheme = "https" if tls else "http"
        console.print(
            word(
                "[bold]Herald[/] relays to spectators on [cyan]{scheme}://{near}:{port}/[/]",
                scheme=scheme,
                near=near,
                port=port,
            )
        )
        console.print(
            word("  matches come from {bases}; a match is at /watch#m=MATCH", bases=", ".join(bases)), soft_wrap=True
        )
        console.print(word("  nothing is kept; stop with Ctrl+C"))
        LOG.info("a relay of %s listens on port %d", ", ".join(bases), port)
        with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            async for taken in signals:
                LOG.info("%s: nothing more is taken", signal.Signals(taken).name)
                break
        console.print(word("Stopping."))


COMMANDS = (relay,)
"""The commands that this module adds to `herald`."""
