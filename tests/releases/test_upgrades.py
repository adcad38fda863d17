"""What earlier versions left is opened by this one: databases, exports, scenario files, and clients that still run.

Each folder beside this module is a version: `played.db.gz` with its keys, `match.herald`, `scenario.toml`, the wheel
of its client, and the revision that servers of it are started from (`tests/server/machines/test_upgrading.py`).
docs/testing.md says how they are made.
"""

import gzip
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from replay.store.sqlite.schema import SCHEMA_VERSION
from server.cli import main

ROOT = Path(__file__).parents[2]
VERSIONS = sorted(path.parent for path in Path(__file__).parent.glob("*/played.db.gz"))
OLD_CLIENT = """
import asyncio, random, sys
from herald_client import Asked, Ended, Key, Offered, Refused, Server, bot, me, some
import herald_client
assert ".whl" in herald_client.__file__, herald_client.__file__

async def play(url):
    server, key = Server(url), Key()
    created = await server.create("war_for_edadh", [me("Ada", key=key), bot()], shares=True)
    async with server.play(created.match, created.tokens["0"], key=key) as match:
        async for news in match:
            if isinstance(news, Asked):
                try:
                    await match.answer(some(news.prompt["fields"][0], random.Random(1).randrange))
                except Refused:
                    pass
            elif isinstance(news, Offered):
                await match.decline(news.offer.number)
            elif isinstance(news, Ended):
                print("ended", match.verifier.signed_to)
                return

asyncio.run(asyncio.wait_for(play(sys.argv[1]), 100))
"""


def run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def unpacked(version: Path, folder: Path) -> Path:
    path = folder / "played.db"
    path.write_bytes(gzip.decompress((version / "played.db.gz").read_bytes()))
    keys = folder / "played.db.keys"
    shutil.copytree(version / "played.db.keys", keys)
    for key in keys.iterdir():
        key.chmod(0o600)
    return path


@contextmanager
def served(db: Path) -> Iterator[str]:
    """A server of this version over a database, by its address."""
    command = [sys.executable, "-m", "server.cli", "serve", "--port", "0", "--bot-delay", "0", "--db", str(db)]
    environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "200", "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            assert process.stdout is not None
            said = ""
            while not (found := re.search(r"http://[\d.]+:\d+", said)):
                line = process.stdout.readline()
                assert line, said
                said += line
            yield found[0]
        finally:
            process.kill()


def test_versions_are_kept() -> None:
    assert VERSIONS
    for version in VERSIONS:
        names = {path.name.split("-")[0] for path in version.iterdir()}
        assert names == {
            *("played.db.gz", "played.db.keys", "match.herald", "scenario.toml", "herald_client", "revision")
        }


@pytest.mark.parametrize("version", VERSIONS, ids=lambda version: version.name)
def test_a_database_is_opened_brought_up_to_date_and_every_match_of_it_holds(version: Path, tmp_path: Path) -> None:
    db = unpacked(version, tmp_path)
    with served(db):
        pass
    with closing(sqlite3.connect(db)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
        matches = connection.execute("SELECT match, seq FROM matches").fetchall()
    assert len(matches) == 2
    for match, seq in matches:
        audited = run("audit", match, "--db", db)
        assert audited.exit_code == 0, audited.output
        assert f"{seq} lines" in audited.output


@pytest.mark.parametrize("version", VERSIONS, ids=lambda version: version.name)
def test_an_export_holds_and_is_replayed_and_imported(version: Path, tmp_path: Path) -> None:
    file = version / "match.herald"
    assert run("audit", file, "--db", tmp_path / "none.db").exit_code == 0
    assert run("replay", file).exit_code == 0
    assert run("import", file, "--db", tmp_path / "new.db").exit_code == 0


@pytest.mark.parametrize("version", VERSIONS, ids=lambda version: version.name)
def test_a_scenario_is_as_it_was_told(version: Path) -> None:
    done = run("scenario", "check", version / "scenario.toml")
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("version", VERSIONS, ids=lambda version: version.name)
def test_a_client_of_then_plays_a_signed_match_to_its_end(version: Path, tmp_path: Path) -> None:
    (wheel,) = version.glob("herald_client-*.whl")
    with served(unpacked(version, tmp_path)) as url:
        done = subprocess.run(
            [sys.executable, "-c", OLD_CLIENT, url],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(wheel)},
            capture_output=True,
            text=True,
            timeout=150,
            check=False,
        )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.startswith("ended ")
