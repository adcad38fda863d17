"""Checks that must hold whatever went wrong, from the messages that clients received and the contents of the database.

It knows docs/record.md alone: nothing of Herald's programs is used to judge them.
"""

import base64
import hashlib
import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

import psycopg

Told = tuple[str, str, list[str]]
"""A match, the receiver, and the lines in their order."""


def unb64(text: str) -> bytes:
    """Bytes of base64url without padding."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def tagged(tag: str, *parts: bytes) -> bytes:
    """TH(tag, x..) of record.md."""
    return hashlib.sha256(2 * hashlib.sha256(f"hr1/{tag}".encode()).digest() + b"".join(parts)).digest()


Heads = dict[str, tuple[int, bytes, str]]
"""By match: the last line, the chain's hash after it, and the match's status, as the list of matches has them."""
_HEADS = "SELECT match, seq, head, status FROM matches"
_LINES = "SELECT match, seq, line FROM records ORDER BY match, seq"


class Records:
    """The lines of every match, as they lie in the database: match, number and text, in order."""

    def __init__(self, heads: Heads, lines: Iterable[tuple[str, int, str]]) -> None:
        self.heads = heads
        self.lines: dict[str, list[str]] = {match: [] for match in heads}
        self.gaps: list[str] = []
        for match, seq, text in lines:
            self.lines[match].append(text)
            if seq != len(self.lines[match]):
                self.gaps.append(f"{match}: line {seq} follows line {len(self.lines[match]) - 1}")


def of_database(address: str) -> Records:
    """The contents of a database on the PostgreSQL protocol."""
    with psycopg.connect(address) as line:
        heads = {match: (seq, head, status) for match, seq, head, status in line.execute(_HEADS)}
        return Records(heads, line.execute(_LINES))


def of_file(path: Path) -> Records:
    """The contents of a SQLite file."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as line:
        heads = {match: (seq, head, status) for match, seq, head, status in line.execute(_HEADS)}
        return Records(heads, line.execute(_LINES))


def faults(records: Records, accepted: dict[tuple[str, int, str], set[int]], told: Iterable[Told]) -> Iterator[str]:
    """Every check that fails. `accepted`: the lines by match, seat and id of the choice."""
    yield from records.gaps
    yield from _broken_chains(records)
    yield from _lost_or_doubled(records, accepted)
    for match, who, lines in told:
        if lines != records.lines[match][: len(lines)]:
            yield f"{match}: {who} was told what is not in the record"
    for match, (_, _, status) in records.heads.items():
        if status != "finished":
            yield f"{match}: it is {status}, so somebody could not go on"


def _broken_chains(records: Records) -> Iterator[str]:
    for match, (seq, head, _) in records.heads.items():
        link = tagged("genesis", unb64(match))
        before = 0
        for text in records.lines[match]:
            link = tagged("link", link, text.encode())
            at = json.loads(text)[3]
            if at < before:
                yield f"{match}: time goes back to {at}"
            before = at
        if (seq, head) != (len(records.lines[match]), link):
            yield f"{match}: the list says that it ends at {seq}, and it ends at {len(records.lines[match])}"


def _lost_or_doubled(records: Records, accepted: dict[tuple[str, int, str], set[int]]) -> Iterator[str]:
    for match, lines in records.lines.items():
        counts: Counter[tuple[int, str]] = Counter()
        for text in lines:
            _, _, seq, _, kind, _, _, _, payload, _ = json.loads(text)
            if kind != "Chosen" or payload.get("by", "seat") != "seat" or not payload.get("id"):
                continue
            counts[payload["seat"], payload["id"]] += 1
            said = accepted.get((match, payload["seat"], payload["id"]))
            if said is not None and said != {seq}:
                yield f"{match}: {payload['id']} was accepted at {said} and stands at {seq}"
        for (of, seat, name), _ in accepted.items():
            if of == match and counts[seat, name] != 1:
                yield f"{match}: {name} of seat {seat} was accepted and stands there {counts[seat, name]} times"
