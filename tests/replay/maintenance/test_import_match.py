"""Import: a match from one store, taken into another, audits the same; what does not hold is not taken at all."""

import pytest

from projections.redaction import SPECTATOR
from replay.audit.match_audit import audit
from replay.errors import RecordInvalid
from replay.files import export
from replay.files.export import Record
from replay.maintenance.import_match import import_record
from replay.record.referee import Referee
from replay.store.errors import MatchExists, NoSuchMatch
from replay.store.memory import MemoryStore
from replay.store.store import Store
from tests.replay.matches import played
from tests.skirmish.game import GAME


def exported(store: Store, match: str) -> Record:
    lines = b"".join(export.write(export.from_store(store, match)))
    return export.read(lines.splitlines(keepends=True))


@pytest.mark.parametrize("most", [0, 3, 10_000])
def test_a_match_taken_in_audits_and_folds_the_same(most: int) -> None:
    store, referee = played(3, most=most)
    other = MemoryStore()
    report = import_record(other, GAME, exported(store, referee.match))
    assert report.ok
    assert other.head(referee.match) == store.head(referee.match)
    assert other.read(referee.match) == store.read(referee.match)
    assert other.header(referee.match).status == store.header(referee.match).status
    assert other.header(referee.match).result == store.header(referee.match).result
    assert [row.name for row in other.seats.holders(referee.match)] == list(referee.state.players)
    assert Referee.open(GAME, other, referee.match).state == referee.state
    assert audit(GAME, exported(other, referee.match)).head == audit(GAME, exported(store, referee.match)).head


def test_old_links_open_nothing_in_the_new_place() -> None:
    store, referee = played(3)
    other = MemoryStore()
    import_record(other, GAME, exported(store, referee.match))
    assert all(row.token_hash == b"" for row in other.seats.holders(referee.match))


def test_a_match_is_not_taken_twice() -> None:
    store, referee = played(3)
    with pytest.raises(MatchExists):
        import_record(store, GAME, exported(store, referee.match))


def test_a_view_is_not_enough() -> None:
    store, referee = played(3)
    with pytest.raises(RecordInvalid, match="only a whole record"):
        import_record(MemoryStore(), GAME, export.from_store(store, referee.match, SPECTATOR))


def test_a_changed_record_is_refused_with_its_line_and_nothing_is_stored() -> None:
    store, referee = played(3)
    record = exported(store, referee.match)
    held = record.held[4]
    record.held[4] = export.Held(held.line.replace(b'"seat":', b'"saet":'), held.openings)
    changed = next(i for i, h in enumerate(record.held) if b'"number":' in h.line)
    record.held[changed] = export.Held(
        record.held[changed].line.replace(b'"number":1', b'"number":9'), record.held[changed].openings
    )
    other = MemoryStore()
    with pytest.raises(RecordInvalid) as refused:
        import_record(other, GAME, record)
    assert refused.value.seq
    with pytest.raises(NoSuchMatch):
        other.header(referee.match)


def test_without_deciding_again_everything_else_is_checked_and_the_report_says_so() -> None:
    store, referee = played(3)
    other = MemoryStore()
    report = import_record(other, GAME, exported(store, referee.match), decide_again=False)
    assert report.ok
    assert report.choices
    assert any("not decided again" in said for said in report.unchecked)
    assert other.read(referee.match) == store.read(referee.match)
    assert Referee.open(GAME, other, referee.match).state == referee.state


@pytest.mark.parametrize("decide_again", [True, False])
def test_a_changed_die_is_refused_either_way(decide_again: bool) -> None:
    store, referee = played(3)
    record = exported(store, referee.match)
    at = next(i for i, held in enumerate(record.held) if b'"dice":[' in held.line)
    held = record.held[at]
    place = held.line.index(b'"dice":[') + len(b'"dice":[')
    other = b"1" if held.line[place : place + 1] != b"1" else b"2"
    record.held[at] = export.Held(held.line[:place] + other + held.line[place + 1 :], held.openings)
    with pytest.raises(RecordInvalid) as refused:
        import_record(MemoryStore(), GAME, record, decide_again=decide_again)
    assert refused.value.seq == at + 1


def test_a_record_with_an_opening_left_out_is_refused() -> None:
    store, referee = played(3)
    record = exported(store, referee.match)
    at = next(i for i, held in enumerate(record.held) if held.openings)
    record.held[at] = export.Held(record.held[at].line, {})
    with pytest.raises(RecordInvalid, match="are opened") as refused:
        import_record(MemoryStore(), GAME, record)
    assert refused.value.seq == at + 1
