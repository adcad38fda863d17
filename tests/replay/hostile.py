"""Records as a forger makes them: every value may be anything, and chain and seals are made to fit again."""

import json
import random
from typing import Any

from replay.files import export
from replay.files.export import Held, Record
from replay.record import sealing

VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 1, 7, 8, 255, 256, 2**31, 2**53 - 1, 2**53, 2**64, 10**40, -(10**18), 1.5, "", "x", "é",
    "e\u0301",     "Chosen", "DiceRolled", [], {}, [[]], {"is": "hidden"}, {"a": 1}, "\ud800", "0" * 5000,
)  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of every part of a JSON value."""
    found = [path]
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        found += places(part, (*path, key))
    return found


def put(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """The value with another part at a path."""
    if not path:
        return new
    target = value
    for key in path[:-1]:
        target = target[key]
    target[path[-1]] = new
    return value


def dumps(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass")


def sealed(record: Record) -> Record:
    """Make heads and seals fit the lines again, as a forger with all keys can."""
    assert record.secrets is not None
    sealer = sealing.Sealer(sealing.unb64(record.match), record.secrets.k_m)
    head = sealing.genesis(sealer.mid)
    for i, held in enumerate(record.held):
        line = held.line
        try:
            parts = json.loads(line)
            for slot, seal in enumerate(parts[9]):
                if slot in held.openings:
                    seal[1] = sealing.b64(sealer.seal(i + 1, slot, seal[0], held.openings[slot]))
            line = dumps(parts)
        except (ValueError, TypeError, LookupError, OverflowError, AttributeError):
            pass
        record.held[i] = Held(line, held.openings)
        head = sealing.link(head, line)
        record.heads[i + 1] = sealing.b64(head)
    record.end = len(record.held)
    record.checkpoints = []
    return record


def forged(data: list[bytes], rng: random.Random) -> Record:
    """A true record with one value of a line, or of an opening, exchanged, and everything else made to fit."""
    record = export.read(data)
    at = rng.randrange(len(record.held))
    held = record.held[at]
    if held.openings and rng.random() < 0.4:
        slot = rng.choice(list(held.openings))
        value = json.loads(held.openings[slot])
        openings = {**held.openings, slot: dumps(put(value, rng.choice(places(value)), rng.choice(VALUES)))}
        record.held[at] = Held(held.line, openings)
    else:
        line = json.loads(held.line)
        inside = [path for path in places(line) if path]
        record.held[at] = Held(dumps(put(line, rng.choice(inside), rng.choice(VALUES))), held.openings)
    return sealed(record)
