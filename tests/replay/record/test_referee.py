"""The referee: decisions become lines, and lines become the match again."""

import random
from typing import Any

import msgspec
import pytest

from domain.kernel import (
    HIDDEN,
    ChanceAnchored,
    Chosen,
    DiceRolled,
    EntropyCommitted,
    EntropyRevealed,
    Mask,
    MatchBegun,
    NotAChoice,
    NotBegun,
    NotNow,
    NotOffered,
    NotYours,
    RulesChanged,
    Seat,
    Signed,
)
from replay.audit.match_audit import audit
from replay.audit.verify import verify
from replay.errors import RecordInvalid
from replay.files import export
from replay.record import keychain, sealing, signing
from replay.record.creation import create_match
from replay.record.errors import ChainSpent, NotAcknowledged, NotSigned, RulesOutdated, SeatRefused
from replay.record.line import LineWriter, read_line
from replay.record.preparation import Preparation
from replay.record.referee import Referee, read_event
from replay.record.seat_proof import REVEAL_MS
from replay.record.signing import SeatKey
from replay.store.memory import MemoryStore
from tests.replay.matches import START, begun, created, played, put, step
from tests.skirmish.game import GAME, Play


@pytest.mark.parametrize("seed", range(10))
def test_reopening_gives_the_same_match(seed: int) -> None:
    store, referee = played(seed, most=seed)
    again = Referee.open(GAME, store, referee.match)
    assert (again.state, again.seq, again.head) == (referee.state, referee.seq, referee.head)
    assert step(store, again, random.Random(seed)) == (referee.state.result is None)


def test_record_2_lines_follow_one_another() -> None:
    store, referee = played(3)
    head = sealing.genesis(sealing.unb64(referee.match))
    for number, entry in enumerate(store.read(referee.match), 1):
        line = read_line(entry.line)
        head = sealing.link(head, entry.line)
        assert (line.seq, line.mid, line.type, line.actor) == (number, referee.match, entry.type, entry.actor)
        assert len(line.seals) == len(entry.openings)
    assert head == referee.head == store.head(referee.match).hash


def test_record_2_the_cause_of_a_line_is_its_choice() -> None:
    store, referee = played(3)
    cause = ""
    for entry in store.read(referee.match):
        line = read_line(entry.line)
        if entry.type == "Chosen":
            assert line.cause == ""
            cause = sealing.choice_cause(entry.line)
        else:
            assert line.cause == cause


def test_record_4_every_public_die_can_be_checked_at_once() -> None:
    store, referee = played(4)
    events = [read_event(GAME, entry) for entry in store.read(referee.match)]
    key = sealing.unb64(events[0].anchor)  # type: ignore[attr-defined]
    shares = [sealing.unb64(event.entropy) for event in events if isinstance(event, EntropyRevealed)]
    hidden = sealing.unb64(events[0].hidden)  # type: ignore[attr-defined]
    mixed = keychain.mix(sealing.unb64(referee.match), key, hidden, shares)
    rolls = [event for event in events if isinstance(event, DiceRolled) and event.dice]
    assert len(rolls) >= 3
    for roll in rolls:
        opened = sealing.unb64(roll.key)
        assert sealing.tagged_hash("chain", opened) == key
        assert keychain.dice(opened, mixed, roll.draw, len(roll.dice), roll.sides) == roll.dice
        key = opened


def test_a_refused_choice_changes_nothing_and_spends_no_draw() -> None:
    store, referee = played(1, most=2)
    before = (referee.state, referee.seq, referee.head)
    asked = referee.state.asked[0]
    with pytest.raises(NotOffered):
        referee.choose(asked.seat, asked.number, Play(9), Chosen(asked.seat, asked.number), START)
    with pytest.raises(NotYours):
        referee.choose(Seat(1 - asked.seat), asked.number, Play(1), Chosen(asked.seat, asked.number), START)
    assert (
        (referee.state, referee.seq, referee.head)
        == before
        == (referee.state, store.head(referee.match).seq, before[2])
    )


def test_a_ruling_that_is_not_accepted_changes_nothing() -> None:
    _, referee = played(1, most=2)
    asked = referee.state.asked[0]
    choice = next(iter(GAME.revive_decision(asked).form(referee.state)))
    note = Chosen(asked.seat, asked.number, id="x")
    one, two = (referee.choose(asked.seat, asked.number, choice, note, START) for _ in range(2))
    assert one.commit == two.commit


def test_news_of_another_referee_are_taken_in() -> None:
    store, referee = played(5, most=1)
    other = Referee.open(GAME, store, referee.match)
    step(store, referee, random.Random(5))
    news = other.fold_news(store.read(referee.match))
    assert [entry.seq for entry in news] == list(range(referee.seq - len(news) + 1, referee.seq + 1))
    assert (other.state, other.seq, other.head) == (referee.state, referee.seq, referee.head)


def test_record_4_a_seat_contributes_its_own_share() -> None:
    store = MemoryStore()
    referee = created(store)
    for seat in range(2):
        put(store, referee, Preparation(referee).take_seat(Seat(seat), "A", "person", START))
    share = bytes(range(32))
    put(
        store,
        referee,
        Preparation(referee).commit_entropy(Seat(0), sealing.b64(keychain.entropy_commitment(share)), START),
    )
    with pytest.raises(SeatRefused, match="every seat has fixed"):
        Preparation(referee).reveal_entropy(Seat(0), sealing.b64(share), START)
    fixed = Preparation(referee).fix_entropy(START)
    assert fixed is not None
    put(store, referee, fixed)
    assert Preparation(referee).fix_entropy(START) is None
    with pytest.raises(NotBegun, match="revealed"):
        Preparation(referee).begin(START)
    with pytest.raises(SeatRefused, match="not the share"):
        Preparation(referee).reveal_entropy(Seat(0), sealing.b64(bytes(32)), START)
    put(store, referee, Preparation(referee).reveal_entropy(Seat(0), sealing.b64(share), START))
    put(store, referee, Preparation(referee).begin(START))
    events = [read_event(GAME, entry) for entry in store.read(referee.match)]
    kinds = [type(event) for event in events]
    assert max(i for i, k in enumerate(kinds) if k is EntropyCommitted) < kinds.index(EntropyRevealed)
    assert [e.by for e in events if isinstance(e, EntropyCommitted)] == ["seat", "server"]
    assert MatchBegun in kinds


def test_record_4_a_share_never_revealed_voids_the_match_visibly() -> None:
    store = MemoryStore()
    referee = created(store)
    for seat in range(2):
        put(store, referee, Preparation(referee).take_seat(Seat(seat), "A", "person", START))
    put(store, referee, Preparation(referee).commit_entropy(Seat(0), sealing.b64(bytes(32)), START))
    fixed = Preparation(referee).fix_entropy(START + 5)
    assert fixed is not None
    put(store, referee, fixed)
    with pytest.raises(NotNow):
        Preparation(referee).void(START + 5 + REVEAL_MS - 1)
    put(store, referee, Preparation(referee).void(START + 5 + REVEAL_MS))
    assert audit(GAME, export.from_store(store, referee.match)).ok
    assert referee.state.result is not None
    assert store.header(referee.match).status == "finished"
    assert "void" in store.header(referee.match).result
    with pytest.raises(SeatRefused, match="too late"):
        Preparation(referee).reveal_entropy(Seat(0), sealing.b64(bytes(32)), START + 6 + REVEAL_MS)


def test_record_4_no_match_is_void_for_a_share_before_all_are_fixed() -> None:
    store = MemoryStore()
    referee = created(store)
    for seat in range(2):
        put(store, referee, Preparation(referee).take_seat(Seat(seat), "A", "person", START))
    put(store, referee, Preparation(referee).commit_entropy(Seat(0), sealing.b64(bytes(32)), START))
    assert Preparation(referee).owing == ()
    with pytest.raises(NotNow):
        Preparation(referee).void(START + 10 * REVEAL_MS)


def test_record_4_the_server_share_survives_a_restart() -> None:
    store = MemoryStore()
    referee = created(store)
    fixed = Preparation(referee).fix_entropy(START)
    assert fixed is not None
    put(store, referee, fixed)
    again = Referee.open(GAME, store, referee.match)
    put(store, again, Preparation(again).begin(START))
    assert again.state.begun


def test_record_4_a_new_chain_is_announced_before_the_old_is_spent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keychain, "RESERVE", keychain.CHAIN_LENGTH - 1)
    store, referee = played(2)
    events = [read_event(GAME, entry) for entry in store.read(referee.match)]
    anchored = [event for event in events if isinstance(event, ChanceAnchored)]
    assert [event.after for event in anchored] == [keychain.CHAIN_LENGTH]
    later = keychain.later_chain(referee.keys.hid, 1)
    assert anchored[0].anchor == sealing.b64(later.anchor)
    chains = keychain.Chains(referee.keys.k_n, referee.keys.hid)
    assert chains.key(keychain.CHAIN_LENGTH + 1) == later.key(1)
    with pytest.raises(ChainSpent):
        keychain.RecordedChance(chains, b"", b"", keychain.CHAIN_LENGTH, 0).dice(1, 6)
    assert keychain.RecordedChance(chains, b"", b"", keychain.CHAIN_LENGTH, 0, 1).dice(1, 6).number == 4097


@pytest.mark.parametrize("seat", [-1, 2])
def test_a_seat_that_is_not_there_is_refused(seat: int) -> None:
    with pytest.raises(SeatRefused, match="no seat"):
        Preparation(created(MemoryStore())).take_seat(Seat(seat), "A", "person", START)


def test_a_seat_is_taken_once() -> None:
    store = MemoryStore()
    referee = created(store)
    put(store, referee, Preparation(referee).take_seat(Seat(0), "A", "person", START))
    with pytest.raises(SeatRefused, match="taken"):
        Preparation(referee).take_seat(Seat(0), "B", "person", START)
    with pytest.raises(SeatRefused, match="Ed25519"):
        Preparation(referee).take_seat(Seat(1), "B", "person", START, key="xyz")


def signed_match(version: int = 2) -> tuple[MemoryStore, Referee[Any], SeatKey]:
    store, key = MemoryStore(), SeatKey()
    referee = created(store, version=version)
    put(store, referee, Preparation(referee).take_seat(Seat(0), "A", "person", START, key=key.public))
    put(store, referee, Preparation(referee).take_seat(Seat(1), "B", "bot", START))
    put(store, referee, Preparation(referee).begin(START))
    return store, referee, key


def note_of(referee: Referee[Any], key: SeatKey, answer: object, match: str = "") -> Chosen:
    """A choice of seat 0 that is signed as its match's version asks."""
    seq, head = referee.seq, sealing.b64(referee.head)
    note = Chosen(Seat(0), referee.state.asked[0].number, "one", ack_seq=seq, ack_head=head)
    if referee.state.record > 1:
        return key.chosen(match or referee.match, note, answer)
    text = signing.choice_text_1(match or referee.match, note, answer)
    return msgspec.structs.replace(note, signed=Signed(text, key.sign(signing.choice_message_1(text))))


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("form", ["answer", "choice"])
def test_record_5_a_signed_choice_is_taken_and_kept(form: str, version: int) -> None:
    store, referee, key = signed_match(version)
    asked = referee.state.asked[0]
    choice = next(iter(GAME.revive_decision(asked).form(referee.state)))
    note = note_of(referee, key, 0 if form == "answer" else msgspec.to_builtins(choice))
    put(store, referee, referee.choose(asked.seat, asked.number, choice, note, START))
    kept = next(
        e for e in (read_event(referee.game, entry) for entry in store.read(referee.match)) if isinstance(e, Chosen)
    )
    assert (kept.signed, kept.commitment, kept.signature) == (note.signed, note.commitment, note.signature)
    assert referee.game.redact(kept, Mask(2)) == msgspec.structs.replace(kept, choice=HIDDEN, signed=HIDDEN)
    report = audit(GAME, export.from_store(store, referee.match))
    assert (report.fault, report.signatures) == (None, 1)


@pytest.mark.parametrize("version", [1, 2])
def test_record_5_an_unsigned_or_wrongly_signed_choice_is_refused(version: int) -> None:
    _, referee, key = signed_match(version)
    asked = referee.state.asked[0]
    form = GAME.revive_decision(asked).form(referee.state)
    choice = next(iter(form))
    good = note_of(referee, key, 0)
    assert referee.choose(asked.seat, asked.number, choice, good, START)
    stranger = note_of(referee, SeatKey(), 0)
    elsewhere = note_of(referee, key, 0, match=sealing.b64(bytes(16)))
    other = note_of(referee, key, {"do": "Play", "card": 9})
    garbled = msgspec.structs.replace(good, signed=Signed("{}", "x"), signature="x", commitment="y")
    wrong = [Chosen(Seat(0), asked.number), stranger, elsewhere, other, garbled]
    if version > 1:
        wrong += [msgspec.structs.replace(good, signed=changed) for changed in (HIDDEN, ("x", "0"), ("", "0"))]
        wrong += [msgspec.structs.replace(good, id="two"), msgspec.structs.replace(good, ack_seq=0, ack_head="")]
    for note in wrong:
        with pytest.raises(NotSigned):
            referee.choose(asked.seat, asked.number, choice, note, START)


def test_record_5_an_acknowledgement_of_another_record_is_refused() -> None:
    _, referee = played(1, most=1)
    asked = referee.state.asked[0]
    choice = next(iter(GAME.revive_decision(asked).form(referee.state)))
    head = sealing.b64(referee.head)
    assert referee.choose(asked.seat, asked.number, choice, Chosen(asked.seat, 0, "", "seat", referee.seq, head), START)
    for seq, said in ((referee.seq, sealing.b64(bytes(32))), (referee.seq + 1, head), (-1, head)):
        with pytest.raises(NotAcknowledged):
            referee.choose(asked.seat, asked.number, choice, Chosen(asked.seat, 0, "", "seat", seq, said), START)


def test_record_5_a_false_acknowledgement_is_refused_after_a_restart_and_from_long_ago(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store, referee = played(1, most=1)
    again = Referee.open(GAME, store, referee.match)
    asked = again.state.asked[0]
    choice = next(iter(GAME.revive_decision(asked).form(again.state)))
    heads = verify(export.from_store(store, referee.match)).heads
    for seq in (1, again.seq - 1, again.seq):
        right = Chosen(asked.seat, 0, "", "seat", seq, sealing.b64(heads[seq]))
        assert again.choose(asked.seat, asked.number, choice, right, START)
        with pytest.raises(NotAcknowledged, match="another head"):
            again.choose(asked.seat, asked.number, choice, Chosen(asked.seat, 0, "", "seat", seq, "x"), START)
    monkeypatch.setattr("replay.record.answer_check.HEADS_KEPT", 3)
    late = Referee.open(GAME, store, referee.match)
    with pytest.raises(NotAcknowledged, match="long past"):
        late.choose(
            asked.seat, asked.number, choice, Chosen(asked.seat, 0, "", "seat", 1, sealing.b64(heads[1])), START
        )


def test_a_record_whose_chain_does_not_come_to_its_head_is_not_opened() -> None:
    store, referee = played(1, most=1)
    entries = store._shelf.matches[referee.match].entries  # type: ignore[attr-defined]
    entries[1] = msgspec.structs.replace(entries[1], line=entries[1].line.replace(b"Player", b"Prayer"))
    with pytest.raises(RecordInvalid, match="chain"):
        Referee.open(GAME, store, referee.match)


@pytest.mark.parametrize("name", ["x" * 65, "e\u0301"])
def test_a_choice_id_that_a_line_cannot_hold_is_refused(name: str) -> None:
    _, referee = played(1, most=1)
    asked = referee.state.asked[0]
    choice = next(iter(GAME.revive_decision(asked).form(referee.state)))
    with pytest.raises(NotAChoice):
        referee.choose(asked.seat, asked.number, choice, Chosen(asked.seat, 0, name), START)


def test_other_rules_go_on_only_by_a_recorded_event(monkeypatch: pytest.MonkeyPatch) -> None:
    store, referee = played(1, most=1)
    again = Referee.open(GAME, store, referee.match)
    monkeypatch.setattr(again._codec, "rules", "skirmish/2")
    assert again.outdated == referee.outdated == "skirmish/1"
    with pytest.raises(RulesOutdated):
        step(store, again, random.Random(1))
    put(store, again, again.adopt_rules(START))
    assert again.outdated == ""
    step(store, again, random.Random(1))
    referee.fold_news(store.read(again.match, after=referee.seq))
    assert (referee.head, referee.outdated) == (again.head, "")
    lines = [read_line(entry.line) for entry in store.read(again.match)]
    assert next(line.rules for line in lines if line.type == "RulesChanged") == "skirmish/2"
    assert RulesChanged("skirmish/1", "skirmish/2") in [
        read_event(again.game, entry) for entry in store.read(again.match)
    ]
    assert lines[-1].rules == "skirmish/2"


def test_checkpoints_stand_at_the_end_of_every_commit() -> None:
    store, referee = played(1, sign=lambda message: message[:96])
    signed = store.checkpoints(referee.match)
    assert signed[-1][0] == referee.seq
    assert len(signed) > 5
    assert referee.heartbeat(START * 2) is not None
    assert Referee.open(GAME, store, referee.match).heartbeat(START) is None


def test_times_never_decrease() -> None:
    writer = LineWriter(bytes(16), bytes(32), "skirmish/1")
    first = writer.write("MatchBegun", b"{}", [], -1, "", 5)
    second = writer.write("MatchBegun", b"{}", [], -1, "", 4)
    assert (first.at, second.at) == (5, 5)


def test_reveal_is_one_of_three_policies() -> None:
    with pytest.raises(ValueError, match="public, seats, auditor"):
        create_match(GAME, {}, ("", ""), at=START, reveal="all")
    assert begun(MemoryStore()).state.begun
