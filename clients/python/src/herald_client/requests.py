"""Requests that a server has not answered yet; a request with an id of its own outlives the connection."""

import asyncio
import secrets
from typing import Any

from msgspec import Struct

from herald_client.errors import Closed, Refused
from herald_client.messages import Accepted, Fault, Hinted, Refusal, written

ALREADY: frozenset[str] = frozenset({"try-again"})
"""Codes after which the same message is sent again."""


class Pending(Struct):
    """A message that is sent until it is answered: its frame, made once, and the caller who waits for the answer.

    `kind`: the kind of message that answers it. `accepted`: the answer, while the line that it names has not arrived.
    """

    frame: str
    answer: "asyncio.Future[Any]"
    message: dict[str, Any]
    decision: int = 0
    tries: int = 0
    kind: type[Any] = Accepted
    accepted: Accepted | None = None


def fresh_id() -> str:
    """An id that nobody has used."""
    return secrets.token_hex(12)


class Requests:
    """The requests of one match."""

    def __init__(self) -> None:
        self.pending: dict[str, Pending] = {}
        self._asides: list[tuple[str, type[Any], asyncio.Future[Any]]] = []

    def add(self, message: dict[str, Any], decision: int = 0, kind: type[Any] = Accepted) -> Pending:
        """Keep a message until it is answered."""
        held = Pending(written(message), asyncio.get_running_loop().create_future(), message, decision, kind=kind)
        self.pending[message["id"]] = held
        return held

    def aside(self, name: str, kind: type[Any]) -> "asyncio.Future[Any]":
        """Wait for the next message of a kind, on this connection."""
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._asides.append((name, kind, future))
        return future

    def accepted(self, told: Accepted | Hinted) -> None:
        """Take an answer; a request that awaits another kind of answer keeps waiting."""
        held = self.pending.get(told.id)
        if held is not None and isinstance(told, held.kind):
            del self.pending[told.id]
            if not held.answer.done():
                held.answer.set_result(told)

    def answered(self, told: object) -> bool:
        """Whether a caller waits for a message of this kind; that caller has it now."""
        name = getattr(told, "id", "")
        found = next((one for one in self._asides if isinstance(told, one[1]) and name in {"", one[0]}), None)
        if found is None:
            return False
        self._asides.remove(found)
        if not found[2].done():
            found[2].set_result(told)
        return True

    def refused(self, told: Refusal | Fault) -> Pending | None:
        """The refused request; None if nobody waits for it any more."""
        rule = told.rule if isinstance(told, Refusal) else ""
        wrong = Refused(told.code, told.why, rule, told.id)
        aside = next((aside for aside in self._asides if aside[0] == told.id), None)
        if aside is not None:
            self._asides.remove(aside)
            _fail(aside[2], wrong)
            return Pending("", aside[2], {})
        held = self.pending.pop(told.id, None)
        if held is not None:
            _fail(held.answer, wrong)
        return held

    def cut(self, why: Closed) -> None:
        """Note that the connection is lost: requests whose answers will not come again fail."""
        for _, _, future in self._asides:
            _fail(future, why)
        self._asides.clear()

    def close(self, why: Exception) -> None:
        """Fail every request: none will be answered any more."""
        for held in self.pending.values():
            _fail(held.answer, why)
        self.pending.clear()
        for _, _, future in self._asides:
            _fail(future, why)
        self._asides.clear()


def _fail(future: "asyncio.Future[Any]", wrong: Exception) -> None:
    if not future.done():
        future.set_exception(wrong)
        future.exception()  # marks the error as seen, in case nobody waits for it
