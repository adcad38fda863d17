"""Shared by `test_agreements` and other tests: ANSWERS, choose."""

from tests.web.browser import Page
from tests.web.playing import CHOOSE

ANSWERS = "; window.confirm = () => true; window.prompt = question => (window.question = question, '3')"


ASKED = (
    "JSON.stringify([herald.prompt.p.ask, herald.prompt.fields().map(f => f.options ?? f.items), herald.scene.pieces])"
)


def choose(page: Page) -> str:
    """Answer what the page is asked; how the table and the question were."""
    page.wait("herald.prompt.mine()")
    was: str = page.evaluate(ASKED)
    number = page.evaluate("herald.prompt.p.id")
    page.evaluate(CHOOSE)
    page.wait(f"herald.prompt.p.id !== '{number}' && !herald.prompt.sent")
    return was
