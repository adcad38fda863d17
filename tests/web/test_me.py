"""One's own account in a real browser: a key that no script reads out, the own matches, a second device, deletion."""

import json
import secrets

import pytest

from herald_client import AccountDoor, Key, Refused, Server, me, open_seat
from tests.web.aside import away
from tests.web.browser import Page
from tests.web.serving import Served
from tests.web.signing_up import TITLE, submit

pytestmark = pytest.mark.timeout(400)

KEPT = """(async () => {
    const {ownKey} = await import("/js/account.js");
    const {pair, open} = await ownKey();
    const read = await crypto.subtle.exportKey("pkcs8", pair.privateKey).then(() => "read out", () => "kept");
    return `${read} ${pair.privateKey.extractable} ${open.length}`;
})()"""
SAID = "document.querySelector('#said').textContent"
CODE = "document.querySelector('#account .code')?.textContent"


async def refused(door: AccountDoor) -> bool:
    try:
        async with door.session():
            return False
    except Refused:
        return True


async def called(door: AccountDoor) -> str:
    async with door.session() as session:
        return session.entered.handle


def test_a_person_signs_up_lists_matches_lets_a_device_in_and_is_deleted(page: Page, served: Served) -> None:
    handle = f"Anja {secrets.token_hex(4)}"
    created = away(Server(served.url).create("vera_discordia", [me("Anja"), open_seat()], title="Sunday"))
    held = [{"match": created.match, "token": created.tokens["0"], "seat": 0, "game": "vera_discordia"}]
    page.size(390, 844)
    # the empty page that comes first has no storage
    keep = f"localStorage.setItem('herald.matches', {json.dumps(json.dumps(held))})"
    page.before_load(f"location.protocol === 'about:' || {keep}")
    page.goto(f"{served.url}/me")
    submit(page, "handle", "!")
    page.wait(f"{SAID}.includes('letters')")
    submit(page, "handle", handle)
    code = page.wait(CODE)
    assert len(code.split("-")) == 8
    page.click("#account .go", "I have written it down")
    page.wait(f"{TITLE} === {json.dumps(handle)}")
    assert page.evaluate(KEPT) == "kept false 43"

    page.click("#account button", "Add the seats of this browser")
    page.wait("document.querySelector('#account .row a')?.href.includes('/play#m=')")
    assert "Sunday" in page.evaluate("document.querySelector('#account .row').innerText")
    page.screenshot("me-390")

    page.click("#account button", "Add a device")
    door = AccountDoor(served.url, Key())
    code = page.wait(CODE)
    page.wait("document.querySelector('#account svg[role=img]')?.getAttribute('width') === '240'")
    number = away(door.ask_pairing(code, "laptop"))
    page.wait(f"{CODE} === {json.dumps(number)}")
    page.click("#account .go", "Yes, let it in")
    page.wait("[...document.querySelectorAll('#account .row .ttl')].some(name => name.textContent === 'laptop')")
    assert away(called(door)) == handle

    page.goto(f"{served.url}/me")
    page.wait(f"{TITLE} === {json.dumps(handle)}")
    page.evaluate(f"window.prompt = () => {json.dumps(handle)}")
    page.click("#account button", "Delete the account")
    page.wait(f"{SAID}.includes('deleted')")
    assert away(refused(door))
    assert page.errors == []


ROWS = "[...document.querySelectorAll('#account .row')]"
FORGET = """(async () => {
    const {forgetKey} = await import("/js/account.js");
    await forgetKey();
    sessionStorage.clear();
    return true;
})()"""


def test_a_passkey_lets_a_browser_in_that_has_lost_its_key(page: Page, served: Served) -> None:
    handle = f"Ben {secrets.token_hex(4)}"
    here = served.url.replace("127.0.0.1", "localhost")  # passkeys are for names
    options = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True}
    options |= {"isUserVerified": True, "automaticPresenceSimulation": True}
    page.call("WebAuthn.enable")
    page.call("WebAuthn.addVirtualAuthenticator", options=options)
    page.goto(f"{here}/me")
    submit(page, "handle", handle)
    page.wait(CODE)
    page.click("#account .go", "I have written it down")
    page.click("#account button", "Add a passkey")
    page.wait(f"{ROWS}.some(row => row.innerText.includes('passkey was added'))")
    page.evaluate(FORGET)
    page.goto(f"{here}/")
    page.goto(f"{here}/me#code=ABCD-EFGH")
    assert page.evaluate("document.querySelector('#account [name=deviceCode]').value") == "ABCD-EFGH"
    assert page.evaluate("location.hash") == ""
    page.click("#account button", "Sign in with a passkey")
    page.wait(f"{TITLE} === {json.dumps(handle)}")
    page.wait(f"{ROWS}.filter(row => row.innerText.includes('this one')).length === 1")
    page.click("#account button", "Remove")
    page.wait(f"{ROWS}.some(row => row.innerText.includes('was removed'))")
    assert page.errors == []
