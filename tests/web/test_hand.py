"""The table as a hand uses it: the pointer moves, presses, moves and lets go on what is seen; or keys alone."""

import json
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from tests.web.browser import Browser, Page
from tests.web.hand import ASK, ask, double, given, hand, seen, tap
from tests.web.node import ROOT
from tests.web.playing import FAST, VERA, WAR, against_bot, card_of, play, tab_to
from tests.web.serving import Served

pytestmark = pytest.mark.timeout(400)


def thumb(page: Page) -> tuple[float, float]:
    """Where the scrubber's thumb is seen."""
    part = page.evaluate("(r => 7 / r.clientWidth + (1 - 14 / r.clientWidth) * r.value / r.max)(herald.replay.range)")
    return seen(page, "#bar input", part)


def scrub(page: Page) -> None:
    """Drag the thumb to a third of the bar and on to two thirds; what is shown follows, and stays."""
    start, third, two = thumb(page), seen(page, "#bar input", 1 / 3), seen(page, "#bar input", 2 / 3)
    hand(page, start, third, two)
    n, i, shown = page.evaluate("[herald.replay.n, herald.replay.i, Number(herald.replay.range.value)]")
    assert i == shown
    assert abs(i - n * 2 / 3) <= 1 + n / 40
    page.press("j")
    assert page.evaluate("herald.replay.i") == i - 1
    hand(page, third)
    assert abs(page.evaluate("herald.replay.i") - n / 3) <= 1 + n / 40


@pytest.fixture
def played(page: Page, served: Served) -> str:
    """A match of a few choices, its id; the page is at its table."""
    page.before_load(FAST)
    against_bot(page, served)
    play([page], 8)
    page.wait("herald.prompt.mine() && herald.scene.seq === herald.check.seq")
    return str(page.evaluate("herald.check.verifier.match"))


def test_the_scrubber_and_the_chronicle_lead_to_a_moment(
    page: Page, served: Served, played: str, tmp_path: Path
) -> None:
    """Live, in the replay and in the exported file; a viewpoint chosen last takes no key away."""
    scrub(page)
    assert not page.evaluate("document.querySelector('#bar .live').classList.contains('on')")
    hand(page, seen(page, "#bar .live"))
    assert page.evaluate("herald.replay.i === herald.replay.n")
    file = tmp_path / "replay.html"
    export = [sys.executable, "-m", "server.cli", "export", played, "--format", "html", "-o", str(file)]
    subprocess.run([*export, "--db", str(served.db)], check=True, capture_output=True, cwd=ROOT)
    for address in (f"{served.url}/replay#m={played}", file.as_uri()):
        page.goto(address)
        assert page.evaluate("Object.keys(herald.scene.pieces).length")
        scrub(page)
        assert page.evaluate("[...document.querySelector('#bar .view').options].map(o => o.text)")[0] == "Spectator"
        line = page.evaluate("herald.lines.findLastIndex(told => told.at > 0)")
        at = page.evaluate(f"herald.lines[{line}].at")
        hand(page, seen(page, f"#lines > :nth-child({line + 1})"))
        assert page.evaluate("herald.replay.i") == at
        assert page.evaluate(f"[...lines.querySelectorAll('.now')].every(e => e.dataset.at == {at})")
        assert page.evaluate("lines.querySelector('.now') !== null")
        page.press("ArrowUp")
        page.press("Enter")
        assert page.evaluate("herald.replay.i") <= at
        page.evaluate("document.querySelector('#bar .view').focus()")
        page.press("Home")
        page.press("l")
        assert page.evaluate("herald.replay.i") == 1
    assert page.errors == []


ONE_LINE = 12
SOME_LINES = 150
"""In pixels."""
ROWS = """[...herald.prompt.root.querySelectorAll('.opt')].map(
    e => [e.querySelector('kbd').textContent, e.querySelector('.lb').textContent])"""


@pytest.fixture
def table(page: Page, served: Served) -> Page:
    page.before_load(FAST)
    against_bot(page, served)
    return page


@pytest.mark.whole
def test_many_options_begin_with_what_one_points_at(table: Page) -> None:
    """On the board, in the list, by keys and read aloud alike."""
    pieces = table.evaluate("[...document.querySelectorAll('.stage button.pc')].map(e => e.dataset.ref).slice(0, 3)")
    places = [f"army0#{i},{row}" for row in range(4) for i in range(4)]
    ask(
        table,
        [
            {"id": f"{n}-{m}", "label": f"{piece} to {place}", "at": [piece, place]}
            for n, piece in enumerate(pieces)
            for m, place in enumerate(places)
        ],
    )
    titles = [table.evaluate(f"herald.scene.pieces['{piece}'].title") for piece in pieces]
    assert table.evaluate(ROWS) == [[str(n + 1), title] for n, title in enumerate(titles)]
    table.evaluate("live.textContent = ''")
    table.press("o")
    table.wait(f"{json.dumps(titles)}.every(title => live.textContent.includes(title))")
    assert " to army" not in table.evaluate("live.textContent")
    table.press("2")
    assert [label for _, label in table.evaluate(ROWS)] == [f"{pieces[1]} to {place}" for place in places]
    table.press("3")
    assert given(table) == ["1-2"]


def test_a_double_click_does_not_choose_in_the_list_that_it_opened(table: Page) -> None:
    table.wait("window.herald?.prompt?.mine()")
    for ms, answers in ((30, 0), (120, 0), (240, 0), (260, 1)):
        assert double(table, ms) == [1, answers], ms


def test_o_reads_all_that_stands_at_the_question(table: Page) -> None:
    """What it is for, what is at stake, the phase, dice that are asked about, dice of an option, the hint."""
    dice = [{"t": "red", "n": 3, "label": "3 red"}, {"t": "black", "n": 1, "label": "1 black"}]
    options = [{"id": "0", "label": "charge", "dice": dice}, {"id": "1", "label": "hold"}]
    more = {
        "why": "It says who goes first.",
        "also": "The last Elite is at stake.",
        "phase": "a guard may stop it",
        "hint": "Two Troops could be Shaken.",
        "dice": [
            {"label": "Attack", "owner": 0, "dice": [{"t": "red", "f": 1, "label": "red kill"}], "sum": "one hit"}
        ],
    }
    fields = [{"id": "choice", "type": "one", "options": options}]
    asked = {"mode": "you", "ask": "Charge?", **more}
    table.evaluate(f"{ASK.replace('SCENE', 'herald.scene')}({json.dumps(fields)}, {json.dumps(asked)})")
    table.evaluate("live.textContent = ''")
    table.press("o")
    table.wait("live.textContent.includes('Charge?')")
    read = table.evaluate("live.textContent")
    words = [
        more["why"],
        more["also"],
        more["phase"],
        more["hint"],
        "Attack",
        "red kill",
        "one hit",
        "3 red",
        "1 black",
    ]
    assert [text for text in words if str(text).removesuffix(".") not in read] == []


@pytest.mark.whole
def test_each_of_more_than_nine_options_has_a_key(table: Page) -> None:
    ask(table, [{"id": str(n), "label": f"number {n}"} for n in range(12)])
    keys = [key for key, _ in table.evaluate(ROWS)]
    assert len(set(keys)) == 12
    table.press(keys[11])
    assert given(table) == ["11"]


def test_a_key_stays_with_its_option_while_the_question_stays(table: Page) -> None:
    ask(table, [{"id": str(n), "label": label} for n, label in enumerate(("stop", "left", "middle", "right"))])
    table.press("2")
    ask(table, [{"id": str(n), "label": label} for n, label in enumerate(("stop", "middle", "right"))])
    assert table.evaluate(ROWS) == [["1", "stop"], ["3", "middle"], ["4", "right"]]
    table.press("4")
    assert given(table) == ["2"]
    ask(table, [{"id": "0", "label": "right"}], ask="Another?")
    assert table.evaluate(ROWS) == [["1", "right"]]


def test_of_equal_pieces_each_can_be_clicked_and_dragged(table: Page) -> None:
    first, other, *goals = table.evaluate("[...document.querySelectorAll('.stage button.pc')].map(e => e.dataset.ref)")
    table.evaluate(
        f"window.equal = {{ ...herald.scene, pieces: {{ ...herald.scene.pieces,"
        f" {json.dumps(other)}: {{ ...herald.scene.pieces[{json.dumps(other)}], same: {json.dumps(first)} }} }} }}"
    )
    options: list[dict[str, object]] = [{"id": str(n), "label": goals[n], "at": [first, goals[n]]} for n in range(2)]
    ask(table, options, "equal")
    spot = seen(table, f".stage [data-ref='{other}']")
    assert table.evaluate(f"herald.board.node('{other}').classList.contains('can')")
    hand(table, spot)
    assert table.evaluate("[...herald.prompt.sets().sel]") == [other]
    assert not given(table)
    ask(table, options, "equal")
    goal = seen(table, f".stage [data-ref='{goals[1]}']")
    hand(table, spot, ((spot[0] + goal[0]) / 2, (spot[1] + goal[1]) / 2), goal)
    assert given(table) == ["1"]


def test_a_finger_shows_before_it_sends(browser: Browser, served: Served) -> None:
    phone = browser.page()
    phone.size(390, 844, touch=True)
    phone.before_load(FAST)
    against_bot(phone, served)
    general = phone.evaluate("[...herald.prompt.sets().can][0]")
    number = phone.evaluate("herald.prompt.p.id")
    tap(phone, seen(phone, f".stage [data-ref='{general}']"))
    label = phone.wait("herald.prompt.armed && herald.prompt.root.querySelector('.opt.on .lb').textContent")
    assert phone.evaluate(f"herald.scene.pieces['{general}'].title") in label
    assert phone.evaluate("herald.prompt.mine() && herald.prompt.p.id") == number
    phone.screenshot("finger-first")
    tap(phone, seen(phone, "#prompt footer .ghost"))
    phone.wait("!herald.prompt.armed && herald.prompt.root.querySelectorAll('.opt').length > 1")
    tap(phone, seen(phone, f".stage [data-ref='{general}']"))
    phone.wait("herald.prompt.armed")
    tap(phone, seen(phone, f".stage [data-ref='{general}']"))
    phone.wait(f"herald.prompt.sent || herald.prompt.p.id !== '{number}'")
    assert phone.errors == []


@pytest.mark.whole
def test_a_phone_shows_the_lines_of_the_chronicle_and_what_a_question_is_for(browser: Browser, served: Served) -> None:
    page = browser.page()
    page.size(390, 844, touch=True)
    against_bot(page, served)
    page.wait("herald.prompt.mine()")
    high = "document.querySelector({!r}).getBoundingClientRect().height"
    assert page.evaluate(high.format(".prompt .why")) < ONE_LINE, "only where it is asked for"
    tap(page, seen(page, ".prompt .wi"))
    assert page.evaluate(high.format(".prompt .why")) > ONE_LINE
    tap(page, seen(page, "#sheet [data-s=chronicle]"))
    assert page.evaluate(high.format("#lines")) > SOME_LINES


@pytest.mark.whole
def test_an_only_answer_gives_itself_and_says_so(table: Page) -> None:
    """Where others are asked too, only one that a quick answer tells nothing of."""
    for kept, forced, alone, told in (
        ("false", True, True, []),
        ("true", False, False, []),
        ("true", False, True, ["7"]),
        ("true", True, False, ["7"]),
    ):
        table.evaluate(f"localStorage.setItem('herald.auto', '{kept}')")
        table.call("Page.reload")
        table.wait("window.herald?.prompt?.mine()")
        table.evaluate(f"herald.view.api.isAlone = () => {str(alone).lower()}")
        ask(table, [{"id": "7", "label": "Onward", "at": ["x"]}], forced=forced, also="The road is closed behind you")
        table.evaluate("herald.view.obey(herald.prompt.p)")
        table.evaluate("new Promise(done => setTimeout(done, 1600))")
        assert given(table) == told
    assert "Onward" in table.evaluate("live.textContent")
    assert table.evaluate("herald.prompt.note").endswith("Onward")
    assert table.evaluate("herald.prompt.noteWhy") == "The road is closed behind you"


HAPPENED = """(() => {
    herald.fx.speed = 1;
    const gains = ["+1 VP", "+1 XP"].map(t => ({ k: "gain", ref: "tray", t }));
    const won = [{ k: "result", t: "Bo falls." }, { k: "result", t: "Ada wins.", sub: "7 VP reached (JA-245)." }];
    void herald.fx.run([...gains, won[0], { k: "banner", t: "Round 2" }, won[1]], "post");
    const floats = [...document.querySelectorAll(".float")].map(e => parseFloat(e.style.top));
    return [floats[0] - floats[1], [...document.querySelectorAll(".banner")].map(e => e.innerText)];
})()"""
"""What stands over the board as a step begins: how far two texts of one place are apart, and the banners."""


def test_everything_that_a_step_decides_is_shown_and_then_what_begins(table: Page) -> None:
    table.wait("window.herald?.prompt?.mine() && document.querySelectorAll('.banner, .float').length === 0")
    apart, banners = table.evaluate(HAPPENED)
    assert apart > 30
    assert banners == ["Bo falls.\nAda wins. 7 VP reached."]
    table.evaluate("herald.fx.skip()")
    table.wait("document.querySelector('.banner')?.textContent === 'Round 2'")


def test_a_key_meant_for_the_answer_that_gave_itself_chooses_nothing_in_the_next_question(table: Page) -> None:
    table.wait("window.herald?.prompt?.mine()")
    table.evaluate("herald.view.obey = () => {}")
    ask(table, [{"id": "7", "label": "Onward"}], forced=True)
    table.evaluate("void herald.prompt.obey()")
    ask(table, [{"id": "1", "label": "Stay"}, {"id": "2", "label": "Flee"}])
    assert table.evaluate(ROWS) == [["2", "Stay"], ["3", "Flee"]]
    table.press("2")
    assert given(table) == []
    table.evaluate("new Promise(done => setTimeout(done, 700))")
    table.press("2")
    assert given(table) == ["1"]


def test_a_seat_is_forgotten_only_when_it_is_meant(page: Page, served: Served) -> None:
    against_bot(page, served)
    page.before_load("window.asked = 0; window.confirm = () => (window.asked++, window.meant)")
    page.goto(f"{served.url}/")
    hand(page, seen(page, "#mine .ghost"))
    assert page.evaluate("[asked, document.querySelectorAll('#mine .row').length]") == [1, 1]
    page.evaluate("meant = true")
    hand(page, seen(page, "#mine .ghost"))
    assert page.evaluate("[asked, document.querySelector('#mine').hidden]") == [2, True]


@pytest.mark.whole
def test_live_goes_out_with_the_connection_and_with_the_match(table: Page) -> None:
    lit = "document.querySelector('#bar .live').classList.contains('on')"
    assert table.evaluate(lit)
    table.evaluate("herald.connection.on.state('lost')")
    table.wait(f"!({lit})")
    table.evaluate("herald.connection.on.state('open')")
    table.wait(lit)
    table.before_load("window.confirm = () => true")
    table.call("Page.reload")
    table.wait("window.herald?.prompt?.mine()")
    table.click("#tools [data-ico=flag]")
    table.click("#acts [value=resign]")
    table.wait("herald.scene.prompt.mode === 'over'")
    assert not table.evaluate(lit)


@pytest.mark.whole
def test_a_friend_is_asked_for_the_name_and_nobody_is_given_one(browser: Browser, served: Served) -> None:
    ada, friend = browser.page(), browser.page()
    for tab, width in ((ada, 1280), (friend, 390)):
        tab.size(width, 800)
    ada.goto(f"{served.url}/")
    ada.click(f"{card_of(VERA)} .acts .new")
    ada.evaluate("document.querySelectorAll('.create fieldset select')[1].value = 'invited'")
    ada.click(".create .go")
    link = ada.wait("document.querySelector('.linkrow input')?.value")
    ada.click("#dialog a.go")
    ada.wait("window.herald?.scene")
    assert ada.evaluate("Object.values(herald.scene.seats).map(seat => seat.name)") == ["Player 1", "Seat 2"]
    friend.goto(link, ready="!!document.querySelector('#dialog[open] input')")
    friend.call("Input.insertText", text="Bo")
    friend.screenshot("name-of-a-friend")
    hand(friend, seen(friend, "#dialog .go"))
    ada.wait("herald.prompt.mine()")
    assert ada.evaluate("Object.values(herald.scene.seats).map(seat => seat.name)") == ["Player 1", "Bo"]
    assert friend.wait("herald.scene.seats[1].name") == "Bo"


@pytest.mark.whole
def test_a_match_begun_with_one_click_is_the_same_for_both(page: Page, served: Served) -> None:
    page.before_load(FAST)
    against_bot(page, served, game=WAR, quick=True)
    assert page.evaluate("Object.values(herald.scene.seats).map(seat => seat.counters.troops.v)") == [6, 6]
    assert page.evaluate("Object.keys(herald.scene.pieces).length") > 12
    assert page.evaluate("Object.values(herald.scene.pieces).filter(p => p.zone.startsWith('mst'))") == []


@pytest.mark.whole
def test_who_skips_to_the_question_by_keys_stays_at_the_table(page: Page, served: Served) -> None:
    against_bot(page, served, quick=True)
    page.evaluate("window.here = location.href")
    tab_to(page, ".skip")
    page.press("Enter")
    page.wait("document.activeElement.id === 'prompt'")
    assert page.evaluate("location.href === window.here"), "the address says which match it is"


MATCHES_HELD = 6
ROWS_FIRST = 3


@pytest.mark.whole
def test_own_matches_stand_before_the_games_and_leave_these_in_reach(
    browser: Browser, page: Page, served: Served
) -> None:
    page.size(390, 844, touch=True)
    for _ in range(MATCHES_HELD):
        against_bot(page, served)
        page.wait("herald.prompt.mine()")
    page.goto(f"{served.url}/")
    rows = "document.querySelectorAll('#mine .row')"
    assert page.wait(f"{rows}.length") == ROWS_FIRST
    below = "document.querySelector({!r}).getBoundingClientRect().{}"
    assert page.evaluate(below.format("#mine .row a", "bottom")) < page.evaluate("innerHeight / 2")
    assert page.evaluate(below.format("#games", "top")) > page.evaluate(below.format("#mine", "bottom"))
    page.screenshot("own-matches-first")
    tap(page, seen(page, "#mine > button"))
    assert page.wait(f"{rows}.length > {ROWS_FIRST} && {rows}.length") == MATCHES_HELD
    assert page.evaluate("document.activeElement.closest('.row') === document.querySelectorAll('#mine .row')[3]")
    assert page.errors == []


ROLL = """...scene, zones: { ...scene.zones, tray: { ...scene.zones.tray, geom: { type: "tray", roll: {
    title: "Test", groups: [{ label: "Bo", owner: 0, dice: [{ t: "white", f: 4, label: "Die 4" }] }] } } } }, log"""
ROLLED = """(() => {
    const { scene, view } = herald;
    const dice = [{ t: "white", f: 4, label: "Die 4" }];
    const roll = { title: "Test", groups: [{ label: "Bo", owner: 0, dice }], result: "Bo has it (WE-087)" };
    const tray = { ...scene.zones.tray, geom: { type: "tray", roll } };
    const told = [...view.lines(), { line: { seat: 0, t: "Bo is wounded." }, at: 0 }];
    view.lines = () => told;
    view.show({ ...scene, zones: { ...scene.zones, tray }, prompt: { ...scene.prompt, id: "after" } });
})()"""
"""The next question, after a roll and what came of it."""


LINES = "[...document.querySelectorAll('#lines > .ln:not(.s9)')].map(e => e.textContent)"
TOLD = "document.querySelector('#ask + div .also')?.firstChild.textContent"
IDS = re.compile(r"\s\((?:[A-Z]{2}-\w+(?:,\s)?)+\)")
MORE = """(() => {
    const log = ["one", "two", "three", "four"].map(t => ({ t: `${t}.`, seat: 0 }));
    const { scene } = herald;
    const before = herald.view.lines();
    const told = [...before, ...log.map(line => ({ line, at: herald.replay.n }))];
    herald.view.lines = () => told;
    herald.view.show({ ...scene, log: [...scene.log, ...log], prompt: { ...scene.prompt, id: "later" } });
    return before.length;
})()"""
"""The next question, after lines about a player."""


def test_on_a_phone_what_came_since_the_question_before_stands_under_the_question(table: Page) -> None:
    table.size(390, 844, touch=True)
    table.call("Page.reload")
    table.wait("window.herald?.prompt?.mine() && herald.view.seen.length")
    asked = table.evaluate("herald.prompt.p.id")
    play([table], 1)
    table.wait(f"herald.prompt.mine() && herald.prompt.p.id !== {asked!r}")
    told = table.wait(TOLD)
    lines = [IDS.sub("", line) for line in table.evaluate(LINES)]
    assert told in {" ".join(two) for two in pairwise(lines)}, "two lines about players, as the chronicle has them"
    tall = "(e => (e.textContent = 'Many. '.repeat(120), e.clientHeight))(document.querySelector('#ask + div .also'))"
    assert 20 < table.evaluate(tall) < 60, "three lines at most: the options are below"
    table.evaluate(ROLLED)
    seen(table, "#ask + div .rolled .die")
    rolled = table.evaluate("document.querySelector('#ask + div .rolled').textContent")
    assert rolled.startswith("Test"), "what it was"
    assert rolled.endswith("Bo has it"), "what it came to, without numbers of rules that tear the line apart"
    first = table.evaluate(MORE)
    assert table.evaluate(TOLD) == "three. four."
    assert table.evaluate("document.querySelector('#ask + div u').textContent") == "2 more before that"
    table.screenshot("told-phone")
    tap(table, seen(table, "#ask + div .also"))
    row = f"document.querySelector('#lines').children[{first}].getBoundingClientRect()"
    table.wait(f"{row}.top >= document.querySelector('#lines').getBoundingClientRect().top - 1 && {row}.bottom < 844")
    table.screenshot("told-phone-whole")
    tap(table, seen(table, "#sheet [aria-controls=prompt]"))
    many = table.evaluate(
        MORE.replace('["one", "two", "three", "four"]', '[..."x".repeat(60)]').replace("later", "last")
    )
    tap(table, seen(table, "#ask + div .also"))
    table.evaluate("new Promise(done => setTimeout(done, 300))")
    top = f"document.querySelector('#lines').children[{many}].getBoundingClientRect().top"
    begin = table.evaluate(f"{top} - document.querySelector('#lines').getBoundingClientRect().top")
    assert -1 < begin < 40, "also where what came since is more than fits"
    over = '{ mode: "over", id: "end", ask: "Bo wins.", seat: 0 }'
    table.evaluate(MORE.replace('{ ...scene.prompt, id: "later" }', over))
    assert table.evaluate(TOLD) == "three. four.", "under the result too"
    table.size(1280, 800)
    table.evaluate("herald.prompt.draw()")
    assert not table.evaluate("document.querySelector('#ask + div :is(.also, .rolled)')"), (
        "it stands beside the board there"
    )
    assert table.errors == []


OVER = """(() => {
    const { scene } = herald;
    const log = [...scene.log, { t: "Bo wins.", seat: 0 }];
    herald.view.show({ ...scene, log, prompt: { mode: "over", id: "end", ask: "Bo wins. 10 VP to 6.", seat: 0 } });
})()"""


def test_what_the_end_says_beyond_its_last_line_is_said_aloud(table: Page) -> None:
    table.wait("window.herald?.prompt?.mine()")
    table.evaluate(OVER)
    table.wait("live.textContent.includes('10 VP to 6.')")
    assert "Bo wins" not in table.evaluate("live.textContent"), "that is said as the line of the chronicle that it is"


def test_on_a_phone_dice_leave_the_last_line_in_sight(table: Page) -> None:
    table.size(390, 844, touch=True)
    table.wait("window.herald?.prompt?.mine() && herald.view.seen.length")
    table.evaluate(
        MORE.replace("{ ...scene.prompt", "{ ...scene.prompt, dice: undefined").replace("...scene, log", ROLL)
    )
    seen(table, "#ask + div .rolled .die")
    assert table.evaluate(TOLD) == "four."
    assert table.evaluate("document.querySelector('#ask + div u').textContent").endswith(" more before that")


@pytest.mark.parametrize("size", [(390, 844), (1280, 800)])
def test_the_last_of_many_options_is_reached_and_that_there_are_more_is_shown(
    table: Page, size: tuple[int, int]
) -> None:
    table.size(*size, touch=size[0] < size[1])
    table.wait("window.herald?.prompt?.mine() && herald.view.seen.length")
    items = [{"id": str(n), "label": f"Die {n}"} for n in range(1, 26)]
    many = [{"id": "choice", "type": "many", "items": items, "min": 0}]
    table.evaluate(f"{ASK.replace('SCENE', 'herald.scene')}({json.dumps(many)}, {{}})")
    prompt, chosen = "document.querySelector('#prompt')", 0
    table.wait(f"{prompt}.hasAttribute('data-more')")
    if size[0] < size[1]:
        tap(table, seen(table, "#prompt .opt"))
        chosen = 1
    table.screenshot(f"more-{size[0]}")
    signs = "[['#prompt', '::after'], ['#prompt footer', '::before']].filter(([of, sign]) => SHOWN)".replace(
        "SHOWN",
        "(s => s.content !== 'none' && s.display !== 'none')(getComputedStyle(document.querySelector(of), sign))",
    )
    assert table.evaluate(signs) == [["#prompt footer", "::before"]], "one sign, above the button"
    button = f"{prompt}.querySelector('.go').getBoundingClientRect()"
    assert table.evaluate(f"{button}.bottom <= {prompt}.getBoundingClientRect().bottom")
    table.evaluate(f"void {prompt}.scrollTo(0, 1e6)")
    table.wait(f"!{prompt}.hasAttribute('data-more')")
    assert seen(table, "#prompt .count", text=f"{chosen} of at most 25 chosen"), "how many are chosen stays in sight"
    if size[0] > size[1]:
        assert seen(table, "#prompt header .who"), "and leaves in sight who decides"
    last = f"[...{prompt}.querySelectorAll('.opt')].at(-1).getBoundingClientRect()"
    assert table.evaluate(f"{last}.bottom <= {button}.top")
    table.evaluate(f"void {prompt}.scrollTo(0, 0)")
    table.evaluate(f"[...{prompt}.querySelectorAll('.opt')][12].focus()")
    focused = "document.activeElement.getBoundingClientRect()"
    assert table.evaluate(f"{focused}.bottom <= {button}.top"), "by keys too it comes to lie above the button"


@pytest.mark.parametrize("least", [0, 1])
def test_on_a_phone_what_confirms_lies_where_it_lay_before_anything_was_chosen(table: Page, least: int) -> None:
    table.size(390, 844, touch=True)
    table.wait("window.herald?.prompt?.mine() && herald.view.seen.length")
    items = [{"id": str(n), "label": f"Die {n}"} for n in range(1, 26)]
    many = [{"id": "choice", "type": "many", "items": items, "min": least}]
    more = {"hint": "They are rolled together. " * 6}
    table.evaluate(f"{ASK.replace('SCENE', 'herald.scene')}({json.dumps(many)}, {json.dumps(more)})")
    table.wait("document.querySelector('#prompt').hasAttribute('data-more')")
    table.rest()
    button = "document.querySelector('#prompt footer .go')"
    place = f"(r => [r.top, r.height, document.querySelector('#rail').offsetHeight])({button}.getBoundingClientRect())"
    before = table.evaluate(place)
    assert (
        table.evaluate(f"[{button}.textContent, {button}.disabled]")
        == [
            ["Confirm: none", False],
            ["Confirm", True],
        ][least]
    ), "an answer with nothing chosen says so"
    ends = "[...document.querySelectorAll('#prompt .opt')].map(e => e.getBoundingClientRect().bottom)"
    top = table.evaluate("document.querySelector('#prompt footer').getBoundingClientRect().top")
    assert sum(end <= top for end in table.evaluate(ends)) >= 2, "the options have room above"
    tap(table, seen(table, "#prompt .opt"))
    assert table.evaluate(f"[{button}.textContent, {button}.disabled]") == ["Confirm", False]
    assert table.evaluate(place) == before
    low = "document.querySelector('#prompt footer').offsetHeight"
    assert table.evaluate(low) < 80, "what explains the question does not stand in the way with it"


def test_on_a_phone_the_board_stays_where_it_is_while_a_piece_is_read(table: Page) -> None:
    table.size(390, 844, touch=True)
    table.wait("window.herald?.prompt?.mine() && herald.view.seen.length")
    where = "JSON.stringify(document.querySelector('.stage').getBoundingClientRect())"
    before = table.evaluate(where)
    table.evaluate("herald.board.on.read(document.querySelector('.stage .pc').dataset.ref)")
    assert table.evaluate("document.querySelector('#rail').dataset.tab") == "info"
    assert table.evaluate(where) == before
    table.evaluate("document.querySelector('#sheet [aria-controls=prompt]').click()")
    assert table.evaluate(where) == before
    assert not table.evaluate("document.querySelector('#rail').style.height"), "the next question has its own height"


def test_an_option_that_is_to_be_confirmed_is_seen_whole_above_the_button(table: Page) -> None:
    table.size(1280, 800)
    table.wait("window.herald?.prompt?.mine() && herald.view.seen.length")
    hand(table, seen(table, "#prompt .ask"))
    table.wait("document.querySelector('#explain') !== null")
    sub = "What it costs and what it leads to is told at length. " * 4
    label = "Option {} of those that are offered"
    ask(table, [{"id": str(n), "label": label.format(n), "sub": sub, "confirm": "Sure"} for n in range(22)])
    ends = "[...document.querySelectorAll('#prompt .opt')].map(e => e.getBoundingClientRect().bottom)"
    low = table.evaluate("document.querySelector('#prompt').getBoundingClientRect().bottom")
    at = sum(end <= low for end in table.evaluate(ends))
    assert at < 22, "one lies below"
    table.press(table.evaluate(f"document.querySelectorAll('#prompt .opt kbd')[{at}].textContent"))
    button = "document.querySelector('#prompt footer .go')?.getBoundingClientRect().top"
    chosen = "document.querySelector('#prompt .opt.on').getBoundingClientRect().bottom"
    table.wait(f"{button} >= {chosen}")


def test_what_is_to_be_confirmed_stays_in_sight_where_it_lay_behind_a_way(table: Page) -> None:
    table.wait("window.herald?.prompt?.mine() && herald.view.seen.length")
    options: list[dict[str, object]] = [
        {"id": f"{who}{n}", "label": f"{who} recruits the troop {n}", "at": [who, f"{who}{n}"], "confirm": n == 2}
        for who in ("Duke", "Imp")
        for n in range(6)
    ]
    ask(table, options)
    hand(table, seen(table, "#prompt [data-way=Imp]"))
    hand(table, seen(table, "#prompt .opt", text="Imp recruits the troop 2"))
    table.wait("!document.querySelector('#prompt footer .go').disabled")
    assert given(table) == []
    assert table.evaluate("document.querySelector('#prompt .opt.on').textContent").endswith("Imp recruits the troop 2")
    seen(table, "#prompt .opt.on")
    table.press("Escape")
    table.wait("document.querySelectorAll('#prompt [data-way]').length === 2")
    assert table.evaluate("!document.querySelector('#prompt footer .go')"), "nothing is chosen out of sight"
    hand(table, seen(table, "#prompt [data-way=Imp]"))
    hand(table, seen(table, "#prompt .opt", text="Imp recruits the troop 2"))
    hand(table, seen(table, "#prompt footer .go"))
    table.wait("given.length")
    assert given(table) == ["Imp2"]


def test_a_list_that_is_opened_from_the_end_of_another_is_seen_from_its_beginning(table: Page) -> None:
    table.size(1280, 800)
    table.wait("window.herald?.prompt?.mine() && herald.view.seen.length")
    hand(table, seen(table, "#prompt .ask"))
    table.wait("document.querySelector('#explain') !== null")
    options: list[dict[str, object]] = [
        {"id": f"{who}-{n}", "label": f"{who} attacks {n}", "sub": "What follows. " * 9, "at": [who, f"{who}-{n}"]}
        for who in map("Leader {}".format, range(14))
        for n in range(8)
    ]
    ask(table, options)
    table.evaluate("void (herald.prompt.root.scrollTop = 1e6)")
    hand(table, seen(table, "#prompt [data-way='Leader 13']"))
    table.wait("document.querySelector('#prompt .crumb') !== null")
    first = "document.querySelector('#prompt .opt').getBoundingClientRect()"
    panel = "herald.prompt.root.getBoundingClientRect()"
    table.wait(f"{first}.top > {panel}.top && {first}.bottom < {panel}.bottom")


LONG_DETAILS = """(sheet => {
    sheet.replaceSync("#info::after { content: ''; display: block; height: 150px; }");
    document.adoptedStyleSheets = [sheet];
})(new CSSStyleSheet())"""


def test_what_is_pointed_at_takes_no_room_from_a_long_question_and_leaves_the_chronicle_two_lines(table: Page) -> None:
    table.size(1280, 800)
    table.wait("window.herald?.prompt?.mine() && herald.view.seen.length")
    sub = "What it costs and what it leads to is told at length. " * 3
    ask(table, [{"id": str(n), "label": f"Option {n}", "sub": sub, "confirm": True} for n in range(1, 9)])
    table.press("1")
    go = "document.querySelector('#prompt footer .go').getBoundingClientRect().top"
    rail = "document.querySelector('#rail')"
    table.wait("!document.querySelector('#prompt footer .go').disabled")
    before = table.evaluate(go)
    table.evaluate("herald.view.inspect(Object.keys(herald.scene.pieces)[0], true)")
    table.wait("!document.querySelector('#info').matches('.empty')")
    table.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    table.evaluate(LONG_DETAILS)
    assert abs(table.evaluate(go) - before) < 1
    assert table.evaluate("document.querySelector('#info').scrollHeight") > 200
    assert table.evaluate("document.querySelector('#info').clientHeight") >= 84
    assert table.evaluate("document.querySelector('#lines').clientHeight") >= 40
    assert table.evaluate(f"{rail}.scrollHeight <= {rail}.clientHeight")
    table.screenshot("long-question")


def test_a_verb_leads_to_its_options_and_another_question_begins_anew(table: Page) -> None:
    table.wait("window.herald?.prompt?.mine() && herald.view.seen.length")
    options: list[dict[str, object]] = [
        {"id": f"{grp}{n}", "label": f"{grp} {n}", "grp": grp, "at": ["u", f"{grp}{n}"]}
        for grp in ("Trade", "Recruit")
        for n in range(6)
    ]
    ask(table, options)
    verbs = "[...document.querySelectorAll('#prompt [data-verb] .lb')].map(e => e.textContent)"
    labels = "[...document.querySelectorAll('#prompt .opt:not(.verb) .lb')].map(e => e.textContent)"
    assert (table.evaluate(verbs), table.evaluate(labels)) == (["Trade", "Recruit"], [])
    table.press(table.evaluate("document.querySelectorAll('#prompt [data-verb] kbd')[1].textContent"))
    assert table.evaluate(labels) == [f"Recruit {n}" for n in range(6)]
    hand(table, seen(table, "#prompt [data-verb]", text="Trade"))
    assert table.evaluate(labels) == [f"Trade {n}" for n in range(6)], "the other verb is one press away"
    table.press("Escape")
    assert (table.evaluate(verbs), table.evaluate(labels)) == (["Trade", "Recruit"], [])
    table.evaluate("herald.prompt.pick('u')")
    assert table.evaluate(verbs) == ["Trade", "Recruit"], "what lies on the board stands for all that it can do"
    table.press("Escape")
    table.press(table.evaluate("document.querySelector('#prompt [data-verb] kbd').textContent"))
    plain: list[dict[str, object]] = [
        {"id": f"{n}", "label": f"Way {n}", "at": [f"u{n % 2}", f"{n}"]} for n in range(24)
    ]
    ask(table, plain)
    assert table.evaluate(verbs) == []
    table.press(table.evaluate("document.querySelector('#prompt [data-way] kbd').textContent"))
    assert table.evaluate(labels) == [f"Way {n}" for n in range(0, 24, 2)], "the next question has other lists"
