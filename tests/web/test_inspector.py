"""The inspector's page: what it shows is what its own connection got."""

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.browser import Browser, Page
from tests.web.serving import Served

FRAMES = "inspected.tap.frames.filter(x => !x.out && x.m.t === 'events').flatMap(x => x.m.items.map(y => y[1]))"
CREATE = """
import("/client/server.js").then(async ({ Server, me, friend }) => {
    const made = await new Server(location.origin).create("vera_discordia", [me("Ada"), friend("Bo")], {});
    globalThis.made = { match: made.match, tokens: made.tokens };
}), 1
"""


@pytest.fixture(scope="module")
def developing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    server = Served(tmp_path_factory.mktemp("developing"), "--develop")
    server.start()
    yield server
    server.kill()


def inspecting(browser: Browser, url: str, made: dict[str, Any], token: str = "") -> Page:
    page = browser.page()
    page.size(1280, 800)
    page.goto(f"{url}/inspect#m={made['match']}" + (token and f"&t={token}"))
    page.wait("!!globalThis.inspected?.match?.head.seq")
    return page


def pane(page: Page, name: str) -> str:
    page.click("#panes button", name)
    page.wait(f"document.querySelector('#{name.lower()} h2') !== null")
    return str(page.evaluate(f"document.querySelector('#{name.lower()}').textContent"))


@pytest.mark.whole
def test_each_connection_is_shown_its_own_messages_view_question_and_chain(
    browser: Browser, developing: Served
) -> None:
    maker = browser.page()
    maker.goto(f"{developing.url}/inspect")
    maker.evaluate(CREATE)
    made = maker.wait("globalThis.made")
    ada, bo = (inspecting(browser, developing.url, made, made["tokens"][str(seat)]) for seat in range(2))
    eve = inspecting(browser, developing.url, made)
    for page in (ada, bo):
        page.wait("!!inspected.match.question")
        assert "Which General" in pane(page, "Question")
        page.click(".answer .go")
        page.wait("document.querySelector('.given li')?.textContent.includes('line')")
    assert "Which General" not in pane(eve, "Question")
    for page in (ada, bo, eve):
        page.wait("inspected.match.head.seq > 15")
        assert "each follows from the one before" in pane(page, "Chain")
        shown, head = page.evaluate("[document.querySelectorAll('.lines > li').length, inspected.match.head.seq]")
        assert shown == head
        assert "sides" in pane(page, "View")
    mine, yours, nobody = (json.loads(page.evaluate(f"JSON.stringify({FRAMES})")) for page in (ada, bo, eve))
    assert not any(nobody)
    assert mine != yours
    secret = next(opened[0][1] for opened, other in zip(yours, mine, strict=False) if opened and not other)
    assert secret not in ada.evaluate("document.body.textContent")


@pytest.mark.whole
def test_messages_open_and_kinds_can_be_left_out(browser: Browser, developing: Served) -> None:
    maker = browser.page()
    maker.goto(f"{developing.url}/inspect")
    maker.evaluate(CREATE)
    page = inspecting(browser, developing.url, maker.wait("globalThis.made"))
    kinds = page.wait("[...document.querySelectorAll('#frames .kind')].map(x => x.textContent)")
    assert {"hello", "welcome", "events", "snapshot"} <= set(kinds)
    page.click("#frames .is-welcome summary")
    page.wait("document.querySelector('#frames .is-welcome .tree')?.textContent.includes('vera_discordia')")
    page.click("#kinds [data-kind=welcome]")
    assert page.evaluate("document.querySelector('#frames [data-kind=welcome]').hidden")


def test_who_is_not_let_in_is_told_so_at_the_door(browser: Browser, developing: Served) -> None:
    for link, said in (("m=nothing", "no such match"), ("t=no-match", "no link to a match")):
        page = browser.page()
        page.goto(f"{developing.url}/inspect#{link}")
        page.wait(f"document.querySelector('#wrong').textContent.includes('{said}')")
        assert page.evaluate("[...document.querySelectorAll('.pane, #panes, #door')].map(x => x.hidden).join()") == (
            "false,true,true,true,true,true,true"
        )


def test_a_server_without_the_flag_serves_no_part_of_it(served: Served) -> None:
    for path in ("/inspect", "/inspect/inspect.js", "/inspect/view?m=x"):
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(served.url + path, timeout=60)


@pytest.mark.whole
def test_the_page_has_no_fault_that_axe_finds(browser: Browser, developing: Served) -> None:
    axe = Path(__file__).with_name("axe").joinpath("axe.min.js").read_text()
    maker = browser.page()
    maker.goto(f"{developing.url}/inspect")
    maker.evaluate(CREATE)
    made = maker.wait("globalThis.made")
    page = inspecting(browser, developing.url, made, made["tokens"]["0"])
    for name in ("Question", "View", "Chain"):
        pane(page, name)
        page.evaluate(f"{axe}; axe.run(document).then(found => {{ globalThis.found = found.violations }}), 1")
        faults = page.wait("globalThis.found && JSON.stringify(found.map(x => [x.id, x.nodes[0].html]))")
        assert json.loads(faults) == []
