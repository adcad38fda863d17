"""The TypeScript library for clients of others, as npm packs it, against a server that runs."""

import json
import os
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

from tests.web.node import CHECKS, ROOT
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
    with tarfile.open(root / LIBRARY / name) as packed:
        packed.extractall(root, filter="data")
    shutil.copytree(ROOT / LIBRARY / "tests", root / "package" / "tests")
    return root / "package"


def flags() -> list[str]:
    major = int(run("node", "--version", cwd=ROOT).removeprefix("v").partition(".")[0])
    return ["--experimental-websocket", "--no-warnings"] if major < WITHOUT_SOCKETS else []


def test_the_library_plays_watches_and_verifies(package: Path, served: Served) -> None:
    tests = sorted(str(path) for path in (package / "tests").glob("*.test.js"))
    told = run("node", *flags(), "--test", *tests, cwd=package, url=served.url)
    assert "fail 0" in told


COMPILE = ["--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler", "--strict"]
RUN = """
import { MemoryKeys, Server } from "@herald/client";
import { play } from "./library.js";

const { play: enter } = Server.prototype;
Server.prototype.play = async function (...given) {
    const match = await enter.apply(this, given);
    const { answer } = match;
    let answers = 0;
    match.answer = (...one) => (++answers === 5 ? match.resign() : answer.apply(match, one));
    return match;
};
console.log(JSON.stringify(await play(process.env.HERALD_URL, "war_for_edadh", new MemoryKeys())));
process.exit(0);
"""
"""Runs the page's program, and gives the match up after some answers, for a whole one takes long."""


def test_the_program_of_docs_clients_is_typed_and_plays(package: Path, served: Served, tmp_path: Path) -> None:
    shutil.copytree(package, tmp_path / "node_modules" / "@herald" / "client")
    page = (ROOT / "docs" / "clients.md").read_text("utf-8")
    (tmp_path / "library.ts").write_text(page.partition("```ts library.ts\n")[2].partition("```")[0])
    (tmp_path / "run.js").write_text(RUN)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    run(CHECKS / "node_modules" / ".bin" / "tsc", *COMPILE, "library.ts", cwd=tmp_path)
    told = run("node", *flags(), "run.js", cwd=tmp_path, url=served.url)
    result = json.loads(told.splitlines()[-1])
    assert (result["winner"], result["won"]) == (1, [1])


def test_the_package_holds_the_compiled_modules_and_its_page(package: Path) -> None:
    held = {str(path.relative_to(package)) for path in package.rglob("*") if "tests" not in path.parts}
    assert {"package.json", "README.md", "lib/index.js", "lib/index.d.ts", "lib/node.js", "lib/wire.d.ts"} <= held
    assert not [name for name in held if name.endswith(".ts") and not name.endswith(".d.ts")]
