"""HTTP on the websocket's port: pages under a strict policy, bundles that keep secrets, origins."""

import asyncio
import base64
import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import msgspec
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin, Subprotocol

from replay.audit.match_audit import audit
from replay.files import export
from server.pages.serving import page
from server.wire.protocol import SUBPROTOCOL
from tests.server.pages.serving import get
from tests.server.tabletop import live, play_out, table
from tests.skirmish.game import GAME


@pytest.mark.parametrize(
    ("accepted", "expected"),
    [
        ("gzip, deflate, br", True),
        ("br;q=1.0, GZIP;q=0.8", True),
        ("gzip; q=0.001", True),
        ("gzip;q=0", False),
        ("gzip; q=0.000, br", False),
        ("identity", False),
        ("", False),
    ],
)
def test_a_file_is_packed_for_who_reads_that(accepted: str, expected: bool) -> None:
    plainly, found = (page("/js/table.js", lambda *_: None, accepted=how) for how in ("", accepted))
    assert "Content-Encoding" not in plainly.headers
    assert (found.headers.get("Content-Encoding") == "gzip") == expected
    assert (gzip.decompress(found.body) if expected else found.body) == plainly.body
    assert found.headers["Content-Length"] == str(len(found.body))
    assert not expected or (len(found.body) < len(plainly.body) and found.headers["Vary"] == "Accept-Encoding")


def test_what_may_be_secret_is_never_packed_and_pictures_need_not_be() -> None:
    """Beside words of somebody else's choice the length of what is packed would tell of it."""
    for path in ("/api/bundle/m", "/healthz", "/icon.svg", "/nothing"):
        answer = page(path, lambda *_: b"{}", accepted="gzip")
        assert "Content-Encoding" not in answer.headers, path


@live
async def test_a_browser_is_sent_packed_files() -> None:
    async with table() as at:
        status, headers, body = await get(at, "/play", **{"Accept-Encoding": "gzip, br"})
        assert (status, headers["Content-Encoding"]) == (200, "gzip")
        assert gzip.decompress(body) == (await get(at, "/play"))[2]


@live
async def test_health_is_told() -> None:
    async with table() as at:
        status, headers, body = await get(at, "/healthz")
        assert (status, body) == (200, b"ok\n")
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize(
    "path", ["/", "/army", "/play", "/watch", "/replay", "/wall", "/overlay/B49n0kzN8kgiIQGAvY31Cw"]
)
@live
async def test_every_page_comes_under_the_policy(path: str) -> None:
    async with table() as at:
        status, headers, body = await get(at, path)
        assert status == 200
        assert headers["Content-Type"] == "text/html; charset=utf-8"
        assert b"<title>" in body
        policy = headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'")
        assert "unsafe" not in policy.partition("script-src")[2].partition(";")[0]


def test_own_inline_scripts_are_allowed_by_hash_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    body = b'<script src="a.js"></script><script type="module">boot()</script>'
    monkeypatch.setattr("server.pages.serving.sent", lambda _: body)
    policy = page("/", lambda *_: None).headers["Content-Security-Policy"]
    digest = base64.b64encode(hashlib.sha256(b"boot()").digest()).decode()
    assert f"script-src 'self' 'sha256-{digest}';" in policy
    assert policy.count("sha256") == 1


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/../pages.py",
        "/%2e%2e/pages.py",
        "/..%2fpages.py",
        "/js/../../pages.py",
        "//etc/passwd",
        "/%2fetc/passwd",
        "/js",
        "/%00",
        "/..\\pages.py",
        "/api/nothing",
        "/api/bundle/",
        "/api/bundle/nothing",
    ],
)
@live
async def test_what_is_not_there_is_not_found(path: str) -> None:
    async with table() as at:
        status, _, body = await get(at, path)
        assert status == 404
        assert body == b"There is nothing here. The first page is at /.\n"


@live
async def test_the_websocket_address_says_what_it_is() -> None:
    async with table() as at:
        assert (await get(at, "/ws"))[0] == 426


@live
async def test_a_record_is_everybodys_and_opens_when_the_match_is_over() -> None:
    async with table() as at:
        created = await at.create()
        players = [await at.player(created, 0), await at.player(created, 1)]
        await play_out(players, 1, most=3)
        for view in ("spectator", "all"):
            status, headers, body = await get(at, f"/api/record/{created.match}")
            assert (status, headers["Content-Type"]) == (200, "application/x-ndjson")
            record = export.read(body.splitlines(keepends=True))
            report = audit(GAME, record)
            assert (report.view, report.fault) == (view, None)
            assert (report.openings > 0) == (view == "all")
            await play_out(players, 1)
        assert (await get(at, "/api/record/nothing"))[0] == 404


@live
async def test_a_running_match_gives_the_public_viewpoint_only() -> None:
    async with table() as at:
        created = await at.create()
        players = [await at.player(created, 0), await at.player(created, 1)]
        await play_out(players, 1, most=3)
        status, headers, body = await get(at, f"/api/bundle/{created.match}")
        assert status == 200
        assert headers["Content-Type"].startswith("application/json")
        made = msgspec.json.decode(body)
        assert list(made["tracks"]) == ["pub"]
        assert (await get(at, f"/api/bundle/{created.match}?view=p0"))[0] == 404
        await play_out(players, 1)
        made = msgspec.json.decode((await get(at, f"/api/bundle/{created.match}"))[2])
        assert list(made["tracks"]) == ["pub", "p0", "p1"]
        assert made["tracks"]["pub"]["steps"][-1]["seq"] == at.store.head(created.match).seq
        one = msgspec.json.decode((await get(at, f"/api/bundle/{created.match}?view=p1"))[2])
        assert one["tracks"] == {"p1": made["tracks"]["p1"]}


@pytest.mark.parametrize(
    ("origin", "is_welcome"),
    [
        (None, True),
        ("own", True),
        ("http://evil.example", False),
        ("null", False),
        ("http://127.0.0.1:1", False),
        ("http://[", False),
        ("", False),
    ],
)
@live
async def test_pages_of_other_sites_may_not_connect(origin: str | None, is_welcome: bool) -> None:
    async with table() as at:
        given = None if origin is None else Origin(at.http if origin == "own" else origin)
        connecting = connect(at.url, origin=given, subprotocols=[Subprotocol(SUBPROTOCOL)])
        if is_welcome:
            async with connecting as connection:
                assert connection.subprotocol == SUBPROTOCOL
        else:
            with pytest.raises(InvalidStatus) as refused:
                await connecting
            assert refused.value.response.status_code == 403


@live
async def test_a_page_that_fails_says_so_and_its_words_are_not_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise ValueError("secret-card-6")

    monkeypatch.setattr("server.pages.bundle.bundle", fail)
    async with table() as at:
        created = await at.create()
        status, _, body = await get(at, f"/api/bundle/{created.match}")
        assert (status, body) == (500, b"The server could not do this now; try again.\n")
        task = asyncio.create_task(anyio.sleep(0))
        task.get_loop().call_soon(fail)
        await task
    assert caplog.text.count("ValueError") == 2
    assert "secret-card-6" not in caplog.text


def test_the_schemas_are_served_as_they_are_kept() -> None:
    index = page("/schema/", lambda *_: None)
    assert index.status_code == 200
    named = json.loads(index.body)["documents"]
    kept = Path(__file__).parents[3] / "docs" / "schema"
    assert {"messages.json", "asyncapi.json", "vera_discordia.json"} <= set(named)
    for name in named:
        assert page(f"/schema/{name}", lambda *_: None).body == (kept / name).read_bytes()
    assert page("/schema/../index.json", lambda *_: None).status_code == 404
