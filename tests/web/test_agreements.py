"""What people agree on around a match, in a real browser: what is taken back, slow play, who is heard no more."""

import json

import anyio
import pytest

from server.wire.client import connected
from server.wire.protocol import Create, Created, SeatWish
from tests.web.agreements import ANSWERS, ASKED, choose
from tests.web.browser import Browser, Page
from tests.web.playing import FAST, VERA, against_bot, card_of, play
from tests.web.serving import Served

pytestmark = [pytest.mark.timeout(400), pytest.mark.whole]
"""As in `test_browser`."""

KIND = """(kind => {
    const list = document.querySelector("[name=kind]");
    list.value = kind;
    list.dispatchEvent(new Event("change"));
})"""
OFFERED = "document.getElementById('offers').innerText"
ACTS = "[...document.querySelectorAll('#acts [value]')].filter(b => b.checkVisibility()).map(b => b.value)"


def two_people(browser: Browser, served: Served, kind: str = "none", **form: object) -> tuple[Page, Page]:
    """The pages of Ada and of her friend, in a match with the clock she chose."""
    ada, bo = browser.page(), browser.page()
    for page in (ada, bo):
        page.before_load(FAST + ANSWERS)
        page.size(1440, 900)
    ada.goto(f"{served.url}/")
    ada.click(f"{card_of(VERA)} .acts .new")
    ada.evaluate("document.querySelectorAll('.create fieldset select')[1].value = 'invited'")
    ada.evaluate(f"{KIND}('{kind}')")
    for name, value in {"name": "Ada", **form}.items():
        ada.evaluate(f"document.querySelector('.create [name={name}]').value = '{value}'")
    ada.click(".create .go")
    link = ada.wait("document.querySelector('.linkrow input')?.value")
    ada.click("#dialog a.go")
    ada.wait("window.herald?.scene && document.body.dataset.ready")
    bo.sit_down(link)
    bo.wait("window.herald?.scene && document.body.dataset.ready")
    ada.wait("herald.prompt.p.mode !== 'none'")
    return ada, bo


def offered(page: Page) -> list[str]:
    """What the menu of the table offers; it is left open."""
    page.wait("herald.check.seq >= herald.scene.seq")
    page.click("#tools [data-ico=flag]")
    shown: list[str] = page.evaluate(ACTS)
    return shown


def test_a_choice_is_taken_back_at_once_where_nobody_has_learnt_of_it(browser: Browser, served: Served) -> None:
    ada, bo = two_people(browser, served)
    assert "takeBack" not in offered(ada)
    ada.press("Escape")
    play([ada, bo], 4)
    ada.wait("herald.prompt.mine()")
    bo.wait("herald.prompt.mine()")
    was = choose(ada)
    assert "takeBack" in offered(ada)
    ada.click("#acts [value=takeBack]")
    ada.wait(f"herald.prompt.mine() && {ASKED} === {json.dumps(was)}")
    ada.wait("document.getElementById('lines').textContent.includes('The match stands where it stood earlier')")
    assert bo.evaluate(OFFERED) == ""
    choose(ada)
    for page in (ada, bo):
        assert page.errors == []


def test_others_are_asked_whether_a_choice_they_have_seen_is_taken_back(browser: Browser, served: Served) -> None:
    ada, bo = two_people(browser, served)
    was = choose(ada)
    bo.wait("herald.prompt.mine()")
    offered(ada)
    ada.click("#acts [value=takeBack]")
    asked = bo.wait(OFFERED)
    assert asked.startswith("Ada would like to go back to before this: “Ada"), "what is taken back is said"
    bo.screenshot("take-back")
    bo.goto(bo.evaluate("location.href"), ready="window.herald?.scene")
    assert bo.wait(OFFERED).startswith("Ada would like to take back the last choice")
    bo.click("#offers .ghost:enabled")
    ada.wait(f"{OFFERED} === ''")
    offered(ada)
    ada.click("#acts [value=takeBack]")
    assert "declined" in ada.wait("document.getElementById('notice').innerText")
    choose(bo)
    ada.wait("herald.prompt.mine()")
    offered(ada)
    ada.click("#acts [value=takeBack]")
    bo.wait(OFFERED)
    bo.click("#offers .go:enabled")
    ada.wait(f"{ASKED} === {json.dumps(was)}")
    bo.wait("herald.prompt.p.mode === 'wait'")
    offered(ada)
    assert "takeBack" not in ada.evaluate(ACTS), "there is no choice left"
    for page in (ada, bo):
        assert page.errors == []


BETWEEN = """;
const told = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
Object.defineProperty(WebSocket.prototype, "onmessage", { set(heard) {
    told.set.call(this, event => {
        const message = JSON.parse(event.data);
        for (const offer of message.table?.offers ?? []) {
            offer.terms = { is: "pause", length_ms: 600000 };
        }
        heard({ data: JSON.stringify(message) });
    });
} });
"""
"""Stands between the server and the page, and tells of every offer that it is a pause."""


def test_whoever_stands_between_cannot_have_a_draw_agreed_to_as_a_pause(browser: Browser, served: Served) -> None:
    ada, bo = two_people(browser, served)
    bo.before_load(BETWEEN)
    bo.evaluate("location.reload()")
    bo.wait("window.herald?.check?.seq > 0 && document.body.dataset.ready")
    bo.evaluate("window.confirm = text => (window.question = text, true)")
    offered(ada)
    ada.click("#acts [value=draw]")
    assert bo.wait(OFFERED).startswith("Ada offers a draw.")
    bo.click("#offers .go:enabled")
    assert "draw" in bo.wait("window.question"), "what lasts is asked for twice"
    ada.wait("herald.scene.prompt.mode === 'over'")
    bo.wait("herald.scene.prompt.mode === 'over'")
    assert ada.errors == bo.errors == []


MINE = "[...document.querySelectorAll('#mine .row')].map(row => row.innerText)"
MOVE = "Your move"


def test_the_first_page_says_first_where_it_is_the_own_move(browser: Browser, page: Page, served: Served) -> None:
    ada, bo = two_people(browser, served, "days", limit=3)
    ada.goto(f"{served.url}/")
    shown = ada.wait(f"({MINE})[0]?.includes('{MOVE}') && {MINE}")
    assert "2 days left" in shown[0]
    ada.wait(f"live.textContent === '{MOVE}: Vera Discordia'")
    ada.screenshot("your-move")
    match = ada.evaluate("document.querySelector('#mine a').href")
    against_bot(ada, served)
    ada.goto(f"{served.url}/")
    ada.wait(f"{MINE}.filter(row => row.includes('{MOVE}')).length === 2")
    assert ada.evaluate("document.querySelector('#mine a').href") == match, "what is due first is first"
    assert "left" not in ada.evaluate(MINE)[1]
    ada.goto(match)
    choose(ada)
    ada.goto(f"{served.url}/")
    ada.wait(f"({MINE})[0].includes('{MOVE}')")
    assert ada.evaluate("document.querySelector('#mine a').href") != match
    assert MOVE not in ada.evaluate(MINE)[1]
    choose(bo)
    ada.wait(f"{MINE}.filter(row => row.includes('{MOVE}')).length === 2")
    assert ada.evaluate("document.querySelector('#mine a').href") == match
    assert ada.errors == []


def test_vacation_is_offered_where_the_match_has_one_and_for_days_that_are_left(
    browser: Browser, served: Served
) -> None:
    ada, bo = two_people(browser, served, "days", limit=3, vacation=5)
    assert "vacation" in offered(ada)
    ada.click("#acts [value=vacation]")
    assert "5" in ada.wait("window.question")
    ada.wait("document.getElementById('lines').innerText.includes('on vacation for 3 days')")
    assert {"vacation", "back"} & set(offered(ada)) == {"back"}
    ada.click("#acts [value=back]")
    ada.wait("document.getElementById('lines').innerText.includes('back from vacation')")
    assert bo.errors == ada.errors == []


@pytest.mark.parametrize(("kind", "vacation"), [("days", 0), ("bank", 14)])
def test_no_vacation_is_offered_where_the_match_has_none(
    browser: Browser, served: Served, kind: str, vacation: int
) -> None:
    ada, _ = two_people(browser, served, kind, vacation=vacation)
    assert {"vacation", "back"} & set(offered(ada)) == set()


def test_the_form_asks_for_vacation_with_days_per_move_alone(page: Page, served: Served) -> None:
    page.goto(f"{served.url}/")
    page.click(f"{card_of(VERA)} .acts .new")
    field = "document.querySelector('.create [name=vacation]')"
    assert not page.evaluate(f"{field}.checkVisibility()")
    page.evaluate(f"{KIND}('days')")
    assert page.evaluate(f"{field}.checkVisibility()")
    assert page.evaluate(f"{field}.value") == "14"


def test_the_own_seat_is_handed_to_a_bot_with_the_others_consent(browser: Browser, served: Served) -> None:
    ada, bo = two_people(browser, served)
    assert {"hand", "replace"} & set(offered(ada)) == {"hand"}
    ada.click("#acts [value=hand]")
    assert "bot plays Ada's seat" in bo.wait(OFFERED)
    bo.click("#offers .go:enabled")
    bo.wait("herald.prompt.mine()")
    ada.wait("herald.prompt.p.mode === 'wait'")
    assert ada.errors == bo.errors == []


ABANDONED = "void"
NOTICE = "document.getElementById('notice').innerText"


def test_an_act_that_has_become_impossible_says_so_and_an_abandoned_match_is_no_draw(
    browser: Browser, served: Served
) -> None:
    ada, bo = two_people(browser, served)
    offered(ada)
    ada.click("#acts [value=pause]")
    bo.wait(OFFERED)
    assert "pause" in offered(ada), "the menu stays open while the friend agrees"
    bo.click("#offers .go:enabled")
    ada.wait("herald.view.api.around.table.paused_ms")
    ada.click("#acts [value=pause]")
    assert "This is no longer possible" in ada.wait(NOTICE)
    offered(ada)
    ada.click("#acts [value=abandon]")
    bo.wait(OFFERED)
    bo.click("#offers .go:enabled")
    ada.wait("herald.prompt.p.mode === 'over'")
    ada.goto(f"{served.url}/")
    match = f"[...document.querySelectorAll('.row')].find(row => row.innerText.includes('{ABANDONED}'))?.innerText"
    said = ada.wait(match)
    assert "Ada (guest) against Bo (guest)" in said
    assert "draw" not in said.lower()
    assert ada.errors == bo.errors == []


SAY = """(text => {
    document.querySelector("#chat input").value = text;
    document.querySelector("#chat form").requestSubmit();
})"""


HEAR = """(window.heard = [], (on => {
    const hear = on.message;
    on.message = m => { heard.push(m); hear.call(on, m); };
})(herald.connection.on), 0)"""


def test_who_is_muted_stays_so_when_the_connection_comes_back(browser: Browser, served: Served) -> None:
    ada, bo = two_people(browser, served)
    chat = "document.getElementById('chatlines').textContent"
    ada.click("[aria-controls=chat]")
    bo.evaluate(f"{SAY}('first')")
    ada.wait(f"{chat}.includes('first')")
    ada.click("#chatlines .mute")
    ada.evaluate(HEAR)
    ada.evaluate("herald.connection.socket.close()")
    ada.wait("heard.some(m => m.t === 'presence') && heard.some(m => m.t === 'said')")
    bo.evaluate(f"{SAY}('second')")
    bo.wait(f"{chat}.includes('second')")
    ada.evaluate(f"{SAY}('third')")
    ada.wait(f"{chat}.includes('third')")
    assert "first" not in ada.evaluate(chat)
    assert "second" not in ada.evaluate("JSON.stringify(heard)"), "the server was told again"
    assert ada.evaluate(chat).count("second") == 0


EARLY = """(async () => {
    const { view } = herald, { scene } = view, { around } = view.api;
    [view.scene, around.seats] = [null, []];
    (await around.chat()).said({ lines: [{ n: 999, at: 0, who: "seat0", text: "hello" }] });
    const early = chatlines.lastChild.innerText;
    view.scene = scene;
    around.agree();
    await new Promise(done => setTimeout(done));
    return [early, chatlines.lastChild.innerText];
})()"""


def test_a_chat_line_that_comes_before_it_is_known_who_sits_where_gets_its_name_then(
    browser: Browser, served: Served
) -> None:
    _, bo = two_people(browser, served)
    bo.wait("herald.view.api.around.seats.length === 2")
    early, late = bo.evaluate(EARLY)
    assert early.startswith("Seat 1: hello")
    assert late.startswith("Ada: hello")


def test_every_page_of_a_match_says_whose_share_of_chance_it_waits_for_and_how_long(page: Page, served: Served) -> None:
    """docs/record.md 4: a share that was fixed is to be revealed within a minute."""
    wishes = (SeatWish("me", "Ada", entropy="A" * 43), SeatWish("bot"))
    created = anyio.run(created_at, served.url, Create("vera_discordia", wishes, listed=False))
    page.goto(f"{served.url}/watch#m={created.match}")
    said = page.wait(
        "/waits for the share of chance of Ada: (\\d+) s/.exec(document.getElementById('notice').innerText)?.[1]"
    )
    assert 0 < int(said) <= 60
    page.screenshot("share-awaited")
    page.wait(f"!document.getElementById('notice').innerText.includes(' {said} s')")
    page.goto(f"{served.url}/play#m={created.match}&t={created.tokens['0']}")
    page.wait("herald.view.api.around.table.reveal?.length")
    page.rest()
    assert "Ada" not in page.evaluate("document.getElementById('notice').innerText"), (
        "whoever is waited for is not told"
    )
    assert page.errors == []


async def created_at(url: str, wish: Create) -> Created:
    async with connected(f"{url.replace('http', 'ws')}/ws") as client:
        return await client.ask(wish, Created)
