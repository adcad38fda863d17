"""A game without a Scene of its own: its table of text has room beside the plates, and no line is cut."""

from pathlib import Path

import pytest

from projections.plain import plain_face
from server.pages.standalone import standalone
from tests.pennants.game import GAME
from tests.replay.matches import played
from tests.web.browser import Page

pytestmark = pytest.mark.timeout(300)

OVER = """(() => {
  const box = e => e.getBoundingClientRect();
  const all = document.querySelectorAll('.it, .zl, .seat .nm, .roll');
  const boxes = [...all].filter(e => e.textContent);
  const before = (a, b, from, to) => a[to] <= b[from] + 1 || b[to] <= a[from] + 1;
  const apart = (a, b) => before(a, b, 'left', 'right') || before(a, b, 'top', 'bottom');
  const meet = (a, b) => !apart(box(a), box(b));
  const told = (a, b) => [a.textContent, b.textContent];
  return boxes.flatMap((a, i) => boxes.slice(i + 1).filter(b => meet(a, b)).map(b => told(a, b)));
})()"""
CUT = "[...document.querySelectorAll('.itl')].filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.textContent)"


@pytest.mark.parametrize(("width", "height"), [(800, 600), (1280, 800), (390, 844)])
def test_no_text_of_the_table_is_cut_or_lies_over_another(page: Page, tmp_path: Path, width: int, height: int) -> None:
    store, referee = played(3, game=GAME, options={"seats": 4}, most=22)
    file = tmp_path / "replay.html"
    file.write_text(standalone(plain_face(GAME), store, referee.match))
    page.size(width, height)
    page.goto(file.as_uri())
    page.wait("window.herald?.scene")
    page.press("End")
    page.wait("document.querySelectorAll('.it').length > 8")
    page.screenshot(f"plain-{width}")
    assert page.evaluate(CUT) == []
    assert page.evaluate(OVER) == []
    assert page.evaluate("document.querySelectorAll('.zl').length") == 0
