"""Hints of a match that is played on a server: requested with a seat's link, and printed in words."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
from rich.markup import escape

from herald_client import Hinted, Server, Shown
from server.cli.common import console, said
from server.cli.keys import key_of
from server.cli.output import echo
from server.cli.play import BREAKS, told_plainly
from server.cli.table import hint_lines
from server.cli.words import word
from server.errors import Misconfigured
from server.wire.seat_file import read_seat
from server.wire.stream_file import link_of


def seat_link(named: str) -> str:
    """The link: the argument itself, or the content of the seat's file that it names; empty if it names a match, or a
    match's file.
    """
    if named.startswith(("http://", "https://")):
        return named
    with suppress(Misconfigured):
        return str(read_seat(Path(named)))
    return ""


async def hint_of(link: str, *, as_json: bool) -> None:
    """Ask for a hint to the open question of a link's seat, and print it. Raises `Misconfigured`.

    Raises `NotAdmitted` also if the match refuses: it was created without hints, or too many wait.
    """
    at = link_of(link)
    key = key_of(at, aside=as_json)
    with told_plainly(at.server):
        async with Server(at.server).play(at.match, at.token, key=key, tries=BREAKS, stay=True) as match:
            async for news in match:
                if isinstance(news, Shown):
                    break
            if match.question is None:
                raise Misconfigured(word("This seat is asked nothing at the moment."))
            found = await match.hint()
            for line in _printed(match.game, found, as_json=as_json):
                echo(line) if as_json else console.print(line, soft_wrap=True)


def _printed(game: str, found: Hinted, *, as_json: bool) -> Iterator[str]:
    if as_json:
        yield msgspec.json.encode(found).decode()
        return
    for line in hint_lines(found, lambda text: said(game, text)):
        yield escape(line)
