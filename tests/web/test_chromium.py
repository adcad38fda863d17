"""A browser that has gone costs the test that had it one repetition, and no other test anything."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.web.browser import Browser, BrowserLost, Page
from tests.web.chromium import Chromium
from tests.web.node import ROOT


def lose(browser: Browser) -> None:
    with pytest.raises(BrowserLost, match=r"Browser\.crash"):
        browser.call("Browser.crash", {})


def test_a_browser_that_has_gone_is_followed_by_a_fresh_one(chromium: Chromium) -> None:
    first = chromium.browser()
    assert chromium.browser() is first
    lose(first)
    second = chromium.browser()
    assert second is not first
    assert second.page().evaluate("1 + 1") == 2
    second.close_pages()


def test_a_browser_that_goes_between_two_tests_is_noticed_before_the_second(chromium: Chromium) -> None:
    first = chromium.browser()
    lose(first)
    first.lost = False
    assert chromium.browser() is not first


def test_a_tab_that_crashes_is_a_lost_browser(chromium: Chromium) -> None:
    first = chromium.browser()
    page = first.page()
    with pytest.raises(BrowserLost, match="crashed"):
        page.call("Page.crash")
    assert first.lost


def test_pages_are_closed_after_their_test(browser: Browser) -> None:
    def pages() -> int:
        return sum(target["type"] == "page" for target in browser.call("Target.getTargets", {})["targetInfos"])

    before = pages()
    page = browser.page()
    browser.sister(page)
    assert pages() == before + 2
    browser.close_pages()
    assert pages() == before


def test_what_a_page_draws_by_lot_follows_from_a_word(browser: Browser) -> None:
    def drawn(page: Page) -> list[float]:
        lots: list[float] = page.evaluate("[Math.random(), Math.random()]")
        return lots

    found = []
    for word in ("one", "one", "other"):
        browser.repeat(word)
        page = browser.page()
        page.goto("data:text/html,<p>page", ready="true")
        found.append(drawn(page))
    assert found[0] == found[1] != found[2]
    assert all(0 <= lot < 1 for lots in found for lot in lots)


PROGRAM = "#!/bin/sh\nexit 3\n"


def test_a_browser_that_does_not_start_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "chromium"
    program.write_text(PROGRAM)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BrowserLost, match="ended with status 3"):
        Chromium(lambda: tmp_path).browser()


LOSING = """
import pytest
from tests.web.browser import ONCE_MORE, BrowserLost

pytestmark = ONCE_MORE
tries = {"lost": 0, "wrong": 0}

def test_lost_once():
    tries["lost"] += 1
    if tries["lost"] == 1:
        raise BrowserLost("the first time")

def test_lost_for_ever():
    raise BrowserLost("every time")

def test_wrong_once():
    tries["wrong"] += 1
    assert tries["wrong"] == 2
"""


def test_a_test_whose_browser_is_lost_is_repeated_once_aloud_and_no_failure_is(tmp_path: Path) -> None:
    (tmp_path / "test_losing.py").write_text(LOSING)
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-raR", "-p", "no:cacheprovider", "-p", "no:xdist", str(tmp_path)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "2 failed, 1 passed, 2 rerun" in run.stdout
    said = {line.partition(" - ")[0] for line in run.stdout.splitlines() if line.startswith(("RERUN", "FAILED"))}
    assert said == {
        "RERUN test_losing.py::test_lost_once",
        "RERUN test_losing.py::test_lost_for_ever",
        "FAILED test_losing.py::test_lost_for_ever",
        "FAILED test_losing.py::test_wrong_once",
    }
