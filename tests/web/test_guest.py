"""A guest becomes a person in one browser: the seat stays, is among the own matches, and is certified in the record."""

import json

import pytest

from tests.server.cli.commands import run
from tests.web.browser import Page
from tests.web.comforts import OVER, resign
from tests.web.playing import FAST, WAR, against_bot, play
from tests.web.serving import Served
from tests.web.signing_up import TITLE, signed_up

pytestmark = pytest.mark.timeout(400)

ROW = "document.querySelector('#account .list .row')?.innerText"
PERSON = "document.querySelector('#seats-me .per')?.ariaLabel"
SAID = "document.querySelector('#said').textContent"
LINK = "document.querySelector('#account .list .row a').href"


def test_a_guest_signs_up_keeps_the_seat_and_stands_behind_it_in_the_record(page: Page, served: Served) -> None:
    page.size(390, 844, touch=True)
    page.before_load(FAST)
    against_bot(page, served, WAR, quick=True)
    play([page], 1)
    match = page.evaluate("location.hash.slice(3, 25)")
    assert page.evaluate(PERSON) is None

    handle, _ = signed_up(page, served)
    page.screenshot("guest-signed-up-390")
    page.evaluate("document.querySelector('[name=at_table]').value = 'everybody'")
    page.click("#account button", "Save")
    page.wait(f"{SAID}.includes('The profile is saved')")
    page.click("#account button", "Add the seats of this browser")
    page.wait(f"{ROW}?.includes('Your move')")
    page.screenshot("guest-kept-390")
    page.goto(page.evaluate(LINK), ready="window.herald?.prompt?.mine()")
    page.wait(f"{PERSON}?.startsWith({json.dumps(f'The key of {handle} has signed')})")
    page.screenshot("guest-certified-390")
    resign(page)
    page.wait(OVER)

    page.goto(f"{served.url}/me")
    page.wait(f"{TITLE} === {json.dumps(handle)} && {ROW}?.includes('Lost')")
    page.click("#account .row a", "Audit")
    page.wait("document.querySelector('#dialog').open")
    assert "Your browser has checked every line" in page.evaluate("document.querySelector('#dialog').innerText")
    page.screenshot("audit-390")
    audited = run("audit", match, "--db", served.db)
    assert (audited.exit_code, "persons: behind 1 keys of seats" in audited.output) == (0, True)
    assert page.errors == []
