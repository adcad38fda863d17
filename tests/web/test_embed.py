"""A match in a frame of another origin's page, which is named or not."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingTCPServer
from typing import Any

import anyio
import pytest

import herald_client
from tests.web.browser import Browser, Navigated, Page
from tests.web.serving import Served

PATIENCE_S = 120


@contextmanager
def club() -> Iterator[ThreadingTCPServer]:
    """Another site, whose page has the frame that its query names."""

    class Pages(StreamRequestHandler):
        def handle(self) -> None:
            target = self.rfile.readline().partition(b" ")[2].partition(b" ")[0]
            while self.rfile.readline().strip():
                pass  # what is left unread would cut the answer off
            body = b'<!doctype html><iframe src="%s" width="960" height="640"></iframe>' % target.partition(b"?")[2]
            head = b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(body)
            self.wfile.write(head + body)

    with ThreadingTCPServer(("127.0.0.1", 0), Pages) as site:
        site.daemon_threads = True  # a browser leaves connections open
        thread = threading.Thread(target=site.serve_forever)
        thread.start()
        yield site
        site.shutdown()
        thread.join()


def framed(page: Page, code: str) -> Any:
    """The value of an expression in the page's frame; None while the frame gives way to what it loads."""
    with suppress(Navigated):
        return _framed(page, code)
    return None


def _framed(page: Page, code: str) -> Any:
    frame = page.call("Page.getFrameTree")["frameTree"]["childFrames"][0]["frame"]["id"]
    world = page.call("Page.createIsolatedWorld", frameId=frame)["executionContextId"]
    return page.call("Runtime.evaluate", expression=code, contextId=world, returnByValue=True)["result"].get("value")


async def created(url: str) -> str:
    bots = [herald_client.bot("steady"), herald_client.bot("steady")]
    return (await herald_client.Server(url).create("vera_discordia", bots)).match


@pytest.mark.whole
def test_a_match_is_shown_in_a_frame_of_an_origin_that_is_named_alone(browser: Browser, tmp_path: Path) -> None:
    with club() as named, club() as other:
        origin, stranger = (f"http://127.0.0.1:{site.server_address[1]}" for site in (named, other))
        served = Served(tmp_path, "--bot-delay", "0.3", "--embedder", origin)
        served.start()
        match = anyio.run(created, served.url)
        page = browser.page()
        page.size(1000, 700)
        for query in ("", "?at=60"):
            page.goto(f"{origin}/?{served.url}/embed/{match}{query}", ready="document.querySelector('iframe') !== null")
            until = time.monotonic() + PATIENCE_S
            while not framed(page, "document.querySelectorAll('.pc').length > 3"):
                assert time.monotonic() < until, "the frame shows no board"
                page.evaluate("new Promise(r => setTimeout(r, 100))")
            assert framed(page, "document.querySelector('h2').textContent") == "Steady bot – Steady bot"
            page.screenshot(f"embed{query.replace('?at=', '-')}")
        assert framed(page, "document.querySelector('a').getAttribute('href')") == f"/replay#m={match}&seq=60"
        assert framed(page, "document.querySelectorAll('button:not([inert] *)').length") == 0
        page.goto(f"{stranger}/?{served.url}/embed/{match}", ready="document.readyState === 'complete'")
        until = time.monotonic() + PATIENCE_S
        while framed(page, "location.protocol") != "chrome-error:":
            assert time.monotonic() < until, "the frame was not refused"
        served.kill()
