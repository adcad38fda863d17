"""One browser and one server for all tests of the web client."""

from collections.abc import Iterator

import pytest

from tests.web.browser import Browser, Page, chromium
from tests.web.serving import Served


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


@pytest.fixture
def page(browser: Browser) -> Page:
    fresh = browser.page()
    fresh.size(1440, 900)
    return fresh
