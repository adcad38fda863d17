"""Four people in four browsers play a scenario of Joan of Arc in two sides; one of them drops out and returns."""

import pytest

from tests.web.browser import Browser, Page
from tests.web.playing import CUT, FAST, JOAN, VERIFIED, WHOLE, WIDE, card_of, play
from tests.web.serving import Served

pytestmark = [pytest.mark.timeout(400), pytest.mark.whole]

SIZES = ((1440, 900, False), (1280, 800, False), (390, 844, True), (820, 1100, True))
NAMES = ("Ada", "Bo", "Cleo", "Dan")
SET = """((label, value) => {
    const labels = [...document.querySelectorAll("#create label.set")];
    const list = labels.find(e => e.textContent.startsWith(label)).querySelector("select");
    list.value = [...list.options].find(e => e.textContent.startsWith(value)).value;
    list.dispatchEvent(new Event("change", { bubbles: true }));
})"""
FRIENDS = """[...document.querySelectorAll(".create fieldset label.set")].filter(e => /^Seat/.test(e.textContent))
    .map(e => e.querySelector("select")).slice(1).map(list => list.value = "invited").length"""
LINKS = "[...document.querySelectorAll('.linkrow input')].map(e => e.value).filter(e => e.includes('&i='))"
AT_THE_TABLE = "window.herald?.scene && document.body.dataset.ready"


def people(browser: Browser, served: Served) -> tuple[list[Page], list[str]]:
    """Four pages at one table, and how each came there."""
    pages = [browser.page() for _ in NAMES]
    for page, (wide, high, touch), name in zip(pages, SIZES, NAMES, strict=True):
        page.size(wide, high, touch=touch)
        page.before_load(FAST.replace("Bo", name))
    ada, *others = pages
    ada.goto(f"{served.url}/")
    ada.click(f"{card_of(JOAN)} .acts .new")
    ada.wait("document.querySelector('#create')?.open")
    ada.evaluate(f"{SET}('Players', 'four')")
    assert ada.evaluate(FRIENDS) == len(others)
    ada.screenshot("four-new-match")
    ada.click(".create .go")
    links: list[str] = ada.wait(f"(l => l.length === {len(others)} && l)({LINKS})")
    ada.screenshot("four-links")
    ada.click("#dialog a.go")
    ada.wait(AT_THE_TABLE)
    for page, link in zip(others, links, strict=True):
        page.sit_down(link)
    return pages, links


def look(pages: list[Page], moment: str) -> None:
    """Keep a picture of each page, on which nothing is cut off or too wide."""
    for page, name in zip(pages, NAMES, strict=True):
        page.screenshot(f"four-{moment}-{name}")
        assert not page.evaluate(WIDE), (moment, name)
        assert page.evaluate(CUT) == [], (moment, name)


@pytest.mark.parametrize("most", [30, pytest.param(WHOLE, marks=pytest.mark.deep)])
def test_four_people_play_a_scenario_and_one_drops_out_and_returns(browser: Browser, served: Served, most: int) -> None:
    pages, links = people(browser, served)
    play(pages, 20)
    look(pages, "begun")
    dan = pages[-1]
    dan.call("Page.navigate", url="about:blank")
    before = pages[0].evaluate("herald.scene.seq")
    dan.goto(links[-1])
    dan.wait(f"{AT_THE_TABLE} && herald.scene.seq >= {before}")
    _, over = play(pages, most)
    assert over == (most == WHOLE)
    look(pages, "later")
    for page in pages:
        page.wait(VERIFIED)
        assert page.errors == []
    assert len({page.evaluate("herald.check.head") for page in pages}) == 1
