"""`herald arena`: bots, ours and others', play each other on all cores and are rated."""

import shlex
from collections import Counter
from contextlib import AbstractContextManager, closing, nullcontext
from pathlib import Path
from typing import Any, Final

import click
import msgspec
from msgspec.structs import replace
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from replay.maintenance.copy_matches import put_match
from replay.store.side_tables.arena import Contests
from replay.store.sqlite.file import SqliteFile
from replay.store.store import Store
from server.arena.bout import ContestSetting, Outcome
from server.arena.contest import ContestTerms, enter, planned, play, terms_of
from server.arena.players import WEBSOCKET, Entrant, read_entrants
from server.arena.program import ProgramLimits
from server.arena.rating import EntrantStanding, assert_rateable, standings
from server.arena.sockets import BotListener
from server.cli.common import (
    army_option,
    cards_option,
    console,
    db_option,
    face_of,
    file_of,
    open_store,
    option_option,
    progress_console,
    read_options,
)
from server.cli.errors import Amiss
from server.cli.output import echo
from server.cli.words import told, word

FAULTS_SHOWN = 8
GOOD, POOR = 0.55, 0.45
"""A bot with at least the first share is shown as better than its opponents, and with at most the second as worse."""
MIB = 1 << 20
TWO = 2
"""With two bots, the share of one determines the share of the other."""


SAID: Final = "herald.said"
"""The key of a command's own words in the context of its call."""


class Repeatable(click.Command):
    """A command that can show the arguments with which it was called."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep the words before they are read."""
        ctx.meta[SAID] = shlex.join([*ctx.command_path.split(), *args])
        return super().parse_args(ctx, args)


@click.command(cls=Repeatable)
@click.argument("bots", nargs=-1, metavar="[BOT | NAME=BOT | NAME=COMMAND | NAME=ws]...")
@click.option("--game", default="vera_discordia", show_default=True, help="The game to play.")
@click.option("--rounds", default=50, show_default=True, type=click.IntRange(1), help="Seeds for each pairing.")
@click.option("--seed", default=1, show_default=True, help="The seed of all dice.")
@click.option(
    "--name", default="", help="The contest's name.  [default: made from everything that decides its matches]"
)
@click.option("--jobs", default=0, type=click.IntRange(0), help="Processes; 0: one per core.")
@click.option("--choice-s", default=5.0, show_default=True, type=click.FloatRange(0.01), help="Seconds for an answer.")
@click.option("--match-s", default=600.0, show_default=True, type=click.FloatRange(0.1), help="Seconds for a match.")
@click.option("--memory", default=1024, show_default=True, type=click.IntRange(16), help="MiB for a program.")
@click.option("--listen", default="127.0.0.1:8765", show_default=True, help="The address to which NAME=ws connects.")
@click.option(
    "--key", default="", help="The secret from which the key of each NAME=ws is derived.  [default: random each time]"
)
@click.option("--keep", is_flag=True, help="Keep each match in the database, as a record that can be audited.")
@click.option("--errors", is_flag=True, help="Show the standard error of programs.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object, with all figures.")
@option_option
@cards_option
@army_option
@db_option
def arena(
    bots: tuple[str, ...],
    game: str,
    rounds: int,
    seed: int,
    name: str,
    jobs: int,
    choice_s: float,
    match_s: float,
    memory: int,
    listen: str,
    key: str,
    keep: bool,
    errors: bool,
    as_json: bool,
    options: tuple[str, ...],
    cards: Path | None,
    armies: tuple[Path, ...],
    db: Path | None,
) -> None:
    """Let bots play each other and rate them.

    Each is one of Herald's bots, or NAME=COMMAND, a program that speaks JSON lines (docs/bots.md), or NAME=ws, a
    program that connects by websocket and speaks JSON lines. A COMMAND with {link} gets the link of its seat at a small
    server and plays there, as at any server. Without any, all bots of the game that answer at once take part. Every
    seed is played from every side. Each finished match is stored in the database at once: after Ctrl-C the same command
    continues the contest, also with more rounds.
    """
    assert_rateable()
    face = face_of(game)
    game = face.game.name
    entrants = read_entrants(game, bots)
    bounds = ProgramLimits(choice_s, match_s, memory=memory * MIB)
    setting = ContestSetting(game, read_options(face, options, cards, armies), entrants, bounds)
    terms = terms_of(face, setting, seed, is_kept=keep)
    name = name or terms.name
    numbers = {bout.number for bout in planned(terms, rounds)}
    path = file_of(db)
    with closing(open_store(db)) as store, closing(SqliteFile(path)) as file:
        contests = Contests(file)
        outcomes = [outcome for outcome in enter(contests, name, terms) if outcome.number in numbers]
        book = Book(store, contests, name)
        with _listening(entrants, listen, key) as listener:
            stopped = _play(book, terms, rounds, outcomes, len(numbers), jobs, errors=errors, listener=listener)
    _tell(name, terms, outcomes, len(numbers), as_json=as_json)
    if len(outcomes) < len(numbers):
        words = escape(click.get_current_context().meta[SAID])
        go_on = word("To go on with it: [bold]{words}[/]", words=words)
        progress_console().print(go_on, soft_wrap=True, highlight=False)
    if stopped:
        raise click.exceptions.Exit(130)


def _listening(entrants: tuple[Entrant, ...], listen: str, secret: str) -> AbstractContextManager[BotListener | None]:
    """The listener for bots that connect, if there are any. Raises `Misconfigured`."""
    names = [entrant.name for entrant in entrants if entrant.bot == WEBSOCKET]
    if not names:
        return nullcontext()
    host, _, port = listen.rpartition(":")
    if not host or not port.isdecimal():
        raise Amiss(word("--listen {listen} is no address such as 127.0.0.1:8765.", listen=listen))
    listener = BotListener(names, host, int(port), secret)
    for name in names:
        where = word("{name} connects to {url}", name=escape(name), url=escape(listener.url(name)))
        progress_console().print(where, soft_wrap=True, highlight=False)
    return listener


class Book(msgspec.Struct, frozen=True):
    """The store for the matches of a contest: their outcomes, and their records if they have any."""

    store: Store
    contests: Contests
    name: str

    def keep(self, over: list[Outcome]) -> list[Outcome]:
        """Store matches; those without records, by whose ids they are found."""
        found = [self._recorded(one) for one in over]
        self.contests.keep(self.name, [(one.number, msgspec.json.encode(one).decode()) for one in found])
        return found

    def _recorded(self, one: Outcome) -> Outcome:
        if one.record is None:
            return one
        put_match(self.store, one.record)
        return replace(one, record=None, match=one.record.header.match)


def _play(
    book: Book,
    terms: ContestTerms,
    rounds: int,
    outcomes: list[Outcome],
    total: int,
    jobs: int,
    *,
    errors: bool,
    listener: BotListener | None = None,
) -> bool:
    """Play the remaining matches and add them to the outcomes; returns whether it was stopped."""
    face = face_of(terms.setting.game)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=progress_console(), transient=True) as progress:
        task = progress.add_task(word("playing"), total=total, completed=len(outcomes))
        going = play(
            face, terms, rounds, [outcome.number for outcome in outcomes], jobs, hears_errors=errors, listener=listener
        )
        try:
            for over in going:
                outcomes += book.keep(over)
                progress.update(task, completed=len(outcomes))
        except KeyboardInterrupt:
            return True
        finally:
            going.close()
    return False


class ContestReport(msgspec.Struct, frozen=True):
    """A contest as `--json` gives it. `faults`: how often each entrant lost, by reason."""

    contest: str
    game: str
    rules: str
    seed: int
    options: dict[str, Any]
    matches: int
    of: int
    standings: list[EntrantStanding]
    faults: dict[str, dict[str, int]]


def _tell(name: str, terms: ContestTerms, outcomes: list[Outcome], total: int, *, as_json: bool) -> None:
    names = [entrant.name for entrant in terms.setting.entrants]
    rated = standings(names, outcomes)
    faults = _faults(names, outcomes)
    if as_json:
        setting = terms.setting
        report = ContestReport(
            name, setting.game, terms.rules, terms.seed, setting.options, len(outcomes), total, rated, faults
        )
        echo(msgspec.json.encode(report).decode())
        return
    console.print(_table(rated))
    if len(rated) > TWO:
        console.print(_meetings(names, rated))
    for who, whys in faults.items():
        for why, number in Counter(whys).most_common(FAULTS_SHOWN):
            console.print(
                word(
                    "[red]{who}[/] lost {number} out of turn: {why}",
                    who=escape(who),
                    number=number,
                    why=escape(told(why)),
                ),
                soft_wrap=True,
            )
    console.print(
        word(
            "{n} of {total} matches of the contest [bold]{name}[/], kept in the database.",
            n=len(outcomes),
            total=total,
            name=escape(name),
        )
    )


def _faults(names: list[str], outcomes: list[Outcome]) -> dict[str, dict[str, int]]:
    found: dict[str, Counter[str]] = {}
    for outcome in outcomes:
        for fault in outcome.faults:
            found.setdefault(names[outcome.seats[fault.seat]], Counter())[fault.why] += 1
    return {who: dict(whys) for who, whys in found.items()}


def _table(rated: list[EntrantStanding]) -> Table:
    table = Table(box=None, header_style="bold")
    table.add_column("", justify="right", no_wrap=True)
    table.add_column(word("bot"), no_wrap=True)
    for heading in (word("rating (95 %)"), word("won/drawn/lost"), word("share (95 %)"), word("faults"), "ms"):
        table.add_column(heading, justify="right", no_wrap=True)
    for place, one in enumerate(rated, 1):
        table.add_row(
            str(place),
            f"[bold]{escape(one.name)}[/]",
            f"[bold cyan]{one.rating:.1f}[/] ± {one.high - one.rating:.1f}",
            f"[green]{one.won}[/]/{one.drawn}/[red]{one.lost}[/]",
            f"{_coloured(one.share)} ({one.share_low * 100:.0f}–{one.share_high * 100:.0f})",
            f"[bold red]{one.faults}[/]" if one.faults else "0",
            f"{one.thought_ms:.0f}",
        )
    return table


def _meetings(names: list[str], rated: list[EntrantStanding]) -> Table:
    """How often the bot of the row was placed before the bot of the column."""
    table = Table(box=None, header_style="bold")
    table.add_column("", no_wrap=True)
    for one in rated:
        table.add_column(f"– {one.name}", justify="right", no_wrap=True)
    for one in rated:
        shares = [one.against[names.index(other.name)] for other in rated]
        table.add_row(escape(one.name), *("" if share is None else _coloured(share) for share in shares))
    return table


def _coloured(share: float) -> str:
    style = "green" if share >= GOOD else "red" if share <= POOR else "yellow"
    return f"[{style}]{share:.0%}[/]"


COMMANDS = (arena,)
