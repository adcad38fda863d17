"""One browser and one server for all tests of the web client."""

import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.browser import Browser, Page, chromium
from tests.web.serving import Served


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what needs a program that is not Python: `scripts/test` leaves it out, aloud, where it is missing."""
    here = Path(__file__).parent
    for item in items:
        if item.path.parent != here:
            continue
        if {"browser", "page"} & set(getattr(item, "fixturenames", ())):
            item.add_marker("chromium")
        if item.path.name in {"test_modules.py", "test_verifier_js.py"}:
            item.add_marker("node")


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with chromium(tmp_path_factory.mktemp("chromium")) as running:
        yield running


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    server = Served(tmp_path_factory.mktemp("served"))
    server.start()
    yield server
    server.kill()


@pytest.fixture(autouse=True)
def _chance_that_repeats(request: pytest.FixtureRequest) -> None:
    """What server and pages draw follows from the test's name, as in every other test."""
    word = request.node.nodeid + secrets.token_hex(8)
    if "served" in request.fixturenames:
        request.getfixturevalue("served").repeat(word)
    if "browser" in request.fixturenames:
        request.getfixturevalue("browser").repeat(word)


@pytest.fixture
def page(browser: Browser) -> Page:
    fresh = browser.page()
    fresh.size(1440, 900)
    return fresh
