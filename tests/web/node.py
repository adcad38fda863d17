"""Running the web client's modules in Node."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
WEB = ROOT / "server" / "web"
CHECKS = Path(__file__).with_name("checks")
"""What the client's source is checked with: programs of npm, which scripts/test installs there."""


def node(script: Path, *args: str, status: int = 0) -> str:
    """What the script prints; fails the test when its exit status is another."""
    run = subprocess.run(["node", str(script), *args], capture_output=True, text=True, timeout=250, check=False)
    assert run.returncode == status, run.stdout + run.stderr
    return run.stdout
