"""The entrants of a contest, and how each of them chooses."""

import re
import shlex
import subprocess
import time
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol, TypeVar

import msgspec
from msgspec import Struct

from domain.kernel import AnyForm, Asked, Below, Choice, Event, Game, Refusal, Result, Seat
from domain.kernel.state import plain
from projections.face import Face
from projections.prompt import Words, field_of
from server.arena.errors import Forfeit
from server.arena.hosted import ArenaSeat
from server.arena.program import LINE_BYTES, PARTING_S, Program, ProgramLimits, begun, end, how_it_ended
from server.arena.sockets import BotListener
from server.bots import Bot, bots_of, looks_ahead, make_bot
from server.errors import Misconfigured, place_of
from server.table.decider import read_choice

T = TypeVar("T")

PROTOCOL: Final = "herald.bot/1"
WEBSOCKET: Final = "ws"
"""The word for a bot that connects to the arena."""
LINK: Final = "{link}"
"""The placeholder in a command for the link of the seat."""
TOLD: Final = "HERALD_LINK"
"""The environment variable in which such a program finds its link."""
UNSEEN: Final = f"{TOLD}={LINK}"
"""The prefix of a command that does not contain the link, because every user of the machine can read commands."""
WANTS: Final = frozenset({"events", "view", "scene"})
"""The extra messages that a program may ask for beside the questions."""
_NAME: Final = re.compile(r"[\w.+-]{1,40}")


class Entrant(Struct, frozen=True):
    """An entrant: its name, and either a bot of ours, `WEBSOCKET`, or the words of a command."""

    name: str
    bot: str = ""
    command: tuple[str, ...] = ()

    @property
    def comes_by_link(self) -> bool:
        """Whether it is a program that gets its seat's link, and speaks the server's protocol."""
        return any(LINK in word for word in self.command)

    def words(self, link: str) -> list[str]:
        """The command line that starts a program that plays by a seat's link."""
        words = self.command[1:] if self.command[0] == UNSEEN else self.command
        return [word.replace(LINK, link) for word in words]


def read_entrants(game: str, words: Sequence[str]) -> tuple[Entrant, ...]:
    """The entrants named by `BOT`, `NAME=BOT`, `NAME=ws` and `NAME=COMMAND`.

    If none is named, all bots that answer at once take part. Raises `Misconfigured`.
    """
    known = bots_of(game)
    quick = [name for name in known if not looks_ahead(make_bot(game, name))] if not words else []
    entrants = tuple(_entrant(known, word) for word in words or quick)
    names = [entrant.name for entrant in entrants]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise Misconfigured(f"{twice[0]} takes part twice; name one of them otherwise, as in other={twice[0]}.")
    return entrants


def _entrant(bots: Sequence[str], word: str) -> Entrant:
    name, sign, what = word.partition("=")
    if not sign and name in bots:
        return Entrant(name, name)
    if not sign:
        raise Misconfigured(f"{word!r} is neither one of {', '.join(bots)} nor NAME=COMMAND.")
    if not _NAME.fullmatch(name):
        raise Misconfigured(f"{name!r} is no name: letters, digits, . + - and _, up to forty.")
    try:
        command = tuple(shlex.split(what))
    except ValueError as wrong:
        raise Misconfigured(f"{what!r} is no command: {wrong}.") from wrong
    if command in {(), (UNSEEN,)}:
        raise Misconfigured(f"{name}= is followed by a bot of ours or a command.")
    return Entrant(name, what) if what in {*bots, WEBSOCKET} else Entrant(name, command=command)


class PlayerInvited(Struct, frozen=True):
    """The first message to a player. `place`: its seat's address, if the match is played at a server."""

    face: Face[Any]
    seat: Seat
    seats: tuple[str, ...]
    options: dict[str, Any]
    place: ArenaSeat | None = None


class Player(Protocol):
    """Decides for one seat of one match. A fault of the player is a `Forfeit`."""

    thought_s: float
    """The total time of the player's answers."""
    looks_ahead: bool
    """Whether the player needs the procedures under way in its views."""

    def see(self, events: Sequence[Event]) -> None:
        """Receive the events as the player's seat may know them."""
        ...

    def choose(self, view: Any, asked: Asked, form: AnyForm, below: Below) -> Choice | None:
        """Answer a question; None if the answer was given to the match's server."""
        ...

    def leave(self, result: Result | None) -> None:
        """Tell the player that the match is over, or was given up if there is no result."""
        ...


class OwnPlayer:
    """A bot of ours."""

    def __init__(self, bot: Bot) -> None:
        self._bot, self.looks_ahead = bot, looks_ahead(bot)
        self.thought_s = 0.0

    def see(self, events: Sequence[Event]) -> None:
        """Does nothing: the view holds the events."""

    def choose(self, view: Any, asked: Asked, form: AnyForm, below: Below) -> Choice:
        """The bot's choice. Raises `Forfeit` if it fails."""
        begun = time.perf_counter()
        try:
            return self._bot.choose(view, asked, form, below)
        except Exception as wrong:
            raise Forfeit(f"it failed: {place_of(wrong)}") from wrong
        finally:
            self.thought_s += time.perf_counter() - begun

    def leave(self, result: Result | None) -> None:
        """Does nothing."""


class ProgramHello(Struct, frozen=True):
    """The description that a program gives of itself."""

    t: str
    wants: tuple[str, ...] = ()
    bot: str = ""


class Answer(Struct, frozen=True):
    """A program's answer to a question."""

    t: str
    decision: int
    choice: Any


class ProgramLine(Protocol):
    """The interface to somebody's program: a `Program`, or a `Socket`."""

    def say(self, message: Any) -> None:
        """Queue a line, which is sent with the next question."""
        ...

    def ask(self, message: Any, seconds: float) -> bytes:
        """The line with which the program answers. Raises `Forfeit`."""
        ...

    def close(self, message: Any = None) -> None:
        """Send a last line, if there is one, and end the contact."""
        ...


class ProgramPlayer:
    """A program of somebody's. Raises `Forfeit` if it sends no hello."""

    def __init__(self, line: ProgramLine, invited: PlayerInvited, bounds: ProgramLimits) -> None:
        self._invited, self._bounds = invited, bounds
        self.thought_s, self.looks_ahead = 0.0, False
        self._program = line
        try:
            hello = _read(self._program.ask(self._greeting(), bounds.start_s), ProgramHello)
            if hello.t != "hello" or not WANTS.issuperset(hello.wants):
                raise Forfeit(f"its hello is none, or wants other things than {', '.join(sorted(WANTS))}")
        except Forfeit:
            self._program.close()
            raise
        self._wants = frozenset(hello.wants)

    def _greeting(self) -> dict[str, Any]:
        invited, bounds, game = self._invited, self._bounds, self._invited.face.game
        return {
            "t": "hello",
            "protocol": PROTOCOL,
            "game": game.name,
            "title": game.spec.title,
            "rules": game.rules,
            "seat": invited.seat,
            "seats": invited.seats,
            "options": plain(invited.options),
            "choice_ms": round(bounds.choice_s * 1000),
            "match_ms": round(bounds.match_s * 1000),
            "line_bytes": LINE_BYTES,
        }

    def see(self, events: Sequence[Event]) -> None:
        """Tell the program the events, if it wants them; they are sent with the next question."""
        if "events" in self._wants and events:
            told = [[type(event).__name__, plain(event)] for event in events]
            self._program.say({"t": "events", "events": told})

    def choose(self, view: Any, asked: Asked, form: AnyForm, below: Below) -> Choice:
        """The program's answer. Raises `Forfeit`."""
        del below
        left_s = self._bounds.match_s - self.thought_s
        if left_s <= 0:
            raise Forfeit(f"it thought for longer than {self._bounds.match_s:g} s in all")
        question = self._question(view, asked, form)
        begun = time.perf_counter()
        try:
            line = self._program.ask(question, min(left_s, self._bounds.choice_s))
        finally:
            self.thought_s += time.perf_counter() - begun
        answer = _read(line, Answer)
        if answer.t != "choose" or answer.decision != asked.number:
            raise Forfeit(f"it answered something else than question {asked.number}")
        try:
            return read_choice(self._invited.face.game, view, asked, answer.choice)
        except Refusal as wrong:
            raise Forfeit(f"its answer to {asked.kind} is no choice: {wrong}") from wrong

    def _question(self, view: Any, asked: Asked, form: AnyForm) -> dict[str, Any]:
        face = self._invited.face
        words = Words(
            face.question, face.option, lambda *_: "", lambda _view, _asked, choice: {"choice": plain(choice)}
        )
        more: dict[str, Callable[[], Any]] = {
            "view": lambda: plain(view),
            "scene": lambda: face.scene(view, asked.seat),
        }
        return {
            "t": "ask",
            "decision": asked.number,
            "kind": asked.kind,
            "terms": asked.terms,
            "ask": face.question(view, asked),
            "field": field_of(view, asked, form, words),
            **{name: make() for name, make in more.items() if name in self._wants},
        }

    def leave(self, result: Result | None) -> None:
        """Tell it the result, and end the program."""
        if result is None:
            self._program.close()
            return
        self._program.close({"t": "over", "won": result.won, "reason": result.reason})


class LinkedPlayer:
    """A program of somebody's that was given its seat's link. Raises `Forfeit` if it cannot be started."""

    def __init__(self, entrant: Entrant, place: ArenaSeat, bounds: ProgramLimits, *, hears_errors: bool) -> None:
        self._place, self._bounds = place, bounds
        self._process = begun(
            entrant.words(place.link), bounds, subprocess.DEVNULL, hears_errors=hears_errors, told={TOLD: place.link}
        )
        self.thought_s, self.looks_ahead = 0.0, False
        self._starts_s = bounds.start_s

    def see(self, events: Sequence[Event]) -> None:
        """Does nothing: the match's server tells the program."""

    def choose(self, view: Any, asked: Asked, form: AnyForm, below: Below) -> None:
        """Wait until the program has chosen at its server; its first answer gets extra time for its start. Raises
        `Forfeit`.
        """
        del view, form, below
        left_s = self._bounds.match_s - self.thought_s
        if left_s <= 0:
            raise Forfeit(f"it thought for longer than {self._bounds.match_s:g} s in all")
        limit_s, self._starts_s = min(left_s, self._bounds.choice_s + self._starts_s), 0.0
        begun_s = time.perf_counter()
        done = self._place.is_answered(asked.number, limit_s, goes_on=lambda: self._process.poll() is None)
        self.thought_s += time.perf_counter() - begun_s
        if done:
            return
        code = self._process.poll()
        raise Forfeit(f"it took longer than {limit_s:g} s" if code is None else how_it_ended(code))

    def leave(self, result: Result | None) -> None:
        """End the program; the match's server has told it the result."""
        end(self._process, 0 if result is None else PARTING_S)


def _read(line: bytes, kind: type[T]) -> T:
    """A line as a message. Raises `Forfeit` for text that is no message."""
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.MsgspecError, ValueError, OverflowError, RecursionError) as wrong:
        raise Forfeit("it said what is no message of the protocol") from wrong


def take_seat(
    game: Game[Any],
    entrant: Entrant,
    invited: PlayerInvited,
    bounds: ProgramLimits,
    *,
    hears_errors: bool = False,
    listener: BotListener | None = None,
) -> Player:
    """The player that decides for an entrant in a seat; `listener`: the address where bots connect by websocket.

    Raises `Forfeit` if its program cannot start, or is not connected.
    """
    if entrant.comes_by_link:
        assert invited.place is not None
        return LinkedPlayer(entrant, invited.place, bounds, hears_errors=hears_errors)
    if entrant.command:
        return ProgramPlayer(Program(entrant.command, bounds, hears_errors=hears_errors), invited, bounds)
    if entrant.bot == WEBSOCKET:
        assert listener is not None
        return ProgramPlayer(listener.seat(entrant.name, bounds.start_s), invited, bounds)
    return OwnPlayer(make_bot(game.name, entrant.bot))
