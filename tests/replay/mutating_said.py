"""Records of version 2 changed in one place by a server with all its keys: chain, causes, seals and checkpoints fit."""

import json
from collections.abc import Callable
from copy import copy
from random import Random
from typing import Any

from domain.kernel.events import KERNEL_EVENTS
from replay.files.export import Held, Record
from replay.record import sealing
from replay.record.signing import SeatKey
from tests.replay.dishonest import rewritten

Parts = list[Any]
"""A line of the record."""
Openings = dict[int, bytes]
Change = Callable[[Parts, Openings, Random], None]
MutateRecord = Callable[[Record, Random], Record]
KERNEL = {event.__name__ for event in KERNEL_EVENTS}
ACTS = ("Offered", "Agreed", "Declined", "Resigned", "VacationTaken", "VacationEnded", "AbsenceClaimed", "HintAsked")


def parts_of(record: Record) -> list[Parts]:
    """Every line of a record."""
    return [json.loads(held.line) for held in record.held]


def last_said(record: Record) -> int:
    """The last line whose head a signature of a seat holds: no line up to it can be changed unnoticed."""
    return max(int(parts[8].get("ack_seq", 0)) for parts in parts_of(record) if "signature" in parts[8])


def end_changed(record: Record) -> tuple[Record, int]:
    """The record up to a choice, of which something else has come, behind every signed head; and where."""
    lines = parts_of(record)
    seq, last = max(
        (p[2], max(q[2] for q in lines if q[7] == p[7])) for p in lines if p[7] and p[4] not in KERNEL and _numbers(p)
    )
    one = twin(record)
    del one.held[last:]
    one.end, one.result = last, None
    assert last_said(one) < seq

    def change(parts: Parts, openings: Openings) -> None:
        parts[8][_numbers(parts)[0]] += 1

    return changed(one, seq, change), seq


def _numbers(parts: Parts) -> list[str]:
    """The fields of a line that are numbers, but no seat."""
    return [name for name, value in parts[8].items() if type(value) is int and name != "seat"]


def changed(record: Record, seq: int, change: Callable[[Parts, Openings], None]) -> Record:
    """One line changed, and everything that the server can make fit it made anew."""

    def one(parts: Parts, openings: Openings) -> None:
        if parts[2] == seq:
            change(parts, openings)

    return rewritten(twin(record), one)


def twin(record: Record) -> Record:
    """The record, to be changed."""
    one = copy(record)
    one.held, one.heads = list(record.held), dict(record.heads)
    return one


def _in(kinds: tuple[str, ...], change: Change, needs: str = "") -> MutateRecord:
    """A change of one of the lines of these kinds that have a field."""

    def mutate(record: Record, random: Random) -> Record:
        lines = [p[2] for p in parts_of(record) if p[4] in kinds and (not needs or needs in p[8])]
        return changed(record, random.choice(lines), lambda parts, openings: change(parts, openings, random))

    return mutate


def _bit_of(field: str) -> Change:
    """A bit of the base64url value of a field."""

    def change(parts: Parts, openings: Openings, random: Random) -> None:
        parts[8][field] = other_bit(parts[8][field], random)

    return change


def other_bit(text: str, random: Random) -> str:
    """Other bytes, of which one bit is another."""
    data = bytearray(sealing.unb64(text))
    data[random.randrange(len(data))] ^= 1 << random.randrange(8)
    return sealing.b64(bytes(data))


def _gone(*fields: str) -> Change:
    def change(parts: Parts, openings: Openings, random: Random) -> None:
        for field in fields:
            del parts[8][field]
        if "commitment" in fields:
            openings[1] = b"null"

    return change


def _set(field: str, *values: Any) -> Change:
    def change(parts: Parts, openings: Openings, random: Random) -> None:
        parts[8][field] = random.choice([value for value in values if value != parts[8].get(field)])

    return change


def _number(parts: Parts, openings: Openings, random: Random) -> None:
    parts[8]["number"] = parts[8].get("number", 0) + random.choice([1, 2, 1000])


def _key(parts: Parts, openings: Openings, random: Random) -> None:
    parts[8]["key"] = SeatKey(random.randbytes(32)).public


def _opened_otherwise(parts: Parts, openings: Openings, random: Random) -> None:
    salt, answer = json.loads(openings[1])
    other = [other_bit(salt, random), answer] if random.random() < 0.5 else [salt, answer + " "]
    openings[1] = json.dumps(other, separators=(",", ":"), ensure_ascii=False).encode()


def _other_terms(parts: Parts, openings: Openings, random: Random) -> None:
    former = parts[8]["terms"]
    found = [{"is": "draw"}, {"is": "abandon"}, {"is": "go_on"}, {"is": "pause", "length_ms": 1}]
    parts[8]["terms"] = random.choice([terms for terms in found if terms != former])


def _other_line(parts: Parts, openings: Openings, random: Random) -> None:
    parts[8]["line"] += random.choice([-1, 1])


def _other_seats(parts: Parts, openings: Openings, random: Random) -> None:
    """A choice or an act is said to be the other seat's."""
    parts[8]["seat"] = parts[6] = 1 - parts[8]["seat"]
    for seal in parts[9]:
        seal[0] = 1 << parts[6]


def _acknowledged(record: Record, random: Random) -> Record:
    """Another line is acknowledged, with its true head."""
    said = [p for p in parts_of(record) if p[8].get("ack_seq") and "signature" in p[8]]
    parts = random.choice(said)
    other = random.choice([seq for seq in range(1, parts[2]) if seq != parts[8]["ack_seq"]])
    head = sealing.linked(sealing.genesis(sealing.unb64(record.match)), [held.line for held in record.held[:other]])

    def change(parts: Parts, openings: Openings) -> None:
        parts[8]["ack_seq"], parts[8]["ack_head"] = other, sealing.b64(head)

    return changed(record, parts[2], change)


def _exchanged(record: Record, random: Random) -> Record:
    """What one choice was signed with stands at another of the same seat, commitment and all."""
    choices = [p for p in parts_of(record) if p[4] == "Chosen" and "signature" in p[8]]
    one = random.choice(choices)
    two = random.choice([p for p in choices if p[8]["seat"] == one[8]["seat"] and p is not one])

    def change(parts: Parts, openings: Openings) -> None:
        parts[8]["commitment"], parts[8]["signature"] = two[8]["commitment"], two[8]["signature"]
        openings[1] = record.held[two[2] - 1].openings[1]

    return changed(record, one[2], change)


def _history(record: Record, random: Random) -> Record:
    """A line of the game, or of the server's, says something else, before a head that somebody has signed."""
    last = last_said(record)
    lines = [p for p in parts_of(record)[1:last] if any(type(v) is int for v in p[8].values()) and p[4] not in ACTS]
    parts = random.choice(lines)
    field = random.choice([name for name, value in parts[8].items() if type(value) is int])

    def change(parts: Parts, openings: Openings) -> None:
        parts[8][field] += 1

    return changed(record, parts[2], change)


def _secret(record: Record, random: Random) -> Record:
    """A secret was another one, before a head that somebody has signed."""
    last = last_said(record)
    line, held = random.choice([(i + 1, h) for i, h in enumerate(record.held[:last]) if h.openings])
    slot = random.choice(list(held.openings))

    def change(parts: Parts, openings: Openings) -> None:
        openings[slot] = b"1" if openings[slot] == b"null" else b"null"

    return changed(record, line, change)


def _hour(record: Record, random: Random) -> Record:
    """A line came a moment later, before a head that somebody has signed."""
    seq = random.randrange(1, last_said(record) + 1)

    def change(parts: Parts, openings: Openings) -> None:
        parts[3] += 1

    return changed(record, seq, change)


def _line_left_out(record: Record, random: Random) -> Record:
    """A line was never there, before a head that somebody has signed; those behind it have other numbers."""
    return _renumbered(record, random.randrange(1, last_said(record)), put_in=False)


def _line_put_in(record: Record, random: Random) -> Record:
    """The server adds a statement, before a head that a seat has signed."""
    return _renumbered(record, random.randrange(1, last_said(record)), put_in=True)


def _renumbered(record: Record, place: int, *, put_in: bool) -> Record:
    one = twin(record)
    if put_in:
        parts = json.loads(one.held[place - 1].line)
        parts[4], parts[6], parts[7], parts[8], parts[9] = "SecretsOpened", -1, "", {"slots": []}, []
        one.held.insert(place, Held(json.dumps(parts, separators=(",", ":")).encode(), {}))
    else:
        del one.held[place]
    seqs = iter(range(1, len(one.held) + 1))

    def number(parts: Parts, openings: Openings) -> None:
        parts[2] = next(seqs)

    return rewritten(one, number)


SAID: dict[str, MutateRecord] = {
    "a choice's signature": _in(("Chosen",), _bit_of("signature"), "signature"),
    "a choice's signature gone": _in(("Chosen",), _gone("signature"), "signature"),
    "a choice's commitment": _in(("Chosen",), _bit_of("commitment"), "signature"),
    "a choice not signed at all": _in(("Chosen",), _gone("commitment", "signature"), "signature"),
    "a choice's id": _in(("Chosen",), _set("id", "x", "y"), "signature"),
    "a choice's decision": _in(("Chosen",), _number, "signature"),
    "who chose": _in(("Chosen",), _set("by", "bot", "clock", "server", ""), "signature"),
    "whose choice": _in(("Chosen",), _other_seats, "signature"),
    "what opens a choice": _in(("Chosen",), _opened_otherwise, "signature"),
    "signatures of two choices": _exchanged,
    "another head acknowledged": _in(("Chosen", *ACTS), _bit_of("ack_head"), "ack_head"),
    "another line acknowledged": _acknowledged,
    "an act's signature": _in(ACTS, _bit_of("signature"), "signature"),
    "an act's signature gone": _in(ACTS, _gone("signature"), "signature"),
    "an act's id": _in(ACTS, _set("id", "x", "y"), "signature"),
    "an offer's number answered": _in(("Agreed", "Declined"), _number),
    "an offer's terms": _in(("Offered",), _other_terms),
    "whose act": _in(ACTS, _other_seats, "signature"),
    "terms agreed on": _in(("OfferAccepted",), _other_terms),
    "who agreed": _in(("OfferAccepted",), _set("agreed", [], [0, 1], [2])),
    "the line gone back to": _in(("PositionSet",), _other_line, "line"),
    "a seat's first key": _in(("SeatTaken",), _key),
    "a seat's first key gone": _in(("SeatTaken",), _gone("key")),
    "a seat's next key": _in(("SeatKeyed",), _key),
    "the signature of a key": _in(("SeatKeyed",), _bit_of("signature")),
    "the signature of a key gone": _in(("SeatKeyed",), _gone("signature"), "signature"),
    "a share of chance": _in(("EntropyCommitted",), _bit_of("commitment")),
    "a share's signature": _in(("EntropyCommitted",), _bit_of("signature")),
    "a share's signature gone": _in(("EntropyCommitted",), _gone("signature")),
    "a share given by the server": _in(("EntropyCommitted",), _set("by", "server", "bot", "")),
    "a share revealed": _in(("EntropyRevealed",), _bit_of("entropy")),
    "a key of a draw": _in(("DiceRolled",), _bit_of("key")),
    "another history": _history,
    "another secret": _secret,
    "another time": _hour,
    "a line left out": _line_left_out,
    "a line put in": _line_put_in,
}
"""Kinds of changes in records of version 2 that every verifier finds though the server made everything else fit."""
