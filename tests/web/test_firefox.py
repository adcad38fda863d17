"""A short match in Firefox: it is played by mouse and keys, verified, signed, and draws what Chromium draws."""

from collections.abc import Iterator

import pytest

from tests.web.firefox import Firefox, FirefoxPage
from tests.web.playing import CUT, FAST, JOAN, VERA, VERIFIED, WIDE, against_bot, play
from tests.web.serving import Served

pytestmark = [pytest.mark.timeout(400), pytest.mark.whole]

STRIP = "getComputedStyle(document.querySelector('#info')).scrollbarColor"
"""Without a colour of its own the ground of a scroll bar is white beside what it scrolls."""


@pytest.fixture(scope="module")
def firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FirefoxPage]:
    with Firefox(tmp_path_factory.mktemp("firefox")) as page:
        page.before_load(FAST)
        yield page


def test_a_short_match_is_played_in_firefox(firefox: FirefoxPage, served: Served) -> None:
    firefox.size(1280, 800)
    against_bot(firefox, served, VERA, quick=True)
    made, _ = play([firefox], 6)
    assert made >= 6
    firefox.wait(VERIFIED)
    firefox.wait("herald.check.verifier.choices.some(choice => choice[1] === 0)")
    firefox.wait("herald.prompt.mine()")
    assert firefox.evaluate(STRIP).endswith("rgba(0, 0, 0, 0)")
    firefox.press("?")
    firefox.wait("document.querySelector('#dialog').open")
    firefox.press("Escape")
    firefox.wait("!document.querySelector('#dialog').open")
    assert firefox.evaluate(CUT) == []
    firefox.screenshot("firefox-1280")
    assert firefox.errors == []


def test_a_phone_s_page_is_no_wider_than_its_window_in_firefox(firefox: FirefoxPage, served: Served) -> None:
    firefox.size(390, 844)
    against_bot(firefox, served, JOAN, quick=True)
    play([firefox], 3)
    assert not firefox.evaluate(WIDE)
    firefox.click(".opt, .chip, .area.can")
    firefox.screenshot("firefox-390")
    assert firefox.errors == []
