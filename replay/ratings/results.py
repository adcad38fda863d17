"""Rated results, in the form that the fold takes and a file of ratings holds."""

import re
from typing import Final

from msgspec import Struct

from replay.ratings.errors import RatingsInvalid
from replay.record import sealing

PLAYER: Final = re.compile(r"(bot:)?[A-Za-z0-9._-]{1,64}")
"""A person's pseudonym, or `bot:NAME`."""
GAME: Final = re.compile(r"[a-z0-9_]{1,64}")
BOT: Final = "bot:"
SEATS_MOST: Final = 8
LATEST_MS: Final = 1 << 53
"""The latest time: the largest whole number that every language holds exactly."""


class RatedResult(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How a rated match ended. `end_ms`: when it counts, in ms since 1970; `places`: by side, from 1, equal if tied.

    `match` is its id. `seq`, `head` and `signed` are the number of the record's last line, the hash there, and the
    server's signature (time, public key, signature), in base64url. An `unlisted` match counts at the end of its day
    (UTC) and is not named: `match` and `head` are hashes that lead nobody to it without its record, and the other
    fields are empty.
    """

    match: str
    game: str
    end_ms: int
    head: str
    sides: tuple[tuple[str, ...], ...]
    places: tuple[int, ...]
    seq: int = 0
    signed: str = ""
    unlisted: bool = False

    @property
    def key(self) -> tuple[int, str]:
        """The key that orders all results."""
        return self.end_ms, self.match


def hidden_match(mid: bytes) -> str:
    """The text in place of the id of an unlisted match. An id has 16 random bytes, so nobody can guess it."""
    return sealing.b64(sealing.tagged_hash("unlisted", mid))


def hidden_head(mid: bytes, head: bytes) -> str:
    """The text in place of the head of an unlisted match."""
    return sealing.b64(sealing.tagged_hash("unlisted-head", mid, head))


def check(result: RatedResult) -> None:
    """Raise `RatingsInvalid` for a result that no match can have."""
    why = _fault(result)
    if why:
        raise RatingsInvalid(f"the result of match {result.match[:44]!r} {why}")


def _fault(result: RatedResult) -> str:
    players = [player for side in result.sides for player in side]
    lengths = (
        (sealing.KEY_BYTES, sealing.KEY_BYTES, 0) if result.unlisted else (sealing.MID_BYTES, sealing.KEY_BYTES, 104)
    )
    for text, length in zip((result.match, result.head, result.signed), lengths, strict=True):
        if _length(text) != length:
            return f"has {text[:60]!r} in the place of {length} bytes as base64url"
    if bool(result.seq) == result.unlisted or not 0 <= result.seq < LATEST_MS:
        return "names no line, or one of a match that is unlisted"
    if not 0 < result.end_ms < LATEST_MS:
        return "lies at no time"
    if not GAME.fullmatch(result.game):
        return f"is of no game: {result.game[:60]!r}"
    if len(result.sides) < 2 or not all(result.sides) or len(players) > SEATS_MOST:
        return f"has {len(result.sides)} sides and {len(players)} players"
    strange = [player for player in players if not PLAYER.fullmatch(player)]
    if strange:
        return f"names no player: {strange[0][:60]!r}"
    if len(set(players)) < len(players):
        return "names a player twice"
    if len(result.places) != len(result.sides) or sorted(set(result.places)) != [
        *range(1, len(set(result.places)) + 1)
    ]:
        return f"has the places {list(result.places)[:8]}"
    return ""


def _length(text: str) -> int:
    try:
        return len(sealing.unb64(text))
    except ValueError:
        return -1
