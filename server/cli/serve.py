"""`herald serve`: the server."""

import logging
import os
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import click

from projections.registry import faces
from replay.record.serverkey import KeyRing
from replay.store.log import Store
from server.cli.common import Failure, console, open_store, standard_db
from server.errors import Misconfigured
from server.gate.app import port_of, rare_collections, running, until_stopped
from server.hall.matches import Hall
from server.hall.seathooks import SeatHooks
from server.operations import logs
from server.operations.configuration import Configuration, load
from server.operations.metrics import program_version
from server.operations.settings import networks, tls_context
from server.table.clocks import LifeSign

LOG = logging.getLogger(__name__)
DISK_FAILED = 74
"""The exit status after a failed disk (EX_IOERR of sysexits.h), so that a service is not started again at once."""
FLAGS = {
    "host": "host",
    "port": "port",
    "db": "db",
    "bot_delay": "bot_delay_s",
    "origin": "origins",
    "proxy": "proxies",
    "tls_cert": "tls.cert",
    "tls_key": "tls.key",
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
@click.option("--bot-delay", type=click.FloatRange(0, 60), help="Seconds a bot waits.  [default: 0.4]")
@click.option("--origin", multiple=True, help="An Origin whose pages may connect, beside this server's own.")
@click.option(
    "--proxy", multiple=True, help="A proxy in front, by address or network, whose X-Forwarded-For is believed."
)
@click.option("--tls-cert", metavar="FILE", help="Serve TLS with this certificate and its chain, in PEM.")
@click.option("--tls-key", metavar="FILE", help="The certificate's key, in PEM.")
@click.option("--log-format", type=click.Choice(["text", "json"]), help="How the log is written.  [default: text]")
@click.option(
    "--log-level", type=click.Choice(["debug", "info", "warning", "error"]), help="From where on.  [default: info]"
)
@click.option("--develop", is_flag=True, help="Serve the inspector for authors too, at /inspect.")
@click.option(
    "--set", "more", multiple=True, metavar="NAME=VALUE", help="Any setting, as `herald config show` names it."
)
def serve(config: Path | None, more: tuple[str, ...], develop: bool, **flags: Any) -> None:
    """Serve matches to browsers and other clients.

    Everything is kept in one SQLite file; stop with Ctrl+C, start again, and every match goes on.
    Settings may also stand in a file and in the environment: see `herald config --help`.
    """
    found = load(config, flags=_given(flags, more))
    # Before anything is refused, so that the refusal is written as the log is.
    logs.start(found.settings.log.format, found.settings.log.level)
    if logs.is_json():
        logs.take_faults()
    settings = found.sound()
    path = Path(settings.db) if settings.db else standard_db()
    found_there = path.exists()
    if settings.db and not found_there:
        _agree_to_begin(path)
    store = open_store(path)
    failed = ""
    try:
        with rare_collections():
            failed = anyio.run(partial(_serve, develop=develop), store, found, path, found_there)
    finally:
        if not failed:
            store.close()
    if failed:
        Failure(f"{failed}. Every choice that was accepted is kept. Look after the disk, then start again.").show()
        logging.shutdown()
        # Without closing the database: that would move its log into the file, on a disk that has just failed.
        os._exit(DISK_FAILED)
    LOG.info("stopped; every accepted choice is kept")


def _agree_to_begin(path: Path) -> None:
    """Ask a person at a terminal before folders are made for a database. Raises `Misconfigured` when they say no."""
    if path.parent.is_dir() or not sys.stdin.isatty():
        return
    if not click.confirm(f"There is no folder {path.parent}. Make it, with a new database?", err=True):
        raise Misconfigured(f"There is no database {path}. Mend the path, or make the folder {path.parent}.")


def _given(flags: Mapping[str, Any], more: tuple[str, ...]) -> dict[str, tuple[str, Any]]:
    """The flags that were given, by the setting they make."""
    found: dict[str, tuple[str, Any]] = {}
    for pair in more:
        name, sign, value = pair.partition("=")
        if not sign:
            raise Misconfigured(f"--set is NAME=VALUE, not {name!r}.")
        found[name] = ("--set", value)
    for flag, name in FLAGS.items():
        if flags[flag] not in {None, ()}:
            found[name] = (f"--{flag.replace('_', '-')}", flags[flag])
    return found


async def _serve(store: Store, found: Configuration, path: Path, found_there: bool, *, develop: bool) -> str:
    settings = found.settings
    sign = KeyRing.beside(path).current.stamp
    hall = Hall(
        store,
        faces(),
        bot_delay_s=settings.bot_delay_s,
        sign=sign,
        limits=settings.limits,
        life_sign=LifeSign.beside(path),
        hooks=SeatHooks(settings.webhook, path.with_name(path.name + ".hooks")),
    )
    tls, host = tls_context(settings.tls), settings.host
    async with running(
        hall,
        host,
        settings.port,
        origins=settings.origins,
        hosts=settings.hosts,
        proxies=networks(settings.proxies),
        tls=tls,
        metrics_token=settings.metrics.token,
        develop=develop,
    ) as server:
        address = "127.0.0.1" if host in {"0.0.0.0", "::"} else host  # noqa: S104 - compared, not bound
        scheme = "https" if tls else "http"
        console.print(f"[bold]Herald[/] listens on [cyan]{scheme}://{address}:{port_of(server)}/[/]")
        console.print("  open that address in a browser to play, to watch or to replay")
        if develop:
            console.print(
                f"  inspect what a client is sent:    [cyan]{scheme}://{address}:{port_of(server)}/inspect[/]"
            )
        console.print("  watch two bots in this terminal:  [cyan]herald demo[/]")
        console.print("  list the matches:                 [cyan]herald match list[/]")
        if found_there:
            console.print(f"  matches are kept in {path}; stop with Ctrl+C", soft_wrap=True)
        else:
            console.print(f"  [bold yellow]a new database, without any match, was made:[/] {path}", soft_wrap=True)
            console.print("  every match is kept there; stop with Ctrl+C")
        LOG.info(
            "Herald %s listens on %s, the settings are from %s, the matches in %s",
            program_version(),
            f"{scheme}://{f'[{host}]' if ':' in host else host}:{port_of(server)}/",
            found.file or "no file",
            path,
        )
        if not found_there:
            LOG.warning("there was no database %s: a new one was made, without any match", path)
        failed = await until_stopped(store)
        if not failed:
            console.print("Stopping; every accepted choice is kept.")
    return failed


COMMANDS = (serve,)
