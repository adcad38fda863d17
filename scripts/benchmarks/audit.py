"""`audit`: what the record's proofs cost, beside bare SHA-256 of the same bytes."""

import hashlib
from typing import Any

from domain.kernel import Chosen, Seat
from projections.redaction import Viewer
from replay.audit.judging import audit
from replay.audit.verify import verify
from replay.files import export
from replay.files.export import Record
from replay.record.line import Codec, Writer
from replay.record.referee import Referee
from scripts.benchmarks.matches import game_of
from scripts.benchmarks.measure import Figure, Report, cpu_s
from tests.replay.matches import played

SEAL_FLOOR = 40_000
"""25 µs an event with two secrets, over the path without seals."""
VERIFY_FLOOR = 60_000
AUDIT_FLOOR = 5_000
KEY = bytes(range(32))


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
            ),
            Figure(
                "a seat verifies its stream",
                events / cpu_s(lambda: [verify(record) for record in seats]),
                "events/s",
                bare,
                raw,
                VERIFY_FLOOR,
            ),
            Figure(
                "whole audit, every choice decided again", events / cpu_s(audit_all), "events/s", bare, raw, AUDIT_FLOOR
            ),
        ),
    )


def _hash(record: Record) -> int:
    for held in record.held:
        hashlib.sha256(held.line).digest()
        for value in held.openings.values():
            hashlib.sha256(value).digest()
    return len(record.held)


def _append_s(count: int = 5_000) -> tuple[float, float]:
    """Seconds to write an event with two secrets: as the record has it, and without chain, seals and profile."""
    game = game_of("vera_discordia")
    codec: Codec[Any] = Referee.create(game, {}, ["A", "B"], at=0)[0]._codec
    event = Chosen(Seat(0), 7, "c7", "seat", 42, "x" * 43, {"do": "Attack", "unit": "u3", "target": "b2"})

    def sealed() -> None:
        writer = Writer(bytes(16), KEY, codec.rules)
        for at in range(count):
            writer.write("Chosen", codec.payload(event), codec.slots(event), 0, "", at)

    def unsealed() -> None:
        for at in range(count):
            payload, slots = codec.payload(event), codec.slots(event)
            front = f'[1,"AAAAAAAAAAAAAAAAAAAAAA",{at},{at},"Chosen","{codec.rules}",0,"",'
            line = front.encode() + payload + b",[]]"
            assert len(line) > len(slots)

    return tuple(cpu_s(work) / count for work in (sealed, unsealed))  # type: ignore[return-value]
