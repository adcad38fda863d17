"""`fold` and `decide`: how fast events become state, and choices events."""

import msgspec

from scripts.benchmarks.matches import Played, game_of, play
from scripts.benchmarks.measure import Figure, Report, cpu_s

FOLD_FLOOR = 300_000
DECIDE_FLOOR = 5_000
FIRST_SEED = 1


def fold_report(name: str, matches: int) -> Report:
    """Events folded a second, beside msgspec decoding the same events from JSON."""
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
            Figure("fold, whole state", count / cpu_s(fold), "events/s", decoding, raw, FOLD_FLOOR),
            Figure("redact and fold, a seat's view", count / cpu_s(view), "events/s", decoding, raw),
        ),
    )


def decide_report(name: str, matches: int) -> Report:
    """Random play: form, sample, decide; beside msgspec encoding and decoding the events that come of it."""
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
    floor = DECIDE_FLOOR if name == "vera_discordia" else 0
    return Report(
        f"decide --game {name}",
        about,
        (Figure("random play", decisions / time_s, "decisions/s", through, raw, floor),),
    )
