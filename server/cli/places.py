"""The folder in which this user's Herald keeps its data."""

import os
import sys
from pathlib import Path


def data_dir() -> Path:
    """The folder in which this user's Herald keeps its data: HERALD_DATA, else the system's usual place."""
    given = os.environ.get("HERALD_DATA")
    if given:
        return Path(given)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "herald"
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "herald"
