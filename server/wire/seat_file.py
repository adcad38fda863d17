"""A seat as a file: its link and its key, to take to another machine, where any Herald client can read it."""

from pathlib import Path
from typing import Final, Literal

import msgspec
from msgspec import Struct

from herald_client import Link
from replay.files.private import write_private
from server.errors import Misconfigured
from server.wire.stream_file import link_of

LIMIT: Final = 16 * 1024
"""The maximum size of a seat's file, which holds one link, in bytes."""


class SeatFile(Struct, frozen=True, tag="seat", tag_field="t"):
    """The file's content, as JSON. The holder of the file can play the seat."""

    link: str
    v: Literal[1] = 1

    def __repr__(self) -> str:
        return "SeatFile()"


def write_seat(path: Path, seat: Link) -> None:
    """Write a seat's file, which only its owner may read.

    Raises `Misconfigured` if the link is not a seat's, or if the file already exists or cannot be written.
    """
    if not seat.token:
        raise Misconfigured("This link is for watching; a seat's link has a token (t=…).")
    if path.exists():
        raise Misconfigured(f"{path} is there already; name another file.")
    try:
        write_private(path, msgspec.json.encode(SeatFile(str(seat))) + b"\n")
    except OSError as wrong:
        raise Misconfigured(f"{path} cannot be written: {wrong.strerror}.") from wrong


def read_seat(path: Path) -> Link:
    """The link in a seat's file, with its key if the seat has one. Raises `Misconfigured` if the file is no seat's
    file.
    """
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
    seat = link_of(link)
    if not seat.token:
        raise Misconfigured(f"{path} holds a link for watching; a seat's has a token.")
    return seat
