"""The keys of the seats that are played on this machine, each in a separate file."""

import os
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from herald_client import FileKeys, Key, Link
from server.cli.common import console, progress_console
from server.cli.errors import Amiss
from server.cli.places import data_dir
from server.cli.words import word
from server.wire.seat_file import read_seat, write_seat
from server.wire.stream_file import link_of


def named_link(named: str) -> str:
    """A seat's link, given directly or in a seat's file. Raises `Misconfigured`."""
    path = Path(named)
    is_file = "#" not in named and os.path.isfile(path)  # noqa: PTH113 - a name that is too long is none, and no error
    return str(read_seat(path)) if is_file else named


WATCHING: Final = "This link is for watching; a seat's link has a token, as http://HOST:PORT/play#m=…&t=…."
SAVED: Final = (
    "The seat is in {file}; on another machine: herald play {file}, or open it on the server's first page.\n"
    "Everybody with the file can play the seat and sign for it."
)


def key_of(at: Link, *, new: bool = False, aside: bool = False) -> Key:
    """The key of a seat's link, stored on this machine from now on: the link's own, otherwise the stored one, otherwise
    a new one.

    `new`: make a new key in any case. A new key is shown in the link that takes it to another machine; `aside`: on
    standard error. Raises `Misconfigured` for a link that is no seat's.
    """
    if not at.token:
        raise Amiss(word(WATCHING))
    keys = FileKeys(data_dir() / "seats")
    key = Key.read(at.key) if at.key and not new else None
    kept = None if new or key is not None else keys.of(at.token)
    if kept is not None:
        return kept
    if key is None:
        key = Key()
        back = replace(at, key=key.text)
        told = word("On another machine you play with the seat's key in the link: herald play '{link}'", link=back)
        (progress_console() if aside else console).print(told, soft_wrap=True)
    keys.keep(at.token, key)
    return key


def save_seat(link: str, file: Path) -> None:
    """Write a seat, its link and its key, to a file for another machine. Raises `Misconfigured`."""
    at = link_of(link)
    write_seat(file, replace(at, key=key_of(at).text))
    console.print(word(SAVED, file=file), soft_wrap=True)
