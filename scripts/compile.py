"""Build a wheel whose hottest modules are compiled, and compare it with the checkout before anybody installs it.

It needs a C compiler, the headers of Python (Debian: gcc, python3-dev) and the network, for mypyc. The wheel and the
checkout play the same matches. The wheel is kept only if every event and every playout is the same, byte for byte.
"""

import hashlib
import os
import random
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import click
import msgspec

from domain.kernel import Game, Playout
from scripts.benchmarks.matches import game_names, game_of, play
from scripts.benchmarks.search import opened
from server.bots.chance import SeededChance

ROOT: Final = Path(__file__).parents[1]
LEFT_OUT: Final = shutil.ignore_patterns(".*", "__pycache__", "node_modules", "dist")
MATCHES: Final = 8
"""The number of matches of each game that are played, by decisions and in a search."""


def fingerprint() -> str:
    """A hash of all events of some random matches of every game, and of the results of playouts."""
    found = hashlib.sha256()
    for name in game_names():
        game = game_of(name)
        for seed in range(MATCHES):
            for event in play(game, seed).events:
                found.update(type(event).__name__.encode() + msgspec.json.encode(event))
            found.update(msgspec.json.encode(_played_out(game, seed)))
    return found.hexdigest()


def _played_out(game: Game[Any], seed: int) -> Any:
    source = random.Random(seed)  # noqa: S311 - repeatable on purpose
    chance = SeededChance(source)
    playout = Playout(game, opened(game, chance), chance).fork(chance)
    while not playout.is_over:
        asked = playout.state.asked[0]
        playout.choose(asked, playout.form(asked).sample(source.randrange))
    return playout.state


def build(to: Path) -> Path:
    """The wheel, built in a separate environment. Raises `subprocess.CalledProcessError` if the build fails."""
    with_uv = ["uv", "build", "--quiet", "--wheel", "--python", sys.executable, "--out-dir", str(to), str(ROOT)]
    with_pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(to), str(ROOT)]
    command = with_uv if shutil.which("uv") else with_pip
    subprocess.run(command, check=True, env={**os.environ, "HATCH_BUILD_HOOK_ENABLE_CUSTOM": "true"})
    return next(to.glob("*.whl"))


def laid_beside(wheel: Path, folder: Path) -> None:
    """Make `folder` a copy of the checkout with the compiled modules of the wheel beside their sources."""
    shutil.copytree(ROOT, folder, ignore=LEFT_OUT, dirs_exist_ok=True)
    with zipfile.ZipFile(wheel) as packed:
        for name in packed.namelist():
            if name.endswith((".so", ".pyd")):
                packed.extract(name, folder)


def _fingerprint_in(folder: Path) -> str:
    command = [sys.executable, "-m", "scripts.compile", "--fingerprint"]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True, text=True).stdout


@click.command(help=__doc__)
@click.option("--to", type=click.Path(path_type=Path), default=ROOT / "dist", help="Where the wheel goes: dist.")
@click.option(
    "--beside",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Also make FOLDER a copy of the checkout with the compiled modules in it, for tests and benchmarks there.",
)
@click.option("--fingerprint", "shown", is_flag=True, help="Only print the hash of what is compared.")
def main(to: Path, beside: Path | None, *, shown: bool) -> None:
    """See the module."""
    if shown:
        click.echo(fingerprint())
        return
    with TemporaryDirectory() as made, TemporaryDirectory() as copy:
        wheel, folder = build(Path(made)), beside or Path(copy)
        laid_beside(wheel, folder)
        if _fingerprint_in(folder) != _fingerprint_in(ROOT):
            raise click.ClickException("the compiled modules play other matches than their sources; no wheel is kept")
        to.mkdir(parents=True, exist_ok=True)
        click.echo(f"the same matches byte for byte: {shutil.copy(wheel, to)}")


if __name__ == "__main__":
    main()
