"""The check of a page holds the lines of its game to their shape, by a table that it loads with the first line."""

import json
from pathlib import Path

import pytest

from tests.replay.mutating import as_held
from tests.replay.structural import FORGERIES, HONEST, VIEWS
from tests.replay.verifiers import HOLDS, by_audit, tables_in
from tests.web.node import node

SCRIPT = Path(__file__).with_name("check_lines.mjs")


@pytest.mark.parametrize("name", ["an unknown field in HandDealt", "Scored with score as [1]"])
def test_a_line_of_the_game_out_of_shape_is_named_where_the_table_is_there(name: str, tmp_path: Path) -> None:
    lines = as_held(FORGERIES[name](), VIEWS["seat0"])
    (file := tmp_path / "forged.jsonl").write_bytes(b"".join(lines))
    found = json.loads(node(SCRIPT, str(tables_in(tmp_path)), str(file)))
    due = by_audit(lines)
    assert due not in (HOLDS, 0)
    assert found["with"] == due
    assert found["without"] == HOLDS
    assert found["asked"][0] == "skirmish"
    assert found["again"] == ["the network", due], "a table that could not be loaded is loaded with the next message"


def test_an_honest_match_holds_and_its_table_is_asked_for_once(tmp_path: Path) -> None:
    (file := tmp_path / "honest.jsonl").write_bytes(b"".join(as_held(HONEST["whole"]().draft().done(), VIEWS["seat1"])))
    found = json.loads(node(SCRIPT, str(tables_in(tmp_path)), str(file)))
    assert (found["with"], found["without"], found["asked"]) == (HOLDS, HOLDS, ["skirmish"])
