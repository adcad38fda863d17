"""The wall: live boards of listed matches, the one in which something happens enlarged, without a mouse too."""

from pathlib import Path

import anyio
import pytest

import herald_client
from tests.web.browser import Browser
from tests.web.serving import Served

AXE = (Path(__file__).parent / "axe" / "axe.min.js").read_text()
SERIOUS = """axe.run(document, { resultTypes: ["violations"] }).then(found => found.violations
    .filter(v => ["serious", "critical"].includes(v.impact)).map(v => [v.id, v.nodes.map(n => n.html)]))"""
DRAWN = 'document.querySelectorAll(".board .pc").length > 20'


async def created(url: str, *games: str) -> None:
    server = herald_client.Server(url)
    for game in games:
        await server.create(game, [herald_client.bot("steady"), herald_client.bot("steady")])
    await server.create(games[0], [herald_client.bot("steady"), herald_client.bot("steady")], listed=False)


@pytest.mark.whole
def test_a_wall_of_live_boards_is_watched_with_the_keyboard(browser: Browser, tmp_path: Path) -> None:
    served = Served(tmp_path, "--bot-delay", "0.5")
    served.start()
    anyio.run(created, served.url, "vera_discordia", "war_for_edadh", "joan_of_arc", "disciples_legacy")
    page = browser.page()
    page.size(1600, 1000)
    page.goto(f"{served.url}/wall?n=4")
    page.wait(DRAWN)
    assert page.evaluate('document.querySelectorAll(".board").length') == 4, "what is not listed is not there"
    page.wait('document.querySelector(".board.enlarged") !== null')
    page.screenshot("wall")
    page.wait('document.querySelector("#live").textContent')
    page.evaluate(f"{AXE}; true")
    assert page.evaluate(SERIOUS) == []
    page.evaluate('[...document.querySelectorAll(".board:not(.enlarged) .large")].at(-1).focus()')
    name = page.evaluate("document.activeElement.getAttribute('aria-label')")
    page.press("Enter")
    page.wait('document.activeElement.closest(".board.enlarged") !== null')
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") != name
    assert page.evaluate("document.querySelector('#following').getAttribute('aria-pressed')") == "false"
    assert page.errors == []
    still = browser.page()
    still.size(1600, 1000)
    still.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
    still.goto(f"{served.url}/wall?n=4")
    still.wait(DRAWN)
    still.wait('document.querySelector(".loud") !== null')
    assert still.evaluate('document.querySelectorAll(".enlarged").length + document.getAnimations().length') == 0
    served.kill()
