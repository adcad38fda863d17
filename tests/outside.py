"""Packages of others, written for a test: the skeleton's, and broken ones."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def written(folder: Path, name: str, *options: str) -> Path:
    """The skeleton's package of a game, in a folder of its name."""
    command = [sys.executable, "-m", "scripts.new_game", name, "--to", str(folder / name), *options]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return folder / name


def broken(folder: Path, name: str, code: str, game: str = "") -> Path:
    """A package whose module is this code, and which names its `GAME` as the game of this name."""
    package = folder / name
    package.mkdir(parents=True)
    (package / "pyproject.toml").write_text(
        f'[project]\nname = "herald-{name}"\nversion = "1.0"\n'
        f'[project.entry-points."herald.games"]\n{game or name} = "{name}_module:GAME"\n',
        encoding="utf-8",
    )
    (package / f"{name}_module.py").write_text(code, encoding="utf-8")
    return package
