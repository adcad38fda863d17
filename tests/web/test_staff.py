"""A player reports another in the browser, the staff acts on the page of the staff, and the other reads every act."""

import json

import pytest

from herald_client import Server, me
from tests.server.cli.commands import run
from tests.web.aside import away
from tests.web.browser import Browser, Page
from tests.web.hand import hand, seen
from tests.web.playing import FAST, VERA
from tests.web.serving import Served
from tests.web.signing_up import signed_up

pytestmark = pytest.mark.timeout(400)

SAID = "document.querySelector('#said').textContent"
NOTICE = "document.querySelector('#notice').textContent"
REPORTS = "[...document.querySelectorAll('#staff .report')].map(one => one.innerText)"
ABOUT_ME = "document.querySelector('ul[aria-label=\"Actions of the staff about you\"]')?.innerText"
AT_THE_TABLE = "window.herald?.scene && document.body.dataset.ready"
ACT = """(([part, act, why, handle]) => {
    const form = document.querySelector(part);
    form.elements.act.value = act;
    form.elements.why.value = why;
    form.elements.days.value = act === "suspend" ? 3 : 0;
    if (handle) form.elements.handle.value = handle;
    form.querySelector(".go").click();
})"""


def sits(page: Page, served: Served, match: str, seat: int, token: str) -> None:
    """Hold a seat in this browser, note it on the page of the account, and go to its table."""
    held = [{"match": match, "token": token, "seat": seat, "game": VERA, "title": "Sunday"}]
    page.evaluate(f"localStorage.setItem('herald.matches', {json.dumps(json.dumps(held))})")
    page.goto(f"{served.url}/me")
    page.click("#account button", "Add the seats of this browser")
    page.wait("document.querySelector('#account .row a')?.href.includes('/play#m=')")
    at_table(page, served, match, token)


def at_table(page: Page, served: Served, match: str, token: str) -> None:
    page.goto(f"{served.url}/play#m={match}&t={token}", ready=AT_THE_TABLE)


def says(page: Page, text: str) -> None:
    """Write a line of chat, once the page takes it."""
    page.wait("document.querySelector('#chat form').onsubmit !== null")
    page.evaluate(f"document.querySelector('#chat input').value = {json.dumps(text)}")
    page.evaluate("document.querySelector('#chat form').requestSubmit()")


def acts(staff: Page, part: str, act: str, why: str, handle: str = "") -> None:
    """Carry an act out by a form of the page of the staff."""
    staff.rest()
    staff.evaluate(f"{ACT}({json.dumps([part, act, why, handle])})")
    staff.wait(f"{SAID}.includes('Done: entry')")


def reports(page: Page, why: str) -> None:
    """Report the line of chat, and then the match, for a reason."""
    page.evaluate(f"window.prompt = () => {json.dumps(why)}")
    hand(page, seen(page, "#chatlines .report"))
    page.wait(f"{NOTICE}.includes('Reported')")
    page.evaluate("window.prompt = () => 'A match to look at'")
    hand(page, seen(page, "#tools [data-ico=flag]"))
    hand(page, seen(page, "#acts [value=report]"))


def test_a_player_reports_the_staff_acts_and_the_other_reads_it_at_the_table_and_in_the_log(
    browser: Browser, served: Served
) -> None:
    ann, bob, staff = (browser.page() for _ in range(3))
    for page, wide in ((ann, 1280), (bob, 390), (staff, 390)):
        page.size(wide, 844, touch=wide < 400)
        page.before_load(FAST)
    handles = {page: signed_up(page, served, name)[0] for page, name in ((ann, "Ann"), (bob, "Bob"), (staff, "Mod"))}
    made = away(Server(served.url).create(VERA, [me("Ann"), me("Bob")], title="Sunday"))
    for seat, page in enumerate((ann, bob)):
        sits(page, served, made.match, seat, made.tokens[str(seat)])
    says(bob, "You [fool]")
    hand(ann, seen(ann, "#logtabs [aria-controls=chat]"))
    reports(ann, "Insults")

    staff.goto(f"{served.url}/staff")
    staff.wait(f"{SAID}.includes('for the staff')")
    appointed = run("people", "act", "appoint", handles[staff], "--reason", "Asked to help", "--db", served.db)
    assert appointed.exit_code == 0
    staff.goto(f"{served.url}/staff")
    staff.wait(f"{REPORTS}.length === 2")
    shown = sorted(staff.evaluate(REPORTS), key=lambda text: "Insults" in text)
    assert "Bob: You [fool]" in shown[1]
    assert handles[bob] in shown[1]
    assert "A match to look at" in shown[0]
    staff.screenshot("staff-390")
    report = "#staff .report:has(b) form"
    acts(staff, report, "mute", "Insults in chat")
    says(bob, "And another thing")
    bob.wait(f"{NOTICE}.includes('has muted you')")
    bob.screenshot("muted-390")
    staff.wait(f"{REPORTS}.length === 1")
    acts(staff, "#staff .report form", "settle", "Nothing there")
    staff.wait(f"{REPORTS}.length === 0")

    for act, told in (("warn", "has warned you: Mind warn"), ("suspend", "has suspended your account: Mind suspend")):
        acts(staff, "#staff > form", act, f"Mind {act}", handles[bob])
        at_table(bob, served, made.match, made.tokens["1"])
        bob.wait(f"{NOTICE}.includes({json.dumps(told)})")
    bob.screenshot("suspended-390")
    for act in ("lift", "ban"):
        acts(staff, "#staff > form", act, f"Mind {act}", handles[bob])
    log = staff.evaluate("document.querySelector('#staff ul.list:last-of-type').innerText")
    assert all(f"{handles[bob]}: Mind {act}" in log for act in ("warn", "suspend", "lift", "ban"))
    bob.goto(f"{served.url}/me")
    bob.wait(f"{ABOUT_ME}?.includes('Mind ban')")
    mine = bob.evaluate(ABOUT_ME)
    assert all(f"Mind {act}" in mine for act in ("warn", "suspend", "lift"))
    assert "Insults in chat" in mine
    assert handles[ann] not in mine
    bob.screenshot("about-me-390")
    at_table(bob, served, made.match, made.tokens["1"])
    bob.wait("herald.check.seq && document.body.dataset.ready")
    assert "Mind ban" not in bob.evaluate(NOTICE)
    for page in (ann, bob, staff):
        assert page.errors == []
