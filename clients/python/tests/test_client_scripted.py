"""Rare acts of a real server, done by one that follows a test's script."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from conftest import live
from websockets.asyncio.server import ServerConnection, serve

from herald_client import Asked, Broken, Chatted, Closed, Entered, Lines, Lost, Match, Refused, Server, Shown, Verifier
from herald_client.record import b64
from herald_client.shapes import tables

FILE = sorted((Path(__file__).parents[3] / "tests" / "records" / "vera_discordia").glob("*.herald"))[0]
MESSAGES = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
MATCH = MESSAGES[0]["match"]
LINES = [message["items"][0][0] for message in MESSAGES if message["t"] == "events"]
ASKED = next(seq for seq, text in enumerate(LINES, 1) if '"DecisionsOpened"' in text)
"""The first line that asks."""
NUMBER, SEAT = (json.loads(LINES[ASKED - 1])[8]["asked"][0][name] for name in ("number", "seat"))
CHOSEN, ID = next(
    (seq, json.loads(text)[8]["id"])
    for seq, text in enumerate(LINES, 1)
    if '"Chosen"' in text and [json.loads(text)[8][name] for name in ("number", "seat")] == [NUMBER, SEAT]
)
"""The line in which it is answered, and the id of the answer."""
ONE = {"type": "one", "options": [{"id": "0"}]}
PROMPT = {"id": str(NUMBER), "seat": SEAT, "mode": "you", "ask": "?", "fields": [ONE]}


def head(seq: int) -> dict[str, Any]:
    """The head after a line, as a server states it."""
    verifier = Verifier(MATCH)
    for text in LINES[:seq]:
        verifier.take(text)
    return {"seq": seq, "hash": b64(verifier.head)}


def welcome(seq: int = 0) -> dict[str, Any]:
    viewer = {"as": "seat", "seat": SEAT}
    rest = {"game": "g", "title": "G", "rules": "g/1", "viewer": viewer, "seats": [], "keys": {}}
    return {"t": "welcome", "match": MATCH, "head": head(seq), **rest}


def events(first: int, last: int, **more: Any) -> dict[str, Any]:
    items = [[text, []] for text in LINES[first - 1 : last]]
    return {"t": "events", "from": first, "to": last, "items": items, "head": head(last), **more}


def snapshot(seq: int, **scene: Any) -> dict[str, Any]:
    return {"t": "snapshot", "seq": seq, "scene": {"seq": seq, "log": [], **scene}, "head": head(seq)}


class Said:
    """One connection's end that a script speaks for."""

    def __init__(self, socket: ServerConnection) -> None:
        self._socket = socket

    async def say(self, *messages: dict[str, Any]) -> None:
        """Send messages."""
        for message in messages:
            await self._socket.send(json.dumps(message))

    async def hear(self, kind: str) -> Any:
        """The client's next message, which is of a kind."""
        heard = json.loads(await self._socket.recv())
        assert heard["t"] == kind, heard
        return heard


Script = Callable[[Said], Awaitable[None]]


@asynccontextmanager
async def scripted(*scripts: Script, **options: Any) -> AsyncIterator[Match]:
    """A match at a server that follows a script for each connection, one after another; each must come to its end."""
    left, ended = list(scripts), []

    async def speak(socket: ServerConnection) -> None:
        script = left.pop(0)
        await script(Said(socket))
        ended.append(script)

    async with serve(speak, "127.0.0.1", 0, subprotocols=["herald.v1+json"]) as server:  # type: ignore[list-item]
        port = next(iter(server.sockets)).getsockname()[1]
        async with Server(f"http://127.0.0.1:{port}").play(MATCH, "T", **options) as match:
            yield match
        while len(ended) < len(scripts):
            await asyncio.sleep(0.001)


@live
async def test_what_could_not_be_written_is_sent_again_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("herald_client.match.AGAIN_S", (0.001,))
    sent: list[Any] = []

    async def script(at: Said) -> None:
        await at.hear("hello")
        await at.say(welcome(ASKED), events(1, ASKED), snapshot(ASKED, prompt=PROMPT))
        for answer in ("refused", "refused", "accepted"):
            sent.append(await at.hear("choose"))
            lines = [events(ASKED + 1, CHOSEN)] if answer == "accepted" else []
            await at.say(*lines, {"t": answer, "id": ID, "code": "try-again", "why": "Full.", "seq": CHOSEN})

    async with scripted(script) as match:
        assert await first(match, Asked)
        assert (await match.choose(NUMBER, "0", id=ID)).seq == CHOSEN
    assert sent == [sent[0]] * 3


@live
async def test_a_library_that_is_older_than_the_rules_refuses_them_and_takes_their_table() -> None:
    async def script(at: Said) -> None:
        await at.hear("hello")
        await at.say(welcome(ASKED), events(1, ASKED))

    table = tables()["games"]["vera_discordia"]
    async with scripted(script, lines={**table, "rules": 0}) as match:
        with pytest.raises(Broken, match="the rules vera_discordia/1 are none that this library knows here"):
            await first(match, Lines)
    async with scripted(script, lines=table) as match:
        assert await first(match, Lines)


@live
async def test_that_a_choice_is_accepted_counts_once_its_line_is_here() -> None:
    async def script(at: Said) -> None:
        await at.hear("hello")
        await at.say(welcome(ASKED), events(1, ASKED))
        await at.hear("choose")
        await at.say({"t": "accepted", "id": ID, "seq": CHOSEN}, {"t": "said", "lines": []})
        await at.hear("chat")
        await at.say(events(ASKED + 1, CHOSEN))

    async with scripted(script) as match:
        chosen = asyncio.create_task(match.choose(NUMBER, "0", id=ID))
        assert await first(match, Chatted)
        assert not chosen.done()
        await match.say("Is it so?")
        assert (await chosen).seq == CHOSEN == match.verifier.seq


@live
@pytest.mark.parametrize(("name", "seq"), [(ID, CHOSEN - 1), (ID, 0), (ID, 1), ("another", CHOSEN)])
async def test_a_server_that_names_another_line_for_what_it_accepted_is_believed_no_more(name: str, seq: int) -> None:
    async def script(at: Said) -> None:
        await at.hear("hello")
        await at.say(welcome(ASKED), events(1, ASKED))
        await at.hear("choose")
        await at.say(events(ASKED + 1, CHOSEN), {"t": "accepted", "id": name, "seq": seq})

    async with scripted(script) as match:
        with pytest.raises(Broken, match="what came of"):
            await match.choose(NUMBER, "0", id=name)


async def first(match: Match, kind: type[Any]) -> Any:
    async for news in match:
        if isinstance(news, kind):
            return news
    raise AssertionError(kind)


@live
async def test_nothing_is_asked_that_no_verified_line_asks() -> None:
    async def script(at: Said) -> None:
        await at.hear("hello")
        await at.say(welcome(ASKED), snapshot(ASKED, prompt=PROMPT))
        await at.say(events(1, ASKED - 1), {"t": "said", "lines": []}, events(ASKED, ASKED))
        await at.say(snapshot(ASKED, prompt={**PROMPT, "id": str(NUMBER + 1)}))

    told: list[Any] = []
    async with scripted(script) as match:
        async for news in match:
            told.append(news)
            if isinstance(news, Shown) and news.scene["prompt"]["id"] != PROMPT["id"]:
                break
        assert match.question is None
    asked = [at for at, news in enumerate(told) if isinstance(news, Asked)]
    assert [told[at].prompt["id"] for at in asked] == [PROMPT["id"]]
    assert asked[0] > next(at for at, news in enumerate(told) if isinstance(news, Chatted))


@live
async def test_lines_that_are_missing_are_asked_for() -> None:
    async def script(at: Said) -> None:
        assert (await at.hear("hello"))["since"] == 0
        await at.say(welcome(9), events(1, 3), events(5, 9))
        assert (await at.hear("need"))["since"] == 3
        await at.say(events(4, 9))

    async with scripted(script) as match:
        assert [line.seq for line in (await first(match, Lines)).lines] == [1, 2, 3]
        assert [line.seq for line in (await first(match, Lines)).lines] == [4, 5, 6, 7, 8, 9]


@live
async def test_steps_change_the_scene_they_are_for_and_no_other() -> None:
    async def script(at: Said) -> None:
        await at.hear("hello")
        await at.say(welcome(3), events(1, 3), snapshot(3, n=1))
        await at.say(
            events(4, 5, steps=[{"seq": 4, "set": {"n": 2, "log": None}}, {"seq": 5, "set": {}, "log": [{"t": "x"}]}])
        )
        await at.say(events(6, 6), events(7, 7, steps=[{"seq": 7, "set": {"n": 9}}]))
        assert (await at.hear("need"))["since"] == 7
        await at.say(events(8, 8, steps=[{"seq": 8, "set": {"n": 9}}]), snapshot(8, n=3))

    async with scripted(script) as match:
        seen = [(await first(match, Shown)).scene for _ in range(3)]
    assert [(scene["seq"], scene["n"]) for scene in seen] == [(3, 1), (5, 2), (8, 3)]
    assert seen[1]["log"] == [{"t": "x"}]


@live
async def test_a_record_that_is_not_true_ends_the_match_here() -> None:
    async def script(at: Said) -> None:
        await at.hear("hello")
        await at.say(welcome(3), {**events(1, 3), "head": {"seq": 3, "hash": "A" * 43}})

    async with scripted(script) as match:
        with pytest.raises(Broken, match="line 3"):
            await first(match, Asked)
        with pytest.raises(Broken):
            await match.resign()


@live
async def test_a_server_that_cannot_let_one_in_for_a_moment_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("herald_client.match.FIRST_S", 0.001)

    async def leave(at: Said) -> None:
        await at.hear("hello")
        await at.say(welcome())

    async def fail(at: Said) -> None:
        await at.say({"t": "error", "code": "server-fault", "why": "Not now.", "id": (await at.hear("hello"))["id"]})

    async def refuse(at: Said) -> None:
        await at.say({"t": "error", "code": "not-admitted", "why": "Gone.", "id": (await at.hear("hello"))["id"]})

    async with scripted(leave, fail, leave, refuse) as match:
        assert [type(await first(match, kind)) for kind in (Entered, Lost, Lost, Entered)]
        with pytest.raises(Refused, match="not-admitted"):
            await first(match, Asked)


@live
async def test_what_is_no_message_ends_the_talk() -> None:
    async def script(at: Said) -> None:
        await at.hear("hello")
        await at.say({"t": "trumpet"}, welcome(), {"t": "accepted"})

    async with scripted(script) as match:
        with pytest.raises(Closed, match="no message"):
            await first(match, Asked)


@live
async def test_who_gives_up_entering_leaves_nothing_behind() -> None:
    async def silent(at: Said) -> None:
        await at.hear("hello")
        await asyncio.sleep(0.05)

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.02), scripted(silent):
            pass
    assert not [task for task in asyncio.all_tasks() if "Match._live" in repr(task)]
