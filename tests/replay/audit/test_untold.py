"""docs/auditing.md, *What a view cannot tell*: each row of the table is so in every view and for all four verifiers."""

import re
from pathlib import Path

import pytest

from herald_client.verifier import Verifier
from replay.audit.match_audit import audit
from replay.files import export
from replay.files.export import Record
from tests.replay.mutating import Lines, as_held
from tests.replay.structural import FORGERIES, VIEWS
from tests.replay.untold import ELSEWHERE, EVERYTHING, ROWS, SEALED
from tests.replay.verifiers import HOLDS, by_audit, by_client, by_library, by_stream, in_javascript
from tests.web.node import ROOT

HELD = [view for view in VIEWS if view != "all"]
CASES = [(row, name) for row, untold in ROWS.items() for name in untold.forgeries]


def rows() -> dict[str, str]:
    """The forgeries that the document lists, and who finds each."""
    text = (ROOT / "docs" / "auditing.md").read_text()
    table = text.partition("## What a view cannot tell")[2].partition("\n## ")[0]
    return dict(re.findall(r"^\| ([^|]+) \| ([^|]+) \| [^|]+ \|$", table, re.MULTILINE)[1:])


def test_every_row_is_held_and_nothing_else_is_said_to_be() -> None:
    assert set(rows()) == {*ROWS, *ELSEWHERE}
    assert {row: rows()[row].startswith("everything") for row in ROWS} == {
        row: "all" in untold.audit for row, untold in ROWS.items()
    }
    assert {row: rows()[row] == "nobody" for row in ROWS} == {row: not untold.audit for row, untold in ROWS.items()}
    for place in ELSEWHERE.values():
        path, _, name = place.partition("::")
        assert f"def {name}(" in (ROOT / "tests" / path).read_text()


@pytest.mark.parametrize(("row", "name"), CASES)
def test_a_forgery_is_found_where_the_table_says(row: str, name: str) -> None:
    untold = ROWS[row]
    record = untold.forgeries[name]()
    files = {view: as_held(record, viewer) for view, viewer in VIEWS.items()}
    assert [view for view, lines in files.items() if by_audit(lines) != HOLDS] == list(untold.audit)
    assert [view for view in HELD if by_client(files[view]) != HOLDS] == []


def test_no_javascript_finds_them_in_any_view_that_does_not_hold_everything(tmp_path: Path) -> None:
    records = {name: ROWS[row].forgeries[name]() for row, name in CASES}
    cases = [(name, view) for name in records for view in HELD]
    files = [as_held(records[name], VIEWS[view]) for name, view in cases]
    for found in (by_stream(files, tmp_path), by_library(files, tmp_path)):
        assert [case for case, line in zip(cases, found, strict=True) if line != HOLDS] == []


def test_what_only_everything_shows_is_every_row_that_says_so() -> None:
    assert len(SEALED) >= 15
    assert all(untold.audit == EVERYTHING for untold in ROWS.values() if set(untold.forgeries) <= set(SEALED))


def without_table(lines: Lines) -> int:
    """The line that the Python library names where nobody tells it what lines the game has."""
    record = export.read(b"".join(lines).splitlines(keepends=True))
    verifier = Verifier(record.match, record.keys)
    for held in record.held:
        verifier.take(held.line.decode(), [(slot, value.decode()) for slot, value in held.openings.items()])
    return HOLDS


def misshapen() -> Record:
    """A line of the game with a field that it does not have."""
    return FORGERIES["an unknown field in Scored"]()


def test_lines_of_a_game_without_a_table_are_held_to_nothing_of_their_own(tmp_path: Path) -> None:
    lines = as_held(misshapen(), VIEWS["seat0"])
    assert without_table(lines) == HOLDS
    assert audit(None, export.read(b"".join(lines).splitlines(keepends=True))).ok
    assert in_javascript([lines], tmp_path, "scripts/verify-stream.mjs", "--json") == [HOLDS]
    found = by_audit(lines)
    assert found not in (HOLDS, 0)
    assert [by_client(lines), *by_stream([lines], tmp_path), *by_library([lines], tmp_path)] == [found] * 3
