"""Stand-ins, with which each office of a match can be tested without the others."""

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec

from projections.redaction import SPECTATOR, Viewer
from replay.record.referee import Referee, Ruling
from replay.store.store import Store
from server.table.clocks import ServerTime
from server.table.connections import Connections
from server.table.guests import Guest, Role
from server.wire.protocol import Accepted, ChatLine, Choose, Refused
from tests.replay.matches import put


class Ear:
    """A connection that keeps the messages it receives."""

    def __init__(
        self, viewer: Viewer = SPECTATOR, role: Role | None = None, *, scenes: bool = False, language: str = "en"
    ) -> None:
        self.guest = Guest(role or ("spectator" if viewer == SPECTATOR else "seat"), viewer)
        self.wants_scenes = scenes
        self.language = language
        self.who = self.name = self.device = ""
        self.frames: list[dict[str, Any]] = []
        self.heard: list[str] = []
        self.code = 0

    def send(self, frame: str, seq: int = 0) -> None:
        """See `Listener`."""
        del seq
        self.frames.append(msgspec.json.decode(frame))

    def hear(self, line: ChatLine, frame: str) -> None:
        """See `Listener`."""
        del frame
        self.heard.append(line.text)

    def dismiss(self, code: int) -> None:
        """See `Listener`."""
        self.code = code

    def kinds(self) -> list[str]:
        """The kinds of the messages received."""
        return [frame["t"] for frame in self.frames]


def crowd_of(*ears: Ear) -> Connections:
    """These connections, watching."""
    connections = Connections(())
    for ear in ears:
        connections.enter(ear)
    return connections


class Office:
    """Stands in for an office: records its calls, and returns the given answers."""

    def __init__(self, **answers: Any) -> None:
        self.calls: list[str] = []
        self._answers = answers

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def answer(*_: Any, **__: Any) -> Any:
            self.calls.append(name)
            return self._answers.get(name)

        return answer


class Writing:
    """Stands in for the command queue: writes the given events, unless `writes` is false, and answers in turn."""

    def __init__(self, store: Store, referee: Referee[Any], *answers: Accepted | Refused) -> None:
        self.lock = asyncio.Lock()
        self.is_unwritten = False
        self.patience_s = 0.0
        self.writes = True
        self.given_up: list[Exception] = []
        self.chosen: list[tuple[int, Choose, str]] = []
        self.chose: Callable[[], None] = lambda: None
        self._store, self._referee, self._answers = store, referee, list(answers)

    async def commit(self, ruling: Ruling[Any]) -> bool:
        """See `CommandQueue`."""
        assert self.lock.locked(), "a commit needs the queue's lock"
        if self.writes:
            put(self._store, self._referee, ruling)
        return self.writes

    def note_unwritten(self) -> None:
        """See `CommandQueue`."""
        self.is_unwritten = True

    async def choose(self, seat: int, message: Choose, *, by: str = "seat") -> Accepted | Refused:
        """See `CommandQueue`."""
        self.chosen.append((seat, message, by))
        self.chose()
        return self._answers.pop(0)

    async def give_up(self, wrong: Exception) -> bool:
        """See `CommandQueue`: a match that did not begin in a position goes on."""
        self.given_up.append(wrong)
        return False


class StillTime(ServerTime):
    """The server's time as the test says it is."""

    def __init__(self, at: int) -> None:
        super().__init__()
        self.at = self.back_ms = at
        self.now = lambda: self.at  # type: ignore[assignment]
