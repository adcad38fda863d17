"""Forged records: whatever a value is, the answer is a fault that names a line, and nothing is taken."""

import random

import msgspec
import pytest

from projections.plain import plain_face
from projections.redaction import SPECTATOR
from replay.audit.match_audit import audit
from replay.errors import RecordInvalid
from replay.files import export
from replay.files.export import Record
from replay.maintenance.import_match import import_record
from replay.playback.seek import Replay
from replay.store.errors import NoSuchMatch
from replay.store.memory import MemoryStore
from tests.replay.hostile import forged
from tests.replay.matches import played
from tests.skirmish.game import GAME

ROUNDS = 120


@pytest.fixture(scope="module")
def true() -> list[bytes]:
    store, referee = played(3)
    return list(export.write(export.from_store(store, referee.match)))


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_a_forged_record_is_audited_without_falling_over(true: list[bytes], seed: int) -> None:
    record = forged(true, random.Random(seed))
    report = audit(GAME, record)
    whole = export.read(true)
    changed = [(old.line, new.line) for old, new in zip(whole.held, record.held, strict=True) if old.line != new.line]
    if changed and not all(are_the_same_but_for_the_sender_s_id(*lines) for lines in changed):
        assert report.fault is not None
        assert report.fault.line > 0


def are_the_same_but_for_the_sender_s_id(old: bytes, new: bytes) -> bool:
    """A choice's id is its sender's own word: whoever has every key can write another, and no rule says otherwise."""
    try:
        lines = [msgspec.json.decode(line) for line in (old, new)]
        for line in lines:
            line[8].pop("id")
    except (ValueError, LookupError, TypeError, AttributeError):  # no line at all
        return False
    return bool(lines[0] == lines[1] and lines[0][4] == "Chosen")


@pytest.mark.parametrize("seed", range(ROUNDS))
@pytest.mark.parametrize("decide_again", [True, False])
def test_a_forged_record_is_taken_whole_or_not_at_all(true: list[bytes], seed: int, *, decide_again: bool) -> None:
    record, store = forged(true, random.Random(seed)), MemoryStore()
    place = -1
    try:
        import_record(store, GAME, record, decide_again=decide_again)
    except RecordInvalid as refused:
        place = refused.seq
        with pytest.raises(NoSuchMatch):
            store.head(record.match)
    assert place > 0 or store.head(record.match).seq == len(record.held)


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_a_forged_record_is_replayed_or_refused_with_its_line(true: list[bytes], seed: int) -> None:
    record = forged(true, random.Random(seed))
    place = -1
    try:
        replay = Replay.of_record(plain_face(GAME), record)
        replay.chronicle(1, replay.end, SPECTATOR)
        assert replay.board(replay.end, None)
        return
    except RecordInvalid as refused:
        place = refused.seq
    assert place > 0


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ('{"t":"record","v":2}\n', "which a newer Herald may read; expected version 1"),
        ('{"t":"record","v":' + "9" * 5000 + "}\n", "the file's first line is not a message"),
        ('{"t":"record","v":1e999}\n', "the file's first line is not a message"),
        ("[" * 100_000 + "\n", "the file's first line is not a message"),
        ('{"t":"welcome","x":' + '{"a":' * 100_000 + "\n", "the file's first line is not a message"),
        ('{"t":"closing"}\n', "the file begins with a message 'closing'"),
        ('{"match":"x"}\n', "the file's first line is not a message"),
        ("\n", "the file's first line is not a message"),
        ("", "the file is empty"),
        ("\x00\xff\n", "the file's first line is not a message"),
        ('{"t":"record","v":1,"match":"x"}\n', "not a message of an export"),
        ('{"t":"record","v":1}', "the file is cut in the middle of a line"),
    ],
)
def test_a_file_that_is_no_export_is_refused_in_a_sentence(name: str, said: str) -> None:
    with pytest.raises(RecordInvalid) as refused:
        export.read([name.encode("latin-1")] if name else [])
    assert said in str(refused.value)
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize("mask", ["x", "-1", "1" * 5000, "\u0661", " 1"])
def test_an_audience_in_a_file_is_a_number_of_32_bits(true: list[bytes], mask: str) -> None:
    first = true[0].replace(b'"keys":{}', f'"keys":{{"{mask}":"AA"}}'.encode())
    with pytest.raises(RecordInvalid, match="no audience"):
        export.read([first, *true[1:]])


def test_a_message_nested_beyond_measure_is_named_by_its_line(true: list[bytes]) -> None:
    deep = b'{"t":"events","from":1,"to":1,"items":' + b"[" * 100_000 + b"\n"
    with pytest.raises(RecordInvalid) as refused:
        export.read([true[0], deep])
    assert refused.value.seq == 1
    stream = b'{"t":"welcome","match":"x","game":"skirmish","viewer":{"seat":null},"keys":{}}\n'
    with pytest.raises(RecordInvalid, match="not a message of the protocol"):
        export.read([stream, b'{"t":"snapshot","view":' + b"[" * 100_000 + b"\n"])


def test_the_record_of_nothing_is_empty() -> None:
    with pytest.raises(RecordInvalid, match="the record is empty"):
        Replay.of_record(plain_face(GAME), Record("x", "skirmish", "all"))
