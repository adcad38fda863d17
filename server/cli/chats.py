"""`herald chat`: show and erase the chat of a match; the record is separate and stays."""

import time
from pathlib import Path
from typing import Final

import click
from rich.markup import escape

from server.cli.common import console, db_option, find_match, match_named, open_store
from server.cli.words import named, word
from server.table.chat import ROOMS

ALL = 1_000_000

STILL_THERE: Final = (
    "Its words are still in the database's log: in that of a file until the server moves it or stops, in that of"
    " another database until it has cleaned up (VACUUM in PostgreSQL) and gone on with its log."
)


@click.group()
def chat() -> None:
    """Show or erase the chat of a match."""


@chat.command("show")
@click.argument("name", metavar="MATCH")
@db_option
def show_chat(name: str, db: Path | None) -> None:
    """Show the stored chat of a match, by room."""
    store = open_store(db, must_exist=True)
    try:
        match = find_match(store, name).match
        for room in ROOMS.values():
            console.print(f"[bold]{word(room)}[/]")
            for row in store.chat.said(match, room, ALL):
                at = time.strftime("%Y-%m-%d %H:%M %z", time.localtime(row.at / 1000))
                console.print(f"  {at}  {named(row.who)}  {escape(row.name)}  {escape(row.text)}", soft_wrap=True)
    finally:
        store.close()


@chat.command("erase")
@click.argument("name", metavar="MATCH")
@db_option
def erase_chat(name: str, db: Path | None) -> None:
    """Erase a match's chat, also from a server that runs; the match and its record stay as they are."""
    store = open_store(db)
    try:
        match = match_named(store, name).match
        is_gone = store.chat.erase(match)
        console.print(word("The chat of {match} is erased. People who have read it may remember it.", match=match))
        if not is_gone:
            console.print(word(STILL_THERE))
    finally:
        store.close()


COMMANDS = (chat,)
