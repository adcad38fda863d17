"""Kept records are read, audited and folded as on the day they were kept."""

import gzip
from pathlib import Path

import pytest

from projections.registry import games
from replay.audit.match_audit import audit
from replay.files.export import from_store
from replay.record.rulesversion import DRAFT
from tests.replay import packed
from tests.replay.matches import played
from tests.replay.records import RECORDS, differences, final_states, game_of, read_kept

KEPT = sorted([*RECORDS.glob("*/*.herald"), *RECORDS.glob(f"*/*{packed.SUFFIX}")])
LEAST = 50
MOST_BYTES = 1_400_000


def test_there_are_kept_records_of_every_game_and_they_are_small() -> None:
    assert len(KEPT) >= LEAST
    assert {path.parent.name for path in KEPT} == {
        "skirmish",
        *(n for n, game in games().items() if game.rules != DRAFT),
    }
    assert sum(path.stat().st_size for path in KEPT if path.suffix == packed.SUFFIX) < MOST_BYTES


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_a_kept_record_is_what_it_was(path: Path) -> None:
    record, kept = read_kept(path)
    report = audit(game_of(record.game), record)
    assert report.fault is None, str(report.fault)
    assert report.head == kept["head"]
    assert differences(kept, {"head": report.head, **final_states(record)}) == []


def test_under_newer_rules_few_choices_of_kept_matches_come_to_something_else() -> None:
    game = game_of("war_for_edadh")
    choices = differing = 0
    for path in RECORDS.glob(f"war_for_edadh/*{packed.SUFFIX}"):
        report = audit(game, read_kept(path)[0])
        assert report.ok == (report.fault is None)
        choices, differing = choices + report.choices, differing + len(report.differences)
        if report.rules == f"{game.name}/{game.rules}":
            assert not report.differences
    assert 0 < differing < choices / 20


def test_a_difference_is_named_by_its_place() -> None:
    assert differences({"a": [1, 2]}, {"a": [1, 3], "new": 0}) == [".a[1]: 2 is now 3"]
    assert differences({"a": [1]}, {"a": []}) == [".a: [1] is now []"]
    assert differences({"a": 1}, {}) == [".a: 1 is now None"]


def test_a_pack_gives_back_every_byte_and_a_changed_one_is_found() -> None:
    store, referee = played(5)
    record = from_store(store, referee.match)
    data = packed.pack(record, final_states(record))
    again, made = packed.unpack(data)
    assert [held.line for held in again.held] == [held.line for held in record.held]
    assert made == final_states(record)
    lines = gzip.decompress(data).replace(b'"name":"Player 1"', b'"name":"Player 7"')
    changed, _ = packed.unpack(gzip.compress(lines))
    fault = audit(game_of("skirmish"), changed).fault
    assert fault is not None
    assert "head" in fault.wrong


def test_a_pack_says_which_rules_it_was_played_under(tmp_path: Path) -> None:
    store, referee = played(5)
    file = tmp_path / "match.kept"
    record = from_store(store, referee.match)
    file.write_bytes(packed.pack(record, final_states(record)))
    assert packed.rules_of(file) == {"skirmish/1"}
