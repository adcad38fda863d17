"""Section 8 of docs/record.md: what one viewer checks alone, line by line."""

from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.kernel import Chosen, Seat, Signed
from replay.audit.verify import Verifier, verify
from replay.errors import RecordInvalid
from replay.files import export
from replay.files.export import Record
from replay.record import sealing, signing
from replay.record.preparation import Preparation
from replay.store.memory import MemoryStore
from tests.replay.matches import START, created, played, put
from tests.skirmish.game import GAME

MATCH = sealing.b64(bytes(range(16)))
CREATED = {
    "game": "g",
    "options": {},
    "seats": ["A", "B"],
    "anchor": sealing.b64(bytes(32)),
    "hidden": sealing.b64(bytes(32)),
}


def line(seq: int, kind: str = "Moved", payload: object = None, **changed: Any) -> bytes:
    parts: dict[str, Any] = {
        "version": 1,
        "mid": MATCH,
        "seq": seq,
        "at": 1000 + seq,
        "type": kind,
        "rules": "g/1",
        "actor": -1,
        "cause": "",
        "payload": {} if payload is None else payload,
        "seals": [],
    }
    return msgspec.json.encode(list({**parts, **changed}.values()))


SEALED = [[1, "x" * 43], [1, "x" * 43]]


def chosen(seq: int, ack_seq: int, ack_head: str) -> bytes:
    """A choice of seat 0, its slots closed."""
    return line(seq, "Chosen", {"seat": 0, "number": 1, "ack_seq": ack_seq, "ack_head": ack_head}, seals=SEALED)


def started(keys: dict[int, bytes] | None = None) -> Verifier:
    verifier = Verifier(MATCH, keys or {})
    verifier.take(line(1, "MatchCreated", CREATED), {})
    verifier.take(line(2), {})
    return verifier


@pytest.mark.parametrize(
    ("third", "why"),
    [
        (line(4), "number 4; expected 3"),
        (line(2), "number 2; expected 3"),
        (line(3, mid=sealing.b64(bytes(16))), "is of match"),
        (line(3, at=1001), "time 1001; expected 1002"),
        (line(3, "MatchCreated", CREATED), "nowhere else"),
        (line(3, rules="g/2"), "under the rules g/2; expected g/1"),
        (line(3, "RulesChanged", {"was": "g/0", "now": "g/2"}, rules="g/2"), "change from g/0; expected g/1"),
        (line(3, "RulesChanged", {"was": "g/1", "now": "g/3"}, rules="g/2"), "expected g/1"),
        (line(3, cause="x"), "cause is x; expected none"),
        (line(3, version=2), "version 2 of the record; expected 1"),
        (line(3, version=3), "version 3"),
        (line(3, seals=[[2**32, "x" * 43]]), "no seal"),
        (line(3, seals=[[1, "x"]]), "no seal"),
        (line(3, payload={"a": 1.5}), "not an integer"),
        (line(3, payload={"a": "e\u0301"}), "NFC"),
        (line(3)[:-1], "not a line"),
        (line(3).replace(b",", b", ", 1), "canonical"),
        (line(3, "DiceRolled", {"rule": 5}), "fields do not fit"),
        (line(3, "DiceRolled", {"seat": 5}), "fields do not fit"),
        (line(3, "SeatTaken", {"name": "A", "seat": 0}), "has the field 'seat', which there is not or not here"),
        (line(3, "SeatTaken", {"seat": 0, "name": "A", "more": 1}), "has the field 'more'"),
        (line(3, "SeatTaken", {"seat": 0, "name": "A", "kind": "person"}), "left out at its default"),
        (line(3, "Chosen", {"seat": 0, "number": 1}), "has slots for"),
        (line(3, "Chosen", {"seat": 0, "number": 1}, seals=[[1, "x" * 43], [2, "x" * 43]]), "has slots for"),
        (chosen(3, 3, "x"), "at most 2"),
        (chosen(3, 1, "x"), "another record"),
        (line(3, "SecretsOpened", {"slots": []}), "opened to everybody"),
    ],
)
def test_record_8_a_line_that_does_not_follow_is_named(third: bytes, why: str) -> None:
    verifier = started()
    with pytest.raises(RecordInvalid, match=why) as found:
        verifier.take(third, {})
    assert found.value.seq == 3
    assert verifier.seq == 2
    verifier.take(line(3), {})


def test_rules_change_by_a_line_that_says_so() -> None:
    verifier = started()
    verifier.take(line(3, "RulesChanged", {"was": "g/1", "now": "g/2"}, rules="g/2"), {})
    verifier.take(line(4, rules="g/2"), {})
    assert verifier.rules == "g/2"


def test_an_acknowledgement_of_this_record_holds() -> None:
    verifier = started()
    third = chosen(3, 1, sealing.b64(verifier.heads[1]))
    verifier.take(third, {})
    cause = sealing.choice_cause(third)
    verifier.take(line(4, cause=cause), {})


def test_an_opening_needs_its_key_and_its_slot() -> None:
    root = bytes(range(32))
    sealer = sealing.Sealer(sealing.unb64(MATCH), root)
    sealed = line(3, seals=[[2, sealing.b64(sealer.seal(3, 0, 2, b'"s"'))]])
    with pytest.raises(RecordInvalid, match=r"opened; expected \[\]"):
        started().take(sealed, {0: b'"s"'})
    for openings, why in (({0: b'"t"'}, "makes the seal"), ({1: b'"s"'}, r"expected \[0\]"), ({0: b"1.5"}, "integer")):
        verifier = started({2: sealer.key(2)})
        with pytest.raises(RecordInvalid, match=why):
            verifier.take(sealed, openings)
        verifier.take(sealed, {0: b'"s"'})


@pytest.mark.parametrize("match", ["", "x", sealing.b64(bytes(15)), "a=="])
def test_a_match_id_is_sixteen_bytes(match: str) -> None:
    with pytest.raises(RecordInvalid):
        Verifier(match, {})


def test_an_empty_record_and_a_strange_view_are_refused() -> None:
    with pytest.raises(RecordInvalid, match="empty"):
        verify(Record(MATCH, "g", "spectator"))
    with pytest.raises(RecordInvalid, match="view"):
        verify(Record(MATCH, "g", "seat9"))
    with pytest.raises(RecordInvalid, match="key of audience 2"):
        verify(Record(MATCH, "g", "seat0", keys={2: bytes(32)}))


def test_record_5_a_signature_that_is_not_the_seats_is_found() -> None:
    store = MemoryStore()
    referee = created(store, version=1)
    private = Ed25519PrivateKey.generate()
    key = sealing.b64(private.public_key().public_bytes_raw())
    put(store, referee, Preparation(referee).take_seat(Seat(0), "A", "person", START, key=key))
    put(store, referee, Preparation(referee).take_seat(Seat(1), "B", "bot", START))
    put(store, referee, Preparation(referee).begin(START))
    asked = referee.state.asked[0]
    choice = next(iter(GAME.revive_decision(asked).form(referee.state)))
    note = Chosen(Seat(0), asked.number, "one")
    text = signing.choice_text_1(referee.match, note, 0)
    signed = Signed(text, sealing.b64(private.sign(signing.choice_message_1(text))))
    put(
        store,
        referee,
        referee.choose(Seat(0), asked.number, choice, msgspec.structs.replace(note, signed=signed), START),
    )
    record = export.from_store(store, referee.match)
    assert verify(record).signatures == 1
    forged = with_forged_signature(record, signed)
    with pytest.raises(RecordInvalid, match="not signed by seat 0"):
        verify(forged)


def with_forged_signature(record: Record, signed: Signed) -> Record:
    """A server that holds every key seals another signature than the seat's."""
    assert record.secrets is not None
    sealer = sealing.Sealer(sealing.unb64(record.match), record.secrets.k_m)
    forged = msgspec.json.encode(Signed(signed.text, sealing.b64(bytes(64))))
    seq = len(record.held)
    while msgspec.json.decode(record.held[seq - 1].line)[4] != "Chosen":
        seq -= 1
    parts = msgspec.json.decode(record.held[seq - 1].line)
    parts[9][1][1] = sealing.b64(sealer.seal(seq, 1, parts[9][1][0], forged))
    record.held[seq - 1] = export.Held(msgspec.json.encode(parts), {**record.held[seq - 1].openings, 1: forged})
    record.heads = {}
    return record


def test_every_line_of_a_match_is_followed() -> None:
    store, referee = played(3)
    record = export.from_store(store, referee.match)
    verifier = verify(record)
    assert (verifier.seq, verifier.head, verifier.game, verifier.reveal) == (
        referee.seq,
        referee.head,
        "skirmish",
        "public",
    )
