"""The plan of an event, fixed before its first table is created (docs/duplicate.md).

The manifest is one JSON text, signed by the server. Its hash is the event's id, and line 1 of every table has that id.
Therefore each table fixes which other tables there are, and the deal of all of them.
"""

import secrets
from collections.abc import Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.kernel import Dealt, TimeControl
from replay.duplicate.errors import EventInvalid
from replay.record import dealt_chance, sealing
from replay.record.creation import Deal, new_match_id
from replay.record.referee import Sign
from replay.record.serverkey import PUBLIC_BYTES, is_stamped

VERSION: Final = 1
WITH_SHARES: Final = 2
"""The version of a manifest with shares of chance."""
SHARES_MOST: Final = 100
SHARE_MOST: Final = 1000
"""The limits, in characters, of a share's name and of its value."""
TABLES_MOST: Final = 1000
TEXT_MOST: Final = 4 << 20
SEALED: Final = b"hr1/duplicate\0"
"""The prefix of the server's signed messages about an event."""


class TableEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A table: its match, and the planned player of each seat: a person's name, or `bot:NAME`."""

    match: str
    seats: tuple[str, ...]


class ChanceShare(Struct, frozen=True, forbid_unknown_fields=True):
    """A share of the deal's chance: `of` names its owner or a lottery's draw; `value` is empty until it is given.

    The deal depends on the seed and on the whole manifest. An organiser who fixes everything except the shares cannot
    choose the deal.
    """

    of: str
    value: str = ""


class Manifest(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An event: its game and options, its tables, and TH("seed", seed) as base64url.

    A manifest that still waits for `shares` is a call; nothing is dealt from it until they are given.
    """

    version: int
    title: str
    game: str
    rules: str
    options: dict[str, Any]
    time: TimeControl
    seed: str
    tables: tuple[TableEntry, ...]
    created_ms: int
    shares: tuple[ChanceShare, ...] = ()

    @property
    def awaited(self) -> tuple[str, ...]:
        """The shares that have not been given yet."""
        return tuple(share.of for share in self.shares if not share.value)


class SignedText(Struct, frozen=True, forbid_unknown_fields=True):
    """A text of the server about an event, with the server's public key and signature over the text (base64url)."""

    text: str
    signed: str

    @property
    def key(self) -> bytes:
        """The public key that signed the text."""
        return sealing.unb64(self.signed)[:PUBLIC_BYTES]


class Announced(Struct, frozen=True):
    """A manifest with its text and its valid signature."""

    manifest: Manifest
    signed: SignedText

    @property
    def event(self) -> bytes:
        """The event's id."""
        return event_id(self.signed.text)


def event_id(text: str) -> bytes:
    """The hash of a manifest's text."""
    return sealing.tagged_hash("event", text.encode())


def sign(text: str, stamp: Sign) -> SignedText:
    """Sign a text with the server's key."""
    return SignedText(text, sealing.b64(stamp(SEALED + sealing.tagged_hash("said", text.encode()))))


def check_signature(said: SignedText) -> None:
    """Raise `EventInvalid` unless the signature is for the text."""
    try:
        stamp = sealing.unb64(said.signed)
    except ValueError as wrong:
        raise EventInvalid(f"a signature is {wrong}") from wrong
    if not is_stamped(SEALED + sealing.tagged_hash("said", said.text.encode()), stamp):
        raise EventInvalid("a signature is not for its text")


def planned(
    title: str,
    game: str,
    rules: str,
    options: dict[str, Any],
    time: TimeControl,
    tables: Sequence[tuple[str, ...]],
    now_ms: int,
    awaited: Sequence[str] = (),
) -> tuple[Manifest, bytes]:
    """A new event with fresh ids for its tables, and its seed, which nobody may learn before the event is closed.

    `awaited`: shares that must be given before the event can be dealt. Raises `EventInvalid` if they are not valid.
    """
    seed = secrets.token_bytes(sealing.KEY_BYTES)
    fixed = sealing.b64(sealing.tagged_hash("seed", seed))
    entries = tuple(TableEntry(sealing.b64(new_match_id()), seats) for seats in tables)
    shares = tuple(map(ChanceShare, awaited))
    _check_shares(shares)
    version = WITH_SHARES if shares else VERSION
    return Manifest(version, title, game, rules, options, time, fixed, entries, now_ms, shares), seed


def with_shares(call: Manifest, given: Sequence[tuple[str, str]]) -> Manifest:
    """The manifest made from a call and its shares, by name. Raises `EventInvalid` unless exactly these are given."""
    awaited = [share.of for share in call.shares]
    if sorted(name for name, _ in given) != sorted(awaited) or not all(value for _, value in given):
        raise EventInvalid(
            f"each share that was called for is given once, and no other: {', '.join(awaited) or 'none'}"
        )
    values = dict(given)
    shares = tuple(ChanceShare(name, values[name]) for name in awaited)
    _check_shares(shares)
    return replace(call, shares=shares)


def becomes(call: Announced, event: Announced) -> bool:
    """Whether an event follows exactly from a call and the event's shares, and both are by the same server.

    Every draw depends on the text: anybody who could write the text in another way could choose among deals.
    """
    try:
        meant = with_shares(call.manifest, [(share.of, share.value) for share in event.manifest.shares])
    except EventInvalid:
        return False
    return written(meant) == event.signed.text and call.signed.key == event.signed.key


def written(said: Manifest) -> str:
    """A manifest as text."""
    return msgspec.json.encode(said).decode()


def is_seed(said: Manifest, seed: bytes) -> bool:
    """Whether this is the seed that a manifest fixes."""
    return sealing.b64(sealing.tagged_hash("seed", seed)) == said.seed


def announce(manifest: Manifest, stamp: Sign) -> Announced:
    """The manifest as a signed text."""
    return Announced(manifest, sign(written(manifest), stamp))


def deal_of(event: bytes, seed: bytes, match: str) -> Deal:
    """The chance of a table."""
    dealt = Dealt(sealing.b64(event), sealing.b64(dealt_chance.seed_commitment(event, seed)))
    return Deal(dealt, seed, sealing.unb64(match))


def write(announced: Announced) -> bytes:
    """Write the manifest's file."""
    return msgspec.json.format(msgspec.json.encode(announced.signed), indent=1) + b"\n"


def read(data: bytes) -> Announced:
    """Read a manifest's file. Raises `EventInvalid` for a text that is no manifest, or has no valid signature."""
    if len(data) > TEXT_MOST:
        raise EventInvalid(f"the manifest has more than {TEXT_MOST} bytes")
    try:
        signed = msgspec.json.decode(data, type=SignedText)
        manifest = msgspec.json.decode(signed.text, type=Manifest)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as wrong:
        raise EventInvalid(f"this is no manifest of an event: {wrong}") from wrong
    check_signature(signed)
    _check(manifest)
    return Announced(manifest, signed)


def _check(manifest: Manifest) -> None:
    matches = [table.match for table in manifest.tables]
    if manifest.version != (WITH_SHARES if manifest.shares else VERSION):
        raise EventInvalid(f"the manifest has version {manifest.version}; this program knows 1, and 2 with shares")
    _check_shares(manifest.shares)
    if not 2 <= len(matches) <= TABLES_MOST or len(set(matches)) != len(matches):
        raise EventInvalid(f"the manifest names {len(matches)} tables; an event has 2 to {TABLES_MOST}, each once")
    for text, length in ((manifest.seed, sealing.KEY_BYTES), *((match, sealing.MID_BYTES) for match in matches)):
        try:
            fits = len(sealing.unb64(text)) == length
        except ValueError:
            fits = False
        if not fits:
            raise EventInvalid(f"{text[:60]!r} stands in the manifest in place of {length} bytes as base64url")


def _check_shares(shares: Sequence[ChanceShare]) -> None:
    names = [share.of for share in shares]
    fits = all(0 < len(share.of) <= SHARE_MOST and len(share.value) <= SHARE_MOST for share in shares)
    if len(names) > SHARES_MOST or len(set(names)) != len(names) or not fits:
        raise EventInvalid(f"up to {SHARES_MOST} shares, each of another, have up to {SHARE_MOST} characters")
