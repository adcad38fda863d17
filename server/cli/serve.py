"""`herald serve`: the server."""

import logging
import os
from pathlib import Path

import anyio
import click

from projections.registry import faces
from replay.serverkey import KeyRing
from replay.store import Store
from server.app import port_of, running, until_stopped
from server.cli.common import Failure, console, db_option, default_db, open_store
from server.clocks import LifeSign
from server.hall import Hall


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on; 0.0.0.0 for all.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="The port; 0 for any.")
@click.option("--bot-delay", default=0.4, show_default=True, type=click.FloatRange(0, 60), help="Seconds a bot waits.")
@click.option("--origin", multiple=True, help="An Origin whose pages may connect, beside this server's own.")
@db_option
def serve(host: str, port: int, bot_delay: float, origin: tuple[str, ...], db: Path | None) -> None:
    """Serve matches to browsers and other clients.

    Everything is kept in one SQLite file; stop with Ctrl+C, start again, and every match goes on.
    """
    store = open_store(db)
    failed = ""
    try:
        failed = anyio.run(_serve, store, host, port, bot_delay, origin, db or default_db())
    finally:
        if not failed:
            store.close()
    if failed:
        Failure(f"{failed}. Every choice that was accepted is kept. Look after the disk, then start again.").show()
        logging.shutdown()
        # Without closing the database: that would move its log into the file, on a disk that has just failed.
        os._exit(1)


async def _serve(store: Store, host: str, port: int, bot_delay: float, origin: tuple[str, ...], path: Path) -> str:
    sign = KeyRing.beside(path).current.stamp
    hall = Hall(store, faces(), bot_delay_s=bot_delay, sign=sign, life_sign=LifeSign.beside(path))
    async with running(hall, host, port, origins=origin) as server:
        address = "127.0.0.1" if host in {"0.0.0.0", "::"} else host  # noqa: S104 - compared, not bound
        console.print(f"[bold]Herald[/] listens on [cyan]http://{address}:{port_of(server)}/[/]")
        console.print("  open that address in a browser to play, to watch or to replay")
        console.print("  watch two bots in this terminal:  [cyan]herald demo[/]")
        console.print("  list the matches:                 [cyan]herald match list[/]")
        console.print(f"  matches are kept in {path}; stop with Ctrl+C", soft_wrap=True)
        failed = await until_stopped(store)
        if not failed:
            console.print("Stopping; every accepted choice is kept.")
    return failed


COMMANDS = (serve,)
