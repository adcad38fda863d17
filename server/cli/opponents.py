"""`herald find` and `herald invite`: an opponent whom the server pairs, or a person by handle."""

import asyncio
import time
from typing import Any, Final

import click
import msgspec

from herald_client import OpponentSearch, OwnMatches, Session
from herald_client.opponents import Told, accept, decline, invite, once_more
from server.cli.accounts import _print, _run, server_option, within
from server.cli.common import face_of, option_option, read_options
from server.cli.errors import Amiss
from server.cli.play import play_link
from server.cli.words import word
from server.matchmaking.terms import PACES

FOUND: Final = "Found: you have seat {n}, as the sealed lots say."
WAITING: Final = "Looking for an opponent; {n} more look for the same. Ctrl-C ends it."
DRAWING: Final = "Somebody is there; the seats are drawn."
BOT: Final = "Nobody yet. You play the bot {bot}."
STOPPED: Final = "Your search has ended."


def heard(seen: set[str]) -> Any:
    """A listener that prints each state of a search once, and answers with the bot to play, if one is offered."""

    def hear(told: Told) -> str:
        if told.state not in seen:
            seen.add(told.state)
            _print(word(WAITING, n=told.others) if told.state == "waiting" else word(DRAWING))
        if told.bot is None:
            return ""
        _print(word(BOT, bot=told.bot.bot))
        return told.bot.bot

    return hear


async def find(server: str | None, wanted: dict[str, Any], bot_after_s: int, poll_s: float = 2.0) -> str:
    """Look for opponents until a match is found; returns the link of one's own seat.

    Raises `Refused` if the server refuses, and `Closed` if it cannot be reached.
    """

    async def look(session: Session) -> str:
        search = OpponentSearch(session, wanted, bot_after_s=bot_after_s)
        told, link = await search.found(heard(set()), poll_s)
        _print(word(FOUND, n=told.seat + 1))
        return str(link)

    return await within(server, look)


def _wanted(game: str, pace: str, options: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    time_control = msgspec.to_builtins(PACES[pace])
    return {"game": face_of(game).game.name, "time": time_control, "options": options, **more}


pace_option = click.option(
    "--pace", type=click.Choice([*PACES]), default="quick", show_default=True, help="The clock of the match."
)
unrated_option = click.option("--unrated", is_flag=True, help="The result does not count for ratings.")
link_option = click.option("--link", "is_link", is_flag=True, help="Print the link of the seat, and leave.")


@click.command("find")
@click.argument("game")
@pace_option
@option_option
@unrated_option
@click.option("--from", "low", type=int, default=0, help="The lowest rating of an opponent, who must show it.")
@click.option("--to", "high", type=int, default=0, help="The highest rating of an opponent.")
@click.option("--bot-after", type=click.IntRange(0, 3600), default=0, help="Play a bot after this many seconds.")
@link_option
@server_option
def find_command(
    game: str,
    pace: str,
    options: tuple[str, ...],
    unrated: bool,
    low: int,
    high: int,
    bot_after: int,
    is_link: bool,
    server: str | None,
) -> None:
    """Play now: the server finds an opponent for GAME by rating and waiting time.

    You have to be signed in (herald login). The seats are drawn by lots that each side seals beforehand; the draw is
    checked.
    """
    more = {"rated": not unrated, "low": low, "high": high}
    wanted = _wanted(game, pace, read_options(face_of(game), options), more)
    try:
        _go(_run(find(server, wanted, bot_after)), is_link=is_link)
    except KeyboardInterrupt:
        _print(word(STOPPED))


def _go(link: str, *, is_link: bool) -> None:
    if is_link:
        _print(link)
    else:
        asyncio.run(play_link(link))


@click.group("invitation")
def invitation() -> None:
    """Invitations from one person to another, by handle."""


@invitation.command("send")
@click.argument("handle", metavar="[HANDLE]", default="")
@click.option("--game", default="vera_discordia", show_default=True, help="The game.")
@click.option("--rematch", default="", metavar="MATCH", help="Play your rated match once more, with sides changed.")
@click.option("--seat", type=click.IntRange(1, 2), default=1, show_default=True, help="Your seat.")
@pace_option
@option_option
@unrated_option
@server_option
def send(
    handle: str,
    game: str,
    rematch: str,
    seat: int,
    pace: str,
    options: tuple[str, ...],
    unrated: bool,
    server: str | None,
) -> None:
    """Invite the person with HANDLE to a match of two, and print the link of your seat."""
    if bool(handle) == bool(rematch):
        raise Amiss(word("Name a handle, or a match with --rematch."))
    if rematch:
        _, link = _run(within(server, lambda session: once_more(session, rematch)))
    else:
        wanted = _wanted(game, pace, read_options(face_of(game), options), {"rated": not unrated})
        _, link = _run(within(server, lambda session: invite(session, handle, wanted, seat - 1)))
    _print(str(link))


@invitation.command("list")
@server_option
def list_invitations(server: str | None) -> None:
    """List invitations from and to you that wait for an answer."""
    page: OwnMatches = _run(within(server, Session.matches))
    for one in page.invitations:
        told = (
            word("You invite {handle} to {game}", handle=one.handle, game=one.game)
            if one.mine
            else word("{handle} invites you to {game}", handle=one.handle, game=one.game)
        )
        day = time.strftime("%Y-%m-%d", time.localtime(one.at_ms / 1000))
        _print(f"{one.invitation}  {told}  {day}")
    if not page.invitations:
        _print(word("No invitation waits."))


@invitation.command("accept")
@click.argument("name", metavar="INVITATION")
@link_option
@server_option
def accept_invitation(name: str, is_link: bool, server: str | None) -> None:
    """Accept an invitation, and play."""
    _go(str(_run(within(server, lambda session: accept(session, name)))), is_link=is_link)


@invitation.command("decline")
@click.argument("name", metavar="INVITATION")
@server_option
def decline_invitation(name: str, server: str | None) -> None:
    """Decline an invitation, or withdraw your own."""
    _run(within(server, lambda session: decline(session, name)))
    _print(word("The invitation is over."))


COMMANDS = (find_command, invitation)
