"""The watch page of a relay: a match under way at another server, which goes away and comes back."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import anyio
import pytest

import herald_client
from tests.web.browser import Browser
from tests.web.directing import NOTE, begun, typed
from tests.web.lying_relay import CHANGED, SIGNED
from tests.web.node import ROOT
from tests.web.serving import Served, free_port

WHO = "document.querySelector('#who').textContent"
TROUBLE = "document.querySelector('#trouble:not([hidden])')?.textContent"


@contextmanager
def relayed(origin: Served, program: str = "tests.server.serving") -> Iterator[str]:
    """The address of a relay of a server, which runs while the context lasts."""
    port = free_port()
    command = [sys.executable, "-m", program, "relay", origin.url, "--port", str(port)]
    environment = {**os.environ, "NO_COLOR": "1"}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            assert b"relays to spectators" in process.stdout.readline()
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            assert process.wait(60) == 0


async def created(url: str) -> str:
    bots = [herald_client.bot("steady"), herald_client.bot("steady")]
    return (await herald_client.Server(url).create("vera_discordia", bots)).match


@pytest.mark.whole
def test_a_match_is_watched_at_a_relay_also_while_the_server_is_away(browser: Browser, tmp_path: Path) -> None:
    origin = Served(tmp_path, "--bot-delay", "0.3")
    origin.start()
    with relayed(origin) as url:
        match = anyio.run(created, origin.url)
        page = browser.page()
        page.size(1440, 900)
        page.goto(f"{url}/watch#m={match}")
        page.wait("herald.scene.seq > 40")
        page.screenshot("relay")
        origin.kill()
        page.wait("document.querySelector('#notice').textContent.includes('cannot be reached')")
        page.screenshot("relay-away")
        seen = page.evaluate("herald.scene.seq")
        origin.start()
        page.wait(f"herald.scene.seq > {seen} + 10")
        page.wait("document.querySelector('#notice').hidden")
        page.wait("document.querySelector('#net').textContent.includes('1 watching')")
        page.screenshot("relay-back")
        assert page.errors == []
        other = browser.page()
        other.goto(f"{url}/play#m={match}&t=nothing", ready=f"location.origin === '{origin.url}'")
        assert other.evaluate("location.hash") == f"#m={match}&t=nothing"
        with urlopen(f"{url}/metrics") as told:
            assert b"herald_relay_matches 1" in told.read()
    origin.kill()


@pytest.mark.whole
def test_viewers_at_a_relay_that_lies_read_what_the_server_did_not_sign(browser: Browser, tmp_path: Path) -> None:
    origin = Served(tmp_path)
    origin.start()
    with relayed(origin, "tests.web.lying_relay") as url:
        match, _, directs = anyio.run(begun, origin.url)
        desk, viewer, overlay = browser.page(), browser.page(), browser.page()
        desk.goto(f"{origin.url}/desk#m={match}&t={directs}")
        viewer.goto(f"{url}/follow#m={match}")
        typed(desk, "#note", "#say", "Look here")
        viewer.wait(f"{NOTE} === 'Look here'")
        assert not viewer.evaluate(f"{WHO}.includes('not signed')")
        typed(desk, "#note", "#say", CHANGED)
        assert "is not what the match’s server signed" in viewer.wait(TROUBLE)
        assert viewer.evaluate(NOTE) == "Look here", "it is not followed"
        viewer.screenshot("lying-changed")
        typed(desk, "#note", "#say", SIGNED)
        viewer.wait(f"{NOTE} === {SIGNED!r}")
        assert viewer.evaluate(f"{WHO}.endsWith('not signed by the server that the record names.')")
        viewer.screenshot("lying-signed")
        viewer.size(1280, 720)
        viewer.evaluate("document.body.classList.add('clean')")
        assert viewer.evaluate("document.querySelector('#who').checkVisibility()"), "a stream shows it too"
        overlay.size(1280, 720)
        overlay.goto(f"{url}/overlay/{match}?lang=en")
        assert "The chance to win that came is not what" in overlay.wait(TROUBLE)
        assert overlay.evaluate("document.querySelector('#chance').hidden")
        overlay.screenshot("lying-chance")
    origin.kill()
