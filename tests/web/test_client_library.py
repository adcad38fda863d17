"""The TypeScript library for clients of others, as npm packs it, against a server that runs."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.web.node import ROOT
from tests.web.serving import Served

LIBRARY = "clients/typescript"
WITHOUT_SOCKETS = 22
"""Node.js of an earlier version has WebSocket behind a flag."""


def run(*command: str | Path, cwd: Path, url: str = "") -> str:
    environment = {**os.environ, "HERALD_URL": url}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `npm pack` makes, unpacked, with the tests beside it."""
    root = tmp_path_factory.mktemp("library")
    for folder in (LIBRARY, "server/web/client"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("lib", "node_modules"))
    name = run("npm", "pack", "--silent", "--offline", cwd=root / LIBRARY).strip().splitlines()[-1]
    # `tar`, for Python's own can tell what may not be unpacked from 3.11.4 on only
    run("tar", "--extract", "--file", name, "--directory", str(root), cwd=root / LIBRARY)
    shutil.copytree(ROOT / LIBRARY / "tests", root / "package" / "tests")
    return root / "package"


def flags() -> list[str]:
    major = int(run("node", "--version", cwd=ROOT).removeprefix("v").partition(".")[0])
    return ["--experimental-websocket", "--no-warnings"] if major < WITHOUT_SOCKETS else []


@pytest.mark.whole
def test_the_library_plays_watches_and_verifies(package: Path, served: Served) -> None:
    tests = sorted(str(path) for path in (package / "tests").glob("*.test.js"))
    told = run("node", *flags(), "--test", *tests, cwd=package, url=served.url)
    assert "fail 0" in told


def test_the_package_holds_the_compiled_modules_and_its_page(package: Path) -> None:
    held = {str(path.relative_to(package)) for path in package.rglob("*") if "tests" not in path.parts}
    assert {"package.json", "README.md", "lib/index.js", "lib/index.d.ts", "lib/node.js", "lib/wire.d.ts"} <= held
    assert not [name for name in held if name.endswith(".ts") and not name.endswith(".d.ts")]
