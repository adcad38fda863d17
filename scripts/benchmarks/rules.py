"""`fold` and `decide`: how fast events become state, and choices become events."""

from typing import Any

import msgspec

from domain.kernel import Game
from scripts.benchmarks.bots import thinking_ms
from scripts.benchmarks.matches import Played, game_of, play
from scripts.benchmarks.measure import Figure, Report, cpu_s, percentile
from server.bots import RANDOM, bots_of

FOLD_FLOOR = 0.3
DECIDE_FLOOR, DECIDE_GOAL = 0.1, 25_000
THINKING_FLOOR_MS = 50.0
FIRST_SEED = 1


def fold_report(name: str, matches: int) -> Report:
    """Events folded per second, beside msgspec decoding the same events from JSON."""
    game = game_of(name)
    played = [play(game, FIRST_SEED + i) for i in range(matches)]
    count = sum(len(match.events) for match in played)
    lines = [(msgspec.json.Decoder(type(e)), msgspec.json.encode(e)) for match in played for e in match.events]

    def fold() -> None:
        for match in played:
            game.fold(match.events)

    def view() -> None:
        for match in played:
            game.view(match.events, 1)  # type: ignore[arg-type]

    def decode() -> None:
        for decoder, data in lines:
            decoder.decode(data)

    raw = count / cpu_s(decode)
    decoding = "msgspec decode of the same events"
    return Report(
        f"fold --game {name}",
        f"{matches} random matches, {count:,} events, one core",
        (
            Figure("fold, whole state", count / cpu_s(fold), "events/s", decoding, raw, FOLD_FLOOR, "ratio"),
            Figure("redact and fold, a seat's view", count / cpu_s(view), "events/s", decoding, raw),
        ),
    )


def decide_report(name: str, matches: int) -> Report:
    """Random play: form, sample, decide; beside msgspec encoding and decoding the resulting events."""
    game = game_of(name)
    seeds = range(FIRST_SEED, FIRST_SEED + matches)
    played: list[Played] = []

    def random_play() -> None:
        played[:] = [play(game, seed) for seed in seeds]

    time_s = cpu_s(random_play, rounds=3)
    decisions = sum(match.decisions for match in played)
    events = [event for match in played for event in match.events]

    def encode_and_decode() -> None:
        for event in events:
            msgspec.json.decode(msgspec.json.encode(event), type=type(event))

    raw = decisions / cpu_s(encode_and_decode, rounds=3)
    about = f"{matches} random matches, {decisions:,} decisions, {len(events):,} events, one core"
    through = "msgspec encode + decode of their events"
    floor, goal = (DECIDE_FLOOR, DECIDE_GOAL) if name == "vera_discordia" else (0, 0)
    return Report(
        f"decide --game {name}",
        about,
        (
            Figure("random play", decisions / time_s, "decisions/s", through, raw, floor, "ratio", goal),
            *_thinking(game, seeds),
        ),
    )


def _thinking(game: Game[Any], seeds: range) -> list[Figure]:
    """How long the strongest bot thinks, if there is one other than the random bot."""
    bot = bots_of(game.name)[0]
    if bot == RANDOM:
        return []
    times = thinking_ms(game, bot, seeds)
    return [
        Figure(f"the {bot} bot, a decision, p50", percentile(times, 0.5), "ms"),
        Figure(f"the {bot} bot, the longest of {len(times):,} decisions", max(times), "ms", floor=THINKING_FLOOR_MS),
    ]
