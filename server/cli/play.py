"""`herald play`: a seat at a keyboard: the table in text, the decision, its options numbered."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import anyio
import click
from msgspec import Struct, convert, to_builtins
from rich.markup import escape

from domain.kernel import Asked, NotAChoice, TimeControl
from herald_client import (
    Broken,
    Clocked,
    Complained,
    HeraldError,
    Line,
    Lines,
    Link,
    Lost,
    Match,
    News,
    Presented,
    Refused,
    Server,
    Tabled,
)
from projections.face import Face
from projections.words import outcome
from replay.errors import RecordInvalid
from server.cli.accepting import own_link
from server.cli.common import (
    ASKS_NAME,
    army_option,
    cards_option,
    console,
    face_of,
    option_option,
    read_options,
    said,
    said_refusal,
)
from server.cli.errors import Amiss, Unclear
from server.cli.foresight import Foretold
from server.cli.keys import key_of, named_link
from server.cli.keys import save_seat as write_seat_file
from server.cli.language import language_option
from server.cli.prompts import DecisionPrompt, FromFile
from server.cli.table import AGREED, Side, hint_lines
from server.cli.table import HELP as TABLE_HELP
from server.cli.terminal import Keyboard, ReadLine, Terminal
from server.cli.times import read_control, time_options
from server.cli.words import word
from server.wire.client import View
from server.wire.errors import NotAdmitted
from server.wire.protocol import ClockInfo, Create, SeatWish, TableInfo
from server.wire.stream_file import link_of

HELP: Final = (
    "  b  the table      l  the last lines of the chronicle      ?  the question again, and this\n"
    "  q  leave; the match goes on, and the same link brings you back"
)
LOCKED_OUT: Final = (
    "This seat signs with a key that is neither in this link nor kept on this machine. Come back with the link that has"
    " it (k=…), or sign with another one from now on, which everybody sees: herald play --new-key LINK."
)
GOES_ON: Final = "The match goes on without you; the same link brings you back."
BREAKS: Final = 8
"""The failed connections in a row, over about half a minute, after which the player is told to come back later."""


class _Left(Exception):
    """The player leaves the table."""


class SeatTable:
    """One seat of a match in a terminal."""

    def __init__(self, match: Match, face: Face[Any], read_line: ReadLine) -> None:
        assert match.welcome is not None, "the match was entered"
        self._match = match
        self._known = match.welcome.head.seq
        """The last line on entering; of the lines up to it only the end of the match is printed."""
        self._side = Side(match.game)
        self._present: tuple[int, ...] | None = None
        self._view = View(face.game, match.welcome)
        self._face = face
        self._terminal = Terminal(read_line, lambda: self._asked == self._due())
        self._answered = 0
        self._reading: anyio.CancelScope | None = None
        self._asked = 0
        self._entered = anyio.Event()
        self._ahead: list[str] = []
        self._hints = asyncio.Queue[int]()
        self._is_locked_out = False

    @property
    def _is_over(self) -> bool:
        state = self._view.state
        return state is not None and state.result is not None

    async def play(self) -> None:
        """Play until the match is over. Raises `_Left` when the player leaves, or the connection's final error."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._listen)
            tasks.start_soon(self._ask_hints)
            await self._entered.wait()
            while not self._is_over:
                asked = next(iter(self._open()), None)
                if asked is None:
                    await self._wait()
                else:
                    await self._decide(asked)
            tasks.cancel_scope.cancel()
        self._board()
        told = outcome(self._view.state.players, self._view.state.result)
        console.print(f"[bold]{escape(said(self._match.game, told))}[/]")

    def _warn(self) -> None:
        """Say once that the seat signs with a key that is not here."""
        holder = self._match.holder
        if holder is not None and holder.is_locked_out and not self._is_locked_out:
            self._is_locked_out = True
            console.print(f"[yellow]{escape(word(LOCKED_OUT))}[/]", soft_wrap=True)

    async def _wait(self) -> None:
        """Carry out commands until it is this player's turn; any other typed text goes to the next question."""
        with anyio.CancelScope() as self._reading:
            while True:
                try:
                    text = (await self._terminal.read_line("")).strip()
                except EOFError:
                    await anyio.sleep_forever()
                if not await self._is_order(text, None):
                    self._ahead.append(text)
        self._reading = None

    async def _ask_hints(self) -> None:
        """Hints take time; the player continues meanwhile."""
        while True:
            number = await self._hints.get()
            with self._terminal.aside():
                self._terminal.say(f"[dim]{escape(word('The search is thinking …'))}[/]")
            try:
                told = hint_lines(await self._match.hint(number), lambda text: said(self._match.game, text))
            except Refused as wrong:
                told = [said_refusal(self._match.game, wrong.why, wrong.rule)]
            with self._terminal.aside():
                for line in told:
                    self._terminal.say(f"[bold yellow]{escape(line)}[/]")

    async def _listen(self) -> None:
        async for news in self._match:
            with self._terminal.aside():
                self._hear(news)
            if self._view.seq >= self._known:
                self._warn()
                self._entered.set()
            if self._reading is not None and self._asked != self._due():
                self._reading.cancel()
            if self._is_over:
                return

    def _hear(self, news: News) -> None:
        match news:
            case Lines(lines):
                self._tell(lines)
            case Tabled(table):
                self._hear_table(table)
            case Clocked(clocks):
                self._side.clocked(convert(clocks, dict[int, ClockInfo], from_attributes=True))
            case Complained(why=why):
                self._refused(said(self._match.game, why))
            case Presented(presence):
                self._present = presence.seats
            case Lost():
                self._terminal.say(f"[yellow]{word('The connection is lost; connecting again.')}[/]")

    def _refused(self, why: str) -> None:
        self._answered = 0
        self._terminal.say(f"[bold red]{word('Not so:')}[/] {escape(why)}")

    def _hear_table(self, table: Struct) -> None:
        was_told = self._side.has_hints
        self._side.tabled(convert(to_builtins(table), TableInfo))
        if self._side.has_hints and not was_told:
            self._terminal.say(f"[bold yellow]{escape(word(AGREED))}[/]")
        state = self._view.state
        seat = self._view.viewer.seat
        for told in () if state is None else (self._side.waits(state, seat), self._side.asked(state, seat)):
            if told:
                self._terminal.say(f"[bold yellow]{escape(told)}[/]")

    def _due(self) -> int:
        """The number of the decision that this player has to answer; 0 when there is none, -1 when all is over."""
        return -1 if self._is_over else next((asked.number for asked in self._open()), 0)

    def _open(self) -> list[Asked]:
        """The decisions that wait for this player; none in a pause."""
        state = self._view.state
        if state is None or state.table.paused:
            return []
        return [asked for asked in self._view.asked() if asked.number > self._answered]

    def _tell(self, lines: Sequence[Line]) -> None:
        seat = self._view.viewer.seat
        for before, event, after in self._view.fold((line.text, line.openings) for line in lines):
            text = self._face.narrate(before, after, event, seat) if before is not None else ""
            if text:
                style = "bold" if type(event) in self._face.headings else "dim"
                self._terminal.log(f"[{style}]{escape(text)}[/]", is_new=self._view.seq > self._known)
        if lines[0].seq <= self._known <= self._view.seq:
            self._terminal.last_lines()
            waits = self._side.waits(self._view.state, seat)
            if waits:
                self._terminal.say(f"[bold yellow]{escape(waits)}[/]")

    def _board(self) -> None:
        console.print(escape(self._face.board(self._view.state, self._view.viewer.seat)), soft_wrap=True)

    async def _decide(self, asked: Asked) -> None:
        """Ask until there is a legal answer, and send it; unless the decision is gone meanwhile."""
        prompt = self._face.scene(self._view.state, self._view.viewer.seat)["prompt"]
        foretold = Foretold(self._match, prompt, self._match.game)
        question = DecisionPrompt(await foretold.prompt())
        if question.only:
            self._terminal.say(f"[dim]{escape(word('Only one answer is possible: {what}', what=question.only))}[/]")
            if await self._answer(asked, question, "1", foretold):
                return
        console.print()
        self._board()
        self._ask(question)
        self._asked = asked.number
        with anyio.CancelScope() as self._reading:
            while True:
                ahead = self._ahead.pop(0) if self._ahead else None
                text = await self._terminal.typed(f"{question.hint} > ") if ahead is None else ahead
                if not await self._is_order(text, question) and await self._answer(asked, question, text, foretold):
                    break
        self._reading = None
        self._asked = 0

    def _ask(self, question: DecisionPrompt) -> None:
        for line in question.lines:
            console.print(line)
        clocks = self._side.clocks(self._view.state)
        if clocks:
            console.print(f"[dim]{escape(clocks)}[/]", soft_wrap=True)

    async def _is_order(self, text: str, question: DecisionPrompt | None) -> bool:
        """Whether the typed text is one of the command words, which is then carried out."""
        match text:
            case "q":
                raise _Left
            case "b":
                self._board()
            case "l":
                self._terminal.last_lines()
            case "c":
                state = self._view.state
                told = self._side.waits(state) or self._side.clocks(state) or self._side.control()
                console.print(escape(told), soft_wrap=True)
            case "hint":
                self._hint()
            case "?":
                if question is not None:
                    self._ask(question)
                console.print(f"{word(HELP)}\n{word(TABLE_HELP)}")
            case _:
                return await self._is_act(text)
        return True

    def _hint(self) -> None:
        asked = next(iter(self._open()), None)
        if asked is None:
            console.print(f"[red]{escape(word('This seat is asked nothing at the moment.'))}[/]", soft_wrap=True)
        else:
            self._hints.put_nowait(asked.number)

    async def _is_act(self, text: str) -> bool:
        """Whether the typed text is an act at the table, which is then sent."""
        seat = self._view.viewer.seat
        assert seat is not None, "a token opens a seat"
        away = [other for other in _others(self._view.state) if other not in (self._present or ())]
        try:
            message = self._side.message(text, seat, away[0] if away and self._present is not None else None)
        except Unclear as wrong:
            console.print(f"[red]{escape(str(wrong))}[/]", soft_wrap=True)
            return True
        if message is None:
            return False
        fields = to_builtins(message)
        try:
            await self._match.act(fields.pop("t"), **fields)
        except Refused as wrong:
            self._refused(said_refusal(self._match.game, wrong.why, wrong.rule))
        return True

    async def _answer(self, asked: Asked, question: DecisionPrompt, text: str, foretold: Foretold) -> bool:
        """Send the typed answer, if it is legal; returns whether it was."""
        try:
            answer = question.read(text)
        except Unclear as wrong:
            console.print(f"[red]{escape(str(wrong))}[/] {word('Type ? for the question again.')}", soft_wrap=True)
            return False
        decision = self._face.game.revive_decision(asked)
        form, rule = decision.form(self._view.state), decision.rule
        try:
            choice = self._face.game.read_choice(answer.choice) if isinstance(answer, FromFile) else form.read(answer)
            why = word("That is no answer.") if choice is None else form.check(choice)
        except NotAChoice as wrong:
            why = wrong.why
        if why:
            told = said_refusal(self._match.game, why, rule)
            console.print(f"[red]{escape(told)}[/]", soft_wrap=True)
            return False
        if not isinstance(answer, FromFile) and (warned := await foretold.warning(answer)):
            console.print(f"[red]{escape(warned)}[/]", soft_wrap=True)
            return False
        self._answered = asked.number
        try:
            await self._match.choose(asked.number, to_builtins(choice))
        except Refused as wrong:
            self._refused(said_refusal(self._match.game, wrong.why, wrong.rule))
        return True


def _others(state: Any) -> list[int]:
    """The seats that people hold, the asked ones first: one of them may be away."""
    people = [seat for seat in range(len(state.players)) if seat not in (*state.table.bots, *state.table.left)]
    asked = {one.seat for one in state.asked}
    return sorted(people, key=lambda seat: seat not in asked)


async def play_link(link: str, read_line: ReadLine | None = None, *, new_key: bool = False, name: str = "") -> None:
    """Play the seat of a link to the end of the match; a lost connection is made again.

    The seat's acts are signed with the link's key, otherwise with the key stored for the seat on this machine; if there
    is none, one is made and stored. `new_key`: another key replaces it, as everybody sees. An invitation is exchanged
    for a seat first, under a `name`. Raises `Misconfigured` for a bad link, and `NotAdmitted` if the server refuses.
    """
    at = link_of(link)
    with told_plainly(at.server):
        at = await own_link(at, name)
    key = key_of(at, new=new_key)
    with told_plainly(at.server):
        async with Server(at.server).play(at.match, at.token, key=key, scenes=False, tries=BREAKS, stay=True) as match:
            seat = match.seat
            if seat is None:
                raise Amiss(word("This link is a caster's, who watches and plays no seat; open it in a browser."))
            console.print(f"[bold]{escape(match.title)}[/]: {word('you have seat {n}.', n=seat + 1)}")
            if new_key:
                await match.rotate(key, is_lost=True)
            try:
                await SeatTable(match, face_of(match.game), read_line or Keyboard().line).play()
            except* (_Left, EOFError):
                console.print(word(GOES_ON))


@contextmanager
def told_plainly(server: str) -> Iterator[None]:
    """Turn the errors that end a connection into our own.

    Raises `NotAdmitted` if the server refuses, and `Misconfigured` for other failures.
    """
    try:
        yield
    except* HeraldError as several:
        wrong: BaseException = several
        while isinstance(wrong, BaseExceptionGroup):
            wrong = wrong.exceptions[0]
        if isinstance(wrong, Refused):
            raise NotAdmitted(str(wrong)) from wrong
        if isinstance(wrong, Broken):
            raise RecordInvalid(wrong.why, wrong.seq) from wrong
        told = word("There is no server at {server}; start one with `herald serve`.", server=server)
        raise Amiss(told) from wrong


async def begin(server: str, wish: Create) -> tuple[str, list[str]]:
    """Create a match on a server: the link of one's own seat, and the invitations. Raises as `play_link` does."""
    fields = to_builtins(wish)
    del fields["t"]
    with told_plainly(server):
        at = Server(server)
        created = await at.create(fields.pop("game"), fields.pop("seats"), **fields)
    own, *friends = [str(at.link(created.match, created.tokens[seat])) for seat in sorted(created.tokens, key=int)]
    invitations = [created.invitations[seat] for seat in sorted(created.invitations, key=int)]
    invited = [str(Link(at.url, created.match, invitation=invitation)) for invitation in invitations]
    return own, [*(f"{link}{ASKS_NAME}" for link in friends), *invited]


@click.command()
@language_option
@click.argument("link", required=False)
@click.option("--game", default="vera_discordia", show_default=True, help="The game of a new match.")
@click.option("--against", default="friend", show_default=True, help="friend, or the name of a bot.")
@click.option("--name", default="", help="Your name at the table.")
@click.option("--server", default="http://127.0.0.1:8000", show_default=True, help="The server of a new match.")
@click.option(
    "--hints", is_flag=True, help="In a new match a player may ask for the search's choice, and everybody sees it."
)
@click.option("--new-key", is_flag=True, help="The seat's key is lost: sign with another from now on, as all will see.")
@click.option(
    "--save-seat",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write LINK's seat with its key to a file for another machine, and leave.",
)
@time_options
@option_option
@cards_option
@army_option
def play(
    link: str | None,
    game: str,
    against: str,
    name: str,
    server: str,
    hints: bool,
    new_key: bool,
    save_seat: Path | None,
    options: tuple[str, ...],
    cards: Path | None,
    armies: tuple[Path, ...],
    **times: str,
) -> None:
    """Play a seat at the keyboard.

    LINK is a seat's link, an invitation, or a seat's file that --save-seat or a browser has written. Without LINK a new
    match is created on a running server: you have the first seat, and an invitation to the other is printed, for a
    browser or for another `herald play`.
    """
    link = None if link is None else named_link(link)
    if save_seat is not None:
        if link is None:
            raise Amiss(word("Name the link of the seat that is to be saved."))
        write_seat_file(link, save_seat)
        return
    try:
        control = read_control(**times)
        anyio.run(_play, link, server, game, against, name, (options, cards, armies), control, hints, new_key)
    except KeyboardInterrupt:
        console.print(f"\n{word(GOES_ON)}")


async def _play(
    link: str | None,
    server: str,
    game: str,
    against: str,
    name: str,
    given: tuple[Any, Any, Any],
    control: TimeControl,
    hints: bool,
    new_key: bool,
) -> None:
    if link is None:
        face = face_of(game)
        game = face.game.name
        other = SeatWish("invited") if against == "friend" else SeatWish("bot", "", against)
        options = read_options(face, *given)
        seats = (SeatWish("me", name), *(other for _ in range(face.game.seats_of(options) - 1)))
        link, friends = await begin(server, Create(game, seats, options, time=control, shares=True, hints=hints))
        for friend in friends:
            console.print(
                f"{word('Send your friend this invitation; it works once:')} [bold]{escape(friend)}[/]", soft_wrap=True
            )
    await play_link(link, new_key=new_key, name=name)


COMMANDS = (play,)
