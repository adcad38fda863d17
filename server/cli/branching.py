"""`herald branch`: play on differently from a moment of a match."""

import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import anyio
import click
from msgspec import Struct
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from domain.kernel import MatchEnded, Seat, SeatTaken
from domain.kernel.history import seats_in
from projections.face import Face
from projections.redaction import Viewer
from projections.registry import faces
from replay.audit.match_audit import audit
from replay.files import export
from replay.playback.branch import Trunk, beginning, pause_before, trunk_of
from replay.record.serverkey import KeyRing
from server.analysis.simulation import Estimate, Plan, estimates, read_bots
from server.bots import bots_of
from server.cli.common import (
    beside,
    console,
    db_option,
    file_of,
    find_match,
    open_store,
    read_record,
    read_viewer,
    said,
    stored_at,
    written_face,
)
from server.cli.errors import Amiss
from server.cli.matches import print_links, seat_wish
from server.cli.output import CleanConsole
from server.cli.words import told, word
from server.lobby.lobby import Lobby
from server.wire.protocol import Create


class MatchSource(Struct, frozen=True):
    """The match that a command is about. `db`: the SQLite file that keeps the results about it, if any."""

    face: Face[Any]
    trunk: Trunk
    closed: bool = False
    db: Path | None = None

    @property
    def is_over(self) -> bool:
        """Whether the match has a result."""
        return any(isinstance(event, MatchEnded) for event in self.trunk.events)

    @property
    def seats(self) -> int:
        """The number of seats."""
        return seats_in(self.trunk.events)

    @property
    def names(self) -> tuple[str, ...]:
        """The people and bots that sat in the seats."""
        taken = {event.seat: event.name for event in self.trunk.events if isinstance(event, SeatTaken)}
        return tuple(taken.get(Seat(seat)) or f"seat {seat + 1}" for seat in range(self.seats))

    def eyes(self, who: str | None, *, opened: bool) -> Viewer | None:
        """The viewer whose view is shown. Raises `Misconfigured` if that would show closed secrets."""
        if who is not None and opened:
            raise Amiss(word("--as and --open exclude each other: a viewer's eyes, or everything."))
        if who is not None:
            return read_viewer(who, self.seats)
        if not self.is_over:
            raise Amiss(word("The match still goes on: look at it through somebody's eyes, with --as SEAT."))
        return None


def source_of(name: str, db: Path | None) -> MatchSource:
    """A match of the database by its name, or one of a file with everything, which is audited first."""
    if Path(name).is_file():
        record = read_record(Path(name))
        face = written_face(record.game, export.created_in(record))
        trunk = trunk_of(face.game, record)
        fault = audit(face.game, record).fault
        if fault is not None:
            raise Amiss(word("{name} does not hold: {fault}.", name=name, fault=told(str(fault))))
        return MatchSource(face, trunk)
    store = open_store(db, must_exist=True)
    try:
        header = find_match(store, name)
        record = export.from_store(store, header.match)
    finally:
        store.close()
    face = written_face(record.game, export.created_in(record))
    return MatchSource(face, trunk_of(face.game, record), header.closed, None if stored_at(db) else file_of(db))


as_option = click.option("--as", "who", metavar="WHO", help="The viewer: spectator, or a seat from 1.")
bots_option = click.option(
    "--bots", default="", help="The bots that play it out: one for all seats, or one per seat.  [default: the best]"
)
SAMPLES: Final = click.IntRange(1, 100_000)
seed_option = click.option("--seed", type=int, help="The seed, to repeat a run.")
jobs_option = click.option("--jobs", default=0, type=click.IntRange(0), help="Processes; 0: one per core.")


@click.command("branch")
@click.argument("match", metavar="MATCH|FILE")
@click.option(
    "--at", "line", required=True, type=int, help="The line after which to branch: at the last pause up to it."
)
@as_option
@click.option("--open", "opened", is_flag=True, help="Branch a finished match from its true position.")
@click.option("--seat", "seats", multiple=True, metavar="KIND", help="me, friend, open or bot:NAME, one per seat.")
@click.option("--title", default="", help="A title for the match list.")
@click.option("--samples", type=SAMPLES, help="Let bots play the branch out this many times, and record nothing.")
@bots_option
@seed_option
@jobs_option
@db_option
def branch(
    match: str,
    line: int,
    who: str | None,
    opened: bool,
    seats: tuple[str, ...],
    title: str,
    bots: str,
    samples: int | None,
    seed: int | None,
    jobs: int,
    db: Path | None,
) -> None:
    """Begin a new match from a moment of another one, and print the links of its seats.

    Everything that WHO did not know at that moment is drawn anew, from what WHO knew; the true cards stay secret. A
    finished match is branched from its true position, unless --as names a viewer. With --samples, bots play the branch
    out that many times and nothing is recorded.
    """
    source = source_of(match, db)
    eyes = source.eyes(who, opened=opened)
    at = pause_before(source.face.game, source.trunk.events, line)
    if at != line:
        console.print(
            word("After line {line} nobody is asked anything; the branch begins after line {at}.", line=line, at=at)
        )
    if samples is not None or bots:
        names = read_bots(source.face.game.name, bots, source.seats)
        plan = Plan((at,), eyes, names, samples or 100, seed_of(seed), jobs)
        print_estimates(source, estimates_of(source, plan, quiet=False))
        return
    begin = beginning(source.face.game, source.trunk, at, eyes, secrets.randbelow)
    kinds = seats or _kinds(source, eyes)
    created = source.trunk.created
    wish = Create(
        created.game,
        tuple(seat_wish(kind) for kind in kinds),
        created.options,
        listed=source.is_over,
        title=title or word("After line {line} of {match}", line=at, match=source.trunk.match[:8]),
        reveal=created.reveal if source.is_over or created.reveal == "auditor" else "seats",  # type: ignore[arg-type]
        closed=source.closed,
    )
    store = open_store(db)
    try:
        lobby = Lobby(store, faces(), sign=KeyRing.beside(beside(db)).current.stamp)
        print_links(anyio.run(lobby.factory.create, wish, begin), wish.seats)
    finally:
        store.close()


def _kinds(source: MatchSource, eyes: Viewer | None) -> tuple[str, ...]:
    """The players when nobody is named: you in the seat whose view you took, and the strongest bot opposite."""
    seat = 0 if eyes is None or eyes.seat is None else eyes.seat
    bot = f"bot:{bots_of(source.face.game.name)[0]}"
    return tuple("me" if number == seat else bot for number in range(source.seats))


SAMPLED: Final = (
    "{samples} matches from each line; in brackets where the share would lie 95 times of 100; a draw counts half."
)


def seed_of(given: int | None) -> int:
    """The given seed, or a random one."""
    return secrets.randbelow(2**31) if given is None else given


def estimates_of(source: MatchSource, plan: Plan, *, quiet: bool) -> list[Estimate]:
    """Play the plan out, with a bar of progress at a terminal."""
    errors = CleanConsole(stderr=True)
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=errors, transient=True, disable=quiet or not errors.is_terminal) as bar:
        task = bar.add_task(word("playing out"), total=len(plan.lines) * plan.samples)
        return estimates(source.face, source.trunk, plan, lambda done: bar.update(task, completed=done))


def moment(source: MatchSource, label: str) -> str:
    """The position of a match, in the command's language: it is stored in English, a sentence without its stop."""
    return said(source.face.game.name, f"{label}.").removesuffix(".")


def print_estimates(source: MatchSource, found: Sequence[Estimate]) -> None:
    """Print a row for each line: how often each seat won, and the band."""
    table = Table(
        word("after"),
        word("moment"),
        *(word("{name} wins", name=escape(name)) for name in source.names),
        word("drawn"),
        box=None,
    )
    for point in found:
        shares = [_percent(point, seat) for seat in range(len(source.names))]
        table.add_row(str(point.line), escape(moment(source, point.label)), *shares, str(point.drawn))
    console.print(table)
    console.print(word(SAMPLED, samples=found[0].samples))


def _percent(point: Estimate, seat: int) -> str:
    low, high = point.band(seat)
    return word("{share:4.0%}  ({low:.0%} to {high:.0%})", share=point.share(seat), low=low, high=high)


COMMANDS = (branch,)
