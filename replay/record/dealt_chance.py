"""Dealt chance (docs/record.md 4): every table of an event draws from one seed, by the place of the draw in its match.

The place is the rule that asks, the seat it asks for, and how often it has asked for that seat. At two tables the same
question gets the same answer as long as both ask it, whatever questions come between.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from domain.kernel import Dealt, DiceRolled, Event, HiddenDraw, MatchCreated, PublicDraw, Seat, Shuffled
from domain.kernel.chance import PlacedChance
from replay.errors import RecordInvalid
from replay.record import sealing
from replay.record.uniform import UniformNumbers, permutation
from replay.store.matches import Header

NOBODY: Final = 255
"""Replaces the seat in a draw for no seat."""
Asking = tuple[str, str, int]
"""`dice` or `shuffle`, the rule, the seat."""


def seed_commitment(event: bytes, seed: bytes) -> bytes:
    """The commitment by which an event fixes its seed before its first table is opened."""
    return sealing.tagged_hash("deal", event, seed)


def dealt_mix(event: bytes, commitment: bytes) -> bytes:
    """The mixed value X, which is the same at every table of an event."""
    return sealing.tagged_hash("dealt", event, commitment)


def place_key(seed: bytes, asking: Asking, time: int) -> bytes:
    """The key of draw number `time` of this name, from 1; it reveals nothing about any other draw."""
    kind, rule, seat = asking
    name = rule.encode()
    return sealing.prf(seed, kind, sealing.u32(len(name)), name, bytes([seat]), sealing.u32(time))


def asking_of(draw: DiceRolled | Shuffled) -> Asking:
    """The request of a recorded draw."""
    return asking("dice" if isinstance(draw, DiceRolled) else "shuffle", draw.rule, draw.seat)


def asking(kind: str, rule: str, seat: Seat | None) -> Asking:
    """The request of a draw."""
    return kind, rule, NOBODY if seat is None else seat


def seed_fault(dealt: Dealt, seed: bytes) -> str:
    """Why a seed is not the one that line 1 fixes; empty if it is. Raises `RecordInvalid` if line 1 fixes none."""
    event, commitment = parts_of(dealt)
    return "" if seed_commitment(event, seed) == commitment else "the seed is not the one that the event has fixed"


def parts_of(dealt: Dealt) -> tuple[bytes, bytes]:
    """The event's id and the commitment to its seed. Raises `RecordInvalid`."""
    try:
        event, commitment = sealing.unb64(dealt.event), sealing.unb64(dealt.commitment)
    except ValueError as wrong:
        raise RecordInvalid(f"the event or the commitment to its seed is {wrong}") from wrong
    if (len(event), len(commitment)) != (sealing.KEY_BYTES, sealing.KEY_BYTES):
        raise RecordInvalid("the event or the commitment to its seed is too short or too long")
    return event, commitment


def is_held(first: Event, header: Header) -> bool:
    """Whether a match is a table of an event that is not closed yet: only its players may learn of it."""
    return header.closed and isinstance(first, MatchCreated) and first.dealt is not None


def event_words(first: MatchCreated) -> str:
    """The event that a table belongs to, as words for a sentence."""
    return "no event" if first.dealt is None else f"event {first.dealt.event[:8]}"


class Places:
    """How often each draw has been asked for in a match so far."""

    def __init__(self) -> None:
        self._asked: Counter[Asking] = Counter()

    @property
    def asked(self) -> Mapping[Asking, int]:
        """The number of draws by request."""
        return self._asked

    def take(self, event: Event) -> int:
        """Continue after an event; returns how often this draw was asked for, 0 if the event draws nothing."""
        if not isinstance(event, DiceRolled | Shuffled) or (isinstance(event, DiceRolled) and not event.dice):
            return 0
        asked = asking_of(event)
        self._asked[asked] += 1
        return self._asked[asked]


class DealtChance(PlacedChance):
    """The chance of one decision at a table of an event; it starts after the draws of committed events."""

    def __init__(self, seed: bytes, mixed: bytes, draws: int, shuffles: int, places: Places) -> None:
        self._seed, self._mixed = seed, mixed
        self._draws, self._shuffles = draws, shuffles
        self._asked = Counter(places.asked)

    def dice_at(self, rule: str, seat: Seat | None, count: int, sides: int) -> PublicDraw:
        """The dice at this place."""
        self._draws += 1
        key, stream = self._stream(asking("dice", rule, seat))
        values = tuple(stream.below(sides) + 1 for _ in range(count))
        return PublicDraw(self._draws, sealing.b64(key), values)

    def shuffle_at(self, rule: str, seat: Seat | None, size: int) -> HiddenDraw:
        """The shuffle at this place."""
        self._shuffles += 1
        _, stream = self._stream(asking("shuffle", rule, seat))
        return HiddenDraw(self._shuffles, permutation(stream.below, size))

    def _stream(self, asked: Asking) -> tuple[bytes, UniformNumbers]:
        self._asked[asked] += 1
        time = self._asked[asked]
        key = place_key(self._seed, asked, time)
        return key, UniformNumbers(key, self._mixed, time)
