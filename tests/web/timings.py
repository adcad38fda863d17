"""Measures the web client: `scripts/web-timings`. The figures depend on the machine; the aims are the project's."""

import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.web.browser import Page
from tests.web.chromium import Chromium
from tests.web.playing import DISCIPLES, JOAN, VERA, WAR, card_of, play
from tests.web.serving import Served

FRAMES = """new Promise(done => {
    const gaps = [];
    let last = performance.now();
    const tick = now => {
        gaps.push(now - last);
        last = now;
        if (gaps.length < 240) requestAnimationFrame(tick); else done(gaps.slice(2).toSorted((a, b) => a - b));
    };
    requestAnimationFrame(tick);
    herald.replay.play();
})"""
HEAP = "performance.memory.usedJSHeapSize / 1e6"


def part(values: list[float], share: float) -> float:
    return values[min(len(values) - 1, int(len(values) * share))]


def measure(page: Page, url: str) -> list[tuple[str, str, str]]:
    """(what, aim, found) of one match against a bot and its replay."""
    page.size(1440, 900)
    page.goto(f"{url}/")
    paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    page.click(f"{card_of(VERA)} .acts .bot")
    page.wait("window.herald?.prompt?.mine()")
    ready = page.evaluate("performance.now()")
    page.call("HeapProfiler.collectGarbage")
    before = page.evaluate(HEAP)
    page.evaluate("herald.replay.api.speed(0)")
    for _ in range(400):
        _, over = play([page], 1)
        if over:
            break
    steps = page.evaluate("metrics.apply.toSorted((a, b) => a - b)")
    page.call("HeapProfiler.collectGarbage")
    after = page.evaluate(HEAP)
    nodes = page.evaluate("document.querySelectorAll('*').length")
    page.evaluate("herald.replay.api.speed(1)")
    page.evaluate("herald.go(0, false)")
    frames = page.evaluate(FRAMES)
    slow = sum(gap > 50 for gap in frames) / len(frames)
    return [
        ("first paint of the lobby", "300 ms", f"{paint:.0f} ms"),
        ("table ready to decide, from its navigation", "1000 ms", f"{ready:.0f} ms"),
        (f"a step on screen, median of {len(steps)}", "8 ms", f"{part(steps, 0.5):.1f} ms"),
        ("a step on screen, 95 of 100", "25 ms", f"{part(steps, 0.95):.1f} ms"),
        ("a frame while animating, median", "16.7 ms", f"{part(frames, 0.5):.1f} ms"),
        ("frames over 50 ms while animating", "2 %", f"{100 * slow:.1f} %"),
        ("memory over the match", "flat", f"{before:.1f} to {after:.1f} MB"),
        ("elements on the page", "2000", str(nodes)),
    ]


def ready(page: Page, url: str, game: str) -> tuple[str, str, str]:
    """When the table of a match begun with one click asks, counted from its navigation, including the match's start."""
    page.size(1440, 900)
    page.goto(f"{url}/")
    page.click(f"{card_of(game)} .acts .bot")
    found = page.wait("window.herald?.prompt?.mine() && performance.now()")
    return (f"table of {game} ready to decide", "1000 ms", f"{found:.0f} ms")


def main() -> None:
    """Print the table."""
    table = Table("What", "Aim", "Found")
    with tempfile.TemporaryDirectory() as name:
        served = Served(Path(name))
        chromium = Chromium(lambda: Path(name, "chromium"))
        served.start()
        try:
            browser = chromium.browser()
            for row in measure(browser.page(), served.url):
                table.add_row(*row)
            for game in (WAR, DISCIPLES, JOAN):
                table.add_row(*ready(browser.page(), served.url, game))
        finally:
            chromium.close()
            served.kill()
    Console().print(table)


if __name__ == "__main__":
    main()
