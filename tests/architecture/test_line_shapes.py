"""The tables of lines that verifiers follow are those of the server's structs."""

import msgspec

from replay.record import shapes
from scripts import line_shapes
from tests.skirmish.game import GAME


def test_every_file_holds_the_tables_of_the_servers_structs() -> None:
    stale = [str(path) for path, text in line_shapes.files().items() if path.read_text(encoding="utf-8") != text]
    assert stale == [], f"run `{line_shapes.COMMAND}`"


def test_a_table_names_fields_types_defaults_and_slots() -> None:
    lines = shapes.of_kernel()["lines"]
    assert lines["SeatTaken"] == {
        "fields": {"seat": ["integer"], "name": ["text"], "kind": ["text", "person"], "key": ["text", ""]}
    }
    assert lines["Shuffled"]["slots"] == [["", ["list", "integer"]]]
    assert lines["SeatBriefed"]["slots"] == [["seat", "any"]]
    assert shapes.of_kernel()["structs"]["Result"]["fields"]["rule"] == ["text"]
    assert shapes.of_kernel()["structs"]["Result"]["fields"]["winners"] == [["list", "integer"], shapes.UNSET]
    assert "SeatTaken" not in shapes.of_game(GAME)["lines"]


def test_what_the_server_writes_has_its_shape() -> None:
    held = shapes.Shapes(shapes.of_game(GAME))
    for kind, fields, masks in (
        ("SeatTaken", {"seat": 0, "name": "A"}, ()),
        ("HandDealt", {"seat": 1, "count": 3}, (2,)),
        ("DeckPlaced", {"size": 6}, (0,)),
        ("MatchEnded", {"result": {"winner": None, "reason": "x", "rule": "", "winners": [0, 1]}}, ()),
    ):
        assert held.fault(kind, fields, masks, 2) == ""
    assert held.opened_fault("HandDealt", 0, [1, 2, 3]) == ""
    assert held.opened_fault("HandDealt", 0, None) == ""
    assert held.opened_fault("HandDealt", 0, ["x"])
    assert msgspec.json.encode(shapes.of_kernel())


def test_lines_of_a_game_that_nobody_knows_are_passed_over() -> None:
    assert shapes.Shapes(None).fault("Rained", {"more": 1}, (7,), 2) == ""
    assert shapes.Shapes(shapes.of_game(GAME)).fault("Rained", {}, (), 2) == "there is no line 'Rained'"
