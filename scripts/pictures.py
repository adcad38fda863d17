"""Make new screenshots for the documents and the first page, with a server, its bots and a scripted browser.

The screenshots of the documents are in docs/images, beside a file with the version for which they were made:
`scripts/release` refuses screenshots of another version. The screenshots of the first page show the table of each game
and are in server/web/pictures. This needs Chromium.
"""

import argparse
import tempfile
from base64 import b64decode
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Final

import anyio
from msgspec import Struct

import herald_client
from scripts.promises import ROOT
from scripts.release import PICTURES as PICTURES_MADE_FOR
from scripts.release import one_version, versions
from tests.web.browser import Browser, Page
from tests.web.chromium import Chromium
from tests.web.playing import FAST, VERA, WAR, against_bot, play
from tests.web.serving import Served

FOLDER: Final = ROOT / "docs/images"
BOARDS: Final = ROOT / "server/web/pictures"
QUALITY: Final = 82
GAMES: Final = (VERA, WAR, "joan_of_arc", "disciples_legacy")
WIDE, PHONE = (1280, 800), (390, 844)


class Taken(Struct, frozen=True):
    """A picture: the size of the page, the steps taken first, and the part that is shown (by default all of it)."""

    size: tuple[int, int]
    see: Callable[[Page, Served], None]
    part: str = ""


def watched(served: Served, *games: str) -> list[str]:
    """Matches of two bots, by their ids."""

    async def created() -> list[str]:
        server = herald_client.Server(served.url)
        return [(await server.create(game, [herald_client.bot("steady")] * 2)).match for game in games]

    return anyio.run(created)


def first_page(page: Page, served: Served) -> None:
    """The games, and matches to watch."""
    watched(served, *GAMES[:2])
    page.goto(f"{served.url}/")
    page.wait("document.querySelectorAll('.gamecard').length > 3 && document.body.innerText.includes('Steady bot')")


def question(page: Page, served: Served) -> None:
    """A match against a bot, after some choices, when its seat is asked."""
    against_bot(page, served, VERA)
    play([page], 30)
    page.wait("herald.prompt.mine()")
    page.rest()


def table(page: Page, served: Served, game: str = VERA) -> None:
    """The middle of a complete match, replayed."""
    (match,) = watched(served, game)
    page.goto(f"{served.url}/watch#m={match}")
    page.wait("herald.prompt.p.mode === 'over'")
    page.goto(f"{served.url}/replay#m={match}")
    page.wait("window.herald?.replay?.n > 10")
    page.evaluate("herald.replay.jump(Math.round(herald.replay.n * .45))")
    page.rest()


def lesson(page: Page, served: Served) -> None:
    """The first lesson of a game, as it begins."""
    page.goto(f"{served.url}/learn#g={VERA}")
    page.wait("document.querySelectorAll('#path li').length > 1")
    page.click("#path li.now a")
    page.wait("window.herald?.prompt?.mine()")
    page.rest()


def wall(page: Page, served: Served) -> None:
    """Nine live boards in the middle of their matches, which fill the page; one is enlarged."""
    watched(served, *GAMES, *GAMES, VERA)
    page.goto(f"{served.url}/wall?n=9")
    page.wait(
        "[...document.querySelectorAll('.board')].filter(one => one.querySelectorAll('.pc').length > 14).length > 7"
        " && document.querySelector('.board.enlarged') !== null"
    )


def overlay(page: Page, served: Served) -> None:
    """The overlay over a dark picture, with dice."""
    (match,) = watched(served, VERA)
    page.goto(f"{served.url}/overlay/{match}?lang=en")
    page.wait("Number(document.body.dataset.seq) > 40 && document.querySelector('#dice').checkVisibility()")
    page.evaluate("document.documentElement.style.background = 'linear-gradient(160deg, #20362b, #0d1720)'")


PICTURES: Final[Mapping[str, Taken]] = {
    "first-page.webp": Taken(WIDE, first_page),
    "question.webp": Taken(WIDE, question),
    "question-phone.webp": Taken(PHONE, question),
    "table.webp": Taken(WIDE, table),
    "lesson.webp": Taken(WIDE, lesson),
    "wall.webp": Taken((1600, 1000), wall),
    "overlay.webp": Taken((1280, 720), overlay),
}
"""The pictures, by the names of their files."""
TABLES: Final[Mapping[str, Taken]] = {
    f"{game}.webp": Taken(WIDE, partial(table, game=game), "#stagehost") for game in GAMES
}
"""The table of each game, for its card on the first page."""
SLOW: Final = {"wall.webp", "overlay.webp"}
"""The pictures of matches that continue while the picture is taken."""


PART: Final = """(({x, y, width, height}) => ({x, y, width, height: Math.min(height, width * 9 / 16)}))(
    document.querySelector("PART").getBoundingClientRect())"""
"""The place of a part of the page, at most as high as a picture on a card would be at this width."""


def photograph(browser: Browser, served: Served, taken: Taken) -> bytes:
    """A picture, as WebP. Raises `AssertionError` if the page showed an error."""
    page = browser.page()
    page.size(*taken.size, touch=taken.size == PHONE)
    page.before_load(FAST)
    taken.see(page, served)
    assert page.errors == [], page.errors
    clip = {"clip": {**page.evaluate(PART.replace("PART", taken.part)), "scale": 1}} if taken.part else {}
    return b64decode(page.call("Page.captureScreenshot", format="webp", quality=QUALITY, **clip)["data"])


def make(to: Path, names: list[str]) -> None:
    """Make new pictures in a folder, each with a separate server."""
    with tempfile.TemporaryDirectory() as folder:
        profile = Path(folder) / "chromium"
        profile.mkdir()
        chromium = Chromium(lambda: profile)
        try:
            for name in names:
                place = Path(folder) / name
                place.mkdir()
                served = Served(place, "--bot-delay", "0.5" if name in SLOW else "0")
                served.repeat(name)
                browser = chromium.browser()
                browser.repeat(name)
                served.start()
                try:
                    file = (BOARDS if name in TABLES else to) / name
                    file.write_bytes(photograph(browser, served, {**PICTURES, **TABLES}[name]))
                finally:
                    browser.close_pages()
                    served.kill()
                print(f"{file}: {file.stat().st_size // 1000} kB")
        finally:
            chromium.close()


def main() -> None:
    """Makes the requested pictures, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[*PICTURES, *TABLES, []], help="the pictures to make (all)")
    parser.add_argument("--to", type=Path, default=FOLDER, help="the folder of the pictures (docs/images)")
    asked = parser.parse_args()
    asked.to.mkdir(parents=True, exist_ok=True)
    make(asked.to, asked.names or [*TABLES, *PICTURES])
    if not asked.names:
        (asked.to / PICTURES_MADE_FOR.name).write_text(f"{one_version(versions())}\n", "utf-8")


if __name__ == "__main__":
    main()
