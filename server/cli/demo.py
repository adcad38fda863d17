"""`herald demo`: two bots play over real websockets, a spectator narrates."""

import random
from pathlib import Path
from typing import Any

import anyio
import click
from msgspec import to_builtins
from rich.markup import escape

from domain.kernel import Chosen
from projections.face import Face
from projections.registry import faces
from replay.record.referee import Sign
from replay.record.serverkey import KeyRing
from replay.store.store import Store
from server.bots import bots_of, looks_ahead, make_bot
from server.cli.common import (
    army_option,
    beside,
    cards_option,
    console,
    db_option,
    face_of,
    open_store,
    option_option,
    read_options,
    said_refusal,
)
from server.cli.errors import Amiss
from server.cli.language import language_option
from server.cli.words import word
from server.gate.app import port_of, running
from server.lobby.lobby import Lobby
from server.wire.client import Client, View, connected, enter
from server.wire.protocol import Create, Created, Events, Refused, SeatWish

STYLES = ("blue", "red", "green", "magenta", "cyan", "yellow", "white", "bright_black")
NAMES = ("Abel", "Doviso", "Chusa", "Javi")


@click.command()
@language_option
@click.option("--game", default="vera_discordia", show_default=True, help="The game to play.")
@click.option("--bot", default="", help="The bot in all seats.  [default: the game's strongest]")
@click.option("--seed", type=int, help="Seed of the bots' choices. The dice are the server's and differ each time.")
@click.option(
    "--speed", default=40.0, show_default=True, type=click.FloatRange(0), help="Events a second; 0: no pause."
)
@option_option
@cards_option
@army_option
@db_option
def demo(
    game: str,
    bot: str,
    seed: int | None,
    speed: float,
    options: tuple[str, ...],
    cards: Path | None,
    armies: tuple[Path, ...],
    db: Path | None,
) -> None:
    """Let bots play a whole match and narrate it here.

    The match is played over real websockets in this process and is kept: the last lines say how to replay it.
    """
    face = face_of(game)
    game = face.game.name
    name = bot or bots_of(game)[0]
    if name not in bots_of(game):
        known = ", ".join(bots_of(game))
        raise Amiss(word("There is no bot {name!r} for {game}; there are {known}.", name=name, game=game, known=known))
    if looks_ahead(make_bot(game, name)):
        raise Amiss(
            word("{name} plays in a server or in `herald match simulate`; a client lacks what it needs.", name=name)
        )
    store = open_store(db)
    try:
        sign, given = KeyRing.beside(beside(db)).current.stamp, read_options(face, options, cards, armies)
        match = anyio.run(_demo, store, sign, face, name, seed, speed, given)
    finally:
        store.close()
    option = f" --db {db}" if db else ""
    told = word("The match is {match} and is kept.", match=f"[bold]{match}[/]")
    console.print(f"\n{told} {word('Read it again as a spectator, or as the first seat at its end:')}")
    for command in (f"herald replay {match[:8]}{option}", f"herald replay {match[:8]} --as 1 --at end{option}"):
        console.print(f"  [cyan]{escape(command)}[/]", soft_wrap=True)


def seat_name(seat: int) -> str:
    """The name of a bot in the demonstration."""
    return NAMES[seat] if seat < len(NAMES) else f"Bot {seat + 1}"


async def _demo(
    store: Store, sign: Sign, face: Face[Any], bot: str, seed: int | None, speed: float, options: dict[str, Any]
) -> str:
    lobby = Lobby(store, faces(), bot_delay_s=0, sign=sign)
    names = tuple(seat_name(seat) for seat in range(face.game.seats_of(options)))
    wishes = tuple(SeatWish("me" if i == 0 else "friend", n) for i, n in enumerate(names))
    players = word(" against ").join(names)
    console.print(
        f"[bold]{escape(face.game.spec.title)}[/]: {word('{players}, each the bot {bot}.', players=players, bot=bot)}\n"
    )
    async with running(lobby) as server:
        url = f"ws://127.0.0.1:{port_of(server)}/ws"
        async with connected(url) as maker:
            created = await maker.ask(Create(face.game.name, wishes, options, title="Demo"), Created)
        async with anyio.create_task_group() as tasks:
            for seat, token in created.tokens.items():
                tasks.start_soon(
                    _play, url, face, created.match, token, bot, None if seed is None else f"{seed}-{seat}"
                )
            await _narrate(url, face, created.match, speed)
    return created.match


async def _play(url: str, face: Face[Any], match: str, token: str, bot: str, seed: str | None) -> None:
    """Play one bot at one websocket, to the end of the match."""
    chance = random.Random(seed)  # noqa: S311 - a bot's taste, no secret
    player = make_bot(face.game.name, bot)
    async with connected(url) as client:
        view = View(face.game, await enter(client, match, token))
        answered = 0
        while view.state is None or view.state.result is None:
            for asked in view.asked():
                if asked.number <= answered:
                    continue
                form = face.game.revive_decision(asked).form(view.state)
                choice = player.choose(view.state, asked, form, chance.randrange)
                answer = await client.choose(asked, to_builtins(choice))
                if isinstance(answer, Refused):
                    raise Amiss(
                        word(
                            "The server refused a bot's choice: {why}", why=said_refusal(face.game.name, answer.why, "")
                        )
                    )
                answered = asked.number
            await _receive(client, view)


async def _receive(client: Client, view: View) -> list[tuple[Any, Any, Any]]:
    message = await client.receive()
    return view.take(message) if isinstance(message, Events) else []


async def _narrate(url: str, face: Face[Any], match: str, speed: float) -> None:
    """Narrate as a spectator: one sentence per event, a progress line below."""
    async with connected(url) as client:
        view = View(face.game, await enter(client, match))
        line = choices = 0
        with console.status(word("waiting for the first event")) as status:
            while view.state is None or view.state.result is None:
                for before, event, after in await _receive(client, view):
                    line += 1
                    choices += isinstance(event, Chosen)
                    text = face.narrate(before, after, event, None) if before is not None else ""
                    if text:
                        _say(text, event, face)
                        status.update(word("line {line}, {choices} choices so far", line=line, choices=choices))
                    if speed and text:
                        await anyio.sleep(1 / speed)
        console.print(f"\n{word('{line} lines, {choices} choices.', line=line, choices=choices)}")


def _say(text: str, event: Any, face: Face[Any]) -> None:
    seat = getattr(event, "seat", None)
    style = STYLES[seat % len(STYLES)] if isinstance(seat, int) else ""
    style = "bold yellow" if type(event) in face.headings else style
    console.print(f"[{style}]{escape(text)}[/]" if style else escape(text), soft_wrap=True)


COMMANDS = (demo,)
