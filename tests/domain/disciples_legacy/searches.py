"""Long searches of Disciples: Legacy over ranges of seeds, to be gone on with: `python -m` this module `--help`.

Each match is a line in a file: the search, its seed, how much was seen of it, and what was wrong. Seeds that have a
line are not played again, so a search that was stopped goes on where it was.
"""

import json
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import click

from domain.disciples_legacy import GAME
from domain.disciples_legacy.state import DisciplesState
from domain.kernel import Event, MatchCreated, begin
from domain.kernel.history import views_of
from server.analysis.simulation import SeededChance, played
from server.bots import make_bot
from tests.conformance.walks import Table, Walk
from tests.conformance.watching import COMPARED, watch
from tests.domain.disciples_legacy.books import Books

Moment = tuple[tuple[Event, ...], DisciplesState]


def by_chance(seed: int, options: dict[str, Any]) -> Iterator[Moment]:
    """A match of choices by chance: what each choice came to, and the state after it."""
    walk = Walk(GAME, seed, options)
    yield tuple(walk.events), walk.state
    for play in walk.steps():
        yield tuple(play.events), play.state


def by_steady(seed: int, options: dict[str, Any]) -> Iterator[Moment]:
    """The same of the bot `steady` against itself."""
    source = random.Random(seed)
    chance = SeededChance(source)
    created = MatchCreated(GAME.name, options, ("a", "b"))
    opening = begin(GAME, GAME.created(created), chance)
    views = views_of(GAME, [created, *opening.events])
    for made in played(GAME, views, [make_bot(GAME.name, "steady") for _ in range(2)], chance, source):
        yield tuple(made.events), made.state


def assert_kept(moments: Iterator[Moment], name: str) -> int:
    """The books and the invariants agree with every state; how many there were."""
    books, number, over = Books(), 0, False
    for number, (events, state) in enumerate(moments, 1):
        books.follow(events)
        wrong = [*books.differences(state), *GAME.spec.invariants(state)]
        assert not wrong, f"{name}, after {number} answers: {wrong}"
        over = state.result is not None
    assert over, f"{name} has no end"
    return number


def kept_by_chance(seed: int) -> int:
    """How many answers a match by chance has whose books are kept."""
    return assert_kept(by_chance(seed, {}), f"seed {seed}")


def kept_by_steady(seed: int) -> int:
    """The same of a match of `steady` against itself."""
    return assert_kept(by_steady(seed, {}), f"steady, seed {seed}")


def compared(seed: int) -> int:
    """In how many worlds of a match by chance no viewer could tell that it is in another."""
    return watch(Table(GAME, {}), seed, share=0.15)[COMPARED]


SEARCHES: Final[dict[str, Callable[[int], int]]] = {
    "chance": kept_by_chance,
    "steady": kept_by_steady,
    "worlds": compared,
}


def lines_of(log: Path) -> list[dict[str, Any]]:
    """What a file holds of searches so far; nothing where there is none."""
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()] if log.exists() else []


def search(kind: str, seed: int) -> dict[str, Any]:
    """The line of one match."""
    started, seen, wrong = time.process_time(), 0, ""
    try:
        seen = SEARCHES[kind](seed)
    except AssertionError as failed:
        wrong = str(failed)
    return {
        "search": kind,
        "seed": seed,
        "seen": seen,
        "cpu_s": round(time.process_time() - started, 2),
        "wrong": wrong,
    }


def summary(lines: list[dict[str, Any]]) -> Iterator[str]:
    """A sentence on each search of a file, and each match in which something was wrong."""
    matches, seen = Counter[str](), Counter[str]()
    for line in lines:
        matches[line["search"]] += 1
        seen[line["search"]] += line["seen"]
    for kind, number in sorted(matches.items()):
        yield f"{kind}: {number:,} matches, {seen[kind]:,} {'worlds' if kind == 'worlds' else 'answers'}"
    yield from (f"{line['search']}, seed {line['seed']}: {line['wrong']}" for line in lines if line["wrong"])


@click.command(help=__doc__)
@click.argument("log", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--search", "kind", type=click.Choice(list(SEARCHES)), help="Left out: only tells what the file holds.")
@click.option(
    "--seeds", type=(int, int), default=(0, 20_000), show_default=True, help="The first, and one past the last."
)
def main(log: Path, kind: str | None, seeds: tuple[int, int]) -> None:
    """Play what the file has no line of, or tell what it holds."""
    done = {line["seed"] for line in lines_of(log) if line["search"] == kind}
    with log.open("a", encoding="utf-8") as file:
        for seed in range(*seeds) if kind else ():
            if seed not in done:
                print(json.dumps(search(str(kind), seed)), file=file, flush=True)
    found = list(summary(lines_of(log)))
    click.echo("\n".join(found))
    raise SystemExit(any(line["wrong"] for line in lines_of(log)))


if __name__ == "__main__":
    main()
