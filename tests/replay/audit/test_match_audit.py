"""Section 8 of docs/record.md: what the audit finds, and where."""

import copy
import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.kernel import Chosen, Seat
from projections.redaction import SPECTATOR, Viewer
from projections.registry import games
from replay.audit.match_audit import Audit, audit, compare
from replay.audit.report import AuditFault, AuditReport
from replay.audit.verify import Verifier, check_checkpoint, verify
from replay.errors import RecordInvalid
from replay.files import export
from replay.files.export import Held, Record
from replay.record import keychain, line_order, sealing
from replay.record.line import Codec
from replay.record.referee import Referee
from replay.record.serverkey import KeyRing
from replay.store.matches import Header
from replay.store.memory import MemoryStore
from replay.store.store import Store
from tests.replay.matches import played, put, step
from tests.skirmish.game import GAME


@pytest.fixture(scope="module")
def ring(tmp_path_factory: pytest.TempPathFactory) -> KeyRing:
    return KeyRing(tmp_path_factory.mktemp("keys"))


@pytest.fixture(scope="module")
def match(ring: KeyRing) -> tuple[Store, Referee[Any]]:
    """A match in which everything happens that is forged below; its dice are new each time."""
    for seed in range(5, 105):
        store, referee = played(seed, sign=ring.current.stamp)
        kinds = Counter(entry.type for entry in store.read(referee.match))
        if min(kinds[kind] for kind in ("Scored", "CardShown", "RoundEnded")) and kinds["DiceRolled"] > 1:
            return store, referee
    raise AssertionError("nobody ever scores")


@pytest.fixture(scope="module")
def short(ring: KeyRing) -> bytes:
    """The export of a match of one round."""
    store, referee = played(6, sign=ring.current.stamp, options={"rounds": 1})
    return b"".join(export.write(export.from_store(store, referee.match)))


@pytest.fixture
def record(match: tuple[Store, Referee[Any]]) -> Record:
    store, referee = match
    return export.from_store(store, referee.match)


def audit_bytes(data: bytes) -> AuditReport:
    try:
        return audit(GAME, export.read(data.splitlines(keepends=True)))
    except RecordInvalid as wrong:
        report = AuditReport("", "", "")
        report.fault = AuditFault(wrong.seq, wrong.why, wrong.expected)
        return report


def rewritten(record: Record, seq: int, change: Callable[[list[Any]], None]) -> Record:
    """The record with line `seq` changed and everything that follows chained anew: a forger's work, but for seals."""
    forged = copy.deepcopy(record)
    line = msgspec.json.decode(forged.held[seq - 1].line)
    change(line)
    forged.held[seq - 1] = Held(msgspec.json.encode(line), forged.held[seq - 1].openings)
    forged.heads, forged.checkpoints = {}, []
    causes: dict[str, str] = {}
    for i, held in enumerate(forged.held):
        parts = msgspec.json.decode(held.line)
        parts[7] = causes.get(parts[7], parts[7])
        if parts[4] == "Chosen":
            causes[sealing.choice_cause(record.held[i].line)] = sealing.choice_cause(msgspec.json.encode(parts))
        forged.held[i] = Held(msgspec.json.encode(parts), held.openings)
    return forged


def find(record: Record, kind: str, number: int = 0) -> int:
    """The line of the n-th event of a kind."""
    lines = [msgspec.json.decode(held.line) for held in record.held]
    found: list[int] = [line[2] for line in lines if line[4] == kind]
    return found[number]


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("most", [0, 1, 5, 99])
def test_record_8_an_honest_match_passes(seed: int, most: int, ring: KeyRing) -> None:
    store, referee = played(seed, most=most, sign=ring.current.stamp)
    done: list[int] = []
    report = audit(GAME, export.from_store(store, referee.match), [ring.current.public], done.append)
    assert report.fault is None, str(report.fault)
    assert report.ok
    assert (report.lines, report.head) == (referee.seq, sealing.b64(referee.head))
    assert (report.choices, report.rolls) == (min(most, report.choices), referee.state.draws)
    assert (report.differences, report.unchecked) == ([], [])
    assert done == sorted(done)
    assert report.openings > report.choices


@pytest.mark.parametrize("name", sorted(games()))
def test_record_8_an_honest_match_of_every_game_passes(name: str) -> None:
    game = games()[name]
    store, referee = played(1, game=game)
    report = audit(game, export.from_store(store, referee.match))
    assert report.fault is None, str(report.fault)
    for viewer in (SPECTATOR, *(Viewer(Seat(seat)) for seat in range(game.seats))):
        assert verify(export.from_store(store, referee.match, viewer)).head == referee.head


@pytest.mark.parametrize("viewer", [SPECTATOR, Viewer(Seat(0)), Viewer(Seat(1))])
def test_record_8_every_viewer_verifies_what_it_holds(match: tuple[Store, Referee[Any]], viewer: Viewer) -> None:
    store, referee = match
    record = export.from_store(store, referee.match, viewer)
    verifier = verify(record)
    assert verifier.head == referee.head
    assert (verifier.openings > 0) == (viewer.seat is not None)
    again = export.read(export.write(record))
    assert audit(GAME, again).fault is None
    assert audit(GAME, again).unchecked == ["the rules: secrets are closed to this view"]
    assert again.secrets is None


def test_an_export_is_read_back(record: Record) -> None:
    again = export.read(export.write(record))
    assert (again.held, again.checkpoints, again.secrets) == (record.held, record.checkpoints, record.secrets)
    assert audit(GAME, again).ok


def test_a_record_is_of_one_moment_while_the_match_goes_on() -> None:
    class Busy(MemoryStore):
        """The match is played to its end between two reads."""

        referee: Referee[Any] | None = None

        def header(self, match: str) -> Header:
            found = super().header(match)
            while self.referee is not None and step(self, self.referee, rng):
                pass
            return found

    rng, store = random.Random(1), Busy()
    _, store.referee = played(1, store, most=0)
    report = audit(GAME, export.from_store(store, store.referee.match))
    assert report.fault is None, str(report.fault)
    assert store.header(store.referee.match).status == "finished"


def flips(data: bytes) -> Iterator[tuple[int, bytes]]:
    for i in range(len(data)):
        for bit in (0x01, 0x20):
            yield i, data[:i] + bytes([data[i] ^ bit]) + data[i + 1 :]


def test_record_8_every_flipped_byte_of_a_line_is_found_there(short: bytes) -> None:
    """The steps of the audit for one line, for every byte of every line of the file."""
    record = export.read(short.splitlines(keepends=True))
    assert record.secrets is not None
    verifier = Verifier(record.match, {}, record.secrets.k_m)
    for seq, data in enumerate(short.splitlines(keepends=True)[1 : 1 + len(record.held)], 1):
        before = (verifier.seq, verifier.at, verifier.rules, verifier._cause)
        followed = copy.deepcopy((verifier.draws, verifier.seating, verifier._order))
        for i, flipped in flips(data):
            with pytest.raises(RecordInvalid) as found:
                take_message(record, verifier, flipped, seq)
            assert found.value.seq == seq, (i, flipped)
            verifier.seq, verifier.at, verifier.rules, verifier._cause = before
            del verifier.heads[seq:]
            verifier.draws, verifier.seating, verifier._order = copy.deepcopy(followed)
        take_message(record, verifier, data, seq)
    assert verifier.seq == record.end


def take_message(record: Record, verifier: Verifier, data: bytes, seq: int) -> None:
    partial = Record(record.match, record.game, record.view, record.end, record.held[: seq - 1])
    if data.count(b"\n") != 1:
        raise RecordInvalid("two lines where one should be", seq)
    message = export._message(data, seq)
    if not isinstance(message, export.Lines):
        raise RecordInvalid("not lines", seq)
    export._take_line(partial, message)
    if len(partial.held) != seq:
        raise RecordInvalid("not one line", seq)
    held = partial.held[-1]
    line = verifier.take(held.line, held.openings)
    if len(held.openings) != len(line.seals) or partial.heads[seq] != sealing.b64(verifier.head):
        raise RecordInvalid("openings or head", seq)


def test_record_8_every_flipped_byte_of_the_closing_and_a_sample_of_all_others_is_found(short: bytes) -> None:
    lines = short.splitlines(keepends=True)
    begin = len(short) - len(lines[-1])
    sample = {*range(len(lines[0])), *range(begin, len(short)), *random.Random(1).sample(range(len(short)), 300)}
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    count = len(export.read(lines).held)
    for i in sorted(sample):
        flipped = short[:i] + bytes([short[i] ^ 1]) + short[i + 1 :]
        fault = audit_bytes(flipped).fault
        assert fault is not None, (i, flipped[max(0, i - 20) : i + 20])
        inside = next(n for n, start in enumerate(starts) if start > i) - 1
        if 1 <= inside <= count:
            assert fault.line == inside, (i, fault)


def test_record_8_every_flipped_byte_of_a_checkpoint_is_found(short: bytes) -> None:
    record = export.read(short.splitlines(keepends=True))
    verifier = verify(record)
    for seq, signed in record.checkpoints:
        check_checkpoint(verifier, seq, signed)
        for _, flipped in flips(signed):
            with pytest.raises(RecordInvalid):
                check_checkpoint(verifier, seq, flipped)


@pytest.mark.deep
@pytest.mark.timeout(1800)
def test_record_8_every_flipped_byte_of_the_file_is_found_by_the_whole_audit(short: bytes) -> None:
    for i, flipped in flips(short):
        assert audit_bytes(flipped).fault is not None, i


@pytest.mark.parametrize("at", [2, 9, 15])
def test_record_8_two_lines_exchanged_are_found(record: Record, at: int) -> None:
    record.held[at - 1], record.held[at] = record.held[at], record.held[at - 1]
    fault = audit(GAME, record).fault
    assert fault is not None
    assert (fault.line, fault.expected) == (at, str(at))


@pytest.mark.parametrize("at", [2, 9, 15])
def test_record_8_a_line_dropped_is_found(record: Record, at: int) -> None:
    del record.held[at - 1]
    fault = audit(GAME, record).fault
    assert fault is not None
    assert fault.line == at


@pytest.mark.parametrize("at", [2, 9, 15])
def test_record_8_a_line_repeated_is_found(record: Record, at: int) -> None:
    record.held.insert(at, record.held[at - 1])
    fault = audit(GAME, record).fault
    assert fault is not None
    assert fault.line == at + 1


@pytest.mark.parametrize("cut", [1, 2, 10])
def test_record_8_a_tail_cut_off_is_found(record: Record, cut: int) -> None:
    del record.held[-cut:]
    fault = audit(GAME, record).fault
    assert fault is not None
    assert fault.line in range(len(record.held) - 6, len(record.held) + 2)


def test_record_8_a_file_cut_anywhere_is_found(short: bytes) -> None:
    for cut in range(1, len(short), 97):
        assert audit_bytes(short[:-cut]).fault is not None, cut


@pytest.mark.parametrize("kind", ["HandDealt", "DeckPlaced", "Chosen", "DecisionsOpened", "Shuffled"])
def test_record_3_a_changed_opening_is_found_at_its_line(record: Record, kind: str) -> None:
    seq = find(record, kind)
    held = record.held[seq - 1]
    record.held[seq - 1] = Held(held.line, {**held.openings, 0: b"[1]"})
    fault = audit(GAME, record).fault
    assert fault is not None
    assert (fault.line, "opening of slot 0" in fault.wrong) == (seq, True)


def test_record_3_a_missing_opening_is_found(record: Record) -> None:
    seq = find(record, "HandDealt")
    record.held[seq - 1] = Held(record.held[seq - 1].line, {})
    fault = audit(GAME, record).fault
    assert fault is not None
    assert fault.line == seq


def test_record_4_a_changed_die_is_found_even_by_a_forger_who_chains_anew(record: Record) -> None:
    seq = find(record, "DiceRolled")

    def change(line: list[Any]) -> None:
        line[8]["dice"][0] = line[8]["dice"][0] % 6 + 1

    fault = audit(GAME, rewritten(record, seq, change)).fault
    assert fault is not None
    assert (fault.line, "shows" in fault.wrong) == (seq, True)


def test_record_4_a_changed_draw_key_is_found(record: Record) -> None:
    seq = find(record, "DiceRolled", 1)

    def change(line: list[Any]) -> None:
        line[8]["key"] = sealing.b64(bytes(32))

    fault = audit(GAME, rewritten(record, seq, change)).fault
    assert fault is not None
    assert (fault.line, "not in the chain" in fault.wrong) == (seq, True)


@pytest.mark.parametrize(
    ("kind", "field", "value"),
    [
        ("Scored", "score", 7),
        ("CardShown", "card", 9),
        ("RoundEnded", "next_round", 3),
        ("MatchEnded", "result", {"winner": None, "reason": "flood", "rule": "SK-06"}),
    ],
)
def test_record_8_an_outcome_the_rules_do_not_give_is_found(record: Record, kind: str, field: str, value: Any) -> None:
    seq = find(record, kind)

    def change(line: list[Any]) -> None:
        assert line[8].get(field) != value
        line[8][field] = value

    fault = audit(GAME, rewritten(record, seq, change)).fault
    assert fault is not None
    assert fault.line == seq
    assert fault.expected


def test_record_8_an_event_that_follows_from_nothing_is_found(record: Record) -> None:
    seq = find(record, "MatchBegun")

    def change(line: list[Any]) -> None:
        line[4], line[8] = "RoundEnded", {"next_round": 2}

    fault = audit(GAME, rewritten(record, seq, change)).fault
    assert fault is not None
    assert fault.line == seq


def test_record_8_a_result_in_the_match_list_that_is_not_the_records_is_found(record: Record) -> None:
    record.result = "seat 9: friends"
    fault = audit(GAME, record).fault
    assert fault is not None
    assert (fault.line, "seat 9" in fault.wrong) == (0, True)


@pytest.mark.parametrize("name", ["k_m", "k_n", "hid"])
def test_record_4_a_changed_key_is_found(record: Record, name: str) -> None:
    assert record.secrets is not None
    record.secrets = msgspec.structs.replace(record.secrets, **{name: bytes(32)})
    fault = audit(GAME, record).fault
    assert fault is not None
    assert fault.line == (find(record, "Shuffled") if name == "k_m" else 1)


def test_record_5_a_checkpoint_of_a_stranger_is_found(record: Record, tmp_path: Path) -> None:
    fault = audit(GAME, record, [KeyRing(tmp_path).current.public]).fault
    assert fault is not None
    assert "signed with" in fault.wrong


def test_record_5_a_checkpoint_moved_to_another_line_is_found(record: Record) -> None:
    seq, signed = record.checkpoints[3]
    record.checkpoints[3] = (seq - 1, signed)
    fault = audit(GAME, record).fault
    assert fault is not None
    assert fault.line == seq - 1


def fork(match: Referee[Any], store: Store) -> tuple[Store, Referee[Any]]:
    twin = copy.deepcopy(store._shelf.matches)  # type: ignore[attr-defined]
    other = type(store)()
    other._shelf.matches = twin  # type: ignore[attr-defined]
    return other, Referee.open(GAME, other, match.match)


def test_record_5_two_forks_shown_to_two_seats_are_found_at_the_next_choice() -> None:
    store, referee = played(8, most=2)
    other_store, other = fork(referee, store)
    step(store, referee, random.Random(1))
    step(other_store, other, random.Random(1), Chosen(Seat(0), 0, "elsewhere"))
    assert referee.head != other.head
    # A server that forks writes the other fork's acknowledgement into this one, for it is what the seat signed.
    asked = referee.state.asked[0]
    choice = next(iter(GAME.revive_decision(asked).form(referee.state)))
    note = Chosen(asked.seat, asked.number, "c", "seat", other.seq, sealing.b64(other.head))
    referee.answers._heads[other.seq] = other.head
    put(store, referee, referee.choose(asked.seat, asked.number, choice, note, 2**41))
    for viewer in (None, SPECTATOR, Viewer(Seat(0)), Viewer(Seat(1))):
        fault = audit(GAME, export.from_store(store, referee.match, viewer)).fault
        assert fault is not None
        assert "acknowledged another record" in fault.wrong


def test_a_seats_saved_stream_is_compared_with_the_public_record() -> None:
    store, referee = played(8, most=2)
    other_store, other = fork(referee, store)
    step(store, referee, random.Random(1))
    step(other_store, other, random.Random(1), Chosen(Seat(0), 0, "elsewhere"))
    mine = export.from_store(store, referee.match, Viewer(Seat(0)))
    public = export.from_store(store, referee.match, SPECTATOR)
    forked = export.from_store(other_store, referee.match, SPECTATOR)
    assert compare(mine, public) is None
    fault = compare(mine, forked)
    assert fault is not None
    assert fault.line > 1
    assert compare(mine, Record("x", "skirmish", "spectator")) is not None


def test_newer_rules_report_where_they_differ_and_that_is_no_fault(
    match: tuple[Store, Referee[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    store, referee = match
    record = export.from_store(store, referee.match)
    newer = Audit(GAME, record)
    newer._codec = Codec(GAME)
    newer._codec.rules = "skirmish/2"
    from tests.skirmish import game

    monkeypatch.setattr(game, "HAND", 2)
    report = newer.run()
    assert report.fault is None
    assert report.differences
    assert report.differences[0].expected
    assert audit(GAME, record).fault is not None


def test_a_saved_stream_of_the_protocol_is_verified(match: tuple[Store, Referee[Any]]) -> None:
    store, referee = match
    record = export.from_store(store, referee.match, Viewer(Seat(0)))
    data = stream(record)
    again = export.read(data)
    assert (again.held, again.view) == (record.held, "seat0")
    assert audit(GAME, again).ok
    with pytest.raises(RecordInvalid, match="missing"):
        export.read([data[0], *data[3:]])
    with pytest.raises(RecordInvalid, match="different"):
        export.read([*data, data[3].replace(b"SeatTaken", b"SeatTakem")])
    assert export.read([*data, data[2], data[3]]).held == record.held
    with pytest.raises(RecordInvalid, match="protocol"):
        export.read([data[0], b"{}\n"])


def test_a_saved_stream_with_any_byte_changed_is_refused_in_a_sentence_or_read(
    match: tuple[Store, Referee[Any]],
) -> None:
    store, referee = match
    data = b"".join(stream(export.from_store(store, referee.match, Viewer(Seat(0)))))
    faults = 0
    for i in range(0, len(data), 37):
        for bit in (1, 0x10, 0x40):
            report = audit_bytes(data[:i] + bytes([data[i] ^ bit]) + data[i + 1 :])
            faults += report.fault is not None
    assert faults > 0


def stream(record: Record) -> list[bytes]:
    """What a client of the protocol saved, message by message."""
    keys = {str(mask): sealing.b64(key) for mask, key in record.keys.items()}
    welcome = {"t": "welcome", "match": record.match, "game": record.game, "viewer": {"as": "seat", "seat": 0}}
    messages: list[Any] = [{**welcome, "keys": keys}, {"t": "pong", "n": 1}]
    head = sealing.genesis(sealing.unb64(record.match))
    for seq, held in enumerate(record.held, 1):
        head = sealing.link(head, held.line)
        openings = [[slot, value.decode()] for slot, value in held.openings.items()]
        item = [held.line.decode(), openings]
        messages.append(
            {"t": "events", "from": seq, "to": seq, "items": [item], "head": {"seq": seq, "hash": sealing.b64(head)}}
        )
    return [msgspec.json.encode(message) + b"\n" for message in messages]


@pytest.mark.parametrize("data", [b"", b"\xff", b"[]\n", b'{"t":"closing"}\n', b'{"t":"record"}\n'])
def test_a_file_that_is_no_record_is_said_so(data: bytes) -> None:
    with pytest.raises(RecordInvalid):
        export.read(data.splitlines(keepends=True))


def test_an_unknown_game_is_said_so(record: Record) -> None:
    report = audit(None, record)
    assert report.fault is None
    assert report.unchecked == ["the rules: there is no game 'skirmish' here"]


def test_a_record_that_shows_everything_but_lacks_the_matchs_keys_is_refused_in_words(record: Record) -> None:
    record.secrets = None
    report = audit(GAME, record)
    assert report.unchecked == ["the rules: secrets are closed to this view"]
    assert report.fault is not None
    assert report.fault.wrong == "the slots [0] are opened"


def test_record_8_a_second_chain_is_held_to_what_line_1_fixed(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (keychain, line_order):
        monkeypatch.setattr(module, "RESERVE", keychain.CHAIN_LENGTH - 1)
    store, referee = played(2)
    record = export.from_store(store, referee.match)
    assert any(b'"ChanceAnchored"' in held.line for held in record.held)
    assert audit(GAME, record).fault is None
    monkeypatch.setattr(keychain, "later_chain", lambda hid, number, found=keychain.later_chain: found(hid, number + 1))
    fault = audit(GAME, record).fault
    assert fault is not None
    assert "the new key chain is not the one that line 1 fixed" in fault.wrong
