"""An army of one's own is built in the browser, kept, saved, opened, and handed in at a table."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from domain.disciples_legacy import check_army
from tests.web.access import SMALL, UNNAMED, axe
from tests.web.army import LEGAL, begin, start_from
from tests.web.browser import Page
from tests.web.playing import DISCIPLES, FAST, card_of
from tests.web.serving import Served

pytestmark = pytest.mark.timeout(400)

BROKEN = "document.querySelector('#play').disabled && /broken/.test(document.querySelector('#wrong').textContent)"
DRAFT = "JSON.parse(localStorage['herald.draft.disciples_legacy'])"
PARTY = "parties.0"


def tap(page: Page, selector: str, text: str = "") -> None:
    """A finger, down and up, where the element is."""
    found = page.wait(
        f"""(() => {{ const e = [...document.querySelectorAll({json.dumps(selector)})]
            .find(e => e.checkVisibility() && e.textContent.includes({json.dumps(text)}));
            e.scrollIntoView({{ block: "center" }}); const r = e.getBoundingClientRect();
            return [r.x + r.width / 2, r.y + r.height / 2]; }})()"""
    )
    page.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": found[0], "y": found[1]}])
    page.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])


@pytest.mark.whole
def test_what_is_wrong_is_said_at_once_and_goes_when_it_is_mended(page: Page, served: Served, tmp_path: Path) -> None:
    """By mouse, and by a file with two faults."""
    begin(page, served)
    page.wait(BROKEN)
    start_from(page, "Legions A")
    page.click(f'[data-k="{PARTY}.units.3"]')
    page.click('#pick [data-card="devil"]')
    page.wait(BROKEN)
    assert "(C)" in page.evaluate("document.querySelector('#cost.over').textContent")
    assert "DL-025" in page.evaluate("document.querySelector('#faults').textContent")
    page.click(f'[data-k="{PARTY}.units.3"]')
    page.click("#pick .ghost", "empty")
    page.wait(LEGAL)
    deck: dict[str, Any] = page.evaluate(DRAFT)
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps(deck | {"reserves": ["devil", "devil"], "capital": "deephold"}))
    page.open_file(wrong, "#files .ghost", "Open")
    page.wait(BROKEN)
    said = page.evaluate("document.querySelector('#faults').textContent")
    assert all(rule in said for rule in ("DL-024", "DL-032", "DL-033", "DL-034"))
    page.click('[data-k="reserves.0"]')
    page.wait("!document.querySelector('#faults').textContent.includes('DL-033')")
    assert page.errors == []


def is_whole(file: Path) -> bool:
    """Whether a browser that saves a file has written all of it: it is seen as soon as it begins."""
    try:
        json.loads(file.read_bytes())
    except (FileNotFoundError, json.JSONDecodeError):
        return False
    return True


def test_an_army_is_saved_as_a_file_that_the_checks_pass_and_kept_until_it_is_forgotten(
    page: Page, served: Served, tmp_path: Path
) -> None:
    begin(page, served)
    start_from(page, "Hordes A")
    page.call("Page.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    page.click("#files .ghost", "Save")
    page.wait("true")
    file = tmp_path / "my_hordes_a.json"
    until = time.monotonic() + 60
    while not is_whole(file) and time.monotonic() < until:
        page.evaluate("new Promise(r => setTimeout(r, 25))")
    assert check_army(file.read_bytes(), file.name, {}) == ()
    assert json.loads(file.read_text()) == page.evaluate(DRAFT)
    kept = "JSON.parse(localStorage['herald.armies.disciples_legacy'] ?? '[]').map(a => a.name)"
    page.click("#files .ghost", "Keep")
    assert page.evaluate(kept) == ["My Hordes A"]
    page.click("#files .ghost", "Forget")
    assert page.evaluate(kept) == []


def test_an_army_is_built_by_keys_alone(page: Page, served: Served) -> None:
    """Focus stays where one was, also when the page is drawn anew; the dialog is left by Escape."""
    begin(page, served)
    start_from(page, "Empire B")
    page.evaluate(f"document.querySelector('[data-k=\"{PARTY}.units.5\"]').focus()")
    page.press("Enter")
    page.wait("document.querySelector('#pick').open")
    page.press("Escape")
    page.wait("!document.querySelector('#pick').open")
    page.press("Enter")
    page.wait("document.querySelector('#pick').open")
    page.evaluate("document.querySelector('#pick [data-card=acolyte]').focus()")
    page.press("Enter")
    page.wait(f"!document.querySelector('#pick').open && {BROKEN}")
    page.wait(f"document.activeElement.dataset.k === '{PARTY}.units.5'")
    assert page.evaluate("document.activeElement.textContent").startswith("First Party: slot 5, back row: Acolyte")
    assert "20 of 18" in page.evaluate("document.querySelector('#live').textContent")


@pytest.mark.whole
@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_the_page_fits_names_its_controls_and_pleases_axe(page: Page, served: Served, width: int, height: int) -> None:
    page.call("Page.setBypassCSP", enabled=True)
    page.size(width, height, touch=width < 700)
    begin(page, served)
    start_from(page, "Hordes B")
    for place in ("page", "dialog"):
        assert page.evaluate("document.documentElement.scrollWidth") <= width, place
        assert page.evaluate(UNNAMED) == []
        assert page.evaluate(SMALL) == []
        axe(page, place)
        page.screenshot(f"army-{place}-{width}")
        tap(page, '[data-k="reserves"]') if width < 700 else page.click('[data-k="reserves"]')
        page.wait("document.querySelector('#pick').open")


@pytest.mark.whole
def test_an_army_built_by_fingers_is_taken_along_into_a_match(page: Page, served: Served) -> None:
    """On a phone: built, kept, chosen in the form of a new match, handed in at its table with one press."""
    page.before_load(FAST)
    page.size(390, 844, touch=True)
    begin(page, served)
    start_from(page, "Clans A")
    tap(page, f'[data-k="{PARTY}.items"]')
    tap(page, "#pick [data-card=ale_flask]")
    page.wait(BROKEN)
    tap(page, "#pick [data-card=stone_totem]")
    tap(page, "#pick footer .go")
    page.wait(LEGAL)
    tap(page, "#play")
    page.wait("document.querySelector('#create')?.open")
    assert page.evaluate("document.querySelector('#seats').textContent").count("Clans A")
    tap(page, "#create .go")
    page.wait("location.pathname === '/play' && document.querySelector('#dialog').open")
    tap(page, "#dialog .go", "Hand in My Clans A")
    page.wait("!document.querySelector('#dialog').open ")
    page.wait("/three Parties/.test(document.querySelector('#ask')?.textContent)")
    assert page.errors == []


def test_the_first_page_offers_to_build_where_a_game_has_armies(page: Page, served: Served) -> None:
    page.goto(f"{served.url}/")
    page.click(f"{card_of(DISCIPLES)} a.ghost")
    page.wait("location.pathname === '/army' && document.body.dataset.ready")
    assert page.evaluate("document.querySelectorAll('.part').length") == 5
