"""One browser and one server for all tests of the web client."""

import secrets
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.chance import word_of
from tests.web.browser import ONCE_MORE, Browser, BrowserLost, Page
from tests.web.chromium import Chromium
from tests.web.serving import Served


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that need a program other than Python: `scripts/test` skips them with a message if it is missing.

    Tests with a browser run in two processes, every other module in each: more browsers would need more memory.
    """
    here = Path(__file__).parent
    modules = sorted(path.name for path in here.glob("test_*.py"))
    for item in items:
        if item.path.parent != here:
            continue
        if {"chromium", "browser", "page"} & set(getattr(item, "fixturenames", ())):
            item.add_marker("chromium")
            item.add_marker(ONCE_MORE)
            item.add_marker(pytest.mark.xdist_group(f"chromium-{modules.index(item.path.name) % 2}"))
        if "firefox" in getattr(item, "fixturenames", ()):
            item.add_marker("firefox")
            item.add_marker(ONCE_MORE)
            item.add_marker(pytest.mark.xdist_group("chromium-0"))
        if item.path.name in {
            "test_modules.py",
            "test_verifier_js.py",
            "test_client_library.py",
            "test_open_cards_js.py",
        }:
            item.add_marker("node")
        wants_npm = item.path.name in {"test_checks.py", "test_client_library.py"}
        if wants_npm or "syntax_trees" in item.name or "says_something_else" in item.name:
            item.add_marker("npm")


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    running = Chromium(lambda: tmp_path_factory.mktemp("chromium"))
    yield running
    running.close()


@pytest.fixture
def browser(chromium: Chromium) -> Iterator[Browser]:
    running = chromium.browser()
    yield running
    with suppress(BrowserLost):
        running.close_pages()


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    server = Served(tmp_path_factory.mktemp("served"), "--set", "limits.sign_ups_per_minute=100")
    server.start()
    yield server
    server.kill()


@pytest.fixture(autouse=True)
def _chance_that_repeats(request: pytest.FixtureRequest) -> None:
    """The draws of server and pages follow from the test's name, as in every other test."""
    word = word_of(request.node) + secrets.token_hex(8)
    if "served" in request.fixturenames:
        request.getfixturevalue("served").repeat(word)
    if "browser" in request.fixturenames:
        request.getfixturevalue("browser").repeat(word)


@pytest.fixture
def page(browser: Browser) -> Page:
    fresh = browser.page()
    fresh.size(1440, 900)
    return fresh
