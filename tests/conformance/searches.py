"""Long searches of a game over ranges of seeds, which can be continued: `python -m` this module `--help`.

Each match is a line in a file: the search, its seed, how much of it was examined, and its faults. Seeds that have a
line are not played again, so a search that was stopped continues where it was.
"""

import json
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import click

from domain.kernel import Event, MatchCreated, begin
from domain.kernel.history import views_of
from projections.registry import games
from server.analysis.simulation import played
from server.bots import make_bot
from server.bots.chance import SeededChance
from server.conformance.walks import AnyGame, PlayedGame, Walk
from server.conformance.watching import COMPARED, watch
from tests.domain.disciples_legacy.books import Books

Moment = tuple[tuple[Event, ...], Any]

BOOKS: Final[dict[str, type[Books]]] = {"disciples_legacy": Books}
"""The books kept of a game's matches, where there are any beside its own invariants."""

OPTIONS: Final[dict[str, list[dict[str, Any]]]] = {
    "joan_of_arc": [
        {},
        {"scenario": "s2_market_day"},
        {"scenario": "s3_wyrm_of_rougemont"},
        {"seats": 3},
        {"scenario": "s2_market_day", "seats": 4, "forced_march": "on", "concentrated_fire": "on"},
        {"scenario": "s3_wyrm_of_rougemont", "seats": 3, "cavalry_breakthrough": "on"},
        {"seats": 4, "ransom": "on"},
        {"scenario": "s2_market_day", "seats": 3},
        {"scenario": "s3_wyrm_of_rougemont", "seats": 4},
    ],
}
"""The options that follow each other from seed to seed; the defaults alone where a game is not named."""


def table_of(game: AnyGame, seed: int) -> PlayedGame:
    """How the match of a seed is played."""
    options = OPTIONS.get(game.name, [{}])
    return PlayedGame(game, options[seed % len(options)])


def by_chance(table: PlayedGame, seed: int) -> Iterator[Moment]:
    """A match of random choices: the events of each choice, and the state after it."""
    walk = Walk(table.game, seed, table.options)
    yield tuple(walk.events), walk.state
    for play in walk.steps():
        yield tuple(play.events), play.state


def by_steady(table: PlayedGame, seed: int) -> Iterator[Moment]:
    """The same of the bot `steady` against itself."""
    game, source = table.game, random.Random(seed)
    chance, seats = SeededChance(source), game.seats_of(table.options)
    created = MatchCreated(game.name, table.options, tuple(f"p{seat}" for seat in range(seats)))
    opening = begin(game, game.created(created), chance)
    views = views_of(game, [created, *opening.events])
    for made in played(game, views, [make_bot(game.name, "steady") for _ in range(seats)], chance, source):
        yield tuple(made.events), made.state


def assert_kept(game: AnyGame, moments: Iterator[Moment], name: str) -> int:
    """The books and the invariants agree with every state; how many there were."""
    kept, number, over = BOOKS.get(game.name), 0, False
    books = kept() if kept else None
    for number, (events, state) in enumerate(moments, 1):
        wrong = list(game.spec.invariants(state))
        if books is not None:
            books.follow(events)
            wrong += books.differences(state)
        assert not wrong, f"{name}, after {number} answers: {wrong}"
        over = state.result is not None
    assert over, f"{name} has no end"
    return number


def kept_by_chance(game: AnyGame, seed: int) -> int:
    """The number of answers in a random match, in which nothing was wrong."""
    return assert_kept(game, by_chance(table_of(game, seed), seed), f"seed {seed}")


def kept_by_steady(game: AnyGame, seed: int) -> int:
    """The same of a match of `steady` against itself."""
    return assert_kept(game, by_steady(table_of(game, seed), seed), f"steady, seed {seed}")


def compared(game: AnyGame, seed: int) -> int:
    """The number of worlds of a random match in which no viewer could notice that it was in another world."""
    return watch(table_of(game, seed), seed, share=0.15)[COMPARED]


SEARCHES: Final[dict[str, Callable[[AnyGame, int], int]]] = {
    "chance": kept_by_chance,
    "steady": kept_by_steady,
    "worlds": compared,
}


def lines_of(log: Path) -> list[dict[str, Any]]:
    """The searches so far in a file; none if there is no file."""
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()] if log.exists() else []


def search(game: AnyGame, kind: str, seed: int) -> dict[str, Any]:
    """The line of one match."""
    started, seen, wrong = time.process_time(), 0, ""
    try:
        seen = SEARCHES[kind](game, seed)
    except AssertionError as failed:
        wrong = str(failed)
    return {
        "game": game.name,
        "search": kind,
        "seed": seed,
        "seen": seen,
        "cpu_s": round(time.process_time() - started, 2),
        "wrong": wrong,
    }


def summary(lines: list[dict[str, Any]]) -> Iterator[str]:
    """A sentence on each search of a file, and each match in which something was wrong."""
    matches, seen = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for line in lines:
        matches[line["game"], line["search"]] += 1
        seen[line["game"], line["search"]] += line["seen"]
    for (game, kind), number in sorted(matches.items()):
        unit = "worlds" if kind == "worlds" else "answers"
        yield f"{game}, {kind}: {number:,} matches, {seen[game, kind]:,} {unit}"
    yield from (
        f"{line['game']}, {line['search']}, seed {line['seed']}: {line['wrong']}" for line in lines if line["wrong"]
    )


@click.command(help=__doc__)
@click.argument("game", type=click.Choice(list(games())))
@click.argument("log", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--search", "kind", type=click.Choice(list(SEARCHES)), help="Left out: only tells what the file holds.")
@click.option(
    "--seeds", type=(int, int), default=(0, 20_000), show_default=True, help="The first, and one past the last."
)
def main(game: str, log: Path, kind: str | None, seeds: tuple[int, int]) -> None:
    """Play the matches without a line in the file, or print the file's contents."""
    done = {line["seed"] for line in lines_of(log) if (line["game"], line["search"]) == (game, kind)}
    with log.open("a", encoding="utf-8") as file:
        for seed in range(*seeds) if kind else ():
            if seed not in done:
                print(json.dumps(search(games()[game], str(kind), seed)), file=file, flush=True)
    found = list(summary(lines_of(log)))
    click.echo("\n".join(found))
    raise SystemExit(any(line["wrong"] for line in lines_of(log)))


if __name__ == "__main__":
    main()
