"""An event holds as a whole, or what is wrong with it is named."""

import io
import zipfile
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from replay.duplicate import bundle, manifest
from replay.duplicate.bundle import RESULT, table_name
from replay.duplicate.errors import EventInvalid
from replay.duplicate.manifest import SignedText
from replay.duplicate.verifying import EventReport, verify
from replay.errors import RecordInvalid
from replay.files import export
from replay.record import sealing
from replay.record.dealt_chance import is_held
from replay.record.serverkey import KeyRing, ServerKey
from tests.replay.duplicate.events import Event
from tests.skirmish.game import GAME

GAMES = {GAME.name: GAME}


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> ServerKey:
    return KeyRing(tmp_path_factory.mktemp("keys")).current


@pytest.fixture(scope="module")
def event(key: ServerKey) -> Event:
    return Event(key).played()


def told(data: bytes, trusted: tuple[bytes, ...] = ()) -> EventReport:
    return verify(bundle.read(data), GAMES, trusted)


def faults(data: bytes) -> str:
    report = told(data)
    assert not report.ok
    return "; ".join([*report.faults, *(fault for table in report.tables for fault in table.faults)])


def packed(data: bytes, change: dict[str, bytes | None]) -> bytes:
    """The file with parts changed, added or (None) dropped."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        parts = {name: old.read(name) for name in old.namelist()} | change
        for name, part in parts.items():
            if part is not None:
                new.writestr(name, part)
    return out.getvalue()


def test_an_honest_event_holds(event: Event, key: ServerKey) -> None:
    report = told(event.closed(), (key.public,))
    assert report.ok
    assert [table.match for table in report.tables] == [table.match for table in event.manifest.tables]
    assert len(report.scores) == 6
    assert report.unproven == ["that the seed was drawn by lot and that nobody knew it: it is its maker's word"]


def test_a_key_that_was_not_named_is_none_of_the_organisers(event: Event) -> None:
    report = told(event.closed(), (bytes(32),))
    assert "not signed with a key that was named" in report.faults[0]


def test_a_table_that_is_left_out_is_missed(event: Event) -> None:
    assert "tables/02.herald" in faults(packed(event.closed(), {table_name(1): None}))
    records = event.records()
    del records[1]
    assert "is missing" in faults(event.closed(records=records))


def test_a_manifest_without_a_table_is_none_that_any_table_names(event: Event) -> None:
    other = event.announced_again(lambda said: {**said, "tables": [said["tables"][0], said["tables"][2]]})
    records = event.records()
    del records[1]
    assert faults(event.closed(other, records)).count("line 1 does not name this event") == 2


@pytest.mark.parametrize("change", [{"title": "Other"}, {"created_ms": 1}, {"rules": "skirmish/9"}])
def test_a_manifest_that_says_something_else_is_none_that_any_table_names(event: Event, change: dict[str, Any]) -> None:
    other = event.announced_again(lambda said: {**said, **change})
    assert faults(event.closed(other)).count("line 1 does not name this event") == 3


def test_a_table_dealt_from_another_seed_is_found(key: ServerKey) -> None:
    lying = Event(key)
    other = b"o" * sealing.KEY_BYTES
    lying.play(0, manifest.deal_of(lying.announced.event, other, lying.manifest.tables[0].match))
    lying.play(1)
    lying.play(2)
    assert "not the one that the manifest has fixed" in faults(lying.closed())


def test_a_table_that_is_no_table_of_the_event_is_found(event: Event, key: ServerKey) -> None:
    other = Event(key)
    other.play(0)
    strange = export.from_store(other.store, other.manifest.tables[0].match)
    assert "the record is of match" in faults(event.closed(records=[*event.records()[:2], strange]))


def test_a_table_more_than_was_announced_is_found(event: Event) -> None:
    data = event.closed()
    more = packed(data, {table_name(3): bundle.read(data).archive.read(table_name(0))})
    assert "is no table of the manifest" in faults(more)


def test_a_table_with_another_die_is_found(event: Event) -> None:
    data = event.closed()
    part = bundle.read(data).archive.read(table_name(0))
    at = part.index(b'\\"dice\\":[') + len(b'\\"dice\\":[')
    other = part[:at] + (b"1" if part[at : at + 1] != b"1" else b"2") + part[at + 1 :]
    assert "line" in faults(packed(data, {table_name(0): other}))


def test_scores_that_are_not_what_the_tables_come_to_are_found(event: Event, key: ServerKey) -> None:
    data = event.closed()
    closing = bundle.read(data).closing
    best = replace(closing.scores[0], points=closing.scores[0].points + 1)
    said = manifest.sign(msgspec.json.encode(replace(closing, scores=(best, *closing.scores[1:]))).decode(), key.stamp)
    assert "scores are not those" in faults(packed(data, {RESULT: msgspec.json.encode(said)}))


def test_what_is_signed_by_nobody_is_refused(event: Event) -> None:
    data = event.closed()
    said = msgspec.json.decode(bundle.read(data).archive.read(RESULT), type=SignedText)
    for signed in (sealing.b64(bytes(96)), "", "!"):
        with pytest.raises(EventInvalid, match="signature"):
            bundle.read(packed(data, {RESULT: msgspec.json.encode(replace(said, signed=signed))}))


def test_a_table_that_was_not_over_is_named_and_counts_for_nothing(key: ServerKey) -> None:
    short = Event(key)
    for number in range(3):
        short.most = 2 if number == 1 else 1000
        short.play(number)
    report = told(short.closed())
    assert report.ok
    assert report.unfinished == (short.manifest.tables[1].match,)
    assert {one.match for one in report.scores} == {short.manifest.tables[i].match for i in (0, 2)}
    assert any("not over" in line for line in report.unproven)


@pytest.mark.parametrize("data", [b"", b"PK", b"PK\x03\x04" + bytes(60)])
def test_what_is_no_file_of_an_event_is_refused(data: bytes) -> None:
    with pytest.raises(EventInvalid):
        bundle.read(data)


@pytest.mark.parametrize("part", ["manifest.json", "result.json"])
def test_a_file_that_lacks_a_part_is_refused(event: Event, part: str) -> None:
    with pytest.raises(EventInvalid, match=part):
        bundle.read(packed(event.closed(), {part: None}))


@pytest.mark.parametrize(
    "change",
    [
        {"tables": []},
        {"version": 2},
        {"seed": "!"},
        {"tables": [{"match": "short", "seats": []}] * 2},
        {"tables": [{"match": "AAAAAAAAAAAAAAAAAAAAAA", "seats": []}] * 2},
    ],
)
def test_a_manifest_that_does_not_fit_is_refused(event: Event, change: dict[str, Any]) -> None:
    other = event.announced_again(lambda said: {**said, **change})
    with pytest.raises(EventInvalid):
        manifest.read(manifest.write(other))


def test_every_table_is_closed_to_all_until_the_event_is(event: Event, tmp_path: Path) -> None:
    match = event.manifest.tables[0].match
    first = export.created(event.store, match)
    assert is_held(first, event.store.header(match))
    from projections.redaction import SPECTATOR

    assert export.for_viewer(event.store, match, SPECTATOR).secrets is None
    event.store.matches.disclose(match)
    assert not is_held(first, event.store.header(match))
    assert export.for_viewer(event.store, match, SPECTATOR).secrets is not None


def test_a_part_that_is_no_record_is_named(event: Event) -> None:
    assert table_name(2) in faults(packed(event.closed(), {table_name(2): b"nothing\n"}))
    with pytest.raises(RecordInvalid):
        list(bundle.read(packed(event.closed(), {table_name(2): b""})).records())
