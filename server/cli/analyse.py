"""`herald analyse` and `herald hint`: which side stood better when, the turning points, and the better choices."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

import anyio
import click
import msgspec
from msgspec import Struct
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from domain.kernel import BranchOpened, MatchCreated, Seat
from domain.kernel.history import views_of
from domain.kernel.state import pending
from replay.files import export
from replay.playback.branch import pause_before
from replay.store.side_tables.analysis import MAKE, SqlAnalyses
from replay.store.sqlite.file import SqliteFile
from server.analysis.best_choice import Advised, Missed, advised, answers, level_of, missed
from server.analysis.luck import Luck, Turning, luck, turnings
from server.analysis.simulation import Estimate, Every, Plan, choose_lines, ended, read_bots
from server.analysis.win_chart import WinChart, drawing, svg
from server.cli.branching import (
    SAMPLES,
    MatchSource,
    as_option,
    bots_option,
    estimates_of,
    jobs_option,
    moment,
    print_estimates,
    seed_of,
    seed_option,
    source_of,
)
from server.cli.common import console, db_option
from server.cli.errors import Amiss
from server.cli.hint import hint_of, seat_link
from server.cli.output import CleanConsole, echo
from server.cli.words import language, named, word
from server.errors import Misconfigured

POINTS: Final = 60
CHOICES: Final = 40
"""The number of answers that are examined, spread evenly over the match."""
SHOWN: Final = 8
GOES_ON: Final = (
    "The match goes on, and no hints were agreed on when it was created: there are none before it is over. For the next"
    " one: herald match create --hints, or herald play --hints."
)
ASK_THERE: Final = (
    "The match goes on, and hints were agreed on: ask its server with your seat's link, so that the record says so:"
    " herald hint LINK."
)
BRANCHED: Final = (
    "The match was branched from {match}, which goes on; hints are read off either when that one is over too."
)
NO_DICE: Final = "Nobody has rolled a die that had to show something; how cards fell is not counted."


class Analysis(Struct, frozen=True):
    """The stored results of a match's analysis: which side stood better when, and the better choices."""

    seed: int
    points: tuple[Estimate, ...]
    missed: tuple[Missed, ...] = ()


@click.command("analyse")
@click.argument("match", metavar="MATCH|FILE")
@as_option
@bots_option
@click.option(
    "--samples", default=32, show_default=True, type=SAMPLES, help="The number of times that each line is played out."
)
@click.option(
    "--every",
    type=click.Choice(["turn", "choice"]),
    default="turn",
    show_default=True,
    help="The lines that are played out.",
)
@click.option("--points", default=POINTS, show_default=True, type=click.IntRange(1), help="The most lines played out.")
@click.option(
    "--think", default=0, type=click.IntRange(0, 60_000), help="Also look for better choices, for this many ms each."
)
@click.option("--anew", is_flag=True, help="Compute the results again, even if they are stored.")
@click.option(
    "--svg", "picture", type=click.Path(dir_okay=False, path_type=Path), help="Draw the chart into this file."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@seed_option
@jobs_option
@db_option
def analyse(match: str, who: str | None, picture: Path | None, as_json: bool, db: Path | None, **given: Any) -> None:
    """Draw each side's chance to win over a match: bots play it out from its moments, many times, on all cores.

    Samples of a finished match start from its true position; with --as they start from what a viewer knew, and the rest
    is drawn anew for every sample. The figures say which side stood better between these bots, not between the people
    who played. Below the chart are the turning points, how the dice fell and, with --think, the choices to which the
    search prefers others. The results are stored beside the match, and a second call with the same arguments reads them
    there.
    """
    source = source_of(match, db)
    if given["think"] and not source.is_over:
        raise Amiss(word("Better choices are told only of a match that is over; see `herald hint` for yours."))
    plan = _plan(source, who, given)
    analysis = _kept_or_made(source, plan, given, quiet=as_json)
    plan = msgspec.structs.replace(plan, seed=analysis.seed)
    whose = word("as it was") if plan.eyes is None else word("as {who} knew it", who=named(who or ""))
    title = f"{source.face.game.spec.title}: {' – '.join(source.names)}, {whose}"
    curve = WinChart(title, source.names, analysis.points, ended(source.trunk, source.seats))
    if picture is not None:
        picture.write_text(svg(curve), encoding="utf-8")
    turned, dice = turnings(analysis.points), luck(source.face.tries(source.trunk.events), source.seats)
    if as_json:
        more = {"turnings": turned, "luck": dice, "missed": analysis.missed}
        echo(msgspec.json.encode({**_report(source, plan, analysis.points), **more}).decode())
        return
    console.print(f"[bold]{escape(title)}[/]", soft_wrap=True)
    for row in drawing(curve, console.width, word("line")):
        console.print(row, markup=False, no_wrap=True)
    print_estimates(source, analysis.points)
    _print_turnings(source, turned)
    _print_luck(source, dice)
    if given["think"]:
        _print_missed(source, analysis.missed)
    if picture is not None:
        console.print(word("The curve is in {picture}.", picture=picture), soft_wrap=True)


def _plan(source: MatchSource, who: str | None, given: dict[str, Any]) -> Plan:
    """The matches to play out. Raises `CannotBranch` if nobody has been asked, and `Misconfigured`."""
    eyes = source.eyes(who, opened=False)
    every: Every = given["every"]
    lines = choose_lines(source.face, source.trunk.events, every, given["points"])
    if not lines:
        raise Amiss(word("Nobody has been asked anything in this match yet; there is nothing to play out."))
    bots = read_bots(source.face.game.name, given["bots"], source.seats)
    return Plan(lines, eyes, bots, given["samples"], seed_of(given["seed"]), given["jobs"])


def _kept_or_made(source: MatchSource, plan: Plan, given: dict[str, Any], *, quiet: bool) -> Analysis:
    """The result from the database if it was computed before with the same options, otherwise computed now and stored
    there.
    """
    eyes = export.EVERYTHING if plan.eyes is None else plan.eyes.label
    terms = msgspec.json.encode(
        [
            source.face.game.rules,
            len(source.trunk.events),
            plan.lines,
            eyes,
            plan.bots,
            plan.samples,
            given["seed"],
            given["think"],
            *([language()] if given["think"] else ()),
        ]
    ).decode()
    with ExitStack() as stack:
        file = None if source.db is None else stack.enter_context(closing(SqliteFile(source.db)))
        kept = None if file is None else SqlAnalyses(file, [(MAKE, ())])
        found = None if kept is None or given["anew"] else kept.found(source.trunk.match, terms)
        if found is not None:
            return msgspec.json.decode(found, type=Analysis)
        points = estimates_of(source, plan, quiet=quiet)
        better = _missed(source, given["think"], plan.seed, quiet=quiet) if given["think"] else ()
        made = Analysis(plan.seed, tuple(points), better)
        if kept is not None:
            kept.keep(source.trunk.match, terms, msgspec.json.encode(made).decode())
        return made


def _missed(source: MatchSource, think_ms: int, seed: int, *, quiet: bool) -> tuple[Missed, ...]:
    """The choices where the search would have chosen otherwise, the largest gain first."""
    errors = CleanConsole(stderr=True)
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    game, events = source.face.game, source.trunk.events
    with Progress(*columns, console=errors, transient=True, disable=quiet or not errors.is_terminal) as bar:
        task = bar.add_task(word("thinking"), total=min(CHOICES, len(list(answers(game, events)))))
        found = []
        for one in missed(source.face, events, level_of(think_ms), seed, CHOICES):
            found += [] if one is None else [one]
            bar.advance(task)
    return tuple(sorted(found, key=lambda one: -one.gain))


def _print_turnings(source: MatchSource, found: Sequence[Turning]) -> None:
    if not found:
        console.print(word("No change between two of these lines is beyond what the samples may be wrong by."))
        return
    table = Table(
        word("between"),
        word("moment"),
        word("{name} wins", name=escape(source.names[0])),
        box=None,
        title=word("Turning points"),
    )
    for turn in found:
        colour = "green" if turn.change > 0 else "red"
        change = f"[{colour}]{turn.change:+.0%}[/] ± {turn.error:.0%}"
        table.add_row(
            word("{before} and {line}", before=turn.before, line=turn.line), escape(moment(source, turn.label)), change
        )
    console.print(table)


def _print_luck(source: MatchSource, found: Sequence[Luck]) -> None:
    rolled = [one for one in found if one.dice]
    if not rolled:
        console.print(word(NO_DICE))
        return
    table = Table(
        word("dice of"), word("rolled"), word("succeeded"), word("expected"), "", box=None, title=word("Luck")
    )
    for one in rolled:
        said = _fell(one.surplus)
        spread = f"{one.expected:.1f} ± {one.spread:.1f}"
        cells = (str(one.dice), str(one.successes), spread, word("{said} ({n:+.1f} spreads)", said=said, n=one.surplus))
        table.add_row(escape(source.names[one.seat]), *cells)
    console.print(table)


def _fell(surplus: float) -> str:
    if abs(surplus) < 1:
        return word("as expected")
    return word("lucky") if surplus > 0 else word("unlucky")


def _print_missed(source: MatchSource, found: Sequence[Missed]) -> None:
    if not found:
        console.print(word("The search prefers no other choice to those made, as far as it could tell in its time."))
        return
    table = Table(
        word("after"),
        word("who"),
        word("chose"),
        word("better"),
        word("gains"),
        box=None,
        title=word("Better choices"),
    )
    for one in found[:SHOWN]:
        gain = f"[green]{one.gain:+.0%}[/] ± {(one.better.error**2 + one.made.error**2) ** 0.5:.0%}"
        made, better = escape(one.made.words or one.made.choice), escape(one.better.words or one.better.choice)
        table.add_row(str(one.line), escape(source.names[one.seat]), made, better, gain)
    console.print(table)
    console.print(word("Judged by what each seat could know then, and by how bots play on."))


@click.command("hint")
@click.argument("match", metavar="LINK|MATCH|FILE")
@click.option("--as", "who", type=click.IntRange(1), metavar="SEAT", help="Without a link: the seat that asks, from 1.")
@click.option("--at", "line", type=int, help="The line after which the seat is asked.  [default: the last]")
@click.option(
    "--think", default=2000, show_default=True, type=click.IntRange(10, 60_000), help="The time for the search, in ms."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@seed_option
@db_option
def hint(match: str, who: int | None, as_json: bool, db: Path | None, **given: Any) -> None:
    """Print the choice that the search prefers for a seat, from the seat's knowledge, and its chance to win after it.

    LINK is a seat's link, or the file to which a seat was saved: its server is asked, if the match was created with
    hints, and everybody there sees that you asked. Otherwise a match is read from a database or a file for SEAT. That
    match must be over, and so must the match from which it was branched: in a running match every hint has to be a line
    of the record.
    """
    link = seat_link(match)
    if link:
        anyio.run(partial(hint_of, link, as_json=as_json))
        return
    if who is None:
        raise Amiss(word("Name the seat that asks: --as 1."))
    _hint_from(source_of(match, db), who, as_json, db, **given)


def _hint_from(
    source: MatchSource, who: int, as_json: bool, db: Path | None, *, line: int | None, think: int, seed: int | None
) -> None:
    if who > source.seats:
        raise Amiss(word("--as names a seat from 1 to {seats}.", seats=source.seats))
    _assert_over(source, db)
    game, events = source.face.game, source.trunk.events
    at = pause_before(game, events, len(events) if line is None else line)
    views = views_of(game, events[:at])
    asked = next(iter(pending(views.world, Seat(who - 1))), None)
    if asked is None:
        raise Amiss(word("After line {at} nothing is asked of seat {who}.", at=at, who=who))
    errors = CleanConsole(stderr=True)
    with nullcontext() if as_json or not errors.is_terminal else errors.status(word("thinking")):
        found = advised(source.face, views, asked, level_of(think), seed_of(seed))
    if as_json:
        told = {"match": source.trunk.match, "line": at, "seat": who, "question": asked.kind, "choices": found}
        echo(msgspec.json.encode(told).decode())
        return
    _print_advised(source.face.question(views.seats[asked.seat], asked), at, found)


def _assert_over(source: MatchSource, db: Path | None) -> None:
    """Raises `Amiss` while the match continues, or while a match continues whose position its branch shows."""
    if not source.is_over:
        agreed = any(isinstance(event, MatchCreated) and event.hints for event in source.trunk.events)
        raise Amiss(word(ASK_THERE if agreed else GOES_ON))
    for parent in _parents(source, db):
        if not parent.is_over:
            raise Amiss(word(BRANCHED, match=parent.trunk.match[:8]))


def _parents(source: MatchSource, db: Path | None) -> Iterator[MatchSource]:
    """The ancestry of a match, as far as it is stored here: the match from which it was branched, the one before, and
    so on.
    """
    for event in source.trunk.events:
        if isinstance(event, BranchOpened):
            with suppress(Misconfigured):  # it may have been played elsewhere
                parent = source_of(event.match, db)
                yield parent
                yield from _parents(parent, db)


def _print_advised(question: str, at: int, found: Sequence[Advised]) -> None:
    table = Table(
        "",
        word("choice"),
        word("wins"),
        word("tried"),
        box=None,
        title=word("{question} (after line {at})", question=escape(question), at=at),
    )
    for one in found:
        weight = "[green]●[/]" if one.weight == 1 else f"{one.weight:.0%}" if one.weight else ""
        table.add_row(weight, escape(one.words), f"{one.share:.0%} ± {one.error:.0%}", str(one.trials))
    console.print(table)
    if 0 < found[0].weight < 1:
        console.print(word("Both choose at once: choose by lot, with these chances, and nobody can make use of it."))


def _report(source: MatchSource, plan: Plan, found: Sequence[Estimate]) -> dict[str, Any]:
    """The analysis as plain data."""
    points = [
        {
            "line": point.line,
            "moment": point.label,
            "won": point.won,
            "drawn": point.drawn,
            "share": [round(point.share(seat), 4) for seat in range(len(point.won))],
            "band": [[round(bound, 4) for bound in point.band(seat)] for seat in range(len(point.won))],
        }
        for point in found
    ]
    return {
        "match": source.trunk.match,
        "game": source.face.game.name,
        "players": source.names,
        "eyes": export.EVERYTHING if plan.eyes is None else plan.eyes.label,
        "bots": plan.bots,
        "samples": plan.samples,
        "seed": plan.seed,
        "points": points,
    }


COMMANDS = (analyse, hint)
