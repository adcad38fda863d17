"""Two people who do not know each other find each other in two browsers, play rated to the end, and see the change."""

import json
import subprocess

import pytest

from replay.record import sealing
from replay.record.seat_draw import drawn, match_id, occasion_of, sealed_lot
from tests.web.browser import Browser, Page
from tests.web.comforts import OVER, resign
from tests.web.node import ROOT
from tests.web.playing import FAST, JOAN, WAR, play
from tests.web.serving import Served
from tests.web.signing_up import TITLE, signed_up, submit

pytestmark = pytest.mark.timeout(400)

BOARD = "document.querySelector('#board').innerText"
NOW = "document.querySelector('#now form')"
MINE = "document.querySelector('#account .list .row')?.innerText"
PERSONS = "[...document.querySelectorAll('.seat .per')].map(e => `${e.innerText} ${e.ariaLabel}`).join()"
NO_ED25519 = """for (const name of globalThis.SubtleCrypto ? ["generateKey", "importKey"] : []) {
    const known = SubtleCrypto.prototype[name];
    SubtleCrypto.prototype[name] = function (...given) {
        return given.includes("Ed25519")
            ? Promise.reject(new DOMException("Unrecognized name", "NotSupportedError")) : known.apply(this, given);
    };
}"""
FILTERS = (
    ("game", JOAN, WAR),
    ("pace", "slow", "quick"),
    ("rated", "unrated", "rated"),
    ("low", "1600", "1400"),
    ("high", "1400", "1600"),
)
SOFT = """(async () => {
    const { pair, wrap } = await (await import("/js/account.js")).ownKey();
    return pair ? "WebCrypto's" : `kept by ${wrap.algorithm.name}, ${wrap.extractable}`;
})()"""
WIDE = "document.documentElement.scrollWidth > innerWidth"
NAMELESS = """[...document.querySelectorAll("#now, #offers, #board, #account")].flatMap(part =>
    [...part.querySelectorAll("input, select, button, a")]).filter(e => e.checkVisibility()
    && !(e.labels?.length ? e.labels[0].innerText.trim() : e.innerText.trim())).map(e => e.outerHTML)"""
CHECK = """import {{ drawFault }} from "{module}";
const [match, draw] = JSON.parse(process.argv[1]);
const turned = all => [...all].reverse();
console.log(JSON.stringify([
    drawFault(match, draw),
    drawFault(match, {{ sealed: turned(draw.sealed), lots: turned(draw.lots) }}),
    drawFault(match, {{ sealed: draw.sealed, lots: turned(draw.lots) }}),
    drawFault(match, {{ sealed: draw.sealed, lots: draw.lots.slice(1) }}),
    drawFault("A".repeat(22), draw),
]));"""


def shows(page: Page, *, ratings: bool = False) -> None:
    """Show opponents who one is, at every table from now on; and one's ratings, where that is wished for."""
    if ratings:
        page.evaluate("document.querySelector('[name=shows][value=ratings]').click()")
    page.evaluate("document.querySelector('[name=at_table]').value = 'opponents'")
    page.click("#account button", "Save")
    page.wait("document.querySelector('#said').textContent.includes('The profile is saved')")


def goes_on(page: Page, served: Served, code: str) -> None:
    """Come back by the recovery code on a device that never saw the match, and enter its seat by the account alone."""
    page.goto(f"{served.url}/me")
    submit(page, "recoveryCode", code)
    page.click("#account .go", "I have written it down")
    page.wait(f"{MINE}?.includes('Go on here')")
    page.screenshot("go-on-390")
    page.evaluate("window.confirm = () => true")
    page.click("#account .list .go", "Go on here")
    page.wait("location.pathname === '/play' && window.herald?.prompt?.p")


def told_once(page: Page) -> None:
    """Before the first rated match the page says what that is; it asks once."""
    page.wait("document.querySelector('#dialog').open")
    said = page.evaluate("document.querySelector('#dialog').innerText")
    assert "changes your rating" in said
    assert "claim the win" in said
    assert page.evaluate(NAMELESS) == []
    page.screenshot(f"first-rated-{page.evaluate('innerWidth')}")
    page.click("#dialog .go", "Play rated")


def filters(page: Page, name: str, value: str, left: int) -> None:
    """Set a filter of the offers; so many are left."""
    page.evaluate(f"""(() => {{
        const field = document.querySelector("#filters [name={name}]");
        field.value = {json.dumps(value)};
        field.dispatchEvent(new Event(field.matches("select") ? "change" : "input"));
    }})()""")
    page.wait(f"document.querySelectorAll('#offers ul .row').length === {left}")


def looks(page: Page, served: Served) -> None:
    """Press Play now for a short match."""
    page.goto(f"{served.url}/")
    page.wait("!document.querySelector('#now').hidden")
    page.evaluate(f"{NOW}.elements.game.value = {json.dumps(WAR)}")
    page.evaluate(f"{NOW}.elements.game.onchange()")
    page.evaluate(f"{NOW}.elements.short.checked = true")
    page.click("#now form > .go")
    told_once(page)


def test_two_strangers_find_each_other_play_rated_and_see_the_change(browser: Browser, served: Served) -> None:
    one, other = browser.page(), browser.page()
    for page, wide in ((one, 1280), (other, 390)):
        page.size(wide, 844, touch=wide < 400)
        page.before_load(FAST)
    entered = {page: signed_up(page, served) for page in (one, other)}
    names = {page: handle for page, (handle, _) in entered.items()}
    shows(one, ratings=True)
    shows(other)
    looks(one, served)
    one.wait("document.querySelector('#now [role=status]').innerText.includes('Looking')")
    other.goto(f"{served.url}/")
    other.wait(f"document.querySelector('#offers ul').innerText.includes({json.dumps(names[one])})")
    offered = other.evaluate("document.querySelector('#offers ul').innerText")
    assert "10 min + 10 s" in offered
    assert ", rated" in offered
    for name, other_value, fits in FILTERS:
        filters(other, name, other_value, 0)
        filters(other, name, fits, 1)
    for page in (one, other):
        assert page.evaluate(NAMELESS) == []
        assert not page.evaluate(WIDE)
    one.screenshot("play-now-1280")
    other.screenshot("play-now-390")
    looks(other, served)
    for page in (one, other):
        page.wait("location.pathname === '/play' && window.herald?.prompt?.p")
    one.wait("herald.prompt.mine()")
    play([one, other], 4)
    one.wait(f"{PERSONS}.includes({json.dumps('✓ The key of ' + names[other])})")
    other.wait(f"{PERSONS}.includes({json.dumps('✓ The key of ' + names[one])})")
    one.screenshot("persons-1280")
    other.screenshot("persons-390")
    lost, other = other, browser.page()
    other.size(390, 844, touch=True)
    other.before_load(FAST)
    other.before_load(NO_ED25519)
    names[other] = names[lost]
    goes_on(other, served, entered[lost][1])
    assert other.evaluate(SOFT) == "kept by AES-GCM, false"
    lost.wait("!document.querySelector('#notice').hidden")
    lost.screenshot("lost-390")
    other.wait("herald.check.verifier?.persons.size === 3")
    play([one, other], 2)
    one.wait(f"{PERSONS}.includes({json.dumps('✓ The key of ' + names[other])})")
    one.screenshot("persons-after-1280")
    other.screenshot("persons-after-390")
    resign(other)
    one.wait(OVER)
    for page, outcome in ((one, "Won, rating +"), (other, "Lost, rating −")):
        page.goto(f"{served.url}/me")
        page.wait(f"{MINE}?.includes({json.dumps(outcome)})")
    other.screenshot("my-matches-390")
    one.goto(f"{served.url}/ratings#g={WAR}")
    one.wait(f"{BOARD}.includes({json.dumps(names[one])})")
    assert names[other] not in one.evaluate(BOARD)
    assert "not shown" in one.evaluate(BOARD)
    one.screenshot("ratings-1280")
    other.goto(f"{served.url}/ratings#p={names[one]}")
    other.wait(f"{TITLE} === {json.dumps(names[one])} && {BOARD}.includes('Rating 1')")
    for page in (one, other):
        assert page.evaluate(NAMELESS) == []
        assert not page.evaluate(WIDE)
    other.screenshot("profile-390")
    assert one.errors == other.errors == []


def test_the_page_checks_how_seats_were_drawn() -> None:
    lots = [bytes([n]) * 32 for n in range(3)]
    made = drawn({sealed_lot(lot): sealing.b64(lot) for lot in lots})
    match = sealing.b64(match_id(occasion_of(made.sealed), 7))
    code = CHECK.format(module=(ROOT / "server" / "web" / "client" / "seatdraw.js").as_uri())
    given = json.dumps([match, {"sealed": made.sealed, "lots": made.lots}])
    done = subprocess.run(
        ["node", "--input-type=module", "-e", code, given], capture_output=True, text=True, check=True, timeout=100
    )
    assert json.loads(done.stdout) == ["", "order", "sealed", "lots", "match"]
