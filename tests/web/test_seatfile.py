"""A seat that is taken to another device in a file, in a real browser."""

import json

import pytest
from msgspec.structs import replace

from herald_client import Key, read_link
from tests.web.agreements import choose
from tests.web.browser import Browser, Page
from tests.web.playing import FAST, VERA, card_of
from tests.web.serving import Served

pytestmark = [pytest.mark.timeout(400), pytest.mark.whole]
SAVED = """;
const made = URL.createObjectURL;
URL.createObjectURL = blob => (blob.text().then(text => (window.saved = text)), made.call(URL, blob));
"""
BRING = """(text => {
    const file = document.querySelector("#bring input"), taken = new DataTransfer();
    taken.items.add(new File([text], "seat.json"));
    file.files = taken.files;
    file.dispatchEvent(new Event("change"));
})"""
SEATED = "window.herald?.scene && document.body.dataset.ready"


def opened(browser: Browser, url: str) -> Page:
    page = browser.page()
    page.before_load(FAST + SAVED)
    page.size(1440, 900)
    page.goto(url)
    return page


def bring(page: Page, text: str) -> None:
    page.wait("!!document.querySelector('#bring input')?.onchange")
    page.evaluate(f"{BRING}({json.dumps(text)})")


def with_key(link: str) -> str:
    return str(replace(read_link(link), key=Key().text))


def test_a_seat_goes_on_at_another_device_with_its_key_and_its_share_of_chance(
    browser: Browser, served: Served
) -> None:
    ada = opened(browser, f"{served.url}/")
    ada.click(f"{card_of(VERA)} .acts .new")
    ada.evaluate("document.querySelectorAll('.create fieldset select')[1].value = 'invited'")
    ada.click(".create .go")
    link = ada.wait("document.querySelector('.linkrow input')?.value")
    ada.click("#dialog a.go")
    ada.wait(SEATED)
    ada.wait("herald.check.verifier?.commitments.size")
    ada.click("#tools [data-ico=link]")
    ada.click("#dialog .linkrow + .ghost")
    saved = ada.wait("window.saved")
    ada.call("Page.navigate", url="about:blank")

    laptop = opened(browser, f"{served.url}/")
    assert laptop.evaluate("Object.keys(localStorage).filter(key => /match|share/.test(key))") == []
    bring(laptop, saved)
    laptop.wait(SEATED)
    bo = opened(browser, f"{served.url}/")
    bo.sit_down(link)
    laptop.wait("herald.prompt.p.mode !== 'none'")
    if laptop.evaluate("herald.prompt.mine()"):
        choose(laptop)
    else:
        choose(bo)
    assert laptop.evaluate("herald.check.verifier.unproven.length") == 0
    assert laptop.evaluate("herald.check.verifier.shares.signed && herald.check.verifier.shares.all")

    # Another key than the record's is not taken for the seat's.
    other = opened(browser, with_key(json.loads(saved)["link"]))
    other.wait("document.querySelector('#notice').innerText.includes('not on this device')")
    assert not laptop.evaluate("document.querySelector('#notice').innerText.includes('not on this device')")


def test_a_file_that_holds_no_seat_or_one_of_another_server_is_said_to(browser: Browser, served: Served) -> None:
    page = opened(browser, f"{served.url}/")
    seat = {"t": "seat", "v": 1, "link": "https://herald.example:9/play#m=AAAAAAAAAAAAAAAAAAAAAA&t=x"}
    for text, words in [
        ("{}", "no seat"),
        (json.dumps({**seat, "link": "javascript:alert(1)#m=A&t=B"}), "no seat"),
        (json.dumps({**seat, "t": "record"}), "no seat"),
        (json.dumps(seat), "herald.example:9"),
    ]:
        bring(page, text)
        page.wait(f"document.querySelector('#dialog [role=alert]')?.textContent.includes({json.dumps(words)})")
        page.evaluate("document.querySelector('#dialog').close(), document.querySelector('#dialog').replaceChildren()")
    assert page.evaluate("location.pathname") == "/"
