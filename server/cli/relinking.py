"""Prints a lost link anew, as an invitation while nobody sits there; the former link no longer works."""

import time
from pathlib import Path
from typing import Final

import click
from rich.markup import escape

from herald_client import Link
from replay.store.store import Store
from server.cli.common import console, db_option, match_named, open_store
from server.cli.errors import Amiss
from server.cli.words import word
from server.table.guests import Invitation, invitation_hash, new_token, token_hash

KEY_LOST: Final = (
    "{name} sits there already: this is another link of that seat, and its former links open nothing. Without the"
    " seat's key everybody will see that it signs with another from then on."
)
url_option = click.option(
    "--url", default="http://127.0.0.1:8000", show_default=True, help="The address at which players reach the server."
)


def relink(store: Store, match: str, seat: int, url: str) -> tuple[Link, str]:
    """Another link of a seat, and its player's name ("" for none). Raises `Misconfigured` if the seat can have none."""
    rows = {row.seat: row for row in store.seats.holders(match)}
    row = rows.get(seat)
    if row is None:
        raise Amiss(word("There is no seat {n}; the match has seats 1 to {count}.", n=seat + 1, count=len(rows)))
    if not row.token_hash:
        raise Amiss(word("Seat {n} has no link: it is open to anybody, or a bot plays it.", n=seat + 1))
    server = url.rstrip("/")
    if row.kind:
        token = new_token()
        link, fresh = Link(server, match, token), token_hash(token)
    else:
        text = Invitation.new(None, time.time_ns() // 1_000_000).text
        link, fresh = Link(server, match, invitation=text), invitation_hash(text)
    if not store.seats.change_token(match, seat, row.token_hash, fresh):
        raise Amiss(word("Somebody has sat down there just now; look again."))
    return link, row.name if row.kind else ""


def tell_link(link: Link, name: str) -> None:
    """Print a link, and its purpose."""
    console.print(f"[bold]{escape(str(link))}[/]", soft_wrap=True)
    told = word(KEY_LOST, name=name) if name else word("An invitation, which works once; the former opens nothing.")
    console.print(escape(told), soft_wrap=True)


@click.command("link")
@click.argument("name", metavar="MATCH")
@click.option("--seat", required=True, type=click.IntRange(1), help="The seat, from 1.")
@url_option
@db_option
def link_match(name: str, seat: int, url: str, db: Path | None) -> None:
    """Print a seat's lost link anew; the former one opens nothing from then on.

    If nobody has sat down yet, the link is an invitation. Connections that are open stay open.
    """
    store = open_store(db)
    try:
        tell_link(*relink(store, match_named(store, name).match, seat - 1, url))
    finally:
        store.close()
