"""Open cards in the browser: all hands on the table, marked as those of a while ago; the lobby leads there."""

from typing import Any

import anyio
import pytest

import herald_client
from tests.web.browser import Page
from tests.web.serving import Served

HANDS = "Object.values(herald.scene.pieces).filter(one => one.backTitle === 'Closed Unit').length"
"""How many Units of Vera Discordia lie closed for whoever looks."""

NOTICES = """window.notices = [];
new MutationObserver(() => notices.push(document.querySelector("#notice")?.textContent))
    .observe(document, { subtree: true, childList: true, characterData: true });"""
"""What the notice has said."""


async def created(url: str, **wishes: Any) -> str:
    bots = [herald_client.bot("steady"), herald_client.bot("steady")]
    return (await herald_client.Server(url).create("vera_discordia", bots, **wishes)).match


def leads_there(page: Page, served: Served, wishes: dict[str, Any]) -> bool:
    """Whether the first page leads to a match of two bots; it may be over before the page has come."""
    match = anyio.run(lambda: created(served.url, **wishes))
    page.goto(f"{served.url}/")
    page.rest()
    link = f"document.querySelector('a[href=\"/watch#m={match}&open=1\"]')"
    return bool(page.evaluate(f"{link}?.textContent === 'Watch all hands'"))


def is_marked(page: Page, served: Served, wishes: dict[str, Any]) -> bool:
    """Whether a match is said to be shown late; it may be over before the page has come, and is shown whole then."""
    match = anyio.run(lambda: created(served.url, **wishes))
    page.goto(f"{served.url}/watch#m={match}&open=1")
    page.wait("herald.scene?.seq > 30")
    return bool(page.evaluate("notices.some(text => text?.includes('All hands, as they were 2 s ago.'))"))


@pytest.mark.whole
def test_all_hands_are_watched_late_and_marked_so_and_the_lobby_leads_there(page: Page, served: Served) -> None:
    wishes: dict[str, Any] = {"open_cards": {"s": 2, "events": 0}, "open_cards_sooner": True}
    assert any(leads_there(page, served, wishes) for _ in range(6))
    page.before_load(NOTICES)
    assert any(is_marked(page, served, wishes) for _ in range(6))
    assert page.evaluate(HANDS) == 0
    page.screenshot("open-cards")
