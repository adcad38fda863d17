"""A match of many in the record: each view is whole, audited as every seat, exported, and told."""

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.kernel import Agreed, Chosen, NotNow, Offered, Pause, Resigned, Seat, SeatLeft, TakeBack
from domain.kernel.history import pauses
from herald_client.errors import Broken
from herald_client.verifier import Verifier
from projections.plain import plain_face
from projections.redaction import SPECTATOR, Viewer
from replay.audit.match_audit import audit
from replay.errors import RecordInvalid
from replay.files import export
from replay.files.export import Held
from replay.files.reading import read_file
from replay.playback.seek import Replay
from replay.queries.statistics import count_match
from replay.record.creation import create_match
from replay.record.referee import Referee, read_event
from replay.store.memory import MemoryStore
from tests.pennants.game import GAME
from tests.replay.matches import START, begun, created, put, step
from tests.replay.verifiers import HOLDS, by_client, by_library, by_stream
from tests.web.node import ROOT, node

FOUR = {"seats": 4, "allied": True}


def match(seed: int, *, leaves: int | None = None, most: int = 99, **options: Any) -> tuple[MemoryStore, Referee[Any]]:
    """A match of people, of which one may resign after two choices: -1 for one who is asked."""
    store, rng = MemoryStore(), random.Random(seed)
    referee = begun(store, GAME, options=options, kinds=("person",) * GAME.seats_of(options))
    for made in range(most):
        if made == 2 and leaves is not None:
            seat = Seat(leaves) if leaves >= 0 else referee.state.asked[0].seat
            put(store, referee, referee.act(Resigned(seat), START + 1000 * referee.seq, tuple))
        if not step(store, referee, rng):
            break
    return store, referee


def events_of(store: MemoryStore, referee: Referee[Any]) -> list[Any]:
    return [read_event(referee.game, entry) for entry in store.read(referee.match)]


@pytest.mark.parametrize("leaves", [None, 1, -1])
@pytest.mark.parametrize("options", [{"seats": 3}, FOUR, {"seats": 2}], ids=str)
def test_a_match_of_many_is_audited_whole_and_as_every_seat(options: dict[str, Any], leaves: int | None) -> None:
    store, referee = match(4, leaves=leaves, **options)
    seats = GAME.seats_of(options)
    for viewer in (None, SPECTATOR, *(Viewer(Seat(seat)) for seat in range(seats))):
        held = export.from_store(store, referee.match, viewer)
        report = audit(GAME, held)
        assert report.fault is None, (viewer, str(report.fault))
        assert Referee.open(GAME, store, referee.match).state == referee.state


def test_a_seat_holds_the_keys_of_what_it_shares_and_no_other() -> None:
    store, referee = match(4, **FOUR)
    keys = [list(export.from_store(store, referee.match, Viewer(Seat(seat))).keys) for seat in range(4)]
    assert keys == [[0b1, 0b101], [0b10, 0b1010], [0b100, 0b101], [0b1000, 0b1010]]


@pytest.mark.parametrize("seat", range(4))
def test_an_export_of_a_seat_is_read_again_and_a_key_too_many_is_refused(tmp_path: Any, seat: int) -> None:
    store, referee = match(4, **FOUR)
    record = export.from_store(store, referee.match, Viewer(Seat(seat)))
    path = tmp_path / "seat.herald"
    path.write_bytes(b"".join(export.write(record)))
    assert audit(GAME, read_file(path)).ok
    record.keys[0b1111] = b"k" * 32
    path.write_bytes(b"".join(export.write(record)))
    with pytest.raises(RecordInvalid, match="keys of audiences"):
        read_file(path)


def test_a_mates_opening_without_its_key_is_refused() -> None:
    store, referee = match(4, **FOUR)
    record = export.from_store(store, referee.match, Viewer(Seat(0)))
    del record.keys[0b101]
    assert not audit(GAME, record).ok


def test_the_list_statistics_and_words_know_several_winners() -> None:
    store, referee = match(4, **FOUR)
    result = referee.state.result
    assert result is not None
    assert len(result.won) == 2
    assert store.header(referee.match).result == f"seats {result.won[0]} {result.won[1]}: most points"
    replay = Replay(plain_face(GAME), store.read(referee.match))
    count = count_match(replay)
    assert (count.winner, count.winners, len(count.choices)) == (None, result.won, 4)


def test_only_who_has_left_is_answered_for_by_the_rules_and_only_for_a_reason() -> None:
    store, referee = match(4, seats=3, leaves=-1, most=3)
    record = export.from_store(store, referee.match, SPECTATOR)
    assert audit(GAME, record).ok
    left = next(i for i, held in enumerate(record.held) if b'"SeatLeft"' in held.line)
    answered = next(i for i, held in enumerate(record.held) if b'"by":"rules"' in held.line)
    assert answered > left
    for at, why in ((left, "no line says why"), (answered, "once the seat has left")):
        changed = msgspec.json.decode(record.held[at].line)
        if at == answered:
            del changed[8]["by"]
        else:
            changed[8]["seat"] = (changed[8]["seat"] + 1) % 3
        forged = export.from_store(store, referee.match, SPECTATOR)
        forged.held[at] = Held(msgspec.json.encode(changed), {})
        fault = audit(GAME, forged).fault
        assert fault is not None
        assert why in str(fault)


def test_all_others_agree_to_a_takeback_over_chance() -> None:
    store, referee = match(7, seats=3, most=3)
    events = events_of(store, referee)
    line = next(line for line in pauses(GAME, events))
    at, number = START + 1000 * referee.seq, 1
    put(store, referee, referee.act(Offered(Seat(0), number=number, terms=TakeBack(line)), at, lambda: events))
    assert referee.state.table.offers
    past = events_of(store, referee)
    put(store, referee, referee.act(Agreed(Seat(1), number=number), at, lambda: past))
    assert referee.state.table.offers, "the third has not agreed"
    past = events_of(store, referee)
    put(store, referee, referee.act(Agreed(Seat(2), number=number), at, lambda: past))
    assert not referee.state.table.offers
    assert audit(GAME, export.from_store(store, referee.match)).ok


def test_chance_is_not_given_back_while_a_seat_has_left_or_a_bot_plays() -> None:
    store, referee = match(7, seats=3, leaves=1, most=5)
    events = events_of(store, referee)
    left = next(line for line, event in enumerate(events, 1) if isinstance(event, SeatLeft))
    line = next(line for line in pauses(GAME, events) if line > left)
    with pytest.raises(NotNow):
        referee.act(Offered(Seat(0), number=1, terms=TakeBack(line)), START + 10**7, lambda: events)


@pytest.mark.parametrize("leaves", [None, -1])
def test_the_verifiers_of_clients_hold_what_a_side_shares(tmp_path: Path, leaves: int | None) -> None:
    store, referee = match(4, leaves=leaves, **FOUR)
    paths = []
    for seat in range(4):
        record = export.from_store(store, referee.match, Viewer(Seat(seat)))
        verifier = Verifier(record.match, record.keys)
        for held in record.held:
            verifier.take(held.line.decode(), [(slot, value.decode()) for slot, value in held.openings.items()])
        assert verifier.result is not None
        assert verifier.result.won == referee.state.result.won
        paths.append(tmp_path / f"seat{seat}.herald")
        paths[-1].write_bytes(b"".join(export.write(record)))
    assert verifier.left == set(referee.state.table.left)
    for path in paths:
        node(ROOT / "scripts" / "verify-stream.mjs", str(path))


def test_the_verifiers_of_clients_take_no_answer_of_the_rules_for_who_is_there(tmp_path: Path) -> None:
    store, referee = match(4, leaves=-1, seats=3)
    record = export.from_store(store, referee.match, SPECTATOR)
    at = next(i for i, held in enumerate(record.held) if b'"by":"rules"' in held.line)
    record.held[at] = Held(record.held[at].line.replace(b',"by":"rules"', b""), {})
    record.end, record.heads, record.checkpoints = len(record.held), {}, []
    path = tmp_path / "forged.herald"
    path.write_bytes(b"".join(export.write(record)))
    verifier = Verifier(record.match)
    for held in record.held[:at]:
        verifier.take(held.line.decode(), [])
    with pytest.raises(Broken, match="once it has left"):
        verifier.take(record.held[at].line.decode(), [])
    node(ROOT / "scripts" / "verify-stream.mjs", str(path), status=1)


@pytest.mark.parametrize("seat", [None, 0, 1, 2])
def test_a_seat_that_leaves_in_a_pause_is_answered_for_there_in_every_verifier(
    tmp_path: Path, seat: int | None
) -> None:
    store, referee = match(4, seats=3, most=0)
    asked = referee.state.asked[0].seat

    def past() -> list[Any]:
        return events_of(store, referee)

    first, *others = (Seat(one) for one in range(3))
    agreed = (Agreed(other, number=1) for other in others)
    for act in (Offered(first, number=1, terms=Pause(60_000)), *agreed, Resigned(asked)):
        put(store, referee, referee.act(act, START + 1000 * referee.seq, past))
    assert referee.state.table.paused
    assert referee.state.table.left == (asked,)
    assert any(isinstance(event, Chosen) and event.by == "rules" for event in past())
    lines = list(
        export.write(export.from_store(store, referee.match, SPECTATOR if seat is None else Viewer(Seat(seat))))
    )
    assert audit(GAME, export.from_store(store, referee.match)).fault is None
    assert by_client(lines) == HOLDS
    assert by_stream([lines], tmp_path) == by_library([lines], tmp_path) == [HOLDS]


def test_a_match_of_the_wrong_number_of_seats_is_not_created() -> None:
    with pytest.raises(msgspec.ValidationError, match="3 seats; with these options there are 4"):
        create_match(GAME, FOUR, ("",) * 3, at=START)
    store = MemoryStore()
    assert len(created(store, GAME).state.players) == 3
