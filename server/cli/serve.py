"""`herald serve`: the server."""

import gc
import logging
import os
import socket
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import click
from msgspec import Struct, structs

from projections.registry import faces, left_out
from replay.record.serverkey import KeyRing
from replay.store.opening import open_address
from replay.store.postgres.address import shown
from replay.store.store import Store
from server.bots.workers import BEHIND, Workers
from server.cli.common import console, given, open_store, standard_db
from server.cli.errors import Amiss
from server.cli.failures import Failure
from server.cli.places import data_dir
from server.cli.words import told, word
from server.cluster.nats import NatsPubSub
from server.cluster.processes import Inbox, ServerProcesses
from server.cluster.servers import OtherServers
from server.gate.app import port_of, running, until_stopped
from server.gate.connection_policy import names_of
from server.gate.listening import listening
from server.gate.supervisor import ProcessStart, Supervisor
from server.lobby.lobby import Lobby
from server.notifications.seat_webhooks import take_over
from server.operations import logs
from server.operations.certificate import certificate_of
from server.operations.configuration import Configuration, is_stored, load
from server.operations.exclusion import Serving
from server.operations.garbage import rare_collections
from server.operations.metrics import program_version
from server.operations.settings import networks
from server.operations.shared_counters import SharedCounters
from server.table.clocks import LifeSign, SharedLife
from server.table.placement import ALONE, Placement

LOG = logging.getLogger(__name__)
JUDGED_S = 300.0
"""The longest time that an analysis task may take, however busy the machine is."""
ANALYSTS = 2
"""The largest number of processes that analyse; there are never more than processors."""
PATIENCE = 15
"""The priority of the analysis of finished matches below live play (`nice`)."""
DISK_FAILED = 74
"""The exit status after a failed disk (EX_IOERR of sysexits.h), so that a service is not restarted at once."""
FLAGS = {
    "host": "host",
    "port": "port",
    "db": "db",
    "store": "store",
    "pubsub": "pubsub",
    "workers": "workers",
    "bot_delay": "bot_delay_s",
    "bot_workers": "bot_workers",
    "origin": "origins",
    "embedder": "embedders",
    "proxy": "proxies",
    "tls_cert": "tls.cert",
    "tls_key": "tls.key",
    "site": "notices.site",
    "smtp": "notices.smtp",
    "mail_from": "notices.mail_from",
    "push_contact": "notices.push_contact",
    "log_format": "log.format",
    "log_level": "log.level",
}
"""The setting that each flag makes; `--set` makes any."""


@click.command()
@click.option(
    "--config", type=click.Path(path_type=Path), help="A file of settings, in TOML.  [default: $HERALD_CONFIG]"
)
@click.option("--host", help="The address to listen on; 0.0.0.0 for all.  [default: 127.0.0.1]")
@click.option("--port", type=click.IntRange(0, 65535), help="The port; 0 for any.  [default: 8000]")
@click.option("--db", help="The SQLite file with the matches.  [default: in your data directory]")
@click.option("--store", metavar="ADDRESS", help="A database in its place, as postgresql://USER@HOST/NAME.")
@click.option(
    "--pubsub",
    metavar="ADDRESS",
    help="NATS server that links servers over one store, as nats://HOST.",
)
@click.option(
    "--workers", type=click.IntRange(1, 64), help="Processes among which the matches are divided.  [default: 1]"
)
@click.option("--bot-delay", type=click.FloatRange(0, 60), help="Seconds a bot waits.  [default: 0.4]")
@click.option(
    "--bot-workers", type=click.IntRange(0, 64), help="Processes in which bots think; 0: in the server.  [default: 1]"
)
@click.option("--origin", multiple=True, help="An Origin whose pages may connect, beside this server's own.")
@click.option("--embedder", multiple=True, help="An Origin whose pages may embed matches in a frame.")
@click.option(
    "--proxy", multiple=True, help="A proxy in front, by address or network, whose X-Forwarded-For is believed."
)
@click.option("--tls-cert", metavar="FILE", help="Serve TLS with this certificate and its chain, in PEM.")
@click.option("--tls-key", metavar="FILE", help="The certificate's key, in PEM.")
@click.option("--site", metavar="URL", help="This server's address as people open it, for links in mails.")
@click.option("--smtp", metavar="URL", help="Mail people who ask for it through this server, as smtp://USER@HOST.")
@click.option("--mail-from", metavar="ADDRESS", help="The sender of mails.")
@click.option(
    "--push-contact",
    metavar="ADDRESS",
    help="Send Web Push; push services reach you at this address, as mailto:ADDRESS.",
)
@click.option("--log-format", type=click.Choice(["text", "json"]), help="The format of the log.  [default: text]")
@click.option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    help="The lowest level that is logged.  [default: info]",
)
@click.option("--develop", is_flag=True, help="Serve the inspector for authors too, at /inspect.")
@click.option(
    "--set", "more", multiple=True, metavar="NAME=VALUE", help="Any setting, as `herald config show` names it."
)
def serve(config: Path | None, more: tuple[str, ...], develop: bool, **flags: Any) -> None:
    """Serve matches to browsers and other clients.

    Everything is kept in one SQLite file, or in a database that several servers share; stop with Ctrl+C, start again,
    and every match continues. Settings may also stand in a file and in the environment: see `herald config --help`.
    """
    found = load(config, flags=given(FLAGS, flags, more))
    # The log begins before anything can be refused, so that a refusal is written in the log's format.
    logs.start(found.settings.log.format, found.settings.log.level)
    if logs.is_json():
        logs.take_faults()
    settings = found.sound()
    place = _shared(settings.store) if is_stored(found.places) else _own(settings.db)
    take_over(place.store, place.beside.with_name(place.beside.name + ".hooks"))
    status = _one(place, found, develop) if settings.workers == 1 else _several(place, found, develop)
    if status:
        logging.shutdown()
        # The process ends without closing the database: that would move its log into the file, on a disk that has just
        # failed.
        os._exit(status)
    LOG.info("stopped; every accepted choice is kept")


def _one(place: "ServedPlace", found: Configuration, develop: bool) -> int:
    """Serve by this process alone; returns the exit status."""

    def begun(port: int) -> None:
        _announce(place, found, port, develop)

    return _process(place, found, ProcessPart(begun=begun, ended=_say_stopping), develop)


def _several(place: "ServedPlace", found: Configuration, develop: bool) -> int:
    """Serve by several processes, which this one starts and restarts; returns the exit status."""
    settings = found.settings
    # The store and its keys are made and brought up to date here, so that the processes do not hinder each other.
    place.store.close()
    KeyRing.beside(place.beside)
    if settings.pubsub:
        NatsPubSub(settings.pubsub)  # checked once, and not by each process again
    bound, inboxes = listening(settings.host, settings.port), [Inbox() for _ in range(settings.workers)]
    tallies = SharedCounters(settings.workers)
    # The games are loaded once for all processes, so that a process that dies is replaced at once.
    faces()
    gc.collect()
    gc.freeze()
    if settings.workers > (os.cpu_count() or 1):
        LOG.warning("%d processes are more than this machine has processors", settings.workers)

    def work(beginning: ProcessStart) -> int:
        processes = ServerProcesses(Placement(beginning.number, settings.workers), inboxes, tallies)
        part = ProcessPart(processes=processes, bound=bound, parent=beginning.parent)
        return _process(_again(place, settings.store, beginning.is_again), found, part, develop)

    def begun() -> None:
        _announce(place, found, bound[0].getsockname()[1], develop)

    def stopping() -> None:
        for door in bound:
            door.close()
        _say_stopping()

    return Supervisor(settings.workers, work, DISK_FAILED).run(begun, stopping)


def _process(place: "ServedPlace", found: Configuration, part: "ProcessPart", develop: bool) -> int:
    """Serve until the process is told to stop; returns its exit status."""
    failed = ""
    try:
        with rare_collections():
            failed = anyio.run(partial(_serve, develop=develop), place, found, part)
    finally:
        if not failed:
            place.store.close()
    if failed:
        Failure(
            word(
                "{failed}. Every choice that was accepted is kept. Look after the disk, then start again.",
                failed=told(failed),
            )
        ).show()
        return DISK_FAILED
    return 0


class ServedPlace(Struct, frozen=True):
    """Where the matches are. `name`: as shown to people; `beside`: the folder of its keys and signs of life."""

    store: Store
    name: str
    beside: Path
    is_new: bool
    life: LifeSign
    is_shared: bool = False
    serving: Serving | None = None


def _own(db: str) -> ServedPlace:
    """A SQLite file."""
    path = Path(db) if db else standard_db()
    is_new = not path.exists()
    if db and is_new:
        _agree_to_begin(path)
    store, serving = open_store(path), Serving(path)
    if not serving.is_alone:
        LOG.warning("another server serves %s: a match that both play is a conflict for one; stop the other one", path)
    return ServedPlace(store, str(path), path, is_new, LifeSign.beside(path), serving=serving)


def _shared(address: str) -> ServedPlace:
    """A database that other servers may share."""
    beside = data_dir() / "herald.store"
    beside.parent.mkdir(parents=True, exist_ok=True)
    store = open_address(address)
    life = SharedLife(store.alive_ms(), store.now_ms(), store.live)
    return ServedPlace(store, shown(address), beside, False, life, is_shared=True)


def _again(place: ServedPlace, address: str, is_late: bool) -> ServedPlace:
    """The same place, opened by a separate process. `is_late`: other processes of this server are running already."""
    if place.is_shared:
        store = open_address(address)
        last = store.alive_ms() if is_late else place.life.last_ms
        return structs.replace(place, store=store, life=SharedLife(last, store.now_ms(), store.live))
    life = LifeSign.beside(place.beside, is_late=True) if is_late else place.life
    return structs.replace(place, store=open_store(place.beside), life=life)


class ProcessPart(Struct, frozen=True):
    """A process's connections with the others. `begun` is called with the port it listens on, `ended` when it stops.

    `processes`: the other processes of this server; `bound`: the sockets that all of them listen on; `parent`: a file
    that ends with the parent process.
    """

    begun: Callable[[int], None] = lambda _: None
    ended: Callable[[], None] = lambda: None
    processes: ServerProcesses | None = None
    bound: Sequence[socket.socket] = ()
    parent: int | None = None


def _agree_to_begin(path: Path) -> None:
    """Ask a person at a terminal before folders are made for a database. Raises `Misconfigured` when they say no."""
    if path.parent.is_dir() or not sys.stdin.isatty():
        return
    if not click.confirm(
        word("There is no folder {folder}. Make it, with a new database?", folder=path.parent), err=True
    ):
        raise Amiss(
            word(
                "There is no database {path}. Mend the path, or make the folder {folder}.",
                path=path,
                folder=path.parent,
            )
        )


async def _serve(place: ServedPlace, found: Configuration, part: ProcessPart, *, develop: bool) -> str:
    settings, path, store, processes = found.settings, place.beside, place.store, part.processes
    for each in left_out():
        LOG.warning("%s", each)
    sign = KeyRing.beside(path).current.stamp
    lobby = Lobby(
        store,
        faces(),
        bot_delay_s=settings.bot_delay_s,
        workers=Workers(settings.bot_workers, patience=BEHIND),
        analysts=Workers(min(ANALYSTS, settings.bot_workers and (os.cpu_count() or 1)), JUDGED_S, PATIENCE),
        sign=sign,
        limits=settings.limits,
        life_sign=place.life,
        webhook=settings.webhook,
        notices=settings.notices,
        guest_links=settings.guest_links,
        is_shared=place.is_shared,
        home=ALONE if processes is None else processes.home,
        commentary=path.with_name(path.name + ".commentary"),
    )
    hints = NatsPubSub(settings.pubsub) if settings.pubsub else None
    async with running(
        lobby,
        settings.host,
        settings.port,
        origins=settings.origins,
        hosts=names_of(settings.host, settings.hosts, is_forwarded=bool(settings.proxies)),
        proxies=networks(settings.proxies),
        tls=certificate_of(settings.tls),
        metrics_token=settings.metrics.token,
        develop=develop,
        other_servers=OtherServers(lobby, hints, processes) if place.is_shared or processes is not None else None,
        bound=part.bound,
        processes=processes,
        embedders=settings.embedders,
    ) as server:
        part.begun(port_of(server))
        failed = await until_stopped(store, part.parent)
        if not failed:
            part.ended()
    return failed


def _say_stopping() -> None:
    console.print(word("Stopping; every accepted choice is kept."))


def _announce(place: ServedPlace, found: Configuration, port: int, develop: bool) -> None:
    """Print the server's address, and what users can do there."""
    settings = found.settings
    host = settings.host
    address = "127.0.0.1" if host in {"0.0.0.0", "::"} else host  # noqa: S104 - compared, not bound
    scheme = "https" if settings.tls.cert else "http"
    console.print(
        word(
            "[bold]Herald[/] listens on [cyan]{scheme}://{address}:{port}/[/]",
            scheme=scheme,
            address=address,
            port=port,
        )
    )
    console.print(word("  open that address in a browser to play, to watch or to replay"))
    if develop:
        console.print(
            word(
                "  inspect what a client is sent:    [cyan]{scheme}://{address}:{port}/inspect[/]",
                scheme=scheme,
                address=address,
                port=port,
            )
        )
    console.print(word("  watch two bots in this terminal:  [cyan]herald demo[/]"))
    console.print(word("  list the matches:                 [cyan]herald match list[/]"))
    if not place.is_new:
        console.print(word("  matches are kept in {name}; stop with Ctrl+C", name=place.name), soft_wrap=True)
    else:
        console.print(
            word("  [bold yellow]a new database, without any match, was made:[/] {name}", name=place.name),
            soft_wrap=True,
        )
        console.print(word("  every match is kept there; stop with Ctrl+C"))
    LOG.info(
        "Herald %s listens on %s, the settings are from %s, the matches in %s",
        program_version(),
        f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}/",
        found.file or "no file",
        place.name,
    )
    if place.is_new:
        LOG.warning("there was no database %s: a new one was made, without any match", place.name)


COMMANDS = (serve,)
