"""One match from a client's side: entered, followed and answered through all breaks of the connection."""

import asyncio
import random
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from types import TracebackType
from typing import Any, Final, Self

from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.typing import Subprotocol

from herald_client.claims import Opening
from herald_client.errors import Broken, Closed, HeraldError, Refused
from herald_client.holding import Holder
from herald_client.keys import Key
from herald_client.links import site_of, socket_at
from herald_client.messages import (
    SUBPROTOCOL,
    Accepted,
    AheadTold,
    Checkpoint,
    ClockInfo,
    Devices,
    Directed,
    Events,
    Fault,
    Foreseen,
    Granted,
    Head,
    Hinted,
    KeptAnswer,
    Notified,
    PersonsTold,
    Pong,
    Presence,
    Refusal,
    Renewed,
    Revoked,
    Said,
    SeatInfo,
    SeatsChanged,
    Snapshot,
    TableInfo,
    Told,
    ViewerInfo,
    Welcome,
    read_told,
    written,
)
from herald_client.news import (
    Asked,
    Chatted,
    Clocked,
    Complained,
    Ended,
    Entered,
    Lines,
    Lost,
    News,
    Offered,
    Presented,
    Seated,
    Shown,
    Tabled,
)
from herald_client.own_lines import OwnLines
from herald_client.persons import Person, checked
from herald_client.record import Result, unb64
from herald_client.requests import Pending, Requests, fresh_id
from herald_client.scenes import stepped
from herald_client.shapes import Table
from herald_client.standing import Instruction
from herald_client.statements import Pointing
from herald_client.verifier import Verifier

HELLO: Final = "hello"
"""The id of the message that enters the match."""
PING_S: Final = 10.0
SILENCE_S: Final = 8.0
CLOSE_S: Final = 1.0
"""The longest time for which a client that leaves waits until the server closes the connection too."""
FIRST_S: Final = 0.25
LONGEST_S: Final = 8.0
FULL_TRIES: Final = 4
"""A break by a full server counts as this many: a client that returned at once would take another client's place."""
FULL: Final = 4013
NOBODY: Final = 0
"""The code if there is no server, and never was one."""
FOR_GOOD: Final = frozenset({4001, 4003, 4010, 4011})
"""Close codes after which it is useless to reconnect."""
NO_ENTRY: Final = frozenset({"not-admitted", "beyond-head"})
"""Refusals of a hello that will be the same next time."""
AGAIN_S: Final = (1.0, 2.0, 4.0, 8.0)
"""Pauses before each new attempt to send a message that the server could not store."""


class Match:
    """One match. Enter it with `async with`, and iterate it for events: `News`, until the match is over.

    Everything is read in the background, so that calls work while nobody iterates; news that arrives meanwhile waits.
    `devices`: the number of devices on which one's own seat is open now. `scenes`: ask for Scenes, and so for
    questions; lines come anyway. `tries`: the number of breaks in a row after which it gives up; by default it never
    does. `stay`: continue after the end of the match, for chat and signatures. `lines`: the game's table, instead of
    the library's own, as in `Verifier`. `open_cards`: without a token, see all hands with a delay, if the match has
    open cards; each is checked against its seal.
    """

    def __init__(
        self,
        url: str,
        match: str,
        token: str = "",
        *,
        key: Key | None = None,
        share: bytes = b"",
        name: str = "",
        scenes: bool = True,
        tries: int | None = None,
        stay: bool = False,
        lines: Table | None = None,
        open_cards: bool = False,
    ) -> None:
        self.id = match
        self.welcome: Welcome | None = None
        self.verifier = Verifier(match, lines=lines, sees_hands=open_cards and not token)
        self.scene: dict[str, Any] | None = None
        self.presence = Presence()
        self.devices = 1
        self.table = self._told_table = TableInfo()
        self.seats: tuple[SeatInfo, ...] = ()
        self._told_seats: tuple[SeatInfo, ...] = ()
        self.head = Head(0, "")
        self._url, self._token, self._name = socket_at(url, match), token, name
        self._scenes, self._tries, self._stay = scenes, tries, stay
        self._key, self._share = key, share
        self._holder: Holder | None = None
        self._socket: ClientConnection | None = None
        self._requests, self._own = Requests(), OwnLines()
        self._news: asyncio.Queue[News | None] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None
        self._wrong: HeraldError | None = None
        self._entered = asyncio.Event()
        self._current = asyncio.Event()
        self._clocks: dict[str, ClockInfo] = {}
        self._clocked = 0.0
        self._answered: set[str] = set()
        self._asked = ""
        self._offered = 0
        self._muted: set[str] = set()
        self._pointed = Pointing()
        self._is_whole_asked = False
        self._later: set[asyncio.Task[None]] = set()

    def __repr__(self) -> str:
        return f"Match({self.id})"

    @property
    def viewer(self) -> ViewerInfo:
        """This client's role here."""
        return ViewerInfo() if self.welcome is None else self.welcome.viewer

    @property
    def seat(self) -> int | None:
        """One's own seat; None for spectators."""
        return self.viewer.seat if self.viewer.role == "seat" else None

    @property
    def game(self) -> str:
        """The game's name: stated by the server alone until line 1 has arrived."""
        return self.verifier.agreements.game or ("" if self.welcome is None else self.welcome.game)

    @property
    def title(self) -> str:
        """The match's title, or the game's."""
        return "" if self.welcome is None else self.welcome.title

    @property
    def result(self) -> Result | None:
        """How the match ended; None while it continues."""
        return self.verifier.result

    @property
    def connected(self) -> bool:
        """Whether there is a connection at this moment."""
        return self._socket is not None

    @property
    def is_up_to_date(self) -> bool:
        """Whether every line that existed on entering is here."""
        return self.welcome is not None and self.verifier.seq >= self.welcome.head.seq

    @property
    def holder(self) -> Holder | None:
        """The holder of one's own seat, with key and share of chance; None for spectators."""
        return self._holder

    @property
    def prompt(self) -> dict[str, Any] | None:
        """The prompt of the Scene: the question, or the players that are waited for, or the end."""
        return None if self.scene is None else self.scene.get("prompt")

    @property
    def question(self) -> dict[str, Any] | None:
        """The prompt that one's own seat has to answer and has not answered; None if there is none."""
        prompt = self.prompt
        if prompt is None or prompt["mode"] != "you" or self.seat is None or prompt["id"] in self._answered:
            return None
        # The prompt comes from the server, but a verified line states that the seat is asked.
        return prompt if self.verifier.agreements.is_asked(int(prompt["id"]), self.seat) else None

    @property
    def clocks(self) -> dict[int, ClockInfo]:
        """The clocks' present readings, by seat; empty in a match without clocks."""
        passed = int((time.monotonic() - self._clocked) * 1000)
        return {int(seat): _at(clock, passed) for seat, clock in self._clocks.items()}

    async def __aenter__(self) -> Self:
        """Enter the match. Raises `Refused` if there is none, `Closed` if there is no server."""
        self._task = asyncio.create_task(self._live())
        entered = asyncio.create_task(self._entered.wait())
        try:
            await asyncio.wait({self._task, entered}, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            await self.close()
            raise
        finally:
            entered.cancel()
        if not self._entered.is_set():
            await self._task
            raise self._wrong or Closed(NOBODY, "the match could not be entered")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, wrong: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave; the match continues."""
        await self.close()

    async def close(self) -> None:
        """Leave; the match continues."""
        for task in (self._task, *self._later):
            if task is not None:
                task.cancel()
                with suppress(asyncio.CancelledError, HeraldError, OSError):
                    await task
        self._requests.close(Closed(1000, "the match was left"))
        self._news.put_nowait(None)

    def __aiter__(self) -> AsyncIterator[News]:
        return self._listen()

    async def _listen(self) -> AsyncIterator[News]:
        while (news := await self._news.get()) is not None:
            yield news
            if isinstance(news, Ended) and not self._stay:
                return
        self._news.put_nowait(None)
        if self._wrong is not None:
            raise self._wrong
        if self._task is not None and self._task.done() and not self._task.cancelled():
            self._task.result()

    async def _live(self) -> None:
        """Connect, again and again, until the connection is closed for good."""
        breaks = 0
        try:
            while True:
                was_in, code, why = await self._connection()
                breaks = 0 if was_in else breaks
                breaks = max(breaks, FULL_TRIES) if code == FULL else breaks
                if code in {NOBODY, *FOR_GOOD} or (self._tries is not None and breaks >= self._tries):
                    raise Closed(code, why)
                again = min(LONGEST_S, FIRST_S * 2**breaks) * random.uniform(0.7, 1.3)  # noqa: S311 - a pause
                breaks += 1
                self._tell(Lost(code, again))
                await asyncio.sleep(again)
        except HeraldError as wrong:
            self._wrong = wrong
        except ValueError as wrong:
            self._wrong = Closed(0, f"the server says what is no message of {SUBPROTOCOL}: {wrong}")
        finally:
            self._current.set()
            self._requests.close(self._wrong or Closed(1000, "the match was left"))
            self._news.put_nowait(None)

    async def _connection(self) -> tuple[bool, int, str]:
        """One connection to its end; returns whether it entered the match, and the code and reason of its end."""
        was_in = False
        try:
            async with connect(
                self._url,
                subprotocols=[Subprotocol(SUBPROTOCOL)],
                max_size=None,
                compression=None,
                ping_interval=None,
                close_timeout=CLOSE_S,
            ) as socket:
                await socket.send(written(self._hello()))
                async for told in _told(socket):
                    if isinstance(told, Welcome):
                        was_in, self._socket = True, socket
                    await self._hear(told)
        except ConnectionClosed as wrong:
            code, why = (wrong.rcvd.code, wrong.rcvd.reason) if wrong.rcvd else (1006, "the connection is lost")
        except (OSError, WebSocketException, TimeoutError) as wrong:
            code, why = 1006 if self._entered.is_set() else NOBODY, str(wrong) or type(wrong).__name__
        else:
            code, why = 1000, "the server is done"
        finally:
            self._socket = None
            self._requests.cut(Closed(1006, "the connection was lost before the answer"))
        return was_in, code, why

    def _hello(self) -> dict[str, Any]:
        hello: dict[str, Any] = {"t": "hello", "id": HELLO, "match": self.id, "since": self.verifier.seq}
        watching = "open" if self.verifier.sees_hands else "spectator"
        hello |= {"token": self._token} if self._token else {"as": watching}
        if self._name:
            hello["name"] = self._name
        return hello | ({"caps": ["scene"]} if self._scenes else {})

    async def _send(self, frame: str) -> None:
        """Send a message that may be lost with the connection."""
        if self._socket is not None:
            with suppress(ConnectionClosed):
                await self._socket.send(frame)

    def _tell(self, news: News) -> None:
        self._news.put_nowait(news)

    async def _hear(self, told: Told) -> None:
        match told:
            case Welcome():
                await self._welcomed(told)
            case Events():
                await self._happened(told)
            case Snapshot():
                self._is_whole_asked = False
                self._timed(told.clocks, told.table)
                self._agree()
                self.scene = told.scene
                self._show()
            case Checkpoint(seq, signed):
                self.verifier.checkpoint(seq, signed)
            case Accepted():
                self._accept(told)
            case Hinted():
                self._requests.accepted(told)
            case Refusal() | Fault():
                self._refuse(told)
            case Presence():
                self.presence = told
                self._tell(Presented(told))
            case SeatsChanged(seats):
                self._told_seats = seats
                self._sit()
            case Devices(n):
                self.devices = n
            case Said() | Directed():
                self._overhear(told)
            case _:
                self._requests.answered(told)

    def _overhear(self, told: Said | Directed) -> None:
        """Chat and directions beside the match."""
        if isinstance(told, Said):
            self._tell(Chatted(told.lines))
        else:
            self._pointed.hear(told)
            self._point()

    async def _welcomed(self, told: Welcome) -> None:
        self.welcome, self._told_seats, self.head = told, told.seats, told.head
        self.seats = self.verifier.agreements.seats(told.seats)
        self.verifier.keys = {int(mask): unb64(key) for mask, key in told.keys.items()}
        self._is_whole_asked = False
        if self.seat is not None and self._holder is None:
            self._holder = Holder(self.verifier, self.seat, self._key, self._share)
        if self._holder is not None:
            self._holder.connected()
        self._entered.set()
        self._tell(Entered(told))
        self._timed(told.clocks, told.table or TableInfo())
        self._agree()
        for who in self._muted:
            await self._send(written({"t": "mute", "who": who}))
        for held in list(self._requests.pending.values()):
            await self._send(held.frame)
        await self._settle()

    async def _happened(self, told: Events) -> None:
        if told.first > self.verifier.seq + 1:
            await self._need()
            return
        self.verifier.claim(told.last, told.head.hash)
        known = self.verifier.seq
        salts = told.salts or ((),) * len(told.items)
        if len(salts) != len(told.items):
            raise Broken(told.first, "the salts are of other lines")
        lines = tuple(
            self.verifier.take(text, openings, held) for (text, openings), held in zip(told.items, salts, strict=True)
        )
        if told.head.signed:
            self.verifier.checkpoint(told.head.seq, told.head.signed)
        self.head = told.head
        fresh = tuple(line for line in lines if line.seq > known)
        self._own.take(fresh, self.seat)
        for held in list(self._requests.pending.values()):
            if held.accepted is not None:
                self._accept(held.accepted)
        if fresh:
            self._tell(Lines(fresh))
        self._point()
        self._timed(told.clocks, told.table)
        self._sit()
        self._agree()
        await self._step(told)
        self._ask()
        await self._settle()
        if any(line.type == "MatchEnded" for line in fresh) and self.result is not None:
            self._tell(Ended(self.result))

    def _point(self) -> None:
        """Report what a director points at, once line 1, which names the server's key, has arrived."""
        pointed = self._pointed.told(self.verifier)
        if pointed is not None:
            self._tell(pointed)

    async def _step(self, told: Events) -> None:
        """Change the Scene; if the steps fit another Scene, ask for a whole one."""
        if not told.steps or self._is_whole_asked or self.scene is None or told.last <= self.scene["seq"]:
            return
        if self.scene["seq"] != told.first - 1:
            await self._need()
            return
        for step in told.steps:
            self.scene = stepped(self.scene, step)
        self.scene["seq"] = told.last
        self._show(told.steps)

    async def _need(self) -> None:
        self._is_whole_asked = True
        await self._send(written({"t": "need", "since": self.verifier.seq}))

    def _show(self, steps: tuple[dict[str, Any], ...] = ()) -> None:
        assert self.scene is not None, "it was set just now"
        self._tell(Shown(self.scene, steps))
        self._ask()

    def _ask(self) -> None:
        question = self.question
        if question is not None and question["id"] != self._asked:
            self._asked = question["id"]
            self._tell(Asked(question))

    def _timed(self, clocks: dict[str, ClockInfo], table: TableInfo | None) -> None:
        if clocks:
            self._clocks, self._clocked = clocks, time.monotonic()
            self._tell(Clocked(self.clocks))
        self._told_table = table or self._told_table

    def _sit(self) -> None:
        """Report the holders of the seats, as the lines state them."""
        seats = self.verifier.agreements.seats(self._told_seats)
        if seats != self.seats:
            self.seats = seats
            self._tell(Seated(seats))

    def _agree(self) -> None:
        """Report agreements and offers as the lines state them, not as the frame does."""
        table = self.verifier.agreements.table(self._told_table)
        if table == self.table:
            return
        self.table = table
        self._tell(Tabled(table))
        for offer in table.offers:
            if self.seat in offer.asked and self.seat not in offer.agreed and offer.number > self._offered:
                self._offered = offer.number
                self._tell(Offered(offer))

    def _accept(self, told: Accepted) -> None:
        """Believe an acceptance once its line has arrived and confirms it. Raises `Broken` if the line does not."""
        held = self._requests.pending.get(told.id)
        if held is None:
            return
        if told.seq > self.verifier.seq:
            held.accepted = told
        elif self._own.answer(told.seq, held.message):
            held.accepted = None
            self._requests.accepted(told)
        else:
            raise Broken(told.seq, f"the server says that it is what came of {told.id!r}, and it is not")

    def _refuse(self, told: Refusal | Fault) -> None:
        if told.id == HELLO:
            if self._entered.is_set() and told.code not in NO_ENTRY:
                raise ConnectionError(told.why)  # treated as a break: the next attempt may succeed
            raise Refused(told.code, told.why)
        if told.code == "try-again" and told.id in self._requests.pending:
            self._send_later(self._requests.pending[told.id])
            return
        held = self._requests.refused(told)
        if held is None:
            self._tell(Complained(told.code, told.why, told.id))
        elif held.decision and told.code != "stale-decision":
            self._answered.discard(str(held.decision))
            self._asked = ""
            self._ask()

    def _send_later(self, held: Pending) -> None:
        async def later() -> None:
            await asyncio.sleep(AGAIN_S[min(held.tries, len(AGAIN_S) - 1)])
            held.tries += 1
            if not held.answer.done():
                await self._send(held.frame)

        task = asyncio.create_task(later())
        self._later.add(task)
        task.add_done_callback(self._later.discard)

    async def _settle(self) -> None:
        """Give the keys and shares that the match awaits from one's own seat, once the record is here."""
        if self.is_up_to_date:
            self._current.set()
        if self._holder is not None and self.is_up_to_date:
            for message in self._holder.owed():
                await self._send(written(message))

    async def answer(self, answer: Any, prompt: dict[str, Any] | None = None) -> Accepted:
        """Answer a question, the open one unless a prompt is given; `answer` is in the form of its field, or a choice.

        Raises `Refused`, or `HeraldError` once the match was left.
        """
        asked = prompt or self.question
        if asked is None:
            raise Refused("stale-decision", "Nothing is asked of this seat.")
        return await self.choose(int(asked["id"]), answer)

    async def foresee(self, answer: Any, prompt: dict[str, Any] | None = None) -> Foreseen:
        """The consequences of an answer, as far as they are certain; nothing is chosen. Raises `Refused`, `Closed`."""
        asked = prompt or self.question
        if asked is None:
            raise Refused("stale-decision", "Nothing is asked of this seat.")
        foreseen: Foreseen = await self._aside(Foreseen, t="foresee", decision=int(asked["id"]), choice=answer)
        return foreseen

    async def choose(self, decision: int, choice: Any, *, id: str = "") -> Accepted:  # noqa: A002 - the wire's name
        """Answer a decision by its number. Raises as `answer` does."""
        message = {"t": "choose", "id": id or fresh_id(), "decision": decision, "choice": choice}
        self._answered.add(str(decision))
        if self._holder is not None:
            await self._caught_up()
            message = self._holder.chosen(message)
        return await self._request(message, decision)

    async def _request(self, message: dict[str, Any], decision: int = 0) -> Accepted:
        accepted: Accepted = await self._answered_by(Accepted, message, decision)
        return accepted

    async def _answered_by(self, kind: type[Any], message: dict[str, Any], decision: int = 0) -> Any:
        if self._wrong is not None:
            raise self._wrong
        held = self._requests.add(message, decision, kind)
        await self._send(held.frame)
        return await held.answer

    async def act(self, kind: str, **fields: Any) -> Accepted:
        """Do something at the table: `kind` and `fields` as docs/protocol.md has them. Raises as `answer` does."""
        return await self._request(await self._act_of(kind, fields))

    async def _act_of(self, kind: str, fields: dict[str, Any]) -> dict[str, Any]:
        message = {"t": kind, "id": fresh_id(), **fields}
        if self._holder is None:
            return message
        await self._caught_up()
        return self._holder.acted(message)

    async def _caught_up(self) -> None:
        """Wait for the lines that existed on entering, because signatures acknowledge them."""
        await self._current.wait()
        if self._wrong is not None:
            raise self._wrong

    async def hint(self, decision: int = 0) -> Hinted:
        """The search's choices for a decision: the open question, unless another number is given.

        The match must allow hints (`table.hints`). The record states, for all to see, that the seat asked; a repeated
        request gets the same answer. Raises as `answer` does.
        """
        if not decision and self.question is None:
            raise Refused("stale-decision", "Nothing is asked of this seat.")
        number = decision or int(self.question["id"] if self.question else 0)
        hinted: Hinted = await self._answered_by(Hinted, await self._act_of("hint", {"decision": number}))
        return hinted

    async def offer(self, what: str, **terms: Any) -> Accepted:
        """Offer the others something: `offer("pause", length_ms=600_000)`, `offer("take_back")`. Raises `Refused`."""
        return await self.act("offer", terms={"is": what, **terms})

    async def agree(self, number: int) -> Accepted:
        """Agree to an offer on the terms of its verified line. Raises `Refused`."""
        return await self.act("agree", number=number)

    async def decline(self, number: int) -> Accepted:
        """Decline an offer, or take one's own back. Raises `Refused`."""
        return await self.act("decline", number=number)

    async def claim(self, seat: int, *, draw: bool = False) -> Accepted:
        """Claim the match, or a draw, from a player who has been away for too long. Raises `Refused`."""
        return await self.act("claim", seat=seat, **({"draw": True} if draw else {}))

    async def vacation(self, days: int) -> Accepted:
        """Be away for this many days; 0: back again. Raises `Refused`."""
        return await self.act("vacation", days=days)

    async def resign(self) -> Accepted:
        """Give the match up. Raises `Refused`."""
        return await self.act("resign")

    async def rotate(self, key: Key, *, is_lost: bool = False) -> Accepted:
        """Sign with another key from now on; store it first. Raises `Refused`.

        `is_lost`: this client lacks the seat's key; nothing then proves that the new key is the holder's, and everybody
        sees that. Before play begins, the server refuses this if the share of chance was made from the former key.
        """
        if self._holder is None:
            raise Refused("seat-refused", "Spectators have no key; take a seat.")
        if not self.verifier.is_begun and self._holder.signs:
            raise Refused("seat-refused", "The share of chance comes from this key; change it once play has begun.")
        message = {**self._holder.rekeyed(key, is_lost=is_lost), "id": fresh_id()}
        accepted = await self._request(message)
        self._holder.given(key)
        return accepted

    async def claim_seat(self, person: Key) -> Opening:
        """State in the record that a person stands behind one's own seat; returns the opening, which nobody has been
        sent.

        `person`: the key of a device that signs in at this server. `Session.keep_seat` shows the opening to chosen
        viewers. Raises `Refused`.
        """
        if self._holder is None:
            raise Refused("seat-refused", "Spectators have no seat to stand behind; take one.")
        await self._caught_up()
        message, opening = self._holder.claimed(person, site_of(self._url))
        accepted = await self._request({**message, "id": fresh_id()})
        return replace(opening, line=accepted.seq)

    async def entry(self, device: str) -> str:
        """The seat's signature by which the person of a device may enter it without its link, for `Session.keep_seat`;
        empty if the seat does not sign.
        """
        await self._caught_up()
        return "" if self._holder is None else self._holder.entry(device)

    async def persons(self) -> tuple[Person, ...]:
        """The persons behind the seats who show themselves to this client, each checked against the record. Raises
        `Broken` for a person who does not stand behind that seat, and `Closed`.
        """
        told: PersonsTold = await self._aside(PersonsTold, t="persons")
        return tuple(checked(self.verifier, one) for one in told.persons)

    async def keep_ahead(self, *said: Instruction, times: int = 1) -> tuple[KeptAnswer, ...]:
        """Make the server answer for one's own seat from now on, even without this client; returns the stored answers.

        Each instruction is signed `times` times, and each signature is used once; the first instruction that fits a
        question answers it. The instructions replace all stored answers; an empty list removes these. When one is used,
        everybody is told that the seat answered ahead, not its instruction. All end with the next choice by hand,
        another key, and a takeback. Raises `Refused`, `Closed`.
        """
        if self._holder is None:
            raise Refused("not-your-decision", "Spectators have no questions to answer ahead.")
        await self._caught_up()
        message = self._holder.ahead([one for one in said for _ in range(times)])
        told: AheadTold = await self._aside(AheadTold, **message)
        return told.answers

    async def kept_ahead(self) -> tuple[KeptAnswer, ...]:
        """The answers that the server still keeps for one's own seat. Raises `Refused`, `Closed`."""
        told: AheadTold = await self._aside(AheadTold, t="ahead")
        return told.answers

    async def say(self, text: str) -> None:
        """Say something to one's own room; the message is lost if there is no connection. If it fails, the news is
        `Complained`.
        """
        await self._send(written({"t": "chat", "text": text, "id": fresh_id()}))

    async def mute(self, who: str, *, on: bool = True) -> None:
        """Mute somebody, by the name in chat lines, or all (`*`); or unmute. The mute outlasts breaks."""
        (self._muted.add if on else self._muted.discard)(who)
        await self._send(written({"t": "mute", "who": who, "on": on}))

    async def _aside(self, kind: type[Any], **message: Any) -> Any:
        if self._socket is None:
            raise Closed(1006, "there is no connection at this moment")
        name = fresh_id()
        future = self._requests.aside(name, kind)
        await self._send(written({**message, "id": name}))
        return await future

    async def grant(self, *, directs: bool = False) -> str:
        """A new caster's token for one's own seat; the token's holder sees the seat's view. Raises `Refused`, `Closed`.

        `directs`: a director's token, whose holder sees the spectators' view, and directs it.
        """
        granted: Granted = await self._aside(Granted, t="grant", **({"directs": True} if directs else {}))
        return granted.token

    async def revoke(self) -> None:
        """Take back every caster's token of one's own seat. Raises `Refused`, `Closed`."""
        await self._aside(Revoked, t="revoke")

    async def renew(self, token: str) -> None:
        """Make another token open one's own seat, and close it on every device but this one: store the token first.
        Raises `Refused`, `Closed`.

        `token`: as `new_token` makes it. If the seat signs, its key must sign the request, which is refused otherwise.
        """
        said = {} if self._holder is None else self._holder.vouched(token)
        await self._aside(Renewed, t="renew", token=token, **said)
        self._token = token

    async def notify(self, url: str) -> str:
        """Have moves reported to an address; returns the secret of the signatures. Raises `Refused`."""
        notified: Notified = await self._aside(Notified, t="notify", url=url)
        return notified.secret

    async def ping(self) -> float:
        """How long the server takes to answer, in seconds. Raises `Closed`."""
        before = time.monotonic()
        await self._aside(Pong, t="ping")
        return time.monotonic() - before


def _at(clock: ClockInfo, passed_ms: int) -> ClockInfo:
    left = max(0, clock.ms - passed_ms) if clock.run else clock.ms
    return ClockInfo(left, clock.run, max(0, clock.away_ms - passed_ms), clock.vacation_ms)


async def _told(socket: ClientConnection) -> AsyncIterator[Told]:
    """The incoming messages; a server that is silent for long is asked whether it is there. Raises `TimeoutError`."""
    while True:
        try:
            # Not `wait_for`: before Python 3.12 it may swallow a cancellation if a frame arrives at the same moment.
            async with asyncio.timeout(PING_S):
                frame = await socket.recv()
        except TimeoutError:
            await socket.send(written({"t": "ping"}))
            async with asyncio.timeout(SILENCE_S):
                frame = await socket.recv()
        told = read_told(frame)
        if told is not None:
            yield told
