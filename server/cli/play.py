"""`herald play`: a seat at a keyboard: the table in text, the decision, its options numbered."""

import asyncio
import sys
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import anyio
import click
from msgspec import to_builtins
from rich.markup import escape
from websockets.exceptions import ConnectionClosed, WebSocketException

from domain.kernel import Asked
from projections.face import Face
from projections.words import outcome
from server.cli.asking import Question
from server.cli.common import (
    army_option,
    cards_option,
    console,
    face_of,
    option_option,
    read_options,
)
from server.client import Client, View, connected, enter
from server.errors import Misconfigured, Unclear
from server.protocol import Create, Created, Error, Events, Refused, SeatWish
from server.saving import read_link

ReadLine = Callable[[str], Awaitable[str]]
"""Asks with a prompt for one typed line. Raises `EOFError` at the end of the input."""

LOG_LINES: Final = 15
HELP: Final = (
    "  b  the table      l  the last lines of the chronicle      ?  the question again, and this\n"
    "  q  leave; the match goes on, and the same link brings you back"
)
RETURN_S: Final = (1.0, 2.0, 4.0, 8.0, 15.0)
"""Pauses before connecting again."""


class _Left(Exception):
    """The player leaves the table."""


class Table:
    """One seat of a match in a terminal."""

    def __init__(self, client: Client, view: View, face: Face[Any], read_line: ReadLine, known: int = 0) -> None:
        """`known`: the last line there was on entering; of those up to it only the end is told."""
        self._known = known
        self._client = client
        self._view = view
        self._face = face
        self._read_line = read_line
        self._answered = 0
        self._reading: anyio.CancelScope | None = None
        self._news = anyio.Event()
        self._log: list[str] = []

    @property
    def _is_over(self) -> bool:
        state = self._view.state
        return state is not None and state.result is not None

    async def play(self) -> None:
        """Until the match is over. Raises `_Left` when the player leaves, or what the connection raises."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._listen)
            while not self._is_over:
                asked = next((a for a in self._view.asked() if a.number > self._answered), None)
                if asked is None:
                    await self._news.wait()
                else:
                    await self._decide(asked)
            tasks.cancel_scope.cancel()
        self._board()
        console.print(f"[bold]{escape(outcome(self._view.state.players, self._view.state.result))}[/]")

    async def _listen(self) -> None:
        while not self._is_over:
            message = await self._client.receive()
            if isinstance(message, Events):
                self._tell(message)
            elif isinstance(message, Refused | Error):
                self._answered = 0
                console.print(f"[bold red]Not so:[/] {escape(message.why)}", soft_wrap=True)
            still_asked = any(asked.number > self._answered for asked in self._view.asked())
            if self._reading is not None and not still_asked:
                self._reading.cancel()
            self._news.set()
            self._news = anyio.Event()

    def _tell(self, events: Events) -> None:
        seat = self._view.viewer.seat
        for before, event, after in self._view.take(events):
            text = self._face.narrate(before, after, event, seat) if before is not None else ""
            if text:
                style = "bold" if type(event) in self._face.headings else "dim"
                self._log.append(f"[{style}]{escape(text)}[/]")
                if self._view.seq > self._known:
                    console.print(self._log[-1])
        if events.first <= self._known <= self._view.seq:
            self._last_lines()

    def _last_lines(self) -> None:
        for line in self._log[-LOG_LINES:]:
            console.print(line)

    def _board(self) -> None:
        console.print(escape(self._face.board(self._view.state, self._view.viewer.seat)), soft_wrap=True)

    async def _decide(self, asked: Asked) -> None:
        """Ask until there is a legal answer, and send it; unless the decision is gone meanwhile."""
        question = Question(self._face.scene(self._view.state, self._view.viewer.seat)["prompt"])
        console.print()
        self._board()
        self._ask(question)
        with anyio.CancelScope() as self._reading:
            while True:
                text = (await self._read_line(f"{question.hint} > ")).strip()
                if not self._is_order(text, question) and await self._answer(asked, question, text):
                    break
        self._reading = None

    def _ask(self, question: Question) -> None:
        for line in question.lines:
            console.print(line)

    def _is_order(self, text: str, question: Question) -> bool:
        """Whether it is one of the words that are no answer, which is then followed."""
        match text:
            case "q":
                raise _Left
            case "b":
                self._board()
            case "l":
                self._last_lines()
            case "?":
                self._ask(question)
                console.print(HELP)
            case _:
                return False
        return True

    async def _answer(self, asked: Asked, question: Question, text: str) -> bool:
        """Send what was typed, where it is legal; whether it was."""
        try:
            answer = question.read(text)
        except Unclear as wrong:
            console.print(f"[red]{escape(str(wrong))}[/] Type ? for the question again.", soft_wrap=True)
            return False
        form = self._view_form(asked)
        choice = form.read(answer)
        why = "That is no answer." if choice is None else form.check(choice)
        if why:
            console.print(f"[red]{escape(why)}[/]", soft_wrap=True)
            return False
        self._answered = asked.number
        await self._client.send_choice(asked, to_builtins(choice))
        return True

    def _view_form(self, asked: Asked) -> Any:
        return self._face.game.revive_decision(asked).form(self._view.state)


class Keyboard:
    """Lines from standard input, read by one thread, so that none goes to a question that is gone."""

    def __init__(self) -> None:
        self._lines: asyncio.Queue[str] = asyncio.Queue()
        self._is_read = False

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        line = "first"
        while line:
            line = sys.stdin.readline()
            try:
                loop.call_soon_threadsafe(self._lines.put_nowait, line)
            except RuntimeError:  # the loop is closed: the match is over
                return

    async def line(self, prompt: str) -> str:
        """The next line that is typed. Raises `EOFError` at the end of the input."""
        if not self._is_read:
            self._is_read = True
            loop = asyncio.get_running_loop()
            threading.Thread(target=self._read, args=(loop,), name="herald-keyboard", daemon=True).start()
        console.print(f"[bold cyan]{escape(prompt)}[/]", end="", soft_wrap=True)
        line = await self._lines.get()
        if not line:
            self._lines.put_nowait(line)
            raise EOFError
        return line


async def play_link(link: str, read_line: ReadLine | None = None) -> None:
    """Play the seat of a link to the end of the match; a connection that is lost is made again.

    Raises `Misconfigured`, `NotAdmitted`, or `OSError` where there is no server.
    """
    url, match, token = read_link(link)
    if not token:
        raise Misconfigured("This link is for watching; a seat's link has a token, as http://HOST:PORT/play#m=…&t=….")
    read_line = read_line or Keyboard().line
    pauses = [0.0]
    while pauses:
        await anyio.sleep(pauses.pop(0))
        try:
            if await _sit(url, match, token, read_line):
                return
            pauses = list(RETURN_S)
            console.print("[yellow]The connection is lost; connecting again.[/]")
        except (OSError, WebSocketException):
            if not pauses:
                raise


async def _sit(url: str, match: str, token: str, read_line: ReadLine) -> bool:
    """Play until the match is over or the player leaves; False when the connection is lost."""
    async with connected(url) as client:
        welcome = await enter(client, match, token)
        face = face_of(welcome.game)
        seat = welcome.viewer.seat
        assert seat is not None, "a token opens a seat"
        console.print(f"[bold]{escape(welcome.title)}[/]: you have seat {seat + 1}.")
        is_lost = False
        try:
            await Table(client, View(face.game, welcome), face, read_line, welcome.head.seq).play()
        except* (_Left, EOFError):
            console.print("The match goes on without you; the same link brings you back.")
        except* (ConnectionClosed, ConnectionError):
            is_lost = True
        return not is_lost


async def begin(server: str, wish: Create) -> tuple[str, list[str]]:
    """Create a match on a server: the link of the own seat, and those of friends. Raises `NotAdmitted`."""
    base = server.rstrip("/")
    url, _, _ = read_link(f"{base}/play#m=new")
    async with connected(url) as client:
        created = await client.ask(wish, Created)
    links = {seat: f"{base}/play#m={created.match}&t={token}" for seat, token in created.tokens.items()}
    return links.pop("0"), list(links.values())


@click.command()
@click.argument("link", required=False)
@click.option("--game", default="vera_discordia", show_default=True, help="The game of a new match.")
@click.option("--against", default="friend", show_default=True, help="friend, or the name of a bot.")
@click.option("--name", default="", help="What you are called in a new match.")
@click.option("--server", default="http://127.0.0.1:8000", show_default=True, help="Where a new match is played.")
@option_option
@cards_option
@army_option
def play(
    link: str | None,
    game: str,
    against: str,
    name: str,
    server: str,
    options: tuple[str, ...],
    cards: Path | None,
    armies: tuple[Path, ...],
) -> None:
    """Play a seat at the keyboard.

    LINK is a seat's link. Without one a new match is created on a running server: you have the first seat, and the
    link of your friend's seat is printed, for a browser or for another `herald play`.
    """
    try:
        anyio.run(_play, link, server, game, against, name, (options, cards, armies))
    except KeyboardInterrupt:
        console.print("\nThe match goes on without you; the same link brings you back.")
    except (OSError, WebSocketException) as wrong:
        where = (link or server).partition("#")[0]
        raise Misconfigured(f"There is no server at {where}; start one with `herald serve`. ({wrong})") from wrong


async def _play(link: str | None, server: str, game: str, against: str, name: str, given: tuple[Any, Any, Any]) -> None:
    if link is None:
        face = face_of(game)
        other = SeatWish("friend") if against == "friend" else SeatWish("bot", "", against)
        seats = (SeatWish("me", name), *(other for _ in range(face.game.seats - 1)))
        link, friends = await begin(server, Create(game, seats, read_options(face, *given)))
        console.print(f"You come back to your seat with: herald play '{link}'", soft_wrap=True)
        for friend in friends:
            console.print(f"Your friend plays with: [bold]{escape(friend)}[/]", soft_wrap=True)
    await play_link(link)


COMMANDS = (play,)
