"""The command `herald` with the example game among its games: starts servers as an operator does.

`python -m scripts.benchmarks.command ARGUMENT...`, as `herald ARGUMENT...`.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from msgspec.structs import asdict

from projections.plain import plain_face
from projections.registry import add
from scripts.benchmarks.nodes import UNBOUNDED
from scripts.benchmarks.servers import ROOT, Served
from scripts.benchmarks.sockets import allow_files
from server.cli import main
from server.operations.settings import DEFAULT_LIMITS
from tests.skirmish.game import GAME as SKIRMISH

STOPS_S: Final = 60.0


def settings() -> str:
    """A file of settings that lifts the limits on the requests of scripted players."""
    usual = asdict(DEFAULT_LIMITS)
    lifted = {name: value for name, value in asdict(UNBOUNDED).items() if value != usual[name]}
    return "\n".join(["[limits]", *(f"{name} = {value}" for name, value in lifted.items()), ""])


@contextmanager
def commanded(workers: int) -> Iterator[Served]:
    """`herald serve --workers N` over a new SQLite file; its process is the parent's."""
    with tempfile.TemporaryDirectory(prefix="herald-bench-") as folder:
        (Path(folder) / "herald.toml").write_text(settings())
        child = _started(Path(folder), workers)
        try:
            yield Served(_address(child), child.pid)
        finally:
            child.terminate()
            child.communicate(timeout=STOPS_S)


def _started(folder: Path, workers: int) -> "subprocess.Popen[str]":
    given = {"--config": folder / "herald.toml", "--db": folder / "bench.sqlite", "--port": 0, "--workers": workers}
    command = [sys.executable, "-m", "scripts.benchmarks.command", "serve"]
    command += [str(part) for pair in given.items() for part in pair]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HERALD_")}
    environment = kept | {"HERALD_DATA": str(folder), "NO_COLOR": "1", "COLUMNS": "200", "PYTHONUNBUFFERED": "1"}
    with (folder / "log").open("wb") as log:
        return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=log, text=True)


def _address(child: "subprocess.Popen[str]") -> str:
    """The address at which the process says that it listens. Raises `RuntimeError` if it does not listen."""
    assert child.stdout is not None
    for line in child.stdout:
        if found := re.search(r"http://(127\.0\.0\.1:\d+)/", line):
            return f"ws://{found[1]}/ws"
    raise RuntimeError("the server did not start")


if __name__ == "__main__":
    allow_files(32_768)
    add(plain_face(SKIRMISH))
    main(sys.argv[1:], prog_name="herald")
