"""The keys of the seats that are played on this machine, each in a file of its own."""

import os
from hashlib import sha256
from pathlib import Path

from replay.record.signing import SeatKey
from server.cli.common import console, data_dir
from server.errors import Misconfigured
from server.wire.holding import key_text, read_key
from server.wire.saving import key_in, read_link
from server.wire.seatfile import link_with, read_seat, write_seat


def named_link(named: str) -> str:
    """A seat's link, which is given or lies in a seat's file. Raises `Misconfigured`."""
    path = Path(named)
    return read_seat(path)[0] if path.is_file() else named


def key_of(link: str, *, new: bool = False) -> SeatKey:
    """The key of a seat's link, kept on this machine from now on: the link's own, else the one kept, else a new one.

    `new`: another one whatever there was. A key that was made is told in the link that takes it to another machine.
    Raises `Misconfigured` for a link that is no seat's.
    """
    token = read_link(link)[2]
    if not token:
        raise Misconfigured("This link is for watching; a seat's link has a token, as http://HOST:PORT/play#m=…&t=….")
    kept = data_dir() / "seats" / f"{sha256(token.encode()).hexdigest()[:32]}.key"
    key = None if new else key_in(link)
    if key is None and kept.exists() and not new:
        return read_key(kept.read_text(encoding="ascii").strip())
    if key is None:
        key = SeatKey()
        console.print(
            f"On another machine you play with the seat's key in the link: herald play '{link_with(link, key)}'",
            soft_wrap=True,
        )
    kept.parent.mkdir(parents=True, mode=0o700, exist_ok=True)
    kept.unlink(missing_ok=True)
    with os.fdopen(os.open(kept, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
        file.write(key_text(key) + "\n")
    return key


def save_seat(link: str, file: Path) -> None:
    """Write a seat, its link and its key, to a file for another machine. Raises `Misconfigured`."""
    write_seat(file, link, key_of(link))
    console.print(
        f"The seat is in {file}; on another machine: herald play {file}, or open it on the server's first page.\n"
        "Whoever has the file plays the seat and signs for it.",
        soft_wrap=True,
    )
