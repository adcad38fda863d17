"""The table as a hand uses it: the pointer moves, presses, moves and lets go on what is seen; or keys alone."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.web.browser import Page
from tests.web.node import ROOT
from tests.web.serving import Served
from tests.web.test_browser import FAST, against_bot, play

pytestmark = pytest.mark.timeout(900)

SEEN = """(find => {
    const e = find();
    if (!e?.checkVisibility()) return null;
    e.scrollIntoView({ block: "nearest" });
    const r = e.getBoundingClientRect(), x = r.x + r.width * PART, y = r.y + r.height / 2;
    const top = document.elementFromPoint(x, y);
    return top && (e.contains(top) || top.contains(e)) ? [x, y] : null;
})"""
"""Where an element is to be seen, at a part of its width; nothing while it is hidden or something lies over it."""


def seen(page: Page, selector: str, part: float = 0.5, text: str = "") -> tuple[float, float]:
    """A point of the first element with the selector and the text that is seen there."""
    words = json.dumps(text)
    find = f"[...document.querySelectorAll({json.dumps(selector)})].find(e => e.textContent.includes({words}))"
    x, y = page.wait(f"{SEEN.replace('PART', str(part))}(() => {find})")
    return x, y


def hand(page: Page, *way: tuple[float, float]) -> None:
    """Move to the first point, press, move over the others, let go at the last."""
    for kind, (x, y) in [
        ("mouseMoved", way[0]),
        ("mousePressed", way[0]),
        *(("mouseMoved", point) for point in way[1:]),
        ("mouseReleased", way[-1]),
    ]:
        held = int(kind != "mouseReleased")
        page.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=held, clickCount=1)


def tap(page: Page, point: tuple[float, float]) -> None:
    """A finger, down and up."""
    x, y = point
    page.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
    page.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])


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
