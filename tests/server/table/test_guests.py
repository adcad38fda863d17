"""No such match, and not yours: the same answer after the same work, and none of it folds a match."""

import secrets
from collections import Counter
from typing import Any

import pytest

from replay.record import sealing
from replay.record.referee import Referee
from replay.store.memory import MemoryStore
from replay.store.store import Store
from server.table.guests import SLOTS, identify
from server.wire.errors import NotAdmitted
from server.wire.protocol import Create, Created, Grant, Granted, Hello
from tests.server.tabletop import TWO_PEOPLE, live, play_out, table
from tests.skirmish.game import GAME


class Counted:
    """A store whose questions are counted."""

    def __init__(self, store: Store, asked: Counter[str]) -> None:
        self._store = store
        self._asked = asked

    def __getattr__(self, name: str) -> Any:
        answer = getattr(self._store, name)

        def ask(*given: Any, **named: Any) -> Any:
            self._asked[name] += 1
            return answer(*given, **named)

        return ask if callable(answer) else answer


def work(store: Store, hello: Hello, monkeypatch: pytest.MonkeyPatch) -> tuple[Counter[str], str]:
    """What was done to answer a hello, and the answer."""
    done: Counter[str] = Counter()
    compare, tagged = secrets.compare_digest, sealing.tagged_hash

    def counted_compare(kept: bytes, given: bytes) -> bool:
        done[f"compared {len(kept)} and {len(given)} bytes"] += 1
        return compare(kept, given)

    def counted_hash(tag: str, *parts: bytes) -> bytes:
        done["hashed"] += 1
        return tagged(tag, *parts)

    monkeypatch.setattr(secrets, "compare_digest", counted_compare)
    monkeypatch.setattr(sealing, "tagged_hash", counted_hash)
    try:
        identify(Counted(store, done), hello)
        return done, "admitted"
    except NotAdmitted as wrong:
        return done, str(wrong)
    finally:
        monkeypatch.undo()


@live
async def test_every_refusal_costs_the_same_work_and_says_the_same() -> None:
    async with table() as at:
        mine, other = await at.create(), await at.create()
        client = await at.client()
        closed = await client.ask(Create(GAME.name, TWO_PEOPLE, closed=True), Created)
        ada = await at.player(mine, 0)
        granted = (await ada.client.ask(Grant(), Granted)).token
        wrong = [
            Hello("nowhere", mine.tokens["0"]),
            Hello("nowhere", "", "spectator"),
            Hello("", ""),
            Hello(mine.match, ""),
            Hello(mine.match, "x" * 43),
            Hello(mine.match, other.tokens["0"]),
            Hello(other.match, granted),
            Hello(closed.match, "", "spectator"),
            Hello(closed.match, mine.tokens["1"]),
        ]
        with pytest.MonkeyPatch.context() as patch:
            told = [work(at.store, hello, patch) for hello in wrong]
            done, answer = told[0]
            assert told == [(done, answer)] * len(wrong)
            assert done["compared 32 and 32 bytes"] == SLOTS
            assert (done["entrance"], done["hashed"]) == (1, 1)
            for hello in (Hello(mine.match, mine.tokens["1"]), Hello(mine.match, granted)):
                assert work(at.store, hello, patch) == (done, "admitted")


@live
async def test_a_refusal_folds_no_match() -> None:
    store = MemoryStore()
    async with table(store) as at:
        created = await at.create()
        players = [await at.player(created, 0), await at.player(created, 1)]
        await play_out(players, 1)
    async with table(store) as at:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Referee, "from_record", lambda *_: pytest.fail("it was folded"))
            for match in (created.match, "nowhere"):
                with pytest.raises(NotAdmitted):
                    await at.lobby.entry.admit(Hello(match, "x" * 43))
