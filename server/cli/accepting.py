"""Taking a seat by an invitation, which works once: this machine draws and stores the seat's token beforehand."""

from hashlib import sha256
from pathlib import Path
from typing import Final

from msgspec import convert
from msgspec.structs import replace
from rich.markup import escape

from domain.kernel import TimeControl
from herald_client import FileKeys, Invited, Key, Link, Refused, Server, new_token
from projections.table_words import control_words
from server.cli.common import console
from server.cli.places import data_dir
from server.cli.words import word
from server.wire.seat_file import read_seat, write_seat

INVITED: Final = "{who} invites you to {title}: seat {n}. {time}"
SOMEBODY: Final = "Somebody"
SEATED: Final = "You have sat down. The invitation opens nothing more; from now on your own link brings you back:"


def _file(invitation: str) -> Path:
    """The file for the seat that an invitation was exchanged for; its name does not reveal the invitation."""
    return data_dir() / "seats" / f"{sha256(invitation.encode()).hexdigest()[:32]}.seat"


async def own_link(at: Link, name: str = "") -> Link:
    """The seat's link for a link: an invitation is exchanged for the player's own link.

    A repetition, after a lost answer or when the invitation is opened on this machine once more, leads to the same
    seat. Raises `herald_client.Refused` if the server refuses, and `Closed` if it cannot be reached.
    """
    if not at.invitation or at.token:
        return at
    server, file = Server(at.server), _file(at.invitation)
    is_kept = file.is_file()
    if is_kept:
        seat = read_seat(file)
    else:
        _tell(await server.invitation(at.match, at.invitation))
        seat = replace(at, invitation="", token=new_token(), key=Key().text)
        file.parent.mkdir(parents=True, mode=0o700, exist_ok=True)
        write_seat(file, seat)
    key = Key.read(seat.key)
    FileKeys(file.parent).keep(seat.token, key)
    try:
        await server.accept(at.match, at.invitation, name, key=key, token=seat.token)
    except Refused:
        if not is_kept:
            file.unlink()
            raise
        # The seat has another token by now; the server says whether it is the token of this machine.
    if not is_kept:
        console.print(f"{word(SEATED)} [bold]{escape(str(seat))}[/]", soft_wrap=True)
    return seat


def _tell(said: Invited) -> None:
    """Print who invites, and to which match."""
    time = word("Time: {time}.", time=control_words(convert(said.time, TimeControl)))
    who = said.inviter or word(SOMEBODY)
    told = word(INVITED, who=who, title=said.title, n=said.seat + 1, time=time)
    console.print(f"[bold]{escape(told)}[/]", soft_wrap=True)
