"""Each package of the base install has a reason (ARCHITECTURE, what it is built on), and anyio has its place."""

import re
import tomllib
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT, imports, python_files

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
EDGES = ("server/cli/", "server/arena/", "server/gate/app.py", "scripts/")
"""Where a program starts its event loop, takes its signals or asks at a terminal: anyio may be used here."""


def base() -> list[str]:
    """The packages that `pip install herald` brings, by name."""
    return [name[0] for each in PROJECT["project"]["dependencies"] if (name := re.match(r"[\w-]+", each))]


def defended(page: str) -> list[str]:
    """The packages to which the page gives a line, in their order."""
    section = page.partition("## What it is built on")[2].partition("\n## ")[0]
    return re.findall(r"^    ([\w-]+) {2,}\S", section, re.MULTILINE)


def strays(path: Path, module: str) -> bool:
    """Whether a file uses anyio that should use asyncio."""
    return module.split(".", maxsplit=1)[0] == "anyio" and not str(path).startswith(EDGES)


def test_each_package_of_the_base_install_is_defended_in_a_line() -> None:
    told = defended((ROOT / "ARCHITECTURE.md").read_text("utf-8"))
    missing = sorted({*base()} - {*told})
    assert not missing, "say in ARCHITECTURE.md, under What it is built on, why each of these is needed, or do without"
    assert told == sorted(base()), "one line for each package, in the order of the alphabet, and for no other"


def test_a_server_waits_with_asyncio_and_a_program_begins_with_anyio() -> None:
    found = imports(python_files("domain", "projections", "replay", "server", "scripts"))
    wrong = [f"{path}:{line} imports {module}" for path, line, module in found if strays(path, module)]
    assert not wrong, "use asyncio inside an event loop; ARCHITECTURE.md says where anyio has its place"


@pytest.mark.parametrize(
    ("path", "module", "is_wrong"),
    [
        ("server/table/timers.py", "anyio", True),
        ("server/lobby/host_rulings.py", "anyio.to_thread", True),
        ("server/table/timers.py", "asyncio", False),
        ("server/cli/play.py", "anyio", False),
        ("scripts/benchmarks/restart.py", "anyio", False),
    ],
)
def test_anyio_in_the_wrong_place_is_recognised(path: str, module: str, *, is_wrong: bool) -> None:
    assert strays(Path(path), module) is is_wrong


def test_a_line_of_a_package_is_recognised() -> None:
    page = "    rich   a\n## What it is built on\n\n    click   why\n    no-reason\n\n## More\n    textual   c\n"
    assert defended(page) == ["click"]
