"""The steps of docs/deploy/Containerfile and one.yaml, carried out one by one as a script: there may be no engine here.

Each step is told as it is done (`pytest -s`). What an engine adds is left out: the base image, the user, the network
and the proxy; so is the index of packages, in whose place this environment lends what it has.
"""

import fnmatch
import json
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from scripts.promises import LISTENS, ROOT, outside, run
from server.cli import main
from tests.installed import environment

FOLDER = ROOT / "docs/deploy"
pytestmark = pytest.mark.whole


def steps() -> list[tuple[str, str]]:
    """The instructions of the image, in order."""
    lines = (FOLDER / "Containerfile").read_text().splitlines()
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in lines) if word]


def copied(into: Path) -> None:
    """Copy what is kept in the repository, but for what `.dockerignore` leaves out."""
    left_out = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and not line.startswith("#")]
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    kept = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    for name in kept:
        parts = Path(name).parts
        beginnings = ["/".join(parts[:length]) for length in range(1, len(parts) + 1)]
        is_out = any(
            fnmatch.fnmatch(each.rpartition("/")[2] if pattern.startswith("**/") else each, pattern.removeprefix("**/"))
            for pattern in left_out
            for each in beginnings
        )
        if not is_out and (ROOT / name).is_file():
            (into / name).parent.mkdir(parents=True, exist_ok=True)
            (into / name).write_bytes((ROOT / name).read_bytes())


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the image holds: the folder with the repository, and beside it the environment."""
    place = tmp_path_factory.mktemp("image")
    source, pip = place / "source", environment(place / "environment")
    for word, rest in steps():
        if word == "COPY" and rest == ". .":
            sys.stderr.write(f"done: {word} {rest}\n")
            copied(source)
        elif word == "RUN" and "--no-deps" in rest:
            sys.stderr.write(f"done: {word} {rest}\n")
            command = [each for each in shlex.split(rest) if each != "--no-cache-dir"]
            assert command[:2] == ["pip", "install"]
            run(*pip, *command[1:], "--quiet", cwd=source)
        else:
            sys.stderr.write(f"left out, for want of a container engine: {word} {rest}\n")
    return place


def variables(image: Path, data: Path) -> dict[str, str]:
    """Those of the image, with a folder of our own for its volume, and this machine alone to listen to."""
    told = dict(pair.split("=", 1) for word, rest in steps() if word == "ENV" for pair in rest.split())
    assert told["HERALD_HOST"] == "0.0.0.0"
    ours = {"HERALD_DATA": str(data), "HERALD_HOST": "127.0.0.1", "HERALD_PORT": "0", "HERALD_LOG_FORMAT": "text"}
    path = f"{image / 'environment/bin'}{os.pathsep}{os.environ['PATH']}"
    return {**outside(), **told, **ours, "PATH": path}


@contextmanager
def started(image: Path, data: Path) -> Iterator[str]:
    """The image's command, as long as the context lasts: where it listens."""
    (command,) = [json.loads(rest) for word, rest in steps() if word == "CMD"]
    log = data / "server.log"
    with log.open("w") as file:
        server = subprocess.Popen(command, cwd=data, env=variables(image, data), stdout=file, stderr=file)
    try:
        until = time.monotonic() + 120
        while (found := LISTENS.search(log.read_text())) is None:
            assert server.poll() is None, log.read_text()
            assert time.monotonic() < until, log.read_text()
            time.sleep(0.05)
        yield found[1]
    finally:
        server.terminate()
        assert server.wait(60) == 0


def test_the_image_serves_is_healthy_and_copied_while_it_runs(image: Path, tmp_path: Path) -> None:
    data, copies = tmp_path / "data", tmp_path / "copies"
    data.mkdir()
    copies.mkdir()
    with started(image, data) as address:
        (health,) = [json.loads(rest.removeprefix("CMD ")) for word, rest in steps() if word == "HEALTHCHECK"]
        asked = [sys.executable, *health[1:2], health[2].replace("http://127.0.0.1:8000/", address)]
        run(*asked, cwd=data)
        made = CliRunner().invoke(
            main, ["demo", "--game", "war_for_edadh", "--speed", "0", "--db", str(data / "herald.db")]
        )
        assert made.exit_code == 0, made.output
        old = copies / "herald-20200101T000000Z.db"
        (copies / f"{old.name}.keys").mkdir()
        for each in (old, copies / "another.txt"):
            each.write_text("kept")
            os.utime(each, (0, 0))
        script = ["sh", str(FOLDER / "backup.sh"), str(copies), "--once"]
        told = {**variables(image, data), "OFFSITE": 'ls "$1" > "$1/../taken"'}
        done = subprocess.run(script, env=told, capture_output=True, text=True, check=False, timeout=240)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "can be restored: 1 matches" in " ".join(done.stdout.split())
    (copy,) = copies.glob("herald-*.db")
    assert sorted(path.name for path in copies.iterdir()) == ["another.txt", copy.name, f"{copy.name}.keys"]
    assert copy.name in (tmp_path / "taken").read_text()


def test_where_no_copy_can_be_made_the_older_ones_stay(image: Path, tmp_path: Path) -> None:
    old = tmp_path / "herald-20200101T000000Z.db"
    old.write_text("kept")
    os.utime(old, (0, 0))
    script = ["sh", str(FOLDER / "backup.sh"), str(tmp_path), "--once"]
    told = variables(image, tmp_path / "none")
    done = subprocess.run(script, env=told, capture_output=True, text=True, check=False, timeout=240)
    assert done.returncode != 0
    assert old.read_text() == "kept"
