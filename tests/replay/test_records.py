"""Kept records are read, audited and folded as on the day they were kept."""

import json
from pathlib import Path

import pytest

from replay.audit import audit
from tests.replay.records import RECORDS, differences, final_states, game_of, read_record

KEPT = sorted(RECORDS.glob("*/*.herald"))


def test_there_are_kept_records() -> None:
    assert KEPT


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_a_kept_record_is_what_it_was(path: Path) -> None:
    record = read_record(path)
    report = audit(game_of(record.game), record)
    assert report.fault is None, str(report.fault)
    kept = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    assert report.head == kept["head"]
    assert differences(kept, {"head": report.head, **final_states(record)}) == []


def test_a_difference_is_named_by_its_place() -> None:
    assert differences({"a": [1, 2]}, {"a": [1, 3], "new": 0}) == [".a[1]: 2 is now 3"]
    assert differences({"a": [1]}, {"a": []}) == [".a: [1] is now []"]
    assert differences({"a": 1}, {}) == [".a: 1 is now None"]
