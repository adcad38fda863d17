"""Environments for built packages: they have the packages of this environment, except Herald's own."""

import sys
import sysconfig
from pathlib import Path

from scripts.promises import run

OURS = ("herald", "_herald", "__editable__", "_virtualenv", "_editable", "a1_coverage")


def environment(place: Path) -> tuple[str | Path, ...]:
    """Make an environment there; returns the command that installs packages into it."""
    run(sys.executable, "-m", "venv", "--without-pip", place)
    into = next(place.glob("lib/python*/site-packages"))
    for each in Path(sysconfig.get_path("purelib")).iterdir():
        if not each.name.startswith(OURS) and each.suffix != ".pth":
            (into / each.name).symlink_to(each)
    return (sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", place / "bin/python")
