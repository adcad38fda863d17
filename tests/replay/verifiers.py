"""The four verifiers, each on files as their viewers hold them: their findings, by line.

`herald audit`, the server's JavaScript (`scripts/verify-stream.mjs`), and the two client libraries, which verify what a
seat or a spectator holds.
"""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

from herald_client.errors import Broken
from herald_client.verifier import Verifier
from replay.audit.match_audit import audit
from replay.audit.verify import check_begin
from replay.errors import RecordInvalid
from replay.files import export
from replay.files.export import EVERYTHING, Record
from replay.record import sealing
from server.pages.line_tables import line_table
from tests.replay.mutating import Lines
from tests.replay.records import EXAMPLES, game_of
from tests.web.node import ROOT

TABLES = {"games": {name: line_table(game) for name, game in EXAMPLES.items()}}
"""The lines of the example games, which no library includes."""
GAMES = ("vera_discordia", "war_for_edadh", "disciples_legacy", "joan_of_arc", *EXAMPLES)
HOLDS = -1
"""In place of a line: nothing is wrong."""


def read(lines: Lines) -> Record | None:
    """The record in a file; None where it is no file."""
    try:
        return export.read(b"".join(lines).splitlines(keepends=True))
    except RecordInvalid:
        return None


def by_audit(lines: Lines, trusted: Sequence[bytes] = ()) -> int:
    """The line that `herald audit` names, 0 if it cannot read the file or a named server has not signed."""
    record = read(lines)
    if record is None:
        return 0
    report = audit(game_of(record.game) if record.game in GAMES else None, record, trusted)
    if report.fault is not None:
        return report.fault.line
    return HOLDS if report.checkpoints or not trusted else 0


def by_client(lines: Lines, trusted: Sequence[bytes] = ()) -> int:
    """The line that `herald_client` names; it reads no files, so a file is taken apart for it."""
    record = read(lines)
    if record is None or record.view == EVERYTHING:
        return 0
    try:
        verifier = _followed(record)
    except Broken as wrong:
        return wrong.seq
    except RecordInvalid:
        return 0
    keys = {sealing.b64(key) for key in trusted}
    return HOLDS if not keys or verifier.servers == keys else 0


def _followed(record: Record) -> Verifier:
    table = TABLES["games"].get(record.game)
    check_begin(record)  # a reader of files knows the file's viewer and the keys
    if not record.keys and any(held.openings for held in record.held):
        raise Broken(0, "a spectator holds what is sealed")
    verifier = Verifier(record.match, record.keys, table)
    for seq, held in enumerate(record.held, 1):
        if seq in record.heads:
            verifier.claim(seq, record.heads[seq])
        verifier.take(held.line.decode(), [(slot, value.decode()) for slot, value in held.openings.items()])
    if record.held and json.loads(record.held[0].line)[8]["game"] != record.game:
        raise Broken(0, "the file is of another game")
    for seq, signed in record.checkpoints:
        verifier.checkpoint(seq, sealing.b64(signed))
    return verifier


def in_javascript(files: Sequence[Lines], folder: Path, script: str, *options: str) -> list[int]:
    """The lines that a script names, all files in one run of it."""
    paths = [folder / f"{i}.jsonl" for i in range(len(files))]
    for path, lines in zip(paths, files, strict=True):
        path.write_bytes(b"".join(lines))
    run = subprocess.run(
        ["node", str(ROOT / script), *options, *map(str, paths)],
        capture_output=True,
        text=True,
        timeout=800,
        check=False,
    )
    assert run.returncode in (0, 1), run.stderr
    told = {one["file"]: HOLDS if one["ok"] else one["seq"] or 0 for one in map(json.loads, run.stdout.splitlines())}
    return [told[str(path)] for path in paths]


def tables_in(folder: Path) -> Path:
    """A file of the tables that no library brings along."""
    path = folder / "tables.json"
    path.write_text(json.dumps(TABLES))
    return path


def by_stream(files: Sequence[Lines], folder: Path, *options: str) -> list[int]:
    """The lines that `verify-stream.mjs` names."""
    return in_javascript(files, folder, "scripts/verify-stream.mjs", "--json", f"--lines={tables_in(folder)}", *options)


def by_library(files: Sequence[Lines], folder: Path, key: str = "") -> list[int]:
    """The lines that `@herald/client` names; `key`: under which the server has to have signed."""
    return in_javascript(files, folder, "tests/web/verify_library.mjs", str(tables_in(folder)), key)
