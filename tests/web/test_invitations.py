"""An invitation in browsers: looked at, used up once, and what a seat's holder sees and does about other devices."""

import re

import pytest

from tests.web.browser import Browser, Page
from tests.web.playing import FAST, VERA, card_of
from tests.web.qr import encoded
from tests.web.serving import Served

pytestmark = [pytest.mark.timeout(400), pytest.mark.whole]
SEATED = "window.herald?.scene && document.body.dataset.ready"
KEPT = "JSON.parse(localStorage.getItem('herald.matches') ?? '[]')"
NOTICE = "document.querySelector('#notice').innerText"
ANSWERS = "; window.confirm = () => true"
MODULES = """(() => {
    const code = document.querySelector("#dialog svg[role=img]"), dark = code.lastElementChild;
    const n = code.viewBox.baseVal.width, quiet = 4;
    const within = Array.from({ length: n - 2 * quiet }, (_, i) => i + quiet);
    return within.map(y => within.map(x => Number(dark.isPointInFill(new DOMPoint(x + 0.5, y + 0.5)))));
})()"""
"""Which modules of the code that is shown are dark, without the quiet zone of four (ISO/IEC 18004, 9.1)."""


def opened(browser: Browser, name: str) -> Page:
    page = browser.page()
    page.before_load(FAST.replace("Bo", name) + ANSWERS)
    page.size(1440, 900)
    return page


def inviting(browser: Browser, served: Served) -> tuple[Page, str]:
    """Ada at her table, and the invitation to the other seat."""
    ada = opened(browser, "Ada")
    ada.goto(f"{served.url}/")
    ada.click(f"{card_of(VERA)} .acts .new")
    ada.evaluate("document.querySelectorAll('.create fieldset select')[1].value = 'invited'")
    ada.click(".create .go")
    invitation: str = ada.wait("document.querySelector('.linkrow input')?.value")
    ada.click("#dialog a.go")
    ada.wait(SEATED)
    return ada, invitation


def at_seats(browser: Browser, served: Served) -> tuple[Page, Page, str]:
    ada, invitation = inviting(browser, served)
    bo = opened(browser, "Bo")
    bo.sit_down(invitation)
    bo.wait("herald.check.verifier?.seated.get(1)?.key")
    return ada, bo, invitation


def test_an_invitation_is_used_up_by_sitting_down_and_the_creator_keeps_nothing_of_it(
    browser: Browser, served: Served
) -> None:
    ada, invitation = inviting(browser, served)
    assert ada.evaluate(f"{KEPT}.filter(one => one.invitation).length") == 1
    bo = opened(browser, "Bo")
    bo.goto(invitation)
    assert "Ada invites you to Vera Discordia" in bo.evaluate("document.querySelector('#dialog').innerText")
    bo.screenshot("invitation")
    assert ada.evaluate("herald.check.verifier?.seated.size") in {0, 1}, "looking uses nothing up"
    bo.sit_down(invitation)
    own = bo.evaluate("location.href")
    assert re.search("&t=.{43}&k=", own)
    assert "&i=" not in own
    bo.wait("herald.check.verifier?.isBegun")
    assert bo.evaluate("herald.check.verifier.unproven.length") == 0, "it signs from its first line on"
    ada.wait(f"!{KEPT}.some(one => one.invitation)")
    for page in (ada, opened(browser, "Eve")):
        page.goto(invitation)
        page.wait("document.querySelector('.gone')?.innerText.includes('somebody else may have used it')")
        assert page.evaluate("window.herald?.scene ?? null") is None
    again = browser.sister(bo)
    again.goto(invitation, ready=f"location.href === '{own}' && document.body?.dataset.ready")
    again.wait(SEATED)
    assert again.evaluate("herald.scene.viewer.seat") == 1


def test_a_withdrawn_invitation_opens_nothing_and_the_next_one_the_seat(browser: Browser, served: Served) -> None:
    ada, invitation = inviting(browser, served)
    ada.click("#tools [data-ico=link]")
    ada.click("#dialog .ghost", "Withdraw")
    fields = "[...document.querySelectorAll('#dialog .linkrow input')].map(e => e.value)"
    found = f"{fields}.find(link => link.includes('&i=') && link !== '{invitation}')"
    following: str = ada.wait(found)
    bo = opened(browser, "Bo")
    bo.goto(invitation)
    bo.wait("!!document.querySelector('.gone')")
    bo.sit_down(following)
    assert bo.evaluate("herald.scene.viewer.seat") == 1


def test_a_seat_on_several_devices_is_told_so_and_closed_on_the_others(browser: Browser, served: Served) -> None:
    _, bo, _ = at_seats(browser, served)
    link = bo.evaluate("location.href")
    phone = opened(browser, "Bo")
    phone.goto(link)
    for page in (bo, phone):
        page.wait(f"{NOTICE}.includes('open on 2 devices')")
    assert "opened by a link" in phone.evaluate(NOTICE)
    bo.click("#tools [data-ico=link]")
    bo.click("#dialog .ghost", "Close my seat")
    phone.wait(f"{NOTICE}.includes('has closed your seat here')")
    bo.wait(f"location.href !== '{link}' && {SEATED}")
    phone.goto(link)
    phone.wait("document.querySelector('.gone')?.innerText.includes('another of your devices has closed it')")
    bo.wait(f"herald.connection.ready && !{NOTICE}.includes('devices')")


def test_the_code_of_the_own_seat_holds_the_link_by_which_another_device_goes_on(
    browser: Browser, served: Served
) -> None:
    _, bo, _ = at_seats(browser, served)
    link = bo.evaluate("location.href")
    bo.click("#tools [data-ico=link]")
    bo.click("#dialog .ghost", "QR code")
    bo.wait("!!document.querySelector('#dialog svg[role=img] path')")
    bo.screenshot("code of a seat")
    (code,) = encoded(link)
    assert bo.evaluate(MODULES) == code["rows"]
    phone = browser.page()
    phone.before_load(FAST)
    phone.goto(link)
    phone.wait(SEATED)
    assert phone.evaluate("herald.scene.viewer.seat") == 1
    assert "not on this device" not in phone.evaluate(NOTICE), "the key came with the link"


def test_a_device_without_the_key_replaces_it_and_all_read_what_is_known(browser: Browser, served: Served) -> None:
    ada, bo, _ = at_seats(browser, served)
    bo.wait(f"{KEPT}.some(one => one.named)")
    bo.wait("herald.check.verifier?.isBegun")
    phone = opened(browser, "Bo")
    phone.goto(bo.evaluate("location.href.replace(/&k=.*/, '')"))
    phone.wait(f"{NOTICE}.includes('not on this device')")
    phone.click("#tools [data-ico=link]")
    phone.click("#dialog .ghost", "new key")
    for page in (ada, phone):
        page.wait("document.querySelector('#lines').textContent.includes('no former key vouches for it')")
    bo.wait(f"{NOTICE}.includes('in the place of yours')")
    phone.wait(f"!{NOTICE}.includes('not on this device')")
    assert "in the place of yours" not in phone.evaluate(NOTICE), "whoever asked for it is not alarmed"
