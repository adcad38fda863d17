"""Invented results for the tests of the fold and of the file; a server's key signs their ends."""

import random

from replay.ratings.results import RatedResult
from replay.record import sealing
from replay.record.serverkey import ServerKey

START_MS = 1_700_000_000_000
HOUR_MS = 3_600_000


def result(
    number: int,
    sides: tuple[tuple[str, ...], ...] = (("ann",), ("ben",)),
    places: tuple[int, ...] = (1, 2),
    *,
    end_ms: int = 0,
    game: str = "skirmish",
    key: ServerKey | None = None,
) -> RatedResult:
    """The result of an invented match; one ends each hour."""
    mid, head = number.to_bytes(sealing.MID_BYTES, "big"), bytes(sealing.KEY_BYTES)
    end = end_ms or START_MS + number * HOUR_MS
    signed = b""
    if key is not None:
        signed = sealing.u64(end) + key.stamp(sealing.checkpoint_message(mid, 9, head, end))
    return RatedResult(sealing.b64(mid), game, end, sealing.b64(head), sides, places, 9, sealing.b64(signed))


def many(count: int, seed: int, key: ServerKey | None = None) -> list[RatedResult]:
    """Results of two seats, of several and of sides, tied or not, some of them days apart."""
    rng, end, made = random.Random(seed), START_MS, []
    for number in range(1, count + 1):
        end += rng.choice([0, HOUR_MS, 30 * HOUR_MS])
        names = rng.sample([*"abcdefghij", "bot:steady"], rng.choice([2, 2, 3, 4, 5]))
        cut = rng.randint(1, len(names) - 1)
        is_sides = rng.random() < 0.4
        sides = (tuple(names[:cut]), tuple(names[cut:])) if is_sides else tuple((name,) for name in names)
        drawn = [rng.randint(1, len(sides)) for _ in sides]
        places = tuple(sorted(set(drawn)).index(place) + 1 for place in drawn)
        made.append(result(number, sides, places, end_ms=end, game=rng.choice(["skirmish", "joan"]), key=key))
    return sorted(made, key=lambda one: one.key)
