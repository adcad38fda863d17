"""Shared by `test_browser` and other tests: CHOOSE, CUT, DISCIPLES, FAST, HEAR, JOAN."""

import json
import time
from typing import Any

from tests.web.browser import Page
from tests.web.serving import Served

CHOOSE = """(() => {
    const p = herald.prompt;
    if (!p.mine()) return p.p.mode === "over" ? "over" : "";
    for (const f of p.fields()) {
        if (f.type === "one") {
            for (let way = true; way;) {
                const all = [...p.root.querySelectorAll(".opt:not([aria-disabled]):not([data-file])")];
                const one = all[Math.floor(Math.random() * all.length)];
                way = "way" in one.dataset;
                one.click();
            }
        }
        else if (f.type === "many") for (const item of f.items.slice(0, f.min)) p.toggle(f, item.id);
        else if (f.fill === "slots") f.slots.forEach((slot, i) => {
            p.hold(f.items[i].id);
            p.give(f, slot.id, f.items[i].id);
        });
        else {
            const used = new Set();
            for (const item of f.items) {
                const slot = (f.legal?.[item.id] ?? []).find(s => !used.has(s));
                if (slot) { used.add(slot); p.give(f, slot, item.id); }
            }
        }
    }
    if (!p.sent) p.root.querySelector("footer .go").click();
    return "chosen";
})()"""


PATIENCE_S = 180
"""How long anything may take on a busy machine; a test waits for what it needs and no longer."""


WHOLE = 900
"""More choices than any match takes."""


VERA, WAR, DISCIPLES, JOAN = "vera_discordia", "war_for_edadh", "disciples_legacy", "joan_of_arc"


WIDE = "document.documentElement.scrollWidth > innerWidth"


CUT = """[...document.querySelectorAll(".end, .opt, .chip, .go, .ghost, .ct, .tabs button, #sheet button")]
    .filter(e => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1).map(e => e.outerHTML)"""


FAST = """try {
    localStorage.setItem('herald.speed', '0');
    localStorage['herald.name'] ??= '"Bo"';
    localStorage['herald.auto'] ??= 'false';
} catch {}"""
"""No motion, a name, and no question that is answered by itself while a test is about to answer it."""


VERIFIED = "!herald.check.fault && herald.check.seq === herald.scene.seq && herald.check.seq"


def play(pages: list[Page], most: int) -> tuple[int, bool]:
    """Make choices in turn for the seat that is asked; returns their number, and whether the match is over."""
    made, until = 0, time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        said = [page.evaluate(CHOOSE) for page in pages]
        made += said.count("chosen")
        if "over" in said or made >= most:
            return made, "over" in said
        if "chosen" in said:
            until = time.monotonic() + PATIENCE_S
        else:
            pages[0].evaluate("new Promise(r => setTimeout(r, 25))")
    raise AssertionError(f"nobody is asked: {[page.evaluate('herald.prompt.p') for page in pages]}")


def card_of(game: str) -> str:
    """The game's card on the first page, as a selector."""
    return f".gamecard[aria-labelledby='g-{game}']"


def against_bot(page: Page, served: Served, game: str = VERA, *, quick: bool = False) -> None:
    """Begin a match against a bot: with all its options' defaults, or with one click."""
    page.goto(f"{served.url}/")
    page.click(f"{card_of(game)} .acts {'.bot' if quick else '.new'}")
    if not quick:
        page.click(".create .go")
    page.wait("window.herald?.prompt?.mine()")


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until the focus is on what is meant."""
    for _ in range(400):
        page.press("Tab")
        if page.evaluate(f"document.activeElement.matches({json.dumps(selector)})"):
            return
    raise AssertionError(f"no Tab leads to {selector}")


CHOSEN = "!herald.prompt.mine() || herald.prompt.v[herald.prompt.fields()[0].id] != null"


FIRST_KEY = """(all => { const o = all.find(o => !o.ariaDisabled); return (o.querySelector("kbd") ?? o).textContent })(
    [...document.querySelectorAll(document.querySelector(".verb.on") ? ".opt:not(.verb)" : ".opt")])"""


MOST_PRESSES = 60
"""More than any question takes by keys."""


def choose_one_by_keys(page: Page, on_board: bool) -> None:
    """By the next piece that can be chosen, else by the key shown, else with Tab."""
    question = page.evaluate("herald.prompt.p.id")
    if on_board and page.evaluate("herald.prompt.sets().can.size"):
        page.press("n")
        assert page.evaluate("herald.prompt.sets().can.has(document.activeElement.dataset.ref)")
        page.press("Enter")
    for _ in range(MOST_PRESSES):
        if not page.evaluate(f"herald.prompt.p.id === '{question}' && !({CHOSEN})"):
            return
        key = page.evaluate(FIRST_KEY)
        if len(key) == 1:
            page.press(key)
        else:
            chosen = page.evaluate("!!document.querySelector('.verb.on')")
            tab_to(page, ".opt:not([aria-disabled])" + (":not(.verb)" if chosen else ""))
            page.press("Enter")
    raise AssertionError(f"{MOST_PRESSES} presses choose nothing: {page.evaluate('document.body.innerText')}")


WARNED = "herald.prompt.root.querySelector('.refused')?.textContent.includes('Choose it again')"
"""Whether the page asks once more, because the choice loses the match or must fail."""


def answer_by_keys(page: Page, on_board: bool) -> None:
    """Answer the question that is open; the mouse is never touched, nor the focus set."""
    number, kind = page.evaluate("[herald.prompt.p.id, herald.prompt.fields()[0].type]")
    if kind == "one":
        choose_one_by_keys(page, on_board)
    elif kind == "many":
        for n in range(page.evaluate("herald.prompt.fields()[0].min")):
            page.press(str(n + 1))
    else:
        # The held piece goes to the place with the focus, and the focus goes to the next thing.
        tab_to(page, ".slotrow:not(.on)" if page.evaluate("!!herald.prompt.held") else ".chip")
        page.press("Enter")
        while page.evaluate("herald.prompt.answers.lacks(herald.prompt.fields()[0])"):
            assert page.evaluate("document.activeElement.matches('.chip, .slotrow:not(.on)')")
            page.press("Enter")
    if page.evaluate(f"herald.prompt.p.id === '{number}' && herald.prompt.mine()"):
        page.press("Enter", ctrl=True)
    page.wait(f"herald.prompt.p.id !== '{number}' || herald.prompt.refusal")
    if page.evaluate(WARNED):
        page.press("Enter", ctrl=True)
        page.wait(f"herald.prompt.p.id !== '{number}' || !herald.prompt.mine()")
        page.wait(f"herald.prompt.p.id !== '{number}' || herald.prompt.refusal")
    assert page.evaluate("herald.prompt.refusal") == ""


HEAR = "(window.told = [], new MutationObserver(() => told.push(live.textContent)).observe(live, { childList: true }))"


def until_asked(page: Page, condition: str) -> Any:
    """Play until the question is such that an expression is true; its value, None where the match is over before."""
    for _ in range(60):
        if page.wait("herald.prompt.mine() ? 'asked' : herald.prompt.p.mode === 'over' && 'over'") == "over":
            return None
        found = page.evaluate(condition)
        if found:
            return found
        number = page.evaluate("herald.prompt.p.id")
        page.evaluate(CHOOSE)
        page.wait(f"herald.prompt.p.id !== '{number}'")
    raise AssertionError(f"never asked: {condition}")


def match_that_asks(page: Page, served: Served, condition: str, game: str = VERA) -> Any:
    """Begin a match against a bot and play as in `until_asked`; another one where chance ends it before."""
    for _ in range(6):
        against_bot(page, served, game)
        found = until_asked(page, condition)
        if found:
            return found
    raise AssertionError(f"every match was over before it asked: {condition}")
