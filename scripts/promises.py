"""Tests of the README's promises, in an environment with the packages of a release and without the repository.

`scripts/release` runs them with every Python of the machine, after installing the locked packages; the test suite runs
them with one Python and its installed packages. Each function raises `BrokenPromiseError` with the end of a program's
output.
"""

import os
import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from msgspec import Struct

ROOT: Final = Path(__file__).resolve().parents[1]
GAME: Final = "border_towns"
"""The game of another author, in a package made from the skeleton."""
REPLAYED: Final = """
import herald, sys
from herald import audit, games, open_record, play
played = play("war_for_edadh", "random", seed=3)
assert played.choices > 10, played
found = audit(sys.argv[1])
assert found.ok, found.fault
assert len(open_record(sys.argv[1])) == found.lines
"""
STRANGER: Final = """
import herald
from herald import audit, open_record, play
from herald.authoring import Disclosure, GameSpec, State

found = audit("match.herald")
reveal_type(found)
reveal_type(found.unproven)
record = open_record("match.herald")
for moment in record.moments(seat=0):
    reveal_type(moment.text)
match = play("vera_discordia", ["steady", "random"], seed=7)
reveal_type(match.won)
reveal_type(herald.games())


class Mine(State, frozen=True, kw_only=True):
    rounds: int = 3


reveal_type(Mine().rounds)
"""
"""A script of a user who has installed Herald, with the expected results of a type checker."""
REVEALED: Final = STRANGER.count("reveal_type(")
TWO_BOTS: Final = """
import asyncio, random, sys
from herald_client import Asked, Ended, Key, Offered, Server, me, open_seat, some

async def play(server, match, token, key):
    async with server.play(match, token, key=key) as table:
        async for news in table:
            match news:
                case Asked(prompt):
                    await table.answer(some(prompt["fields"][0], random.randrange))
                case Offered(offer):
                    await table.decline(offer.number)
                case Ended(result):
                    return result, table.verifier.signed_to

async def main(url, game):
    server, ada, ben = Server(url), Key(), Key()
    created = await server.create(game, [me("Ada", key=ada), open_seat()])
    joined = await server.join(created.match, 1, "Ben", key=ben)
    seats = (created.tokens["0"], ada), (joined.token, ben)
    ends = await asyncio.gather(*(play(server, created.match, *seat) for seat in seats))
    assert ends[0][0] == ends[1][0], ends
    print(created.match)

asyncio.run(main(*sys.argv[1:]))
"""
"""Two programs at one server, each with its own seat and key; they print the match's name."""
INSTALLED: Final = ("domain", "herald", "herald_client", "server")
LISTENS: Final = re.compile(r"listens on (http://127\.0\.0\.1:\d+/)")
START_S: Final = 120.0


class BrokenPromiseError(Exception):
    """The reason why a release cannot be made, as a sentence."""


class Environment(Struct, frozen=True):
    """The environment in which the built packages are installed. `pip`: its installer; `work`: a folder for files."""

    place: Path
    pip: tuple[str | Path, ...]
    work: Path

    @property
    def python(self) -> Path:
        """The path of the environment's interpreter."""
        return self.place / "bin/python"

    @property
    def herald(self) -> Path:
        """Its command."""
        return self.place / "bin/herald"


def outside() -> dict[str, str]:
    """The variables of a process that must find neither the repository nor a user's settings."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("HERALD_", "PYTHONPATH"))}


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    """The output of a program. Raises `BrokenPromiseError` with the end of its output if it fails."""
    done = subprocess.run([*map(str, command)], cwd=cwd, env=outside(), capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stdout + done.stderr)[-1500:]
        raise BrokenPromiseError(f"{' '.join(map(str, command[:6]))} failed:\n{said}")
    return done.stdout


def is_alone(tried: Environment) -> None:
    """Everything that is imported in the environment is installed in it."""
    asked = f"import {', '.join(INSTALLED)}; print(*(each.__file__ for each in ({', '.join(INSTALLED)})))"
    for file in run(tried.python, "-c", asked, cwd=tried.work).split():
        if not Path(file).is_relative_to(tried.place):
            raise BrokenPromiseError(f"{file} is imported, which is not among what was built")


def plays(tried: Environment) -> Path:
    """A match is refereed, recorded, audited, exported and replayed; returns the file with its record."""
    db, record = tried.work / "played.db", tried.work / "match.herald"
    run(tried.herald, "demo", "--game", "war_for_edadh", "--speed", "0", "--db", db, cwd=tried.work)
    run(tried.herald, "audit", "last", "--db", db, cwd=tried.work)
    run(tried.herald, "export", "last", "-o", record, "--db", db, cwd=tried.work)
    run(tried.herald, "replay", "last", "--db", db, cwd=tried.work)
    run(tried.python, "-c", REPLAYED, record, cwd=tried.work)
    return record


def is_verified(tried: Environment, record: Path) -> None:
    """A record in which one byte differs does not pass the audit."""
    changed = tried.work / "changed.herald"
    changed.write_bytes(record.read_bytes().replace(b"Chosen", b"Chosem", 1))
    done = subprocess.run(
        [tried.herald, "audit", changed], cwd=tried.work, env=outside(), capture_output=True, text=True, check=False
    )
    if done.returncode != 1 or "Traceback" in done.stderr:
        raise BrokenPromiseError(f"a changed record is not found out:\n{done.stdout}{done.stderr}")


def is_typed(tried: Environment, checked_by: Path, *further: Path) -> None:
    """`mypy --strict` passes a user's script and `further` folders, and finds no `Any` in them."""
    script = tried.work / "stranger.py"
    script.write_text(STRANGER, encoding="utf-8")
    command = (checked_by, "-m", "mypy", "--strict", "--python-executable", tried.python, "--config-file", "")
    told = run(*command, "--cache-dir", tried.work / "types", script, *further, cwd=tried.work)
    revealed = [line.partition("Revealed type is ")[2] for line in told.splitlines() if "Revealed" in line]
    if len(revealed) != REVEALED or any("Any" in line for line in revealed):
        raise BrokenPromiseError(f"the types that an installed Herald reveals are not all told:\n{told}")


@contextmanager
def served(tried: Environment, db: Path) -> Iterator[str]:
    """Run a server of the environment while the context lasts; yields its address."""
    log = tried.work / "server.log"
    with log.open("w") as file:
        command = (tried.herald, "serve", "--port", "0", "--db", db)
        server = subprocess.Popen([*map(str, command)], cwd=tried.work, env=outside(), stdout=file, stderr=file)
    try:
        until = time.monotonic() + START_S
        while (found := LISTENS.search(log.read_text("utf-8"))) is None:
            if server.poll() is not None or time.monotonic() > until:
                raise BrokenPromiseError(f"the server does not start:\n{log.read_text('utf-8')[-1500:]}")
            time.sleep(0.05)
        yield found[1]
    finally:
        server.terminate()
        server.wait(60)


def takes_games_of_others(tried: Environment, written_by: Path) -> Path:
    """A package that `new-game` writes is installed, conforms, is played by two bots over a server, and is audited.

    The audit reads an exported file, without a database. If the game's package is not installed, the audit names the
    package to install.
    """
    package, db, record = tried.work / GAME, tried.work / "outside.db", tried.work / "outside.herald"
    run(written_by, "-m", "scripts.new_game", GAME, "--to", package)
    run(*tried.pip, "install", "--quiet", "--no-deps", "--no-build-isolation", package)
    run(tried.herald, "conformance", GAME, cwd=tried.work)
    with served(tried, db) as address:
        match = run(tried.python, "-c", TWO_BOTS, address, GAME, cwd=tried.work).strip()
    run(tried.herald, "export", match, "-o", record, "--db", db, cwd=tried.work)
    elsewhere = tried.work / "elsewhere"
    elsewhere.mkdir()
    run(tried.herald, "audit", record, cwd=elsewhere)
    return package


def names_what_is_missing(tried: Environment) -> None:
    """Without the game's package the audit cannot judge the rules: it fails, and names the package to install."""
    dist = f"herald-{GAME.replace('_', '-')}"
    run(*tried.pip, "uninstall", "--quiet", "--yes", dist)
    command = (tried.herald, "audit", tried.work / "outside.herald")
    done = subprocess.run(
        [*map(str, command)], cwd=tried.work, env=outside(), capture_output=True, text=True, check=False
    )
    told = " ".join(done.stdout.split())
    if done.returncode != 1 or f"pip install {dist}==" not in told or "rules were not judged" not in told:
        raise BrokenPromiseError(f"an audit without the game's package does not say what to install:\n{done.stdout}")
