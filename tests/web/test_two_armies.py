"""Two people build armies in two browsers, a wide one and a phone, and play to the result by pressing what they see."""

import json
import random
import time

import pytest

from tests.web.army import LEGAL, begin, start_from
from tests.web.browser import Browser, Page
from tests.web.hand import hand, seen, tap
from tests.web.playing import CUT, FAST, PATIENCE_S, VERIFIED, WIDE
from tests.web.serving import Served

pytestmark = pytest.mark.timeout(400)

ROWS = """[...herald.prompt.root.querySelectorAll(".opt:not([aria-disabled], [data-file], .verbs:has(.on) .verb)")]
    .filter(e => e.checkVisibility())
    .map(e => [e.dataset.way ? `[data-way="${e.dataset.way}"]` : `[data-o="${e.dataset.o}"]`, e.textContent])"""
MINE = "herald.prompt.mine()"
OVER = "herald.scene.prompt.mode === 'over'"
EAGERNESS = 0.7
EAGER = ("strike", "Attack", "block", "Stand")
"""What is chosen rather than anything else, so that a match has Battles."""


class Person:
    """Somebody with a mouse, or a finger, who sees nothing but the page."""

    def __init__(self, page: Page, name: str, *, finger: bool) -> None:
        self.page, self.name, self.finger = page, name, finger
        self.rng = random.Random(name)
        self.seen: set[str] = set()

    def press(self, selector: str, text: str = "") -> None:
        point = seen(self.page, selector, text=text)
        if self.finger:
            tap(self.page, point)
        else:
            hand(self.page, point, point)

    def look(self, moment: str) -> None:
        """Keep a picture of a moment that has not been seen, and see that nothing is cut off or too wide."""
        if moment in self.seen:
            return
        self.seen.add(moment)
        self.page.screenshot(f"armies-{self.name}-{len(self.seen):02}-{moment}")
        assert not self.page.evaluate(WIDE), moment
        assert self.page.evaluate(CUT) == [], moment

    def answer(self) -> None:
        """Press rows until the question is answered, as it asks to."""
        question = self.page.evaluate("herald.prompt.p.id")
        self.look(self.page.evaluate("herald.prompt.p.terms[0]"))
        for _ in range(20):
            if self.page.evaluate(f"herald.prompt.p?.id !== {json.dumps(question)} || !({MINE})"):
                return
            if self.page.evaluate("!!herald.prompt.root.querySelector('footer .go:enabled')?.checkVisibility()"):
                self.press("footer .go:enabled")
            else:
                self.choose()
        raise AssertionError(f"{self.name}: nothing answers {self.page.evaluate('herald.prompt.p')}")

    def choose(self) -> None:
        rows: list[tuple[str, str]] = self.page.evaluate(ROWS)
        eager = [row for row in rows if any(word in row[1] for word in EAGER)]
        if rows:
            self.press(f".opt{self.rng.choice(eager if eager and self.rng.random() < EAGERNESS else rows)[0]}")


def build(person: Person, served: Served, deck: str) -> None:
    """An army of one's own: a ready one, but for a Unit less."""
    begin(person.page, served)
    person.look("nothing-built")
    start_from(person.page, deck)
    person.look("ready-army")
    person.press('[data-k="parties.0.units.3"]')
    person.page.wait("document.querySelector('#pick').open")
    person.look("pick-a-unit")
    person.press("#pick .ghost", "empty")
    person.page.wait("!document.querySelector('#pick').open && /17/.test(document.querySelector('#cost').textContent)")
    person.page.wait(LEGAL)
    person.look("a-unit-less")


def together(people: list[Person]) -> None:
    """Whoever is asked answers, until the match is over."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        for person in people:
            if person.page.evaluate(OVER):
                return
            if person.page.evaluate(MINE):
                person.answer()
                until = time.monotonic() + PATIENCE_S
            else:
                person.look("waits")
        people[0].page.evaluate("new Promise(r => setTimeout(r, 25))")
    raise AssertionError(f"nobody is asked: {[person.page.evaluate('herald.prompt.p') for person in people]}")


@pytest.mark.deep
@pytest.mark.parametrize("turns", [1, 3])
def test_two_people_build_armies_and_play_to_the_result(browser: Browser, served: Served, turns: int) -> None:
    """From the builder on, nothing is pressed that is not to be seen."""
    ada, bo = Person(browser.page(), "ada", finger=False), Person(browser.page(), "bo", finger=True)
    ada.page.size(1280, 800)
    bo.page.size(390, 844, touch=True)
    for person in (ada, bo):
        person.page.before_load(FAST)
    build(ada, served, "Empire A")
    build(bo, served, "Legions A")
    bo.press("#files .ghost", "Keep")
    ada.press("#play")
    ada.page.wait("document.querySelector('#create')?.open")
    ada.page.evaluate("document.querySelectorAll('.create fieldset select')[1].value = 'invited'")
    ada.page.evaluate(
        f"(e => {{ e.value = {turns} }})([...document.querySelectorAll('#create label.set')]"
        ".find(e => /[Tt]urn/.test(e.textContent)).querySelector('input'))"
    )
    ada.look("new-match")
    ada.press("#create .go")
    link: str = ada.page.wait("document.querySelector('.linkrow input')?.value")
    ada.look("link")
    ada.press("#dialog a.go")
    ada.page.wait("location.pathname === '/play' && window.herald?.scene && document.body.dataset.ready")
    bo.page.sit_down(link)
    for person in (ada, bo):
        person.page.wait("window.herald?.prompt?.p")
    ada.look("own-army-offered")
    ada.press("#dialog .go", "Hand in My Empire A")
    bo.page.wait(MINE)
    bo.look("which-army")
    bo.press(".opt[data-file]")
    bo.page.wait("document.querySelector('#dialog').open")
    bo.look("own-armies")
    bo.press("#dialog .pool button", "Hand in My Legions A")
    for person in (ada, bo):
        person.page.wait("/three Parties/.test(document.querySelector('#ask')?.textContent)")
        person.look("parties")
        person.press(".opt", "As the deck lists them")
    together([ada, bo])
    for person in (ada, bo):
        person.page.wait(f"({OVER}) && {VERIFIED}")
        person.look("result")
        assert person.page.evaluate("/wins|draw/i.test(document.body.innerText)")
        assert person.page.errors == []
    assert ada.page.evaluate("herald.check.head") == bo.page.evaluate("herald.check.head")
    assert {"StrategicAction", "result"} < ada.seen & bo.seen
