"""Lessons in the browser: taken by mouse, finger and keyboard, kept, taken back, gone on with."""

import json

import pytest

from replay.scenarios.lesson_format import lessons
from tests.web.browser import Page
from tests.web.hand import double, hand, seen, tap
from tests.web.playing import FAST, VERA, card_of, play
from tests.web.serving import Served

pytestmark = pytest.mark.timeout(400)

VOICE = "document.querySelector('#voice')"
SAID = f"{VOICE}.innerText"
MEANT = "[...document.querySelectorAll('#stagehost .meant')].map(e => e.dataset.ref).sort()"
COUNT = "document.querySelector('#voice .left').textContent"
LIT = "document.querySelector('#bar .live').classList.contains('on')"
"""Whether the page says that more may come."""
FIRST, _, ATTACK, BACK = (lesson.name for lesson in lessons(VERA)[:4])


def lesson(page: Page, served: Served, name: str) -> None:
    page.before_load(FAST)
    page.goto(f"{served.url}/lesson#g={VERA}&n={name}")
    page.wait("herald.prompt.mine()")


def read_on(page: Page, touch: bool = False) -> None:
    """Read up to what is to be done."""
    while page.evaluate("herald.voice.isMore"):
        at = seen(page, "#voice .acts .go")
        tap(page, at) if touch else hand(page, at)


def test_the_first_page_leads_to_the_lessons_and_a_lesson_is_taken_by_mouse(page: Page, served: Served) -> None:
    page.size(1280, 800)
    page.before_load(FAST)
    page.goto(f"{served.url}/")
    learn = f"{card_of(VERA)} .acts a[href^='/learn']"
    page.wait(f"!!document.querySelector({json.dumps(learn)})")
    hand(page, seen(page, learn))
    page.wait(f"document.querySelectorAll('#path li').length === {len(lessons(VERA))}")
    page.screenshot("learn-1280")
    hand(page, seen(page, "#path li.now a"))
    page.wait("window.herald?.prompt?.mine()")
    page.screenshot("lesson-1280-begin")
    read_on(page)
    page.wait(f"{MEANT}.includes('A')")
    page.screenshot("lesson-1280-do")
    page.wait(LIT)
    page.evaluate("herald.connection.on.state('lost')")
    page.wait(f"!({LIT})")
    page.evaluate("herald.connection.on.state('open')")
    page.wait(LIT)
    hand(page, seen(page, "[data-ref='A']"))
    page.wait(f"{SAID}.includes('The lesson is done')")
    page.screenshot("lesson-1280-done")
    page.wait(f"!({LIT})")
    hand(page, seen(page, "#voice a.go"))
    page.wait(f"location.hash.includes({json.dumps(lessons(VERA)[1].name)}) && window.herald?.prompt?.mine()")
    hand(page, seen(page, "#voice a.ghost"))
    page.wait("document.querySelectorAll('#path li.done').length === 1")
    assert page.errors == []


def test_a_double_click_in_a_lesson_does_not_choose_in_the_list_that_it_opened(page: Page, served: Served) -> None:
    lesson(page, served, FIRST)
    assert double(page, 120) == [1, 0]


def test_what_the_rules_forbid_is_answered_with_its_row(page: Page, served: Served) -> None:
    page.size(1280, 800)
    lesson(page, served, FIRST)
    read_on(page)
    hand(page, seen(page, "[data-ref='B']"))
    page.wait(f"{VOICE}.querySelector('[role=alert]')?.textContent.includes('VD-080')")
    page.screenshot("lesson-1280-mistake")
    page.wait("!!document.querySelector('#book')")
    hand(page, seen(page, "#voice [role=alert] .rid"))
    assert "VD-080" in page.wait("document.querySelector('#book .row.on')?.innerText")
    assert page.evaluate("herald.prompt.mine()")
    assert page.errors == []


@pytest.mark.whole
def test_another_choice_is_played_told_of_and_taken_back(page: Page, served: Served) -> None:
    page.size(1280, 800)
    lesson(page, served, ATTACK)
    was = page.evaluate(COUNT)
    hand(page, seen(page, "[data-ref='B']"))
    page.wait(f"{SAID}.includes('reach nobody') && {SAID}.includes('VD-189')")
    assert page.evaluate(COUNT) == was, "a wrong answer is no step back"
    page.screenshot("lesson-1280-off")
    hand(page, seen(page, "#voice .acts .go", text="Take it back"))
    page.wait(f"herald.prompt.mine() && {SAID}.includes('Choose the Sentinels')")
    assert page.evaluate(COUNT) == was
    assert page.wait(MEANT) == ["A", "X"]
    hand(page, seen(page, "[data-ref='A']"))
    page.wait(f"{SAID}.includes('Two Life Points')")
    assert page.errors == []


@pytest.mark.whole
def test_a_reload_and_a_killed_server_lose_nothing_of_a_lesson(page: Page, served: Served) -> None:
    page.size(1280, 800)
    lesson(page, served, BACK)
    hand(page, seen(page, "[data-ref='B']"))
    page.wait(f"{SAID}.includes('Strike back')")
    page.evaluate("delete window.herald")
    page.call("Page.reload")
    page.wait(f"herald.prompt.mine() && {SAID}.includes('Strike back')")
    served.kill()
    served.start()
    page.wait("herald.connection.ready")
    hand(page, seen(page, "#prompt .opt"))
    page.wait(f"{SAID}.includes('The lesson is done')")


def test_a_lesson_is_taken_with_a_finger_on_a_phone(page: Page, served: Served) -> None:
    page.size(390, 844, touch=True)
    lesson(page, served, ATTACK)
    page.wait(f"{MEANT}.length === 2")
    page.wait("document.querySelectorAll('#prompt .opt .fs').length === 2")
    page.screenshot("lesson-390-begin")
    tap(page, seen(page, "#stagehost [data-ref='A']"))
    page.wait("herald.prompt.armed")
    page.screenshot("lesson-390-armed")
    tap(page, seen(page, "#prompt footer .go"))
    page.wait(f"{SAID}.includes('Two Life Points')")
    page.screenshot("lesson-390-heard")
    read_on(page, touch=True)
    page.wait(f"{SAID}.includes('The lesson is done')")
    tap(page, seen(page, "#voice a.go"))
    page.wait(f"location.hash.includes({json.dumps(BACK)})")
    assert page.errors == []


def test_a_lesson_is_taken_with_the_keyboard_alone(page: Page, served: Served) -> None:
    page.size(1280, 800)
    lesson(page, served, FIRST)
    page.press("Tab")
    page.press("Enter")
    for _ in range(20):
        if page.evaluate("document.activeElement.closest('#voice .go') !== null"):
            break
        page.press("Tab")
    while page.evaluate("herald.voice.isMore"):
        page.press("Enter")
    said = page.wait("document.querySelector('#live').textContent.includes('carry it out') && live.textContent")
    assert "face down" in said
    page.press("1")
    page.wait(f"{SAID}.includes('The lesson is done')")
    assert page.errors == []


@pytest.mark.whole
def test_what_would_follow_stands_under_the_options_of_a_lesson(page: Page, served: Served) -> None:
    page.size(1280, 800)
    lesson(page, served, ATTACK)
    hand(page, (640, 2))
    assert "1 die" in page.wait("document.querySelector('#prompt .fs')?.textContent")


@pytest.mark.whole
def test_a_lesson_is_taken_in_german(page: Page, served: Served) -> None:
    page.size(1280, 800)
    page.before_load("if (location.host) localStorage.setItem('herald.language', 'de')")
    page.before_load(FAST)
    page.goto(f"{served.url}/learn#g={VERA}")
    page.wait("document.querySelector('#path li .ttl')?.textContent === 'Was auf dem Tisch liegt'")
    page.screenshot("learn-de-1280")
    assert not page.evaluate("document.querySelector('#path [lang=en]')")
    lesson(page, served, ATTACK)
    page.wait(f"{SAID}.includes('Wähle die Sentinels.') && {SAID}.includes('Dein erster Angriff')")
    assert page.evaluate("document.querySelector('#ask').textContent") == "Welche Einheit führt ihren Befehl aus?"
    hand(page, (640, 2))
    assert "Würfel" in page.wait("document.querySelector('#prompt .fs')?.textContent")
    page.screenshot("lesson-de-1280")
    hand(page, seen(page, "[data-ref='B']"))
    page.wait(f"{SAID}.includes('der Befehl ist verloren') && {SAID}.includes('VD-189')")
    hand(page, seen(page, "#voice .acts .go"))
    page.wait(f"herald.prompt.mine() && {SAID}.includes('Wähle die Sentinels')")
    hand(page, seen(page, "[data-ref='A']"))
    page.wait(f"{SAID}.includes('Zwei von sechs Lebenspunkten')")
    assert "erzielen 2 Treffer" in page.evaluate("document.querySelector('#lines').textContent")
    assert not page.evaluate("document.querySelector('#voice [lang=en], #lines [lang=en]')")
    page.screenshot("lesson-de-1280-done")
    assert page.errors == []


IN_SIGHT = """(host => [...document.querySelectorAll('#stagehost .ground .lit-meant')].every(e => {
    const area = e.getBoundingClientRect();
    return area.top < host.bottom - 10 && area.bottom > host.top + 10;
}))(document.querySelector('#stagehost').getBoundingClientRect())"""
EDGE = """Math.min(...[...document.querySelectorAll('#prompt p')].filter(e => e.checkVisibility())
    .map(e => e.getBoundingClientRect().x))"""


@pytest.mark.whole
def test_areas_that_a_lesson_means_are_lit_at_their_rims(page: Page, served: Served) -> None:
    page.size(390, 844)
    page.goto(f"{served.url}/lesson#g=joan_of_arc&n={lessons('joan_of_arc')[0].name}")
    page.wait("document.querySelectorAll('#stagehost .ground .lit-meant').length >= 3")
    page.rest()
    assert page.evaluate(IN_SIGHT)
    assert page.evaluate(EDGE) >= 8
    page.size(1280, 800)
    read_on(page)
    page.wait("!document.querySelector('.lit-meant')")
    assert page.wait(MEANT) == ["r0"]
    was = page.evaluate(COUNT)
    hand(page, seen(page, "#prompt .opt:last-child"))
    page.wait("document.querySelector('#voice .acts .go')?.textContent === 'Take it back'")
    assert page.evaluate(COUNT) == was, "a wrong answer is no step back"
    hand(page, seen(page, "#voice .acts .go"))
    page.wait(f"herald.prompt.mine() && {COUNT} === {was!r}")


NOWHERE = {
    "/army": "No game here has armies to build",
    "/army#g=nothing": "No game here has armies to build",
    "/guide": "no guide or lesson for this game",
    "/guide#g=nothing": "no guide or lesson for this game",
    "/learn": "no guide or lesson for this game",
    "/learn#g=nothing": "no guide or lesson for this game",
    "/lesson": "There is no table here",
    f"/lesson#g={VERA}": "There is no table here",
    "/play": "There is no such match",
    "/play#m=nothing": "There is no such match",
    "/watch": "There is no such match",
    "/replay": "There is no such match",
    "/overlay/": "There is no such match",
    "/embed/": "There is no such match",
}
"""Addresses cut short, and what their pages say."""


def test_every_page_whose_address_is_cut_short_says_so(page: Page, served: Served) -> None:
    """A page that could not read its address would stand there unfinished: `goto` waits for it to be ready."""
    for address, said in NOWHERE.items():
        page.goto(f"{served.url}{address}")
        assert said in page.wait("document.body.innerText"), address
        assert "herald.v1" not in page.evaluate("document.body.innerText"), address


def test_there_is_no_lesson_of_that_name(page: Page, served: Served) -> None:
    page.goto(f"{served.url}/lesson#g={VERA}&n=99-none")
    assert "no such lesson" in page.wait("document.querySelector('.gone')?.innerText")


@pytest.mark.whole
def test_the_first_match_is_offered_first_and_its_bot_tells_why(page: Page, served: Served) -> None:
    page.size(1280, 800)
    page.before_load(FAST)
    page.goto(f"{served.url}/")
    war = card_of("war_for_edadh")
    page.wait(f"!!document.querySelector({json.dumps(f'{war} .acts .first')})")
    page.screenshot("lobby-first")
    assert "first" in page.evaluate(f"document.querySelector({json.dumps(f'{war} .acts')}).firstChild.className")
    hand(page, seen(page, f"{war} .acts .first"))
    page.wait("window.herald?.prompt?.mine()")
    why = "document.querySelector('#lines .k-why')"
    while not page.evaluate(f"!!{why}"):
        play([page], 1)
    page.screenshot("first-match-why")
    assert page.evaluate(f"{why}.textContent").startswith("Why: ")
    hand(page, seen(page, "#tools [data-ico=gear]"))
    hand(page, seen(page, "#settings [name=hints]"))
    page.wait(f"getComputedStyle({why}).display === 'none'")
    page.goto(f"{served.url}/")
    page.wait(f"!!document.querySelector({json.dumps(f'{war} .acts a')})")
    assert page.evaluate(f"document.querySelector({json.dumps(f'{war} .acts .first')})") is None
    last = page.evaluate(f"document.querySelector({json.dumps(f'{war} .acts')}).lastChild.textContent")
    assert last.startswith("First match"), "who has begun one finds it under the same words"
    assert page.errors == []


@pytest.mark.whole
@pytest.mark.parametrize(("name", "width", "height"), [(VERA, 1280, 800), ("war_for_edadh", 390, 844)])
def test_how_a_game_is_played_is_read_with_drawn_pictures(
    page: Page, served: Served, name: str, width: int, height: int
) -> None:
    page.size(width, height, touch=width < 700)
    page.before_load(FAST)
    page.before_load("if (location.host) localStorage.setItem('herald.language', 'de')")
    page.goto(f"{served.url}/learn#g={name}")
    hand(page, seen(page, "#begin a[href^='/guide']"))
    page.wait("document.querySelectorAll('figure .stage').length >= 5")
    assert page.evaluate("[...document.querySelectorAll('figure .stage')].every(s => s.querySelector('[data-ref]'))")
    assert page.evaluate("document.querySelectorAll('figure .meant').length") > 0
    assert page.evaluate("document.querySelector('#language').hidden")
    assert page.evaluate("document.querySelector('#title').textContent").startswith("So spielt man")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.evaluate("document.querySelector('figure').scrollIntoView()")
    page.screenshot(f"guide-{width}")
    page.evaluate("document.querySelector('#parts .rid').scrollIntoView({ block: 'center' })")
    hand(page, seen(page, "#parts .rid"))
    page.wait("!!document.querySelector('#book .row.on')")
    assert page.errors == []


def test_on_a_phone_every_lesson_has_its_name_above_and_its_button_beside_what_it_is_about(
    page: Page, served: Served
) -> None:
    page.size(390, 844, touch=True)
    page.goto(f"{served.url}/learn#g=joan_of_arc")
    page.wait("document.querySelectorAll('#path .row').length > 9")
    ragged = page.evaluate("""[...document.querySelectorAll('#path .row')].filter(row => {
        const [name, about, go] = ['.ttl', '.who', 'a'].map(at => row.querySelector(at).getBoundingClientRect());
        return name.bottom > about.top || go.top > about.bottom || go.left < about.right;
    }).length""")
    assert ragged == 0
