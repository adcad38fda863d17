"""Links that unfold, pictures, embedded pages and oEmbed show what a spectator may see, and nothing to anybody else."""

import json
import re
from contextlib import AsyncExitStack
from html.parser import HTMLParser
from urllib.parse import quote
from xml.etree import ElementTree

import pytest
from websockets.datastructures import Headers

from projections.redaction import SPECTATOR
from replay.store.memory import MemoryStore
from server.gate.app import port_of, running
from server.lobby.lobby import Lobby
from server.pages.sharing import base_of
from tests.server.pages.headlines import played
from tests.server.pages.serving import get
from tests.server.tabletop import FACES, Table, live, play_out, table

SVG = "{http://www.w3.org/2000/svg}"


class Tags(HTMLParser):
    """The tags of a page by their property."""

    def __init__(self, body: bytes) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self.feed(body.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        held = dict(attrs)
        if tag == "meta" and held.get("property"):
            self.found[str(held["property"])] = str(held["content"])


@live
async def test_a_link_to_a_moment_unfolds_with_a_picture_of_the_table_then() -> None:
    async with table() as at:
        created, people = await played(at)
        await play_out(people)
        status, headers, body = await get(at, f"/match/{created.match}?at=12")
        assert (status, headers["Content-Type"]) == (200, "text/html; charset=utf-8")
        tags = Tags(body).found
        assert tags["og:title"].endswith(": Ada – Bo")
        assert tags["og:url"] == f"{at.http}/match/{created.match}?at=12"
        assert f"/replay#m={created.match}&amp;seq=12".encode() in body
        picture = tags["og:image"].removeprefix(at.http)
        assert re.fullmatch(rf"/picture/{created.match}\.(svg|png)\?at=12", picture)
        texts = []
        for path in (f"/picture/{created.match}.svg?at=12", f"/picture/{created.match}.svg"):
            status, headers, drawing = await get(at, path)
            assert (status, headers["Content-Type"]) == (200, "image/svg+xml")
            texts.append([text.text for text in ElementTree.fromstring(drawing).iter(f"{SVG}text")])
        assert "Ada" in texts[0]
        assert texts[0] != texts[1]


@pytest.mark.parametrize("path", ["/match/{}", "/picture/{}.svg", "/picture/{}.png", "/oembed?url={base}/match/{}"])
@live
async def test_a_match_that_is_closed_is_not_there(path: str) -> None:
    async with table() as at:
        created, _ = await played(at, closed=True)
        answers = [await get(at, path.format(match, base=at.http)) for match in (created.match, "A" * 22, "..")]
        assert [answer[0] for answer in answers] == [404] * 3
        assert len({answer[2] for answer in answers}) == 1


@live
async def test_no_picture_shows_more_than_spectators_who_are_behind() -> None:
    async with table() as at:
        created, people = await played(at, delay_s=3600)
        pictures = []
        for _ in range(2):
            await play_out(people, most=4)
            head = at.lobby.registry.live_match(created.match).visible_head
            assert head.seq > head.seq_for(SPECTATOR)
            pictures += [(await get(at, f"/picture/{created.match}.svg{at_line}"))[2] for at_line in ("", "?at=99")]
            pictures.append((await get(at, f"/picture/{created.match}.svg?at={head.seq}"))[2])
        assert len(set(pictures)) == 1


@live
async def test_only_named_origins_may_embed_a_match() -> None:
    lobby = Lobby(MemoryStore(), FACES)
    async with (
        table() as at,
        running(lobby, embedders=["https://club.example"]) as server,
        AsyncExitStack() as stack,
    ):
        other = Table(lobby, lobby.store, port_of(server), stack)
        policies = [(await get(one, "/embed/x"))[1]["Content-Security-Policy"] for one in (at, other)]
        assert policies[0].endswith("frame-ancestors 'none'")
        assert policies[1].endswith("frame-ancestors https://club.example")
        for path in ("/watch", "/play", "/"):
            assert "frame-ancestors 'none'" in (await get(other, path))[1]["Content-Security-Policy"]
        for one, kind in ((at, "link"), (other, "rich")):
            created, _ = await played(one)
            url = quote(f"{one.http}/watch#m={created.match}", safe="")
            told = json.loads((await get(one, f"/oembed?url={url}&maxwidth=300"))[2])
            assert (told["type"], told["version"], "html" in told) == (kind, "1.0", kind == "rich")
        assert f'src="{other.http}/embed/{created.match}"' in told["html"]
        assert told["width"] == 300
        assert (await get(other, f"/oembed?url={url}&format=xml"))[0] == 501
        assert (await get(other, f"/oembed?url={quote('https://else.example/watch#m=' + created.match)}"))[0] == 404


@live
async def test_a_picture_is_made_as_png_where_the_extra_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    async with table() as at:
        created, _ = await played(at)
        monkeypatch.setattr("server.pages.sharing.can_paint", lambda: False)
        assert (await get(at, f"/picture/{created.match}.png"))[0] == 404
        assert b".svg" in (await get(at, f"/match/{created.match}"))[2]
        monkeypatch.undo()
        assert f"{created.match}.png".encode() in (await get(at, f"/match/{created.match}"))[2]
        _, headers, body = await get(at, f"/picture/{created.match}.png")
        assert headers["Content-Type"] == "image/png"
        assert body[16:24] == (1200).to_bytes(4) + (630).to_bytes(4)


def test_the_scheme_is_that_by_which_the_client_came() -> None:
    headers = Headers({"Host": "h.example"})
    assert base_of(headers, is_tls=False) == "http://h.example"
    assert base_of(headers, is_tls=True) == "https://h.example"
    headers["X-Forwarded-Proto"] = "https"
    assert base_of(headers, is_tls=False) == "https://h.example"
