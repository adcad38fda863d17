"""`ratings`: how fast results become ratings, many at once and one more."""

import random
import time

import msgspec

from replay.ratings.fold import Ratings, folded
from replay.ratings.results import RatedResult
from replay.record import sealing
from scripts.benchmarks.measure import Figure, Report, cpu_s, percentile

PLAYERS = 20_000
GOAL_S = 30.0
"""The goal for a million results, on one core."""
MORE = 1000
MORE_GOAL_MS = 1.0
START_MS = 1_700_000_000_000


def invented(count: int) -> list[RatedResult]:
    """Results of two seats among many players, a minute apart, an eighth of them drawn."""
    rng = random.Random(1)  # noqa: S311 - repeatable on purpose
    made = []
    for number in range(count):
        one, other = rng.sample(range(PLAYERS), 2)
        places = rng.choice([(1, 2), (2, 1)]) if rng.random() > 1 / 8 else (1, 1)
        match = sealing.b64(number.to_bytes(sealing.MID_BYTES, "big"))
        sides = ((f"{one:024x}",), (f"{other:024x}",))
        made.append(RatedResult(match, "skirmish", START_MS + number * 60_000, "", sides, places))
    return made


def ratings_report(count: int) -> Report:
    """Results folded per second, beside msgspec decoding the same results; and the cost of one more result."""
    results = invented(count + MORE)
    lines = [msgspec.json.encode(result) for result in results[:count]]
    decoder = msgspec.json.Decoder(RatedResult)

    def decode() -> None:
        for line in lines:
            decoder.decode(line)

    kept: list[Ratings] = []
    raw_s = cpu_s(decode, rounds=1)
    fold_s = cpu_s(lambda: kept.append(folded(results[:count])), rounds=1)
    more = [_timed_ms(kept[0], result) for result in results[count:]]
    scaled = 1_000_000 / count
    decoding = "msgspec decode of the same results"
    return Report(
        "ratings",
        f"{count:,} results of {PLAYERS:,} players, one core",
        (
            Figure("fold, for a million results", fold_s * scaled, "s", decoding, raw_s * scaled, goal=GOAL_S),
            Figure("one more result, p99", percentile(more, 0.99), "ms", goal=MORE_GOAL_MS),
        ),
    )


def _timed_ms(ratings: Ratings, result: RatedResult) -> float:
    begun = time.perf_counter()
    ratings.add(result)
    return (time.perf_counter() - begun) * 1000
