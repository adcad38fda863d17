"""The web client in a real browser: what a player, a spectator and a reader of a replay do and see."""

import json
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.web.browser import Browser, Page
from tests.web.node import ROOT
from tests.web.playing import (
    CUT,
    FAST,
    HEAR,
    PATIENCE_S,
    VERA,
    VERIFIED,
    WAR,
    WARNED,
    WHOLE,
    WIDE,
    against_bot,
    answer_by_keys,
    card_of,
    match_that_asks,
    play,
    tab_to,
)
from tests.web.serving import Served

pytestmark = pytest.mark.timeout(400)
"""A whole match in three windows takes a minute on a busy machine."""

ARMIES = ROOT / "domain/war_for_edadh/data/armies.json"


def export_plays_offline(page: Page, served: Served, match: str, name: str) -> None:
    file = served.db.with_name("replay.html")
    command = [
        sys.executable,
        "-m",
        "server.cli",
        "export",
        match,
        "--format",
        "html",
        "-o",
        str(file),
        "--db",
        str(served.db),
    ]
    subprocess.run(command, check=True, capture_output=True, cwd=ROOT)
    page.requests.clear()
    page.goto(file.as_uri())
    page.wait("herald.check.seq > 100 && !herald.check.fault && herald.replay.n > 10")
    page.press("End")
    page.wait("herald.scene.prompt.mode === 'over'")
    page.screenshot(f"exported-{name}")
    page.size(320, 640, touch=True)
    assert not page.evaluate(WIDE)
    assert page.evaluate(CUT) == []
    page.screenshot(f"exported-{name}-320")
    assert [url for url in page.requests if not url.startswith(("file:", "data:", "about:"))] == []
    assert page.errors == []


@pytest.mark.parametrize(
    "most", [pytest.param(20, marks=pytest.mark.whole), pytest.param(WHOLE, marks=pytest.mark.deep)]
)
def test_two_people_play_a_match_while_a_third_watches(browser: Browser, served: Served, most: int) -> None:
    """Through a crash of the server, to the end: what is played by then, or a resignation."""
    ada, bo, eve = browser.page(), browser.page(), browser.page()
    ada.size(1440, 900)
    bo.size(390, 844, touch=True, dark=True)
    eve.size(820, 1100)
    for page in (ada, bo, eve):
        page.before_load(FAST + "; window.confirm = () => true")
    ada.goto(f"{served.url}/")
    ada.screenshot("lobby")
    ada.click(f"{card_of(VERA)} .acts .new")
    ada.evaluate("document.querySelectorAll('.create fieldset select')[1].value = 'invited'")
    ada.screenshot("new-match")
    ada.click(".create .go")
    link = ada.wait("document.querySelector('.linkrow input')?.value")
    assert "#m=" in link
    assert "&i=" in link
    ada.click("#dialog a.go")
    ada.wait("window.herald?.scene && document.body.dataset.ready")
    bo.sit_down(link)
    eve.goto(f"{served.url}/")
    eve.click("#running .ghost")
    eve.wait("window.herald?.scene && document.body.dataset.ready")
    assert "/watch#m=" in eve.evaluate("location.href")

    play([ada, bo], 14)
    for name, page in (("ada", ada), ("bo", bo), ("eve", eve)):
        page.screenshot(f"table-{name}")
    served.kill()
    ada.wait("!document.getElementById('notice').hidden")
    ada.screenshot("connection-lost")
    served.start()
    for page in (ada, bo, eve):
        page.wait("document.getElementById('notice').hidden && herald.connection.ready")
    _, over = play([ada, bo], most)
    assert over or most < WHOLE
    if not over:
        ada.click("#tools [data-ico=flag]")
        ada.click("#acts [value=resign]")
    for name, page in (("ada", ada), ("bo", bo), ("eve", eve)):
        page.wait("herald.scene.prompt.mode === 'over'")
        page.wait(VERIFIED)
        page.screenshot(f"over-{name}")
        page.errors = [e for e in page.errors if "ERR_CONNECTION" not in e and "/ws" not in e]
        assert page.errors == []
    heads = {page.evaluate("herald.check.head") for page in (ada, bo, eve)}
    assert len(heads) == 1
    assert ada.evaluate("herald.check.verifier.openings") > eve.evaluate("herald.check.verifier.openings") == 0

    ada.click(".ending .after a[href*='/replay']")
    ada.wait("location.pathname === '/replay' && document.body.dataset.ready")
    ada.wait("herald.check.seq > 100 && !herald.check.fault")
    steps = ada.evaluate("herald.replay.n")
    assert steps > 10
    ada.evaluate(f"herald.go({steps // 2}, false)")
    seq = ada.evaluate("herald.scene.seq")
    ada.screenshot("replay")
    ada.press("l")
    ada.wait(f"herald.replay.i === {steps // 2 + 1}")
    here = ada.evaluate("location.href").partition("&view=")[0]
    export_plays_offline(ada, served, here.partition("m=")[2], "vera")
    eve.goto(f"{here}&seq={seq}")
    assert eve.evaluate("herald.scene.seq") == seq
    assert eve.evaluate("herald.replay.i") == steps // 2


@pytest.mark.whole
def test_two_people_play_war_for_edadh_while_a_third_watches(browser: Browser, served: Served) -> None:
    ada, bo, eve = browser.page(), browser.page(), browser.page()
    ada.size(1440, 900)
    bo.size(390, 844, touch=True)
    eve.size(1920, 1080, dark=True)
    for page in (ada, bo, eve):
        page.before_load(FAST)
    ada.goto(f"{served.url}/")
    ada.click(f"{card_of(WAR)} .acts .new")
    ada.evaluate("document.querySelectorAll('.create fieldset select')[1].value = 'invited'")
    ada.click(".create .go")
    link = ada.wait("document.querySelector('.linkrow input')?.value")
    ada.click("#dialog a.go")
    ada.wait("window.herald?.scene && document.body.dataset.ready")
    bo.sit_down(link)
    eve.goto(f"{served.url}/watch#m={link.partition('m=')[2].partition('&')[0]}")
    for part in range(3):
        play([ada, bo], 16)
        for name, page in (("ada", ada), ("bo", bo), ("eve", eve)):
            page.screenshot(f"edadh-{name}-{part}")
    _, over = play([ada, bo], WHOLE)
    assert over
    for name, page in (("ada", ada), ("bo", bo), ("eve", eve)):
        page.wait("herald.scene.prompt.mode === 'over'")
        page.wait(VERIFIED)
        page.screenshot(f"edadh-over-{name}")
        assert page.errors == []
    assert len({page.evaluate("herald.check.head") for page in (ada, bo, eve)}) == 1
    export_plays_offline(eve, served, eve.evaluate("herald.check.verifier.match"), "edadh")


def test_a_bot_can_be_played_within_two_clicks_and_two_tabs_agree(browser: Browser, page: Page, served: Served) -> None:
    against_bot(page, served)
    assert re.search(r"/play#m=.+&t=.+", page.evaluate("location.href"))
    other = browser.sister(page)
    other.size(1000, 800)
    other.goto(page.evaluate("location.href"))
    other.wait("herald.prompt.mine()")
    question = page.evaluate("herald.prompt.p.id")
    page.click(".opt")
    for tab in (page, other):
        tab.wait(f"herald.prompt.p.id !== '{question}'")
    last = max(tab.evaluate("herald.scene.seq") for tab in (page, other))
    for tab in (page, other):
        tab.wait(f"herald.scene.seq >= {last} && herald.scene.seq === herald.check.seq")
    assert page.errors == []


@pytest.mark.whole
def test_a_table_that_a_full_server_closed_says_so_and_comes_back_by_itself(page: Page, served: Served) -> None:
    against_bot(page, served)
    said = page.evaluate("""(() => {
        const net = herald.connection, old = net.socket;
        net.socket = { close() {} };
        old.onclose = null;
        old.close();
        net.lost(4013);
        return document.querySelector("#notice").textContent;
    })()""")
    assert "full" in said
    page.wait("herald.connection.ready && document.querySelector('#notice').hidden")
    assert page.wait("herald.prompt.mine()")
    assert page.errors == []


@pytest.mark.whole
def test_an_army_of_ones_own_is_opened_as_a_file(page: Page, served: Served, tmp_path: Path) -> None:
    army = next(army for army in json.loads(ARMIES.read_text(encoding="utf-8")) if army["name"] == "Dzaa quick start")
    mine, broken = tmp_path / "mine.json", tmp_path / "broken.json"
    mine.write_text(json.dumps({**army, "name": "Mine"}), encoding="utf-8")
    broken.write_text(json.dumps({**army, "total": 25}), encoding="utf-8")
    against_bot(page, served, game=WAR)
    page.open_file(broken, ".opt[data-file]")
    assert "WE-265" in page.wait("herald.prompt.refusal")
    page.open_file(mine, ".opt[data-file]")
    page.wait("document.body.innerText.includes('has chosen an army: Mine')")


SCENARIO = """
title = "A fresh Unit before a damaged one"
game = "vera_discordia"
[position.seat0]
V2 = "A: sentinels attack"
[position.seat1]
V2 = "D: trackers closed 4 support"
"""


@pytest.mark.whole
def test_a_match_begins_in_the_position_of_a_file(page: Page, served: Served, tmp_path: Path) -> None:
    mine, broken = tmp_path / "mine.toml", tmp_path / "broken.toml"
    mine.write_text(SCENARIO, encoding="utf-8")
    broken.write_text(SCENARIO.replace("trackers", "trakers"), encoding="utf-8")
    page.goto(f"{served.url}/")
    page.click(f"{card_of(VERA)} .acts .new")
    page.open_file(broken, "#create [name=scenario]")
    page.click("#create .go")
    assert "did you mean 'trackers'?" in page.wait("document.querySelector('#create .problem').textContent")
    page.open_file(mine, "#create [name=scenario]")
    page.click("#create .go")
    page.wait("window.herald?.prompt?.mine()")
    assert page.evaluate("herald.scene.prompt.opts?.length || herald.prompt.fields().length")
    page.wait("document.body.innerText.includes('a position that was written: A fresh Unit before a damaged one')")
    page.screenshot("scenario")
    assert play([page], 1) == (1, False)
    match = page.evaluate("herald.check.verifier.match")
    command = [sys.executable, "-m", "server.cli", "audit", match, "--db", str(served.db)]
    assert subprocess.run(command, capture_output=True, cwd=ROOT, check=False).returncode == 0
    assert page.errors == []


@pytest.mark.whole
def test_an_open_seat_is_taken_from_the_list(browser: Browser, page: Page, served: Served) -> None:
    page.goto(f"{served.url}/")
    page.click(f"{card_of(VERA)} .acts .new")
    page.evaluate("document.querySelectorAll('.create fieldset select')[1].value = 'open'")
    page.click(".create .go")
    page.wait("window.herald?.scene && document.body.dataset.ready")
    assert page.evaluate("herald.prompt.p.mode") == "none"
    guest = browser.page()
    guest.size(700, 900)
    guest.goto(f"{served.url}/")
    guest.evaluate("localStorage.setItem('herald.name', '\"Mira\"')")
    guest.goto(f"{served.url}/")
    guest.click("#open .ghost", "Take seat")
    page.wait("herald.prompt.mine()")
    guest.wait("herald.prompt.p.mode === 'wait'")
    for tab in (page, guest):
        assert "Mira" in tab.evaluate("document.body.innerText")
        assert tab.errors == []


@pytest.mark.parametrize(("game", "most"), [(VERA, 12), pytest.param(WAR, 200, marks=pytest.mark.whole)])
def test_a_match_can_be_played_with_keys_alone(page: Page, served: Served, game: str, most: int) -> None:
    """And a live region says each question and all that the chronicle tells. War for Edadh is played to its end."""
    page.before_load(FAST)
    page.goto(f"{served.url}/")
    tab_to(page, f"{card_of(game)} .acts .bot")
    page.press("Enter")
    page.wait("window.herald?.prompt?.mine()")
    page.evaluate(HEAR)
    lines, asked = page.evaluate("herald.scene.log.length"), []
    for n in range(most):
        page.wait("herald.prompt.mine() || herald.prompt.p.mode === 'over'")
        if page.evaluate("herald.prompt.p.mode") == "over":
            break
        asked.append(page.evaluate("herald.prompt.p.ask"))
        answer_by_keys(page, n % 2 == 0)
    page.wait("herald.prompt.mine() || herald.prompt.p.mode === 'over'")
    assert game == VERA or page.evaluate("herald.prompt.p.mode") == "over"
    page.evaluate("new Promise(r => setTimeout(r, 200))")
    told = " ".join(page.evaluate("told"))
    plain = "[].concat(l.t).map(x => x.t ?? x).join('')"
    assert [ask for ask in asked[1:] if ask not in told] == []
    assert [
        line for line in page.evaluate(f"herald.scene.log.slice({lines}).map(l => {plain})") if line not in told
    ] == []
    assert page.errors == []


@pytest.mark.whole
def test_arrows_and_the_next_key_reach_both_ends_of_a_card(page: Page, served: Served) -> None:
    page.before_load(FAST)
    match_that_asks(page, served, "[...herald.prompt.sets().can].some(ref => ref.endsWith('/1'))", WAR)
    seen = []
    for key in ("n", "n", "ArrowDown", "ArrowUp", "p"):
        page.press(key)
        seen.append(page.evaluate("document.activeElement.dataset.ref"))
    first, second = seen[:2]
    assert first != second
    assert seen[2:] == [second.replace("/0", "/1"), second, first]


def test_a_draft_is_undone_until_it_is_sent_and_a_refusal_keeps_it(page: Page, served: Served) -> None:
    page.before_load(FAST)
    match_that_asks(page, served, "herald.prompt.fields()[0].type === 'many' && herald.prompt.fields()[0].min > 1")
    page.press("1")
    page.press("2")
    assert page.evaluate("herald.prompt.v.choice.length") == 2
    page.press("Backspace")
    assert page.evaluate("herald.prompt.v.choice.length") == 1
    number = page.evaluate("herald.prompt.p.id")
    page.evaluate("(herald.prompt.sent = true, herald.prompt.api.answer(herald.prompt.p.id, ['no such card']))")
    why = page.wait("herald.prompt.refusal")
    assert why in page.evaluate("document.querySelector('.refused').textContent")
    assert page.evaluate("herald.prompt.v.choice.length") == 1
    assert page.evaluate("herald.prompt.mine() && herald.prompt.p.id") == number


SLOW_GLYPHS = """const load = fetch, wait = new Promise(done => setTimeout(done, 1500));
window.fetch = async (url, ...more) => (`${url}`.startsWith("/glyphs/") && (await wait), load(url, ...more));
"""
DRAWN = """[...document.querySelectorAll(".stage [data-ref]")].map(e => [
    e.dataset.ref, e.style.transform, e.style.width, e.style.height, e.textContent, e.ariaLabel, e.childElementCount,
    [...e.classList].filter(c => !["lift", "rolling"].includes(c)).sort().join(" ")]).sort().map(String)"""

SETTLED = f"!herald.fx.busy && herald.scene.seq === herald.check.seq && [herald.scene.seq, {DRAWN}]"
"""The line that is shown and all that is drawn; a bot may still be at a choice of its own."""


def drawn_as_by_a_fresh_page(page: Page, fresh: Page) -> None:
    """What lies on the table after many patches is what a page shows that came only now."""
    page.wait("herald.scene.seq === herald.check.seq && !herald.fx.busy")
    fresh.goto(page.evaluate("location.href"))
    until = time.monotonic() + PATIENCE_S
    while (old := page.wait(SETTLED))[0] != (new := fresh.wait(SETTLED))[0]:
        assert time.monotonic() < until, "the two pages never show the same line"
    assert old == new


@pytest.mark.whole
def test_what_happens_while_a_page_still_loads_is_shown(page: Page, served: Served) -> None:
    page.before_load(FAST + SLOW_GLYPHS)
    against_bot(page, served)
    assert page.errors == []


@pytest.mark.whole
@pytest.mark.parametrize("game", [VERA, pytest.param(WAR, marks=pytest.mark.deep)])
def test_a_table_played_through_is_drawn_as_a_page_that_comes_late(
    browser: Browser, page: Page, served: Served, game: str
) -> None:
    fresh = browser.sister(page)
    fresh.size(1440, 900)
    page.before_load(FAST)
    against_bot(page, served, game)
    for _ in range(4):
        _, over = play([page], 12)
        page.wait("herald.prompt.mine() || herald.prompt.p.mode === 'over'")
        while not over and page.evaluate(WARNED):
            _, over = play([page], 1)
            page.wait("herald.prompt.mine() || herald.prompt.p.mode === 'over'")
        drawn_as_by_a_fresh_page(page, fresh)
        if over:
            break


KEEP = """(window.frames = [], window.early = herald.scene, (on => {
    const hear = on.message;
    on.message = m => { if (m.t === "events") frames.push(m); hear.call(on, m); };
})(herald.connection.on), 0)"""
AGAIN = "herald.connection.on.message({ t: 'snapshot', seq: early.seq, scene: early })"
ELSEWHERE = """herald.connection.on.message({
    t: "events", from: early.seq + 2, to: early.seq + 3, items: [],
    steps: [{ seq: early.seq + 3, set: { pieces: null } }],
})"""


@pytest.mark.whole
def test_a_page_goes_back_with_an_older_snapshot_and_patches_no_other_scene(
    browser: Browser, page: Page, served: Served
) -> None:
    fresh = browser.sister(page)
    fresh.size(1440, 900)
    page.before_load(FAST)
    against_bot(page, served)
    play([page], 6)
    page.wait("herald.prompt.mine() && herald.scene.seq === herald.check.seq")
    page.evaluate(KEEP)
    play([page], 2)
    page.wait("herald.prompt.mine() && herald.scene.seq === herald.check.seq")
    now = page.evaluate("herald.scene.seq")
    page.evaluate(AGAIN)
    page.wait("herald.scene.seq === early.seq")
    page.evaluate("(frames.splice(0).forEach(m => herald.connection.on.message(m)), 0)")
    page.wait(f"herald.scene.seq === {now}")
    drawn_as_by_a_fresh_page(page, fresh)
    page.evaluate(AGAIN)
    page.wait("herald.scene.seq === early.seq")
    page.evaluate(ELSEWHERE)
    page.wait(f"herald.scene.seq === {now}")
    drawn_as_by_a_fresh_page(page, fresh)
    assert page.errors == []


SHARES = """fetch(`/api/record/${herald.check.verifier.match}`).then(r => r.text()).then(file => file.trim()
    .split("\\n").flatMap(x => JSON.parse(x).items ?? []).map(([line]) => JSON.parse(line))
    .filter(line => line[4].startsWith("Entropy")).map(line => [line[4], line[8].seat, line[6]]))"""


@pytest.mark.whole
def test_a_persons_browser_gives_a_share_of_chance_of_its_own(page: Page, served: Served) -> None:
    against_bot(page, served)
    assert page.evaluate(SHARES) == [
        ["EntropyCommitted", 0, 0],
        ["EntropyCommitted", 1, -1],
        ["EntropyRevealed", 0, 0],
        ["EntropyRevealed", 1, -1],
    ]


HOLD = """const send = WebSocket.prototype.send;
WebSocket.prototype.send = function (text) {
    if (!localStorage.hold || !text.includes('"t":"reveal"')) send.call(this, text);
};"""


@pytest.mark.whole
def test_a_share_of_chance_is_revealed_after_a_reload_too(page: Page, served: Served) -> None:
    page.before_load(HOLD)
    page.goto(f"{served.url}/")
    page.evaluate("localStorage.hold = 1")
    page.click(f"{card_of(VERA)} .acts .bot")
    page.wait("window.herald?.check.verifier?.commitments.size === 2 && document.body.dataset.ready")
    assert page.evaluate("herald.prompt.p.mode") == "none"
    page.evaluate("localStorage.removeItem('hold')")
    page.call("Page.reload")
    page.wait("window.herald?.prompt?.mine()")
    page.wait("!Object.keys(localStorage).some(key => key.startsWith('share'))")


KEY_OF_SEAT = """fetch(`/api/record/${herald.check.verifier.match}`).then(r => r.text())
    .then(file => /SeatTaken.*?key/.test(file))"""


@pytest.mark.whole
def test_a_seat_signs_its_choices_on_every_device_that_has_its_link(
    browser: Browser, page: Page, served: Served
) -> None:
    page.before_load(FAST)
    page.goto(f"{served.url}/")
    page.click(f"{card_of(VERA)} .acts .new")
    page.evaluate("[...document.querySelectorAll('.create [type=checkbox]')].at(-1).click()")
    page.click(".create .go")
    page.wait("window.herald?.prompt?.mine()")
    assert page.evaluate(KEY_OF_SEAT)
    assert play([page], 2) == (2, False)
    phone = browser.page()
    phone.goto(page.evaluate("location.href"))
    phone.wait("herald.prompt.mine()")
    assert play([phone], 2) == (2, False)
    for tab in (page, phone):
        tab.wait("herald.prompt.mine()")
        assert tab.errors == []


@pytest.mark.whole
def test_a_match_goes_on_otherwise_from_an_earlier_moment(page: Page, served: Served) -> None:
    page.before_load(FAST)
    against_bot(page, served)
    play([page], 6)
    page.wait("herald.prompt.mine()")
    page.press("j")
    page.press("j")
    trunk, seq = page.evaluate("[herald.check.verifier.match, herald.scene.seq]")
    page.click(".branch")
    page.wait("document.getElementById('dialog').open")
    assert page.evaluate("document.querySelector('#dialog [type=checkbox]') === null"), "hints, of a match that goes on"
    page.screenshot("branch-dialog")
    page.click("#dialog .go")
    page.wait(f"window.herald?.check.verifier && herald.check.verifier.match !== '{trunk}'")
    page.wait("!document.getElementById('branched').hidden && herald.prompt.mine()")
    page.screenshot("branch")
    left = page.evaluate("new URL(document.querySelector('#branched a').href).hash")
    assert left.startswith(f"#m={trunk}&seq=")
    assert int(left.rpartition("=")[2]) <= seq
    assert play([page], 1) == (1, False)
    assert page.errors == []


@pytest.mark.whole
def test_a_match_that_is_over_goes_on_otherwise_with_hints(page: Page, served: Served) -> None:
    page.before_load(f"{FAST}; window.confirm = () => true")
    against_bot(page, served)
    play([page], 6)
    page.click("#tools [data-ico=flag]")
    page.click("#acts [value=resign]")
    page.wait("herald.scene.prompt.mode === 'over'")
    trunk = page.evaluate("herald.check.verifier.match")
    for _ in range(3):
        page.press("j")
    page.click(".branch")
    page.wait("document.getElementById('dialog').open")
    page.click("#dialog [type=checkbox]")
    page.click("#dialog .go")
    page.wait(f"window.herald?.check.verifier && herald.check.verifier.match !== '{trunk}'")
    page.wait("!document.getElementById('branched').hidden && herald.prompt.mine()")
    page.wait("document.querySelector('[data-o=\"hint|ask\"]') !== null")
    assert page.errors == []


@pytest.mark.whole
def test_what_is_agreed_and_said_around_a_match(browser: Browser, served: Served) -> None:
    """Clocks, an offer declined, chat, a caster let in and sent away, and at last the resignation."""
    ada, bo, caster = browser.page(), browser.page(), browser.page()
    for page in (ada, bo, caster):
        page.before_load(FAST + "; window.confirm = () => true")
        page.size(1440, 900)
    ada.goto(f"{served.url}/")
    ada.click(f"{card_of(VERA)} .acts .new")
    ada.evaluate("document.querySelectorAll('.create fieldset select')[1].value = 'invited'")
    ada.evaluate("document.querySelector('[name=kind]').value = 'bank'")
    ada.click(".create .go")
    link = ada.wait("document.querySelector('.linkrow input')?.value")
    ada.click("#dialog a.go")
    ada.wait("window.herald?.scene && document.body.dataset.ready")
    bo.sit_down(link)
    play([ada, bo], 4)
    clocks = "[...document.querySelectorAll('.clk')].map(e => e.textContent)"
    shown = ada.wait(f"{clocks}.length === 2 && {clocks}.join()")
    ada.wait(f"{clocks}.join() !== '{shown}'")
    ada.click("#tools [data-ico=flag]")
    ada.click("#acts [value=draw]")
    bo.wait("!document.getElementById('offers').hidden")
    bo.screenshot("offer")
    bo.click("#offers .ghost:enabled")
    ada.wait("document.getElementById('offers').hidden")
    ada.click("[aria-controls=chat]")
    ada.evaluate("(document.querySelector('#chat input').value = '<b>Well met</b>', 0)")
    ada.click("#chat form button")
    bo.wait("document.getElementById('chatlines').textContent.includes('<b>Well met</b>')")
    ada.click("#tools [data-ico=link]")
    ada.click("#dialog .ghost", "watch through")
    links = "[...document.querySelectorAll('.linkrow input')].map(e => e.value)"
    caster.goto(ada.wait(f"{links}.find(url => url.includes('/watch') && url.includes('&t='))"))
    caster.wait("window.herald?.scene?.viewer.seat === 0 && herald.prompt.p")
    assert not caster.evaluate("herald.prompt.mine()")
    bo.wait("document.querySelectorAll('.shares').length === 1")
    ada.click("#dialog .ghost", "Withdraw all")
    caster.wait("document.getElementById('notice').className === 'bad'")
    bo.click("#tools [data-ico=flag]")
    bo.click("#acts [value=resign]")
    for page in (ada, bo):
        page.wait("herald.prompt.p.mode === 'over'")
        assert page.errors == []


LEGAL_WAY = """(all => all.find(o => all.filter(p => `${p.at}` === `${o.at}`).length === 1)?.at)(
    (herald.prompt.fields()[0]?.options ?? []).filter(o => o.at?.length === 2 && !o.off))"""
"""A piece and its place that one choice alone has: where the General may come too, Herald asks which is meant."""


@pytest.mark.parametrize("by", ["drag", "clicks"])
def test_a_piece_is_put_on_its_place_with_the_mouse(page: Page, served: Served, by: str) -> None:
    page.before_load(FAST)
    piece, place = (f".stage [data-ref='{ref}']" for ref in match_that_asks(page, served, LEGAL_WAY))
    number = page.evaluate("herald.prompt.p.id")
    page.wait("!herald.fx.busy")
    if by == "drag":
        page.drag(piece, place)
    else:
        page.click(piece)
        assert page.evaluate("herald.prompt.path.length") == 1
        page.click(place)
    page.wait(f"herald.prompt.p.id !== '{number}'")
    assert page.errors == []


BREAK = r"""const Plain = WebSocket, found = /(\\"commitment\\":\\")(.)/;
const other = (_, key, first) => key + (first === "_" ? "-" : "_");
window.WebSocket = class extends Plain {
    set onmessage(f) { super.onmessage = e => f({ data: e.data.replace(found, other) }); }
};"""


def test_a_changed_line_is_shown_in_red_with_its_number(page: Page, served: Served) -> None:
    page.before_load(BREAK)
    page.goto(f"{served.url}/")
    page.click(f"{card_of(VERA)} .acts .bot")
    page.wait("window.herald?.check.fault && document.body.dataset.ready")
    line = page.evaluate("herald.check.fault.seq")
    assert line == 4, "the seat has signed its share in other words"
    assert page.evaluate("herald.prompt.p.mode") == "none", "no share of chance is given to a record that is not true"
    assert str(line) in page.evaluate("document.querySelector('#seal.broken').textContent")
    assert page.evaluate("document.getElementById('notice').className") == "bad"
    page.screenshot("broken-record")


FORGE = r"""const Plain = WebSocket, found = /("signed":"[^"]{60})(.)/;
const other = (_, before, one) => before + (one === "A" ? "B" : "A");
window.WebSocket = class extends Plain {
    set onmessage(f) { super.onmessage = e => f({ data: e.data.replace(found, other) }); }
};"""


def test_the_server_s_signatures_are_checked_while_a_match_is_played(page: Page, served: Served) -> None:
    against_bot(page, served)
    assert page.wait("herald.check.signed === herald.check.seq && herald.check.signed") > 0
    assert page.evaluate("herald.check.verifier.strict.shapes.game.rules") > 0
    page.before_load(FORGE)
    page.goto(f"{served.url}/")
    page.click(f"{card_of(VERA)} .acts .bot")
    page.wait("window.herald?.check.fault && document.body.dataset.ready")
    assert "signature" in page.evaluate("herald.check.fault.why")


def test_no_request_leaves_the_server(page: Page, served: Served) -> None:
    against_bot(page, served)
    page.wait("herald.check.seq > 5")
    foreign = [url for url in page.requests if not url.startswith((served.url, "about:", "data:"))]
    assert foreign == []


@pytest.mark.whole
def test_a_page_keeps_the_timings_that_are_measured(page: Page, served: Served) -> None:
    """`scripts/web-timings` reads them; how long they are depends on the machine."""
    page.before_load(FAST)
    against_bot(page, served)
    made, _ = play([page], 12)
    assert page.evaluate("performance.getEntriesByName('first-contentful-paint').length") == 1
    assert page.evaluate("metrics.apply.length") >= made
    assert page.evaluate("metrics.apply.every(ms => ms >= 0)")
