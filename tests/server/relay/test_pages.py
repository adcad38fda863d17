"""Pages that a relay makes of its own lines are those of the server; what it hands on has its shape, or is left out."""

import asyncio
from typing import Any

import msgspec
import pytest

from replay.record import statements
from server.direction.commentary import Commentaries
from server.relay.relayed_statements import RelayedStatements
from server.wire.direction_messages import Remark, Voice
from server.wire.protocol import Create, Created
from tests.replay.record.stating import sign
from tests.server.pages.serving import get
from tests.server.relay.relayed import relay
from tests.server.tabletop import TWO_PEOPLE, live, play_out, table
from tests.skirmish.game import GAME

MADE = ("/api/bundle/{}?view=pub", "/api/bundle/{}?view=pub&lang=de", "/picture/{}.svg", "/picture/{}.svg?at=3")


@live
async def test_pictures_links_and_replays_at_a_relay_are_those_of_the_server() -> None:
    async with table() as at, relay(at.url, embedders=["https://club.example"]) as there:
        wish = Create(GAME.name, TWO_PEOPLE, delay_events=6)
        created = await (await at.client()).ask(wish, Created)
        ada, bo = await at.player(created, 0), await at.player(created, 1)
        await play_out([ada, bo], 1, most=4)
        head = at.store.head(created.match).seq
        for address in (*MADE, f"/picture/{{}}.svg?at={head}"):
            path = address.format(created.match)
            near, far = await get(at, path), await get(there, path)  # type: ignore[arg-type]
            assert near[0] == far[0] == 200
            assert near[2] == far[2], path
        for base, where in ((at, at.http), (there, there.http)):
            _, _, page = await get(base, f"/match/{created.match}")  # type: ignore[arg-type]
            assert f'content="{where}/match/{created.match}"'.encode() in page
        asked = f"/oembed?url={there.http}/watch%23m={created.match}"
        told = msgspec.json.decode((await get(there, asked))[2])  # type: ignore[arg-type]
        assert f'src="{there.http}/embed/{created.match}"' in told["html"]
        status, headers, _ = await get(there, f"/embed/{created.match}")  # type: ignore[arg-type]
        assert status == 200
        assert "frame-ancestors https://club.example" in headers["Content-Security-Policy"]


@live
async def test_of_a_match_that_spectators_do_not_see_a_relay_has_no_page() -> None:
    async with table() as at, relay(at.url) as there:
        closed = await (await at.client()).ask(Create(GAME.name, TWO_PEOPLE, closed=True), Created)
        for match in (closed.match, "A" * 22, "X", ""):
            for path in (*MADE, "/match/{}", "/api/outlook/{}", "/api/commentary/{}"):
                assert (await get(there, path.format(match)))[0] == 404  # type: ignore[arg-type]
        open_match = await at.create()
        path = f"/api/bundle/{open_match.match}?view=p0"
        assert (await get(there, path))[0] == 404  # type: ignore[arg-type]


TRUE = {"line": 3, "samples": 24, "sides": [{"seats": [0], "share": 0.5, "low": 0.25, "high": 0.75}]}


def stated(match: str) -> dict[str, Any]:
    """What is true, as a server signs it."""
    text = statements.said(statements.CHANCE, match, 5, TRUE["line"], TRUE["samples"], TRUE["sides"])
    return {**TRUE, "said": text, "signed": statements.stamped(sign, text)}


LIES: dict[str, Any] = {
    "a line that spectators do not have": {**TRUE, "line": 10**6},
    "a share beyond all": {**TRUE, "sides": [{**TRUE["sides"][0], "share": 1.5}]},  # type: ignore[index]
    "no sides": {**TRUE, "sides": []},
    "another shape": ["secret"],
    "other figures than were signed": lambda match: stated(match) | {"sides": [{**TRUE["sides"][0], "share": 0.6}]},  # type: ignore[index]
    "another line than was signed": lambda match: stated(match) | {"line": 2},
    "a changed statement": lambda match: stated(match) | {"said": stated(match)["said"].replace("24", "25")},
    "a signature alone": lambda match: {**TRUE, "signed": stated(match)["signed"]},
    "a statement without its signature": lambda match: {**TRUE, "said": stated(match)["said"]},
    "a chance of another match": lambda _: stated("A" * 22),
    "another statement": lambda _: {**TRUE, "said": "[]", "signed": statements.stamped(sign, "[]")},
    "what is no JSON": b"<html>",
    "too much": b" " * 5000,
}


@pytest.mark.parametrize("lie", [None, "signed", *LIES])
@live
async def test_chances_are_handed_on_in_their_shape_as_they_were_signed_and_of_lines_that_are_here(
    monkeypatch: pytest.MonkeyPatch, lie: str | None
) -> None:
    def said(match: str) -> Any:
        if lie in (None, "signed"):
            return {**(stated(match) if lie else TRUE), "more": 1}
        return LIES[lie](match) if callable(LIES[lie]) else LIES[lie]

    def read(_: RelayedStatements, address: str, most: int) -> bytes | None:
        asked.append(address)
        told = said(address.rpartition("/")[2])
        data = told if isinstance(told, bytes) else msgspec.json.encode(told)
        return data if len(data) <= most else None

    asked: list[str] = []
    monkeypatch.setattr(RelayedStatements, "_read", read)
    async with table() as at, relay(at.url) as there:
        created = await at.create()
        await at.player(created, 0)
        true = {None: TRUE, "signed": stated(created.match)}.get(lie, {})
        for _ in range(3):
            status, _, told = await get(there, f"/api/outlook/{created.match}")  # type: ignore[arg-type]
            assert (status, msgspec.json.decode(told)) == (200, true)
    assert asked == [f"{at.http}/api/outlook/{created.match}"], "an origin is asked once in a while"


@live
async def test_a_commentary_is_handed_on_when_the_match_is_over_and_points_at_no_line_that_is_not_there(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with table() as at, relay(at.url) as there:
        monkeypatch.setattr(at.lobby, "commentaries", kept := Commentaries(tmp_path))
        created = await at.create()
        kept.remark(created.match, "Cato", Remark("track001", 0, 2, "Look"))
        kept.remark(created.match, "Cato", Remark("track001", 5, 10**6, "There"))
        sound = "GkXfow"  # how a WebM file begins
        kept.voice(created.match, "Cato", Voice("track001", 0, sound))
        list_, heard = f"/api/commentary/{created.match}", f"/api/commentary/{created.match}/track001.webm"
        for path in (list_, heard):
            assert (await get(there, path))[0] == 404  # type: ignore[arg-type]
        await play_out([await at.player(created, 0), await at.player(created, 1)], 1)
        while not (there.registry.shows and there.registry.shows[0].is_over):
            await there.spectator(created.match)
        (track,) = msgspec.json.decode((await get(there, list_))[2])["tracks"]  # type: ignore[arg-type]
        assert (track["by"], [one["text"] for one in track["said"]]) == ("Cato", ["Look"])
        assert (await get(there, heard))[2] == b"\x1a\x45\xdf\xa3"  # type: ignore[arg-type]


@live
async def test_an_origin_is_asked_at_its_own_address_and_names_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    found = RelayedStatements(("ws://127.0.0.1:9/ws", "wss://herald.example/ws"))
    asked: list[str] = []
    async with table() as at, relay(at.url, home=at.http) as there:
        read = RelayedStatements._read
        assert await asyncio.to_thread(read, found, f"{there.http}/healthz", 9) == b"ok\n"
        assert await asyncio.to_thread(read, found, f"{there.http}/healthz", 2) is None
        assert await asyncio.to_thread(read, found, f"{there.http}/play", 10**6) is None
    monkeypatch.setattr(RelayedStatements, "_read", lambda _, address, __: asked.append(address))
    assert await found._asked("/x", 9) is None
    assert asked == ["http://127.0.0.1:9/x", "https://herald.example/x"]
