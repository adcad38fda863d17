"""A seat as a file: its link with its key, to be taken to another machine and read there by any client of ours."""

from pathlib import Path
from typing import Final, Literal

import msgspec
from msgspec import Struct

from replay.files.private import write_private
from replay.record.signing import SeatKey
from server.errors import Misconfigured
from server.wire.holding import key_text
from server.wire.saving import key_in, read_link

LIMIT: Final = 16 * 1024
"""Bytes: a seat's file holds one link."""


class SeatFile(Struct, frozen=True, tag="seat", tag_field="t"):
    """What the file says, as JSON. Who holds the file plays the seat."""

    link: str
    v: Literal[1] = 1

    def __repr__(self) -> str:
        return "SeatFile()"


def link_with(link: str, key: SeatKey) -> str:
    """A seat's link with a key, in the place of one that it may hold. Raises `Misconfigured` for what is no link."""
    _, match, token = read_link(link)
    return f"{link.partition('#')[0]}#m={match}&t={token}&k={key_text(key)}"


def write_seat(path: Path, link: str, key: SeatKey) -> None:
    """Write a seat's file, which its owner alone may read.

    Raises `Misconfigured` for a link that is no seat's, and for a file that is there already or cannot be written.
    """
    if not read_link(link)[2]:
        raise Misconfigured("This link is for watching; a seat's link has a token (t=…).")
    if path.exists():
        raise Misconfigured(f"{path} is there already; name another file.")
    try:
        write_private(path, msgspec.json.encode(SeatFile(link_with(link, key))) + b"\n")
    except OSError as wrong:
        raise Misconfigured(f"{path} cannot be written: {wrong.strerror}.") from wrong


def read_seat(path: Path) -> tuple[str, SeatKey | None]:
    """The link and the key in a seat's file; the key is None where the seat has none. Raises `Misconfigured`."""
    try:
        with path.open("rb") as file:
            data = file.read(LIMIT + 1)
    except OSError as wrong:
        raise Misconfigured(f"{path} cannot be read: {wrong.strerror}.") from wrong
    try:
        link = msgspec.json.decode(data, type=SeatFile).link
    except (msgspec.MsgspecError, UnicodeError) as wrong:
        raise Misconfigured(
            f"{path} is no seat's file, as `herald play --save-seat` or a browser writes it."
        ) from wrong
    if not read_link(link)[2]:
        raise Misconfigured(f"{path} holds a link for watching; a seat's has a token.")
    return link, key_in(link)
