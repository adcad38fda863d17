"""Shared by `test_army` and other tests: LEGAL, begin, start_from."""

import json

from tests.web.browser import Page
from tests.web.playing import DISCIPLES
from tests.web.serving import Served

LEGAL = "document.querySelector('#wrong.ok') && !document.querySelector('#play').disabled"


def begin(page: Page, served: Served) -> None:
    page.goto(f"{served.url}/army#g={DISCIPLES}")


def start_from(page: Page, name: str) -> None:
    """Choose what to start from, as the keyboard does."""
    page.evaluate("document.querySelector('#from').focus()")
    letters = json.dumps(name)
    page.evaluate(
        f"(s => {{ s.value = [...s.options].find(o => o.text === {letters}).value;"
        " s.dispatchEvent(new Event('change')); })(document.querySelector('#from'))"
    )
    page.wait(LEGAL)
