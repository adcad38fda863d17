"""Kept matches, packed: the parts of a record that cannot be made again from the rest, and the results of its events.

Seals, causes and the keys of draws follow from the match's secrets; they are left out and made again. The head that
is kept beside the lines shows whether every byte is the same. A file is gzip over JSON lines: the match's data, a line
per line of the record, and last the final state and every viewer's final view.
"""

import gzip
import re
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Raw, Struct

from replay.files.export import EVERYTHING, Held, Record
from replay.record import sealing
from replay.record.keychain import Chains
from replay.record.line import LineWriter, read_line
from replay.store.log import Keys

SUFFIX = ".kept"
HOLE = b'"key":"~"'
"""Stands for the key of a draw."""


class Front(Struct, frozen=True):
    """The match, the rules it begins under, its head and its secrets."""

    match: str
    game: str
    rules: str
    head: str
    result: str | None
    k_m: str
    k_n: str
    hid: str


Row = tuple[int, str, int, int, Raw, tuple[tuple[int, Raw], ...]]
"""Time, type, actor, whether it follows from a choice, payload, and audience and value of each slot."""

_encode = msgspec.json.Encoder().encode
_row: "msgspec.json.Decoder[Row]" = msgspec.json.Decoder(Row)


def pack(record: Record, made: dict[str, Any]) -> bytes:
    """A whole record and the results of its events, packed. Raises `AssertionError` if unpacking would change it."""
    assert record.secrets is not None, "only whole records are kept"
    secrets, head = record.secrets, sealing.genesis(sealing.unb64(record.match))
    chains, rows = Chains(secrets.k_n, secrets.hid), []
    for held in record.held:
        line, head = read_line(held.line), sealing.link(head, held.line)
        payload = line.payload
        if line.type == "DiceRolled" and msgspec.json.decode(payload)["dice"]:
            payload = payload.replace(_key(chains, payload), HOLE, 1)
        slots = tuple((mask, Raw(held.openings[slot])) for slot, mask in enumerate(line.masks))
        rows.append((line.at, line.type, line.actor, int(bool(line.cause)), Raw(payload), slots))
    front = Front(
        record.match,
        record.game,
        read_line(record.held[0].line).rules,
        sealing.b64(head),
        record.result,
        *(sealing.b64(key) for key in (secrets.k_m, secrets.k_n, secrets.hid)),
    )
    data = gzip.compress(b"\n".join(_encode(part) for part in (front, *rows, made)), 9, mtime=0)
    again, kept = unpack(data)
    assert again.held == record.held, "the record does not come out of its pack as it was"
    assert kept == msgspec.json.decode(_encode(made))
    return data


def _key(chains: Chains, payload: bytes) -> bytes:
    return b'"key":"%s"' % sealing.b64(chains.key(msgspec.json.decode(payload)["draw"])).encode()


def unpack(data: bytes) -> tuple[Record, dict[str, Any]]:
    """The record, with every seal made anew, and the results of its events when it was kept."""
    first, *rows, last = gzip.decompress(data).split(b"\n")
    front = msgspec.json.decode(first, type=Front)
    secrets = Keys(*(sealing.unb64(key) for key in (front.k_m, front.k_n, front.hid)))
    named = re.search(rb'"record":(\d+)', rows[0]) if rows else None
    version = int(named[1]) if named else 1
    writer = LineWriter(sealing.unb64(front.match), secrets.k_m, front.rules, version=version)
    record = Record(front.match, front.game, EVERYTHING, len(rows), heads={len(rows): front.head}, secrets=secrets)
    record.result = front.result
    chains, cause = Chains(secrets.k_n, secrets.hid), ""
    for row in rows:
        at, kind, actor, caused, raw, slots = _row.decode(row)
        payload = bytes(raw)
        if HOLE in payload:
            payload = payload.replace(HOLE, _key(chains, payload), 1)
        if kind == "RulesChanged":
            writer.rules = msgspec.json.decode(payload)["now"]
        values = [(mask, bytes(value)) for mask, value in slots]
        entry = writer.write(kind, payload, values, actor, cause if caused else "", at)
        if kind == "Chosen":
            cause = sealing.choice_cause(entry.line)
        record.held.append(Held(entry.line, dict(enumerate(entry.openings))))
    return record, msgspec.json.decode(last)


def rules_of(path: Path) -> set[str]:
    """The rules a kept match was played under, as `game/version`."""
    lines = gzip.decompress(path.read_bytes()).split(b"\n")
    changed = [line for line in lines if b'"RulesChanged"' in line]
    return {msgspec.json.decode(lines[0])["rules"], *(msgspec.json.decode(line)[4]["now"] for line in changed)}
