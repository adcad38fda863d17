"""Matches whose chance is dealt by an event, and the lies of a server that holds every key (docs/record.md 4)."""

import random
from typing import Any

import msgspec

from domain.kernel import Dealt
from replay.files import export
from replay.files.export import Record
from replay.record import dealt_chance, sealing
from replay.record.creation import Deal
from replay.record.referee import Referee
from replay.record.uniform import UniformNumbers
from replay.store.memory import MemoryStore
from tests.replay.dishonest import rewritten
from tests.replay.matches import begun, step

EVENT, SEED = b"e" * sealing.KEY_BYTES, b"s" * sealing.KEY_BYTES
COMMITMENT = dealt_chance.seed_commitment(EVENT, SEED)
DEAL = Deal(Dealt(sealing.b64(EVENT), sealing.b64(COMMITMENT)), SEED)


def played_at(seed: int, most: int = 1000, deal: Deal = DEAL) -> tuple[MemoryStore, Referee[Any]]:
    """A table of the event, at which `seed` chooses; whole, or its first `most` choices."""
    store, rng = MemoryStore(), random.Random(seed)
    referee = begun(store, deal=deal)
    while most and step(store, referee, rng):
        most -= 1
    return store, referee


def another_key(parts: list[Any], openings: dict[int, bytes]) -> None:
    """The first clash is rolled with a key that the server liked better."""
    fields = parts[8]
    if parts[4] == "DiceRolled" and fields["draw"] == 1:
        stream = UniformNumbers(b"k" * sealing.KEY_BYTES, dealt_chance.dealt_mix(EVENT, COMMITMENT), 1)
        fields["key"] = sealing.b64(b"k" * sealing.KEY_BYTES)
        fields["dice"] = [stream.below(fields["sides"]) + 1 for _ in fields["dice"]]


def another_order(parts: list[Any], openings: dict[int, bytes]) -> None:
    """The deck lies otherwise than the event's seed has it."""
    if parts[4] == "Shuffled" and parts[8]["draw"] == 1:
        openings[0] = msgspec.json.encode(msgspec.json.decode(openings[0])[::-1])


def another_seed(parts: list[Any], openings: dict[int, bytes]) -> None:
    """The table says that it is of the event whose seed is another."""
    if parts[4] == "MatchCreated":
        parts[8]["dealt"]["commitment"] = sealing.b64(dealt_chance.seed_commitment(EVENT, b"o" * sealing.KEY_BYTES))


def another_event(parts: list[Any], openings: dict[int, bytes]) -> None:
    """The table says that it is of another event."""
    if parts[4] == "MatchCreated":
        parts[8]["dealt"]["event"] = sealing.b64(b"f" * sealing.KEY_BYTES)


LIES = {
    another_key: "the key of draw 1 does not follow from the event's seed",
    another_order: "shuffle 1 gave",
    another_seed: "the seed is not the one that the event has fixed",
    another_event: "the seed is not the one that the event has fixed",
}
"""A lie, and the verdict of an audit once everything is open."""


def lied(lie: Any) -> Record:
    """A table's whole record with one of the lies in it; everything else is made to fit."""
    store, referee = played_at(3)
    return rewritten(export.from_store(store, referee.match), lie)
