"""Measures the waiting time for advice and for the curve of a match: `scripts/web-timings --thinking`.

The figures mean something on an idle machine alone.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.table import Table

from tests.web.browser import Page
from tests.web.chromium import Chromium
from tests.web.playing import DISCIPLES, FAST, JOAN, VERA, WAR, WHOLE, card_of, play
from tests.web.serving import Served

ASK: Final = "[data-o='hint|ask']"
PATIENCE_S: Final = 600
WAIT: Final = """new Promise(done => {
    const began = performance.now();
    document.querySelector("PRESSED").click();
    const look = () => WANTED ? done(performance.now() - began) : setTimeout(look, 10);
    look();
})"""
"""The ms from a press until something is shown."""
CURVE: Final = "document.querySelector('#judged .field') !== null"
PARTS: Final = "document.querySelector('#judged progress')?.max ?? 0"
"""How many parts the work has; others when the curve is whole and single answers are looked at."""
ALL_DONE: Final = f"{CURVE} && document.querySelector('#judged progress') === null"


def waited(page: Page, pressed: str, wanted: str) -> float:
    """Seconds from a press until an expression is true."""
    found: float = page.evaluate(WAIT.replace("PRESSED", pressed).replace("WANTED", wanted))
    return found / 1000


def first_advice(page: Page, url: str, game: str) -> float:
    """Seconds until the first advice stands beside the first question of a match against a bot."""
    page.before_load(FAST)
    page.size(1280, 800)
    page.goto(f"{url}/")
    page.click(f"{card_of(game)} .acts .new")
    page.wait("document.querySelector('.create [name=hints]') !== null")
    page.evaluate("document.querySelector('.create [name=hints]').checked = true")
    page.click(".create .go")
    page.wait(f'window.herald?.prompt?.mine() && document.querySelector("{ASK}") !== null')
    return waited(page, ASK, "document.querySelector('.hinted b') !== null")


def curves(page: Page, url: str) -> tuple[float, float, float]:
    """Seconds until the first curve of a whole match of Vera Discordia stands, until it is refined to the end, and
    until single answers have been looked at as well.
    """
    play([page], WHOLE)
    page.goto(f"{url}/replay#m={page.evaluate('herald.check.verifier.match')}")
    page.wait("document.querySelector(\"[data-o='judge|match']\") !== null")
    first = waited(page, "[data-o='judge|match']", CURVE)
    parts, began = page.evaluate(PARTS), page.evaluate("performance.now()")
    ends = []
    for condition in (f"({PARTS}) !== {parts}", ALL_DONE):
        page.wait(condition, PATIENCE_S)
        ends.append(first + (page.evaluate("performance.now()") - began) / 1000)
    return first, ends[0], ends[1]


def measured(served: Served, chromium: Chromium) -> Iterator[tuple[str, str, str]]:
    """(what, aim, found), as they are found."""
    browser = chromium.browser()
    for game in (WAR, DISCIPLES, JOAN, VERA):
        page = browser.page()
        yield f"first advice in {game}", "1 s", f"{first_advice(page, served.url, game):.2f} s"
    first, whole, looked_at = curves(page, served.url)
    yield "first curve of a match of vera_discordia", "5 s", f"{first:.1f} s"
    yield "its whole curve", "30 s", f"{whole:.1f} s"
    yield "better answers beside it", "", f"{looked_at:.1f} s"


def main() -> None:
    """Print the table."""
    table = Table("What", "Aim", "Found")
    with tempfile.TemporaryDirectory() as name:
        served = Served(Path(name))
        chromium = Chromium(lambda: Path(name, "chromium"))
        served.start()
        try:
            for row in measured(served, chromium):
                table.add_row(*row)
        finally:
            chromium.close()
            served.kill()
    Console().print(table)


if __name__ == "__main__":
    main()
