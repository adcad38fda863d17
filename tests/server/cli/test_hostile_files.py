"""Files that anybody may have written, given to every command that reads one, with little memory to waste.

Each runs in a process of its own that may not grow beyond a limit: what is not bounded fails here.
"""

import gzip
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from domain.vera_discordia import GAME
from replay.files import export
from replay.store.sqlite.store import SqliteStore
from tests.replay.hostile import sealed
from tests.replay.matches import played

MEMORY = 1 << 30
SECONDS = 250
LONG = 2_000
WELCOME = b'{"t":"welcome","match":"x","game":"skirmish","viewer":{"seat":null},"keys":{}}\n'


def limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def herald(db: Path, *words: str | Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "server.cli", *map(str, words), "--db", str(db)]
    return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, preexec_fn=limit, check=False)


@pytest.fixture(scope="module")
def true() -> bytes:
    store, referee = played(3, game=GAME, most=30)
    return b"".join(export.write(export.from_store(store, referee.match)))


def asks_for_pieces(true: bytes) -> bytes:
    """A true record in which a number is as large as numbers may be, all hashes and seals made to fit."""
    record = export.read(true.splitlines(keepends=True))
    for i, held in enumerate(record.held):
        for field in (b'"count":', b'"size":', b'"draw":', b'"round":', b'"cards":'):
            before, sign, after = held.line.partition(field)
            digits = len(after) - len(after.lstrip(b"0123456789"))
            if digits:
                record.held[i] = export.Held(before + sign + b"9007199254740991" + after[digits:], held.openings)
    return b"".join(export.write(sealed(record)))


def files(true: bytes) -> dict[str, bytes]:
    """The files, by what they are."""
    lines = true.splitlines(keepends=True)
    return {
        "empty": b"",
        "foreign": b"\x00\x01\x02 Dear Sir" * 99,
        "truncated": true[: len(true) // 2],
        "a line short": b"".join(lines[:20] + lines[21:]),
        "corrupted": true.replace(b'\\"seat\\":', b'\\"saet\\":', 1),
        "newer": true.replace(b'"v":1', b'"v":9', 1),
        "deep": lines[0] + b"[" * (1 << 20) + b"\n",
        "gigantic": lines[0].replace(b'"seq":', b'"seq":' + b"9" * 100_000, 1) + b"".join(lines[1:]),
        "pieces": asks_for_pieces(true),
        "packed line": gzip.compress(b"[" * (200 << 20), 1),
        "packed lines": gzip.compress(WELCOME + b'{"t":"x"}\n' * (10 << 20), 1),
        "packed, cut": gzip.compress(true)[:-500],
    }


NAMES = (
    "empty",
    "foreign",
    "truncated",
    "a line short",
    "corrupted",
    "newer",
    "deep",
    "gigantic",
    "pieces",
    "packed line",
    "packed lines",
    "packed, cut",
)


@pytest.fixture(scope="module")
def folder(true: bytes, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("hostile")
    made_of = files(true)
    assert tuple(made_of) == NAMES
    for name, data in made_of.items():
        (made / f"{name}.herald").write_bytes(data)
    (made / "true.herald").write_bytes(true)
    return made


def clear(said: str) -> bool:
    """Whether it is a sentence that names a place."""
    return (
        "Traceback" not in said and len(said) < LONG and any(word in said for word in ("line", "file", "record", "end"))
    )


def test_nothing_of_a_hostile_file_is_taken_in_and_what_is_true_is(folder: Path, tmp_path: Path) -> None:
    db = tmp_path / "herald.db"
    done = herald(db, "import", *(folder / f"{name}.herald" for name in NAMES), folder / "true.herald")
    assert done.returncode == 1
    assert f"{len(NAMES)} of {len(NAMES) + 1} files were not taken." in done.stderr
    said = [line for line in done.stdout.splitlines() if line.startswith("✗")]
    assert len(said) == len(NAMES)
    assert all(map(clear, said))
    assert all(f"✗ {name}.herald: " in line for name, line in zip(NAMES, said, strict=True))
    store = SqliteStore(db, readonly=True)
    assert len(store.matches.latest()) == 1
    assert store.head(store.matches.latest()[0].match).seq > 0
    store.close()


def test_every_hostile_file_fails_the_audit_with_its_place(folder: Path, tmp_path: Path) -> None:
    done = herald(tmp_path / "none.db", "audit", *(folder / f"{name}.herald" for name in NAMES))
    assert done.returncode == 1
    assert done.stderr == ""
    said = done.stdout.splitlines()
    assert len(said) == len(NAMES)
    assert all(map(clear, said))


@pytest.mark.parametrize(
    "command", [("replay", "--plain"), *(pytest.param((name,), marks=pytest.mark.whole) for name in ("stats", "diff"))]
)
@pytest.mark.parametrize("name", ["corrupted", "pieces", "packed lines"])
def test_a_hostile_file_is_refused_in_a_sentence(
    folder: Path, name: str, command: tuple[str, ...], tmp_path: Path
) -> None:
    file = folder / f"{name}.herald"
    more = (folder / "true.herald",) if command[0] == "diff" else ()
    done = herald(tmp_path / "none.db", command[0], file, *more, *command[1:])
    assert done.returncode == 1
    said = done.stdout + done.stderr
    assert clear(said) or said.startswith("The first difference is at line"), said
