"""`audit`: the cost of the record's proofs, beside bare SHA-256 of the same bytes."""

import hashlib
from collections.abc import Iterator
from functools import partial
from typing import Any

from nacl.bindings import crypto_sign_open
from nacl.signing import SigningKey

from domain.kernel import Chosen, MatchCreated, Seat, SeatTaken
from projections.redaction import Viewer
from replay.audit.match_audit import audit
from replay.audit.verify import Verifier, verify
from replay.files import export
from replay.files.export import Record
from replay.record import sealing
from replay.record.creation import create_match
from replay.record.line import Codec, LineWriter, codec_of
from replay.record.signing import SeatKey
from scripts.benchmarks.matches import game_of
from scripts.benchmarks.measure import Figure, Report, cpu_s
from tests.replay.matches import played

SEAL_FLOOR = 0.15
"""The floor allows 25 µs for the seals of an event with two secrets."""
VERIFY_FLOOR = 0.05
SIGNATURE_FLOOR = 0.7
AUDIT_FLOOR = 0.01
KEY = bytes(range(32))
MATCH = sealing.b64(bytes(16))
SIGNATURE_S = 60e-6
"""A choice with a signature may cost this much more than a choice without one."""


def audit_report(name: str, matches: int) -> Report:
    """The report on random matches of a game."""
    game = game_of(name)
    stores = [played(seed, game=game) for seed in range(1, matches + 1)]
    whole = [export.from_store(store, referee.match) for store, referee in stores]
    seats = [export.from_store(store, referee.match, Viewer(Seat(0))) for store, referee in stores]
    events = sum(len(record.held) for record in whole)
    raw = events / cpu_s(lambda: [_hash(record) for record in whole])
    bare = "SHA-256 of the same bytes"

    def audit_all() -> None:
        for record in whole:
            report = audit(game, record)
            assert report.ok, report.fault

    sealed, unsealed = _append_s()
    signed, unsigned, alone = _choice_s()
    return Report(
        f"audit --game {name} --matches {matches}",
        f"{matches} random matches, {events:,} events, one core",
        (
            Figure(
                "appended, counting only profile, chain and seals",
                1 / (sealed - unsealed),
                "events/s",
                "the line without them",
                1 / unsealed,
                SEAL_FLOOR,
                "ratio",
            ),
            Figure(
                "a seat verifies its stream",
                events / cpu_s(lambda: [verify(record) for record in seats]),
                "events/s",
                bare,
                raw,
                VERIFY_FLOOR,
                "ratio",
            ),
            Figure(
                "a choice's signature and all that is read for it",
                1 / (signed - unsigned),
                "choices/s",
                "libsodium's Ed25519 alone",
                1 / alone,
                SIGNATURE_FLOOR,
                "ratio",
                1 / SIGNATURE_S,
            ),
            Figure(
                "whole audit, every choice decided again",
                events / cpu_s(audit_all),
                "events/s",
                bare,
                raw,
                AUDIT_FLOOR,
                "ratio",
            ),
        ),
    )


def _choice_s(count: int = 400, rounds: int = 12) -> tuple[float, float, float]:
    """Seconds that a verifier takes for a seat's choice with its signature and for one without, and for a signature
    alone.

    The three are measured alternately, so that a machine that becomes slower meanwhile affects all of them equally.
    """
    signed, unsigned = _choices(count)
    work = (partial(_take_choices, signed), partial(_take_choices, unsigned), partial(_open_signatures, count))
    times = [[cpu_s(one, rounds=1) / count for one in work] for _ in range(rounds)]
    return tuple(min(each) for each in zip(*times, strict=True))


def _open_signatures(count: int) -> None:
    key = SigningKey(KEY)
    message, public = bytes(key.sign(b"hr2/choice\0" + bytes(32))), bytes(key.verify_key)
    for _ in range(count):
        crypto_sign_open(message, public)


def _take_choices(lines: list[bytes]) -> None:
    verifier = Verifier(MATCH, {})
    for line in lines:
        verifier.take(line, {})


def _choices(count: int) -> Iterator[list[bytes]]:
    """Two records that contain only choices: one of a seat that signs, and one of a seat that does not."""
    mid, anchor, key = bytes(16), sealing.b64(bytes(32)), SeatKey(KEY)
    codec = codec_of(game_of("vera_discordia"))
    for held in (key, None):
        writer, entries = LineWriter(mid, KEY, codec.rules), list[bytes]()
        seat = SeatTaken(Seat(0), "A", key="" if held is None else key.public)
        for event in (MatchCreated("g", {}, ("", ""), anchor, anchor, record=2), seat):
            entries.append(writer.write(type(event).__name__, codec.payload(event), [], -1, "", 0).line)
        for number in range(count):
            note = Chosen(Seat(0), number, f"c{number}", "seat", writer.seq, sealing.b64(writer.head))
            note = note if held is None else held.chosen(MATCH, note, {"do": "Attack", "unit": "u3"})
            entries.append(writer.write("Chosen", codec.payload(note), codec.slots(note), 0, "", 0).line)
        yield entries


def _hash(record: Record) -> int:
    for held in record.held:
        hashlib.sha256(held.line).digest()
        for value in held.openings.values():
            hashlib.sha256(value).digest()
    return len(record.held)


def _append_s(count: int = 5_000) -> tuple[float, float]:
    """Seconds to write an event with two secrets: in the form of the record, and without its chain, seals and canonical
    JSON.
    """
    game = game_of("vera_discordia")
    codec: Codec[Any] = create_match(game, {}, ["A", "B"], at=0)[0]._codec
    event = Chosen(Seat(0), 7, "c7", "seat", 42, "x" * 43, {"do": "Attack", "unit": "u3", "target": "b2"})

    def sealed() -> None:
        writer = LineWriter(bytes(16), KEY, codec.rules)
        for at in range(count):
            writer.write("Chosen", codec.payload(event), codec.slots(event), 0, "", at)

    def unsealed() -> None:
        for at in range(count):
            payload, slots = codec.payload(event), codec.slots(event)
            front = f'[1,"AAAAAAAAAAAAAAAAAAAAAA",{at},{at},"Chosen","{codec.rules}",0,"",'
            line = front.encode() + payload + b",[]]"
            assert len(line) > len(slots)

    return tuple(cpu_s(work) / count for work in (sealed, unsealed))  # type: ignore[return-value]
