"""`scripts/bench`: one command per benchmark."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from subprocess import CalledProcessError
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

import click
from msgspec.structs import replace

from projections.plain import plain_face
from projections.registry import games
from scripts.benchmarks import append as appending
from scripts.benchmarks import audit as auditing
from scripts.benchmarks import (
    crowds,
    killed_and_idle,
    load,
    own_matches,
    page,
    ratings,
    restart,
    rules,
    scale,
    slow,
    thinking,
)
from scripts.benchmarks import fanout as fanning
from scripts.benchmarks import live as living
from scripts.benchmarks import replay as replaying
from scripts.benchmarks import search as searching
from scripts.benchmarks.broadcast import Wish, broadcast_report
from scripts.benchmarks.duels import FOLDER, NoPeersError, duels_report, installed
from scripts.benchmarks.guard import COMMANDS, paired, unpacked
from scripts.benchmarks.matches import game_names, game_of
from scripts.benchmarks.measure import Report
from scripts.benchmarks.peers import is_installed
from scripts.benchmarks.shares import NoSharesError
from scripts.benchmarks.strength import strengths
from scripts.benchmarks.workers import Wish as WorkersWish
from scripts.benchmarks.workers import workers_report
from server.cli.common import option_option, read_options

json_option = click.option("--json", "as_json", is_flag=True, help="One JSON object instead of text.")
game_option = click.option(
    "--game", default="vera_discordia", show_default=True, type=click.Choice(game_names()), help="The game to measure."
)

share_option = click.option(
    "--share",
    default=0.0,
    show_default=True,
    type=click.FloatRange(0, 1),
    help="Part of a core that each process of a server may use, where Linux can hold it to that; 0: all.",
)


@contextmanager
def shares_asked() -> Iterator[None]:
    """If the system cannot limit a process to a part of a core, the command reports it."""
    try:
        yield
    except NoSharesError as wrong:
        raise click.ClickException(f"{wrong}. Leave --share out, or run as root on Linux.") from wrong


def research_benchmark() -> ModuleType:
    """The module that measures under OpenSpiel and PettingZoo. Raises `ClickException` with the package to install."""
    try:
        return import_module("scripts.benchmarks.research")
    except ModuleNotFoundError as wrong:
        todo = "install what requirements-dev.lock names, as ./scripts/test does by itself"
        raise click.ClickException(f"{wrong.name} is not installed, which this benchmark needs; {todo}.") from wrong


def matches_option(default: int) -> Callable[[Any], Any]:
    """How many matches."""
    return click.option(
        "--matches", default=default, show_default=True, type=click.IntRange(1), help="How many matches."
    )


def show(report: Report, *, as_json: bool) -> None:
    """Print a report; the exit status says whether every floor is met."""
    click.echo(report.json() if as_json else report.text())
    if not all(figure.is_met for figure in report.figures):
        sys.exit(1)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def bench() -> None:
    """Measure speed. Each figure is shown beside a raw limit of this machine, measured in the same run.

    The exit status is 1 when a figure misses its floor.
    """


@bench.command()
@matches_option(100)
@click.option("--seconds", default=8.0, show_default=True, type=click.FloatRange(0.5), help="Seconds of each part.")
@click.option("--rounds", default=1, show_default=True, type=click.IntRange(1, 20), help="Rounds; the best counts.")
@click.option(
    "--folder", default=FOLDER, type=click.Path(file_okay=False, path_type=Path), help="Where npm installs the peers."
)
@json_option
def peers(matches: int, seconds: float, rounds: int, folder: Path, as_json: bool) -> None:
    """Measure the same small game at Herald, boardgame.io and Colyseus, in memory and synced, with one driver."""
    try:
        report = duels_report(installed(folder), matches, seconds, rounds)
    except NoPeersError as wrong:
        raise click.ClickException(f"{wrong}.") from wrong
    show(report, as_json=as_json)


@bench.command(context_settings={"ignore_unknown_options": True})
@click.argument("revision")
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
@click.option("--pairs", default=5, show_default=True, type=click.IntRange(1, 50), help="How often both are measured.")
def guard(revision: str, words: tuple[str, ...], pairs: int) -> None:
    """Measure REVISION and the working tree in turns; report each figure with a floor that is 5 % worse now.

    WORDS name the benchmark, such as `load matches --seconds 4`; by default, those that take seconds are run. The exit
    status is 1 when a figure is worse.
    """
    with TemporaryDirectory() as folder:
        try:
            found = paired(unpacked(revision, Path(folder)), (words,) if words else COMMANDS, pairs)
        except CalledProcessError as wrong:
            raise click.ClickException(f"there is no revision {revision}: {wrong.stderr.decode().strip()}.") from wrong
        except RuntimeError as wrong:
            raise click.ClickException(str(wrong)) from wrong
    click.echo(f"{pairs} pairs, medians before and now, and how much worse in the median of the pairs:")
    for each in found:
        click.echo(each.line())
    if any(each.is_worse for each in found):
        sys.exit(1)


@bench.command()
@game_option
@matches_option(20)
@json_option
def fold(game: str, matches: int, as_json: bool) -> None:
    """Events folded a second."""
    show(rules.fold_report(game, matches), as_json=as_json)


@bench.command()
@game_option
@matches_option(20)
@json_option
def decide(game: str, matches: int, as_json: bool) -> None:
    """Decisions of random play a second."""
    show(rules.decide_report(game, matches), as_json=as_json)


@bench.command()
@game_option
@click.option(
    "--seconds", default=5.0, show_default=True, type=click.FloatRange(0.1), help="Processor time of each part."
)
@click.option("--budget", "budgets", multiple=True, type=click.FloatRange(1), help="ms a decision; may be repeated.")
@click.option("--matches", default=2, show_default=True, type=click.IntRange(1), help="Matches at each budget.")
@click.option("--jobs", default=1, show_default=True, type=click.IntRange(1), help="Processes that play them.")
@click.option("--kept", type=click.Path(dir_okay=False, path_type=Path), help="Keep matches there, and go on with it.")
@option_option
@json_option
def search(
    game: str,
    seconds: float,
    budgets: tuple[float, ...],
    matches: int,
    jobs: int,
    kept: Path | None,
    options: tuple[str, ...],
    as_json: bool,
) -> None:
    """Simulated matches: playouts a second and, with --budget, the strength of the bot that looks ahead."""
    given = read_options(plain_face(game_of(game)), options)
    report = searching.search_report(game, seconds, given)
    if budgets:
        report = replace(report, strengths=tuple(strengths(game, budgets, matches, jobs, kept, given)))
    show(report, as_json=as_json)


@bench.command()
@game_option
@click.option(
    "--seconds", default=3.0, show_default=True, type=click.FloatRange(0.1), help="Processor time of each part."
)
@json_option
def research(game: str, seconds: float, as_json: bool) -> None:
    """Turns a second under OpenSpiel and PettingZoo, beside their own games of hidden information."""
    researching = research_benchmark()
    show(researching.research_report(game, seconds), as_json=as_json)


@bench.command()
@game_option
@matches_option(5)
@json_option
def audit(game: str, matches: int, as_json: bool) -> None:
    """The cost of the record's proofs: sealing, verifying, auditing."""
    show(auditing.audit_report(game, matches), as_json=as_json)


@bench.command()
@click.option("--game", default="vera_discordia", show_default=True, type=click.Choice([*games()]), help="The game.")
@json_option
def replay(game: str, as_json: bool) -> None:
    """Seeking in a long match, verified replay, import."""
    show(replaying.replay_report(game), as_json=as_json)


@bench.command()
@matches_option(200)
@click.option("--seconds", default=3.0, show_default=True, type=click.FloatRange(0.1), help="Time of each part.")
@json_option
def append(matches: int, seconds: float, as_json: bool) -> None:
    """Durable commits a second, one match and many."""
    show(appending.append_report(matches, seconds), as_json=as_json)


@bench.command()
@game_option
@matches_option(20)
@click.option("--each", default=2, show_default=True, type=click.IntRange(1), help="Matches after one another.")
@json_option
def live(game: str, matches: int, each: int, as_json: bool) -> None:
    """Choices a second over websockets, and how long a choice takes."""
    show(living.live_report(game, matches, each), as_json=as_json)


@bench.command()
@game_option
@click.option("--spectators", default=2000, show_default=True, type=click.IntRange(1, 4000), help="How many watch.")
@json_option
def fanout(game: str, spectators: int, as_json: bool) -> None:
    """Frames a second delivered to the spectators of one match."""
    show(fanning.fanout_report(game, spectators), as_json=as_json)


@bench.group("load")
def load_group() -> None:
    """A whole server under load, the clients in a process of their own."""


@load_group.command("matches")
@game_option
@matches_option(200)
@click.option(
    "--seconds", default=load.SECONDS, show_default=True, type=click.FloatRange(0.1), help="Time of each part."
)
@click.option("--rounds", default=1, show_default=True, type=click.IntRange(1), help="How often; the best is shown.")
@json_option
def load_matches(game: str, matches: int, seconds: float, rounds: int, as_json: bool) -> None:
    """Matches at once at full speed, then at half of it."""
    show(load.matches_report(game, matches, seconds, rounds), as_json=as_json)


@load_group.command("idle")
@click.option("--connections", default=5000, show_default=True, type=click.IntRange(100, 8000), help="How many.")
@json_option
def load_idle(connections: int, as_json: bool) -> None:
    """Memory and processor of connections that are idle."""
    show(load.idle_report(connections), as_json=as_json)


@load_group.command("memory")
@game_option
@matches_option(500)
@json_option
def load_memory(game: str, matches: int, as_json: bool) -> None:
    """Memory of a match with two clients."""
    show(load.memory_report(game, matches), as_json=as_json)


@load_group.command("storm")
@click.option("--clients", default=2000, show_default=True, type=click.IntRange(1, 8000), help="How many.")
@json_option
def load_storm(clients: int, as_json: bool) -> None:
    """All clients reconnect at the same moment."""
    show(load.storm_report(clients), as_json=as_json)


@load_group.command("join")
@json_option
def load_join(as_json: bool) -> None:
    """A spectator joins a match of 3,000 events."""
    show(load.join_report(load.MAIN_GAME), as_json=as_json)


@load_group.command("thinking")
@game_option
@matches_option(50)
@click.option("--rate", default=100.0, show_default=True, type=click.FloatRange(1), help="Their choices a second.")
@click.option(
    "--seconds", default=load.SECONDS, show_default=True, type=click.FloatRange(0.1), help="Time of each part."
)
@click.option("--rounds", default=3, show_default=True, type=click.IntRange(1), help="How often; the best is shown.")
@click.option(
    "--bot-workers", "workers", default=1, show_default=True, type=click.IntRange(1, 64), help="As at a server."
)
@json_option
def load_thinking(as_json: bool, **wish: Any) -> None:
    """How long a choice takes, with and without bots that think and hints that are worked out."""
    show(thinking.thinking_report(thinking.Wish(**wish)), as_json=as_json)


@load_group.command("restart")
@click.option("--stored", default=10_000, show_default=True, type=click.IntRange(1), help="Matches in the database.")
@click.option("--live", default=500, show_default=True, type=click.IntRange(1), help="Those of them that go on.")
@json_option
def load_restart(stored: int, live: int, as_json: bool) -> None:
    """The program starts on a database with many matches."""
    show(restart.restart_report(load.MAIN_GAME, stored, live), as_json=as_json)


@bench.group("scale")
def scale_group() -> None:
    """Several processes of one server, and several servers over one database.

    PostgreSQL and NATS are started for the latter, and removed afterwards.
    """


@scale_group.command("nodes")
@game_option
@matches_option(200)
@click.option("--seconds", default=6.0, show_default=True, type=click.FloatRange(0.1), help="Time of each part.")
@click.option("--rounds", default=2, show_default=True, type=click.IntRange(1), help="How often; the best is shown.")
@share_option
@json_option
def scale_nodes(as_json: bool, **wish: Any) -> None:
    """One, two and three servers beside one over SQLite, and beside bare inserts."""
    with shares_asked():
        show(scale.nodes_report(scale.Wish(**wish)), as_json=as_json)


@scale_group.command("workers")
@game_option
@matches_option(200)
@click.option("--seconds", default=8.0, show_default=True, type=click.FloatRange(0.1), help="Time of each part.")
@click.option("--rounds", default=2, show_default=True, type=click.IntRange(1), help="How often; the best is shown.")
@click.option(
    "--peer",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Measure boardgame.io too: scripts/benchmarks/peer or a copy, where `npm ci` was run.",
)
@share_option
@json_option
def scale_workers(as_json: bool, **wish: Any) -> None:
    """One process of a server and two, over SQLite, and with --peer beside boardgame.io in memory."""
    wished = WorkersWish(**wish)
    if wished.peer is not None and not is_installed(wished.peer):
        raise click.BadParameter(f"boardgame.io is not installed in {wished.peer}; run `npm ci` there.")
    with shares_asked():
        show(workers_report(wished), as_json=as_json)


@scale_group.command("killed")
@game_option
@matches_option(200)
@json_option
def scale_killed(game: str, matches: int, as_json: bool) -> None:
    """How soon the matches of a killed server continue at other servers."""
    show(killed_and_idle.killed_report(game, matches), as_json=as_json)


@scale_group.command("slow")
@click.option(
    "--stored", default=1_000_000, show_default=True, type=click.IntRange(1), help="Matches that stand still."
)
@json_option
def scale_slow(stored: int, as_json: bool) -> None:
    """A server's search for due matches, among very many that wait for people."""
    show(slow.slow_report(stored), as_json=as_json)


@scale_group.command("weights")
@game_option
@matches_option(500)
@json_option
def scale_weights(game: str, matches: int, as_json: bool) -> None:
    """The cost of a server, an idle match and an active one."""
    show(killed_and_idle.weights_report(game, matches), as_json=as_json)


@scale_group.command("spectators")
@game_option
@click.option("--spectators", default=2000, show_default=True, type=click.IntRange(1, 30_000), help="How many watch.")
@click.option("--processes", default=2, show_default=True, type=click.IntRange(1, 64), help="Theirs.")
@click.option("--servers", default=1, show_default=True, type=click.IntRange(1, 16), help="Which they watch at.")
@click.option(
    "--through", default="", metavar="COMMAND", help="Starts such a server, with {url} {store} {hints} {port} in it."
)
@json_option
def scale_spectators(game: str, as_json: bool, **wish: Any) -> None:
    """Spectators of one match at other servers than its players."""
    show(crowds.spectators_report(crowds.Wish(game, **wish)), as_json=as_json)


@scale_group.command("broadcast")
@click.option("--game", default="war_for_edadh", show_default=True, type=click.Choice(game_names()), help="The game.")
@click.option("--viewers", default=10_000, show_default=True, type=click.IntRange(4, 30_000), help="How many watch.")
@click.option("--opened", default=2_000, show_default=True, type=click.IntRange(0), help="Those who see all hands.")
@click.option("--relays", default=4, show_default=True, type=click.IntRange(1, 16), help="Which they watch at.")
@click.option("--seconds", default=40.0, show_default=True, type=click.FloatRange(1), help="How long.")
@json_option
def scale_broadcast(as_json: bool, **wish: Any) -> None:
    """Viewers of a match at relays, some of whom see all hands: their delays, and every frame against the record."""
    show(broadcast_report(Wish(**wish)), as_json=as_json)


@bench.command("own-matches")
@click.option("--matches", default=1_000_000, show_default=True, type=click.IntRange(1000), help="How many in all.")
@click.option("--mine", default=5000, show_default=True, type=click.IntRange(100), help="How many of one person.")
@json_option
def list_own_matches(matches: int, mine: int, as_json: bool) -> None:
    """The page of one person's own matches among very many."""
    show(own_matches.own_matches_report(matches, mine), as_json=as_json)


@bench.command("ratings")
@click.option("--results", default=1_000_000, show_default=True, type=click.IntRange(1), help="How many results.")
@json_option
def fold_ratings(results: int, as_json: bool) -> None:
    """Results that become ratings, many at once and one more."""
    show(ratings.ratings_report(results), as_json=as_json)


@bench.command("all")
@click.option("--markdown", type=click.Path(dir_okay=False, path_type=Path), help="Write a page; without, print it.")
@click.option("--only", multiple=True, metavar="NAME", help="Only the benchmarks whose names begin so.")
@click.option("--quick", is_flag=True, help="Small numbers, to see that everything runs; the figures mean nothing.")
def all_of_them(markdown: Path | None, only: tuple[str, ...], quick: bool) -> None:
    """Everything, one after another, as a page; leave the machine alone meanwhile."""
    known = page.benchmarks(quick=quick)
    for name in only:
        if not any(one.startswith(name) for one in known):
            raise click.BadParameter(
                f"{name!r} begins no benchmark's name; there are {', '.join(known)}.", param_hint="--only"
            )
    text, is_whole = page.measured(only, quick=quick)
    if markdown is None:
        click.echo(text)
    else:
        markdown.write_text(text)
    if not is_whole:
        sys.exit(1)


if __name__ == "__main__":
    bench(prog_name="scripts/bench")
