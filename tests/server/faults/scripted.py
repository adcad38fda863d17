"""A scripted match through the real lobby and the real store, in one process; each frame is reported once sent."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from domain.kernel import Chosen
from projections.plain import plain_face
from replay.audit.match_audit import audit
from replay.files import export
from replay.record.referee import read_event
from replay.store.sqlite.store import SqliteStore
from server.gate.session import Session
from server.lobby.lobby import Lobby
from server.wire.client import View
from server.wire.protocol import (
    Accepted,
    Choose,
    ClientMessage,
    Create,
    Created,
    Error,
    Events,
    Hello,
    Refused,
    SeatWish,
    ServerMessage,
    Welcome,
    read_server_message,
    write_client_message,
)
from tests.skirmish.game import GAME

FACES = {GAME.name: plain_face(GAME)}
PEOPLE = (SeatWish("me", "Ada"), SeatWish("friend", "Bo"))
PATIENCE_S = 120.0
TRIES = 15
IDLE_ROUNDS = 500
Tell = Callable[[str], None]


class Ended(Exception):
    """The server has no disk any more, or ran out of tries."""


class Wire:
    """A connection within the process: the server's `Socket` on one side, a client on the other."""

    def __init__(self, lobby: Lobby, tell: Tell) -> None:
        self._up: asyncio.Queue[str] = asyncio.Queue()
        self._down: asyncio.Queue[ServerMessage] = asyncio.Queue()
        self._lines: list[Events] = []
        self._tell = tell
        self._serving = asyncio.get_running_loop().create_task(Session(lobby, self).run())

    async def recv(self) -> str | bytes:
        """The server reads."""
        return await self._up.get()

    async def close(self, code: int = 1000, reason: str = "") -> None:
        """The server closes, which a script never gives it cause for."""
        raise Ended(f"closed with {code}")

    def write(self, *frames: str) -> None:
        """The server tells."""
        for frame in frames:
            self._tell(frame)
            self._down.put_nowait(read_server_message(frame))

    def waiting(self) -> int:
        """Everything is read at once."""
        return 0

    async def ask(self, message: ClientMessage, *answers: type[ServerMessage]) -> Any:
        """Send a message and read until one of the answers comes."""
        self._up.put_nowait(write_client_message(message))
        while True:
            told = await asyncio.wait_for(self._down.get(), PATIENCE_S)
            if isinstance(told, answers):
                return told
            if isinstance(told, Events):
                self._lines.append(told)

    def news(self) -> list[Events]:
        """The lines that have come meanwhile."""
        found, self._lines = self._lines, []
        while not self._down.empty():
            message = self._down.get_nowait()
            if isinstance(message, Events):
                found.append(message)
        return found

    def stop(self) -> None:
        """The connection ends."""
        self._serving.cancel()


async def play(path: Path, tell: Tell, *, rounds: int, created: Created | None = None) -> None:
    """Create a match, or continue one, and play it to its end; then close everything as `herald serve` does.

    Raises `Ended` where the store has failed.
    """
    store = SqliteStore(path)
    failed: list[str] = []
    store.on_failure(failed.append)
    lobby = Lobby(store, FACES, bot_delay_s=0)
    wires = [Wire(lobby, tell) for _ in range(3)]
    try:
        made = created or await _until(failed, wires[0], Create(GAME.name, PEOPLE, {"rounds": rounds}), Created)
        await _play(lobby, store, wires, made, failed)
    finally:
        for wire in wires:
            wire.stop()
        if not failed:
            await lobby.close()
            store.close()


async def _until(failed: list[str], wire: Wire, message: ClientMessage, answer: type[Any]) -> Any:
    """Ask again and again until it is done: a full disk is a passing trouble."""
    for _ in range(TRIES):
        told = await wire.ask(message, answer, Refused, Error)
        if isinstance(told, answer):
            return told
        assert told.code in {"try-again", "server-fault", "cannot-sit"}, told
        if failed:
            break
        await asyncio.sleep(0)
    raise Ended(failed[0] if failed else "out of tries")


async def _play(lobby: Lobby, store: SqliteStore, wires: list[Wire], made: Created, failed: list[str]) -> None:
    views, idle = [], 0
    for wire, token in zip(wires, (made.tokens["0"], made.tokens["1"], ""), strict=True):
        welcome = await wire.ask(Hello(made.match, token, "" if token else "spectator"), Welcome)
        views.append(View(GAME, welcome))
    for _ in range(IDLE_ROUNDS):
        for wire, view in zip(wires, views, strict=True):
            for events in wire.news():
                view.take(events)
        if failed:
            raise Ended(failed[0])
        if views[0].state is not None and views[0].state.result is not None:
            return
        able = [seat for seat in (0, 1) if views[seat].asked()]
        for seat in able[:1]:
            asked = views[seat].asked()[0]
            await _until(failed, wires[seat], Choose(f"{seat}-{asked.number}", asked.number, 0), Accepted)
        idle = 0 if able or store.pulse().refuses else idle + 1
        await asyncio.sleep(0 if able else 0.001 + min(idle, 100) / 1000)  # a busy machine is given its time
        # Lines that could not be written are tried again at regular intervals.
        lobby.registry.heartbeat()
    raise Ended("the match does not go on")


def faults_of(path: Path, frames: list[str]) -> list[str]:
    """The sent frames that are missing or false in the database; empty when nothing was lost."""
    wrong: list[str] = []
    store = SqliteStore(path)
    try:
        held = {header.match: store.read(header.match) for header in store.matches.latest()}
        for match, entries in held.items():
            report = audit(GAME, export.from_store(store, match))
            if not report.ok:
                wrong.append(f"the audit says: {report.fault}")
            ids = [c.id for e in entries if isinstance(c := read_event(GAME, e), Chosen)]
            if len(ids) != len(set(ids)):
                wrong.append(f"a choice was made twice: {ids}")
        check = store.tables().execute("PRAGMA integrity_check").fetchone()[0]
        if check != "ok":
            wrong.append(check)
    finally:
        store.close()
    lines = {match: [entry.line.decode() for entry in entries] for match, entries in held.items()}
    return wrong + [fault for frame in frames if (fault := _lost(read_server_message(frame), lines))]


def _lost(message: ServerMessage, lines: dict[str, list[str]]) -> str:
    match message:
        case Created(match) if match not in lines:
            return f"the match {match} is lost"
        case Events(first, last, items):
            match_id = msgspec.json.decode(items[0][0])[1]
            if [text for text, _ in items] != lines.get(match_id, [])[first - 1 : last]:
                return f"lines {first} to {last} were told and are lost"
        case Accepted(name, seq):
            if not any(len(of) >= seq and f'"id":"{name}"' in of[seq - 1] for of in lines.values()):
                return f"the choice {name} was accepted and is lost"
    return ""


def created_of(frames: list[str]) -> Created | None:
    """The match that was told of, with its tokens."""
    return next((m for m in map(read_server_message, frames) if isinstance(m, Created)), None)
