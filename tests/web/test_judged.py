"""A match that is over is judged in the browser: a curve under the board, moved over by hand and by keys."""

import json

import pytest

from tests.web.access import axe
from tests.web.browser import Browser, Page
from tests.web.comforts import resign
from tests.web.hand import hand, seen, tap
from tests.web.playing import FAST, against_bot, play
from tests.web.serving import Served

pytestmark = [pytest.mark.timeout(400), pytest.mark.whole]
FIELD = "#judged .field"
JUDGED = f"document.querySelector('{FIELD}') !== null && document.querySelector('#judged progress') === null"


def judged(page: Page, served: Served) -> str:
    """A match of a few choices that was given up, judged by who looks back at it; its id."""
    page.before_load(FAST)
    against_bot(page, served)
    play([page], 3)
    resign(page)
    match = str(page.evaluate("herald.check.verifier.match"))
    page.goto(f"{served.url}/replay#m={match}")
    hand(page, seen(page, "[data-o='judge|match']"))
    page.wait("document.querySelector('#judged progress') !== null")
    page.wait(JUDGED)
    return match


def steps(page: Page) -> tuple[int, int]:
    i, n = page.evaluate("[herald.replay.i, herald.replay.n]")
    return i, n


def test_a_match_is_judged_once_and_its_curve_is_walked_along(browser: Browser, page: Page, served: Served) -> None:
    page.size(1280, 800)
    match = judged(page, served)
    start, middle, end = (seen(page, FIELD, part) for part in (0.2, 0.5, 0.8))
    hand(page, start, middle, end)
    i, n = steps(page)
    assert abs(i - 0.8 * n) <= 1
    page.call("Input.dispatchMouseEvent", type="mouseMoved", x=start[0], y=start[1])
    assert steps(page) == (i, n), "let go"
    hand(page, start)
    assert abs(steps(page)[0] - 0.2 * n) <= 1
    page.screenshot("judged")
    is_turned = page.evaluate("(herald.judged.match.turnings ?? []).length > 0")
    page.wait(f"!!document.querySelector('.moment .tp') === {json.dumps(is_turned)}")
    without = "No change is larger than chance may explain."
    assert (without in page.evaluate("document.querySelector('.verdict').innerText")) != is_turned
    axe(page, "judged")
    told = page.evaluate(
        "[...document.querySelectorAll('.verdict h3')].map(h => [h.textContent, h.nextSibling.textContent])"
    )
    assert all(dict(told)["Luck of the dice"].strip().split()), told
    walked_by_keys(page, n)
    position_at_hand(page)
    assert page.errors == []
    second_who_looks(browser, served, match)


def walked_by_keys(page: Page, n: int) -> None:
    page.evaluate(f"document.querySelector('{FIELD}').focus()")
    page.press("Home")
    points = sorted(page.evaluate("[...new Set(herald.judged.chart.points.map(p => p.at))]"))
    walked = []
    for _ in points:
        page.press("ArrowRight")
        walked.append(steps(page)[0])
    assert walked == [at for at in points if at > 0] + [n] * (0 in points)
    page.press("ArrowLeft")
    assert steps(page)[0] in points
    said = page.evaluate(f"document.querySelector('{FIELD}').ariaValueText")
    assert said.count("%") == 2
    assert page.evaluate(f"document.activeElement.matches('{FIELD}')")


def position_at_hand(page: Page) -> None:
    page.evaluate("document.querySelector('.verdict details summary').click()")
    rows = page.evaluate("document.querySelectorAll('.verdict tbody tr').length")
    assert rows == page.evaluate("herald.judged.match.points.length")
    hand(page, seen(page, "[data-o='judge|here']"))
    page.wait("document.querySelector('.verdict .chances') !== null")
    assert page.evaluate("document.querySelector('.verdict details').open"), "what was open stays open"


def second_who_looks(browser: Browser, served: Served, match: str) -> None:
    """On a phone, in German: nothing is worked out again."""
    other = browser.page()
    other.size(390, 844, touch=True, dark=True)
    other.before_load(f"{FAST}; try {{ localStorage.setItem('herald.language', 'de') }} catch {{}}")
    other.goto(f"{served.url}/replay#m={match}")
    other.wait(JUDGED)
    tap(other, seen(other, FIELD, 0.5))
    i, n = steps(other)
    assert abs(i - 0.5 * n) <= 1
    assert not other.evaluate("document.documentElement.scrollWidth > innerWidth")
    other.screenshot("judged-phone")
    assert other.errors == []
