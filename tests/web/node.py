"""Running the web client's modules in Node."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
WEB = ROOT / "server" / "web"
CHECKS = Path(__file__).with_name("checks")
"""The programs that check the client's source, from npm; scripts/test installs them there."""


def node(script: Path, *args: str, status: int = 0) -> str:
    """The output of the script; fails the test if its exit status is another."""
    run = subprocess.run(["node", str(script), *args], capture_output=True, text=True, timeout=250, check=False)
    assert run.returncode == status, run.stdout + run.stderr
    return run.stdout
