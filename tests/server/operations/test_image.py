"""The image of docs/deploy, built and run by a container engine; test_container.py does without one, step by step."""

import time
import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest

from scripts.promises import ROOT, run
from tests.containers import IMAGE, Container, engine
from tests.postgres import free_port

NAME = "herald-tests"
pytestmark = [pytest.mark.whole, pytest.mark.container]


@pytest.fixture
def served() -> Iterator[Container]:
    """A container of the image, which serves."""
    command = engine()
    # In this format an image has its HEALTHCHECK; podman's own leaves it out.
    form = ["--format", "docker"] if command == "podman" else []
    run(command, "build", *form, "--network", "host", "--quiet", "--tag", NAME, "--file", IMAGE, ".", cwd=ROOT)
    container = Container(command, NAME, NAME, free_port())
    try:
        yield container
    finally:
        container.remove()


def until_ready(container: Container) -> None:
    """Wait until it answers that it is ready."""
    until = time.monotonic() + 120
    while True:
        try:
            with urllib.request.urlopen(f"{container.address}readyz", timeout=5) as answer:
                assert answer.status == 200
                return
        except (OSError, urllib.error.URLError):
            assert time.monotonic() < until, container.log()
            time.sleep(0.1)


def test_the_image_serves_as_its_own_user_makes_copies_stops_in_order_and_keeps_its_matches(served: Container) -> None:
    until_ready(served)
    assert served.inside("id", "-un") == "herald"
    served.inside("python", "-c", f"import urllib.request as r; r.urlopen('{served.address}readyz', timeout=3)")
    served.inside("herald", "demo", "--game", "war_for_edadh", "--speed", "0")
    copied = served.inside("sh", "/srv/backup.sh", "/srv/copies", "--once")
    assert "can be restored: 1 matches" in " ".join(copied.split())
    assert served.stop() == 0, served.log()
    assert "stopped; every accepted choice is kept" in served.log()
    served.start()
    until_ready(served)
    assert served.inside("herald", "audit", "last").startswith("✓ last: ")
