"""Whatever a record says, the terminal obeys none of it: everything printed goes through one place."""

import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from rich.table import Table

from domain.kernel import Resigned, Seat
from domain.vera_discordia import GAME
from replay.files.export import from_store, write
from replay.record.creation import create_match
from replay.record.preparation import Preparation
from replay.record.referee import Ruling
from replay.store.seats import SeatRow
from replay.store.sqlite.store import SqliteStore
from server.cli import main
from server.cli.output import SHOWN, CleanConsole, clean

SERVER = Path(__file__).parents[3] / "server" / "cli"
NAME = "Eve\x1b]0;owned\x07\x1b[2J\u202eadA\x9b31m"
SEATED = ((0, NAME), (1, "Bo"))
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
NAMING = ("replay", "audit", "match list", "match show", "stats")
"""Commands that name players; the others may tell of the file, whose name is as hostile."""
BY_PROOF = ("output.py", "completion.py", "__init__.py")
"""Where the raw ways stand: the one place, what a shell reads, and the version."""


@pytest.mark.parametrize("odd", ["\x1b[2J", "\x07", "\x9b31m", "\u202e", "\u2028", "\u200f", "\ufeff", "\r"])
def test_what_a_terminal_obeys_is_shown_as_another_character(odd: str) -> None:
    assert not OBEYED.search(clean(f"Ada{odd}Bo"))
    assert clean(f"Ada{odd}Bo").startswith(f"Ada{SHOWN}")


@pytest.mark.parametrize("text", ["Edaðh", "Jürgen", "a\tb\n", "東京", "Zoë \N{EM DASH} 1\u00a0000"])
def test_words_stay_as_they_are(text: str) -> None:
    assert clean(text) == text


def test_cells_of_tables_are_cleaned_and_styles_are_kept(capsys: pytest.CaptureFixture[str]) -> None:
    table = Table("name")
    table.add_row(NAME)
    console = CleanConsole(force_terminal=True, width=60)
    console.print(table)
    console.print("[bold]Ada[/]")
    told = capsys.readouterr().out
    assert "owned" in told
    assert "\x1b]0;" not in told
    assert "\x1b[2J" not in told
    assert "\x1b[1m" in told


def test_nothing_else_in_the_commands_writes_to_the_terminal() -> None:
    raw = re.compile(r"click\.s?echo\(|\bprint\((?!\))|(?<!Clean)\bConsole\(")
    found = [
        f"{path.name}:{number}"
        for path in sorted(SERVER.glob("*.py"))
        if path.name not in BY_PROOF
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if raw.search(line) and ".print(" not in line and "def print" not in line
    ]
    assert found == []


@pytest.fixture
def hostile(tmp_path: Path) -> tuple[str, str]:
    """A record, as a file and in a database, whose first player is called what no server lets anybody be called."""
    log = tmp_path / "hostile.db"
    store = SqliteStore(log)
    referee, creation = create_match(GAME, {}, [NAME, "Bo"], at=1)
    rows = tuple(SeatRow(seat, name, "person") for seat, name in SEATED)
    store.create(creation.header, creation.keys, rows, creation.ruling.commit)
    referee.accept(creation.ruling)

    def put(ruling: Ruling[Any]) -> None:
        store.append(ruling.commit)
        referee.accept(ruling)

    for seat, name in SEATED:
        put(Preparation(referee).take_seat(Seat(seat), name, "person", 2))
    put(Preparation(referee).begin(3))
    put(referee.act(Resigned(Seat(0)), 4))
    file = tmp_path / f"{NAME.replace('/', '')}.jsonl"
    file.write_bytes(b"".join(write(from_store(store, referee.match))))
    store.close()
    return str(file), str(log)


@pytest.mark.parametrize(
    "command",
    [
        ("replay", "--plain"),
        ("replay", "--at", "end"),
        ("audit",),
        ("inspect",),
        ("match", "list"),
        ("match", "show"),
        ("stats",),
        ("diff",),
        ("store", "check"),
    ],
    ids=" ".join,
)
def test_no_command_prints_what_a_terminal_obeys(hostile: tuple[str, str], command: tuple[str, ...]) -> None:
    file, log = hostile
    of_files: dict[str, list[str]] = {
        "replay": [file],
        "audit": [file],
        "inspect": ["last", "--db", log],
        "diff": [file, file],
        "match show": ["last", "--db", log],
    }
    name = " ".join(command) if command[0] in {"match", "store"} else command[0]
    told = CliRunner().invoke(main, [*command, *of_files.get(name, ["--db", log])])
    written = re.sub("\x1b\\[[0-9;]*m", "", told.output)
    assert not OBEYED.search(written), repr(written)
    assert "Traceback" not in written
    assert (f"Eve{SHOWN}" in written) == (name in NAMING), repr(written)
