"""`herald match`: list, show, create and simulate matches."""

import os
import random
import secrets
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import chain
from pathlib import Path
from typing import Any

import anyio
import click
import msgspec
from msgspec.structs import asdict
from rich.markup import escape
from rich.progress import Progress
from rich.table import Table

from domain.kernel import MatchCreated, OpenCards, begin
from domain.kernel.history import views_of
from herald_client import Link
from projections.face import Face
from projections.registry import faces
from replay.queries.statistics import rows_cited, sides_of
from replay.record.serverkey import KeyRing
from replay.scenarios.format import load, parse
from replay.store.matches import Header
from replay.store.store import Store
from server.analysis.simulation import played, read_bots
from server.bots import make_bot
from server.bots.chance import SeededChance
from server.cli.ahead import ahead
from server.cli.common import (
    ASKS_NAME,
    army_option,
    beside,
    cards_option,
    console,
    db_option,
    face_of,
    find_match,
    how_it_ended,
    open_store,
    option_option,
    read_options,
    said,
)
from server.cli.errors import Amiss
from server.cli.output import echo
from server.cli.reading import read_bytes
from server.cli.relinking import link_match
from server.cli.ruling import end_match, void_match
from server.cli.seat_draws import check_draw
from server.cli.times import read_control, time_options
from server.cli.watching import read_watching, told_later, warned, watching_options
from server.cli.words import told, word
from server.lobby.lobby import Lobby
from server.wire.protocol import Create, Created, SeatWish

EXISTING = click.Path(exists=True, dir_okay=False, path_type=Path)
STATUSES = ("open", "running", "finished")


@click.group()
def match() -> None:
    """List, show, create, end and simulate matches."""


@match.command("list")
@click.option("--status", type=click.Choice(STATUSES), help="Only matches of this status.")
@click.option("--limit", default=50, show_default=True, type=click.IntRange(1), help="The most matches listed.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
@db_option
def list_matches(status: str | None, limit: int, as_json: bool, db: Path | None) -> None:
    """List the matches of a database, latest first."""
    store = open_store(db, must_exist=True)
    try:
        headers = store.matches.latest(status, limit)
        if as_json:
            for header in headers:
                echo(msgspec.json.encode(header).decode())
            return
        table = Table(box=None)
        for name in (word("match"), word("created"), word("status")):
            table.add_column(name, no_wrap=True)
        for name in (word("game"), word("title"), word("players"), word("result")):
            table.add_column(name)
        for header in headers:
            names = [row.name if row.kind else word("free") for row in store.seats.holders(header.match)]
            created = time.strftime("%Y-%m-%d %H:%M %z", time.localtime(header.created_ms / 1000))
            ended = how_it_ended(header, names)
            cells = (
                header.match[:8],
                created,
                word(header.status),
                header.game,
                header.title,
                " – ".join(names),
                ended,
            )
            table.add_row(*(escape(cell) for cell in cells))
        console.print(table if headers else word("There are no matches yet; `herald demo` plays one."))
    finally:
        store.close()


match.add_command(link_match)
match.add_command(check_draw)
match.add_command(ahead)
match.add_command(end_match)
match.add_command(void_match)


@match.command("show")
@click.argument("name", metavar="MATCH")
@db_option
def show_match(name: str, db: Path | None) -> None:
    """Show one match: players, options, length, result, and where its record ends."""
    store = open_store(db, must_exist=True)
    try:
        header = find_match(store, name)
        head = store.head(header.match)
        created = msgspec.json.decode(store.read(header.match, limit=1)[0].line)[8]
        cards = created.get("open_cards")
        names = [row.name if row.kind else word("free") for row in store.seats.holders(header.match)]
        table = Table(show_header=False, box=None)
        for label, value in (
            (word("match"), header.match),
            (word("game"), word("{game}, rules {rules}", game=header.game, rules=header.rules)),
            (word("title"), header.title),
            (word("status"), word(header.status)),
            (word("result"), how_it_ended(header, names)),
            (word("players"), " – ".join(names)),
            (word("options"), msgspec.json.encode(created.get("options", {})).decode()),
            (word("hints"), word("agreed on") if created.get("hints") else word("none")),
            (word("rated"), _rating_words(store, header, is_rated=bool(created.get("rated")))),
            (word("open cards"), told_later(OpenCards(**cards)) if cards else word("none")),
            (word("lines"), str(head.seq)),
            (word("head"), head.hash.hex()),
        ):
            table.add_row(f"[bold]{label}[/]", escape(value))
        console.print(table)
    finally:
        store.close()


@match.command("create")
@click.option("--game", default="", help="The game to play.  [default: the scenario's, or vera_discordia]")
@click.option("--scenario", type=EXISTING, help="Begin in the position of this scenario file.")
@click.option("--case", default="", help="The case of the scenario.  [default: the first]")
@click.option("--seat", "seats", multiple=True, metavar="KIND", help="me, friend, open or bot:NAME, one per seat.")
@click.option("--title", default="", help="A title for the match list.")
@click.option("--hints", is_flag=True, help="A player may ask for the search's choice, and everybody sees the request.")
@click.option("--rated", is_flag=True, help="The result counts for ratings; there are no hints then.")
@time_options
@watching_options
@option_option
@cards_option
@army_option
@db_option
def create_match(
    game: str,
    scenario: Path | None,
    case: str,
    seats: tuple[str, ...],
    title: str,
    hints: bool,
    rated: bool,
    time: str,
    on_timeout: str,
    vacation: str,
    absence: str,
    unlisted: bool,
    closed: bool,
    delays: tuple[str, ...],
    open_cards: tuple[str, ...],
    open_cards_sooner: bool,
    options: tuple[str, ...],
    cards: Path | None,
    armies: tuple[Path, ...],
    db: Path | None,
) -> None:
    """Create a match in a database and print the links of its seats."""
    text, of = ("", "vera_discordia") if scenario is None else _read_scenario(scenario)
    game = game or of
    face = face_of(game)
    game = face.game.name
    control = read_control(time, on_timeout, vacation, absence)
    seen = read_watching(
        unlisted=unlisted, closed=closed, delays=delays, open_cards=open_cards, open_cards_sooner=open_cards_sooner
    )
    store = open_store(db)
    try:
        given = read_options(face, options, cards, armies)
        kinds = seats or ("me", *("friend",) * (_seats_of(face, given, text) - 1))
        wishes = tuple(seat_wish(kind) for kind in kinds)
        table = {**asdict(seen), "time": control, "hints": hints, "rated": rated, "shares": rated}
        create = Create(game, wishes, given, title=title, scenario=text, case=case, **table)
        created = anyio.run(Lobby(store, faces(), sign=KeyRing.beside(beside(db)).current.stamp).factory.create, create)
    finally:
        store.close()
    print_links(created, wishes, closed=closed)
    if seen.open_cards is not None:
        for sentence in warned(seen.open_cards, face):
            console.print(sentence)
        console.print(
            word("  to watch all hands: http://127.0.0.1:8000/watch#m={match}&open=1", match=created.match),
            soft_wrap=True,
        )


def _rating_words(store: Store, header: Header, *, is_rated: bool) -> str:
    """Whether a match counts for ratings, as far as that has been determined."""
    if not is_rated:
        return word("no")
    why = store.ratings.why(header.match)
    if why is None:
        return word("yes")
    return word("it does not count: {why}", why=told(why)) if why else word("it counts")


def _seats_of(face: Face[Any], options: dict[str, Any], scenario: str) -> int:
    """The number of seats of the requested match."""
    return face.game.seats_of(parse(scenario).options if scenario else options)


def _read_scenario(path: Path) -> tuple[str, str]:
    """A scenario file's text, and its game. Raises `ScenarioInvalid` for a file that is no scenario."""
    scenario = load(path)
    return read_bytes(path).decode("utf-8"), scenario.game


def print_links(created: Created, wishes: Sequence[SeatWish], *, closed: bool = False) -> None:
    """Print the links of the seats of a new match, and the link for spectators unless it is closed.

    `wishes`: the requested holders. A friend's link is an invitation, which works once.
    """
    console.print(
        word("The match is [bold]{match}[/]. With `herald serve` running, its seats are at:", match=created.match)
    )
    for seat, token in created.tokens.items():
        asks = ASKS_NAME if wishes[int(seat)].kind == "friend" else ""
        console.print(
            f"  {word('seat {n}', n=int(seat) + 1)}: http://127.0.0.1:8000/play#m={created.match}&t={token}{asks}",
            soft_wrap=True,
        )
    for seat, invitation in created.invitations.items():
        console.print(
            f"  {word('seat {n}', n=int(seat) + 1)}, {word('an invitation that works once')}:"
            f" {Link('http://127.0.0.1:8000', created.match, invitation=invitation)}",
            soft_wrap=True,
        )
    if not closed:
        console.print(word("  to watch: http://127.0.0.1:8000/watch#m={match}", match=created.match), soft_wrap=True)


def seat_wish(kind: str) -> SeatWish:
    """The holder of a seat, from `me`, `friend`, `open` or `bot:NAME`. Raises `Misconfigured`."""
    name, _, bot = kind.partition(":")
    if name not in {"me", "friend", "open", "bot"}:
        raise Amiss(word("--seat is me, friend, open or bot:NAME, not {kind!r}.", kind=kind))
    return SeatWish("invited" if name == "friend" else name, "", bot)  # type: ignore[arg-type]


class MatchOutcome(msgspec.Struct, frozen=True):
    """How a simulated match went. `sides`: the faction, General and so on, by seat.

    `rules`: how often each ledger row was cited, by an event or by a part of one.
    """

    won: tuple[int, ...]
    reason: str
    decisions: int
    first_initiative: int | None
    sides: tuple[dict[str, str], ...]
    rules: dict[str, int]

    @property
    def winner(self) -> int | None:
        """The seat that won alone."""
        return self.won[0] if len(self.won) == 1 else None


def simulate_one(game: str, bots: tuple[str, ...], options: dict[str, Any], seed: int) -> MatchOutcome:
    """Play one match between bots that see only their views."""
    face = face_of(game).game
    source = random.Random(seed)  # noqa: S311 - repeatable on purpose
    chance = SeededChance(source)
    created = MatchCreated(game, options, tuple(f"seat {i}" for i in range(face.seats_of(options))))
    face.assert_playable(options)
    opening = begin(face, face.created(created), chance)
    views = views_of(face, [created, *opening.events])
    decisions, first, state = -1, None, opening.state
    rules: Counter[str] = Counter()
    for resolver in chain([opening], played(face, views, [make_bot(game, bot) for bot in bots], chance, source)):
        decisions, state = decisions + 1, resolver.state
        rules.update(rule for event in resolver.events for rule in rows_cited(event))
        first = getattr(state, "initiative", None) if first is None else first
    assert state.result is not None, "what is played is played to its end"
    result = state.result
    return MatchOutcome(result.won, result.reason, decisions, first, sides_of(face_of(game), state), dict(rules))


@match.command("simulate")
@click.option("--game", default="vera_discordia", show_default=True, help="The game to play.")
@click.option(
    "--bots", default="", help="One bot, or bots by seat, as in steady,random.  [default: the strongest in all]"
)
@click.option("--matches", default=200, show_default=True, type=click.IntRange(1), help="The number of matches.")
@click.option("--seed", type=int, help="The first match's seed, to repeat a run.")
@click.option("--jobs", default=0, type=click.IntRange(0), help="Processes; 0: one per core.")
@option_option
@cards_option
@army_option
def simulate(
    game: str,
    bots: str,
    matches: int,
    seed: int | None,
    jobs: int,
    options: tuple[str, ...],
    cards: Path | None,
    armies: tuple[Path, ...],
) -> None:
    """Play many matches between bots on all cores and report win rates and lengths."""
    face = face_of(game)
    game = face.game.name
    given = read_options(face, options, cards, armies)
    names = read_bots(game, bots, face.game.seats_of(given))
    start = secrets.randbelow(2**31) if seed is None else seed
    outcomes = list(_outcomes(game, names, given, start, matches, jobs or os.cpu_count() or 1))
    _report(game, outcomes, names, start)


def _outcomes(
    game: str, names: tuple[str, ...], options: dict[str, Any], start: int, matches: int, jobs: int
) -> Iterator[MatchOutcome]:
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task(word("playing"), total=matches)
        with ProcessPoolExecutor(jobs) as pool:
            for outcome in pool.map(
                simulate_one,
                [game] * matches,
                [names] * matches,
                [options] * matches,
                range(start, start + matches),
                chunksize=4,
            ):
                progress.advance(task)
                yield outcome


def _report(game: str, outcomes: list[MatchOutcome], names: tuple[str, ...], start: int) -> None:
    total = len(outcomes)
    table = Table(word("who"), word("won"), word("of"), word("rate"), box=None)
    for seat, name in enumerate(names):
        _row(table, f"{word('seat {n}', n=seat + 1)} ({name})", sum(seat in o.won for o in outcomes), total)
    _row(table, word("drawn"), sum(not o.won for o in outcomes), total)
    first = [o for o in outcomes if o.first_initiative is not None and o.won]
    if first:
        _row(table, word("first initiative"), sum(o.first_initiative in o.won for o in first), len(first))
    for kind in sorted({kind for o in outcomes for side in o.sides for kind in side}):
        for label, (won, of) in sorted(_tally(outcomes, kind).items()):
            _row(table, f"{word(kind)} {label}", won, of)
    for (one, other), (won, of) in sorted(_pairings(outcomes).items()):
        _row(table, f"{one}{word(' against ')}{other}", won, of)
    console.print(table)
    for reason, number in Counter(o.reason for o in outcomes).most_common():
        console.print(word("  {number:6} ended because: {reason}", number=number, reason=said(game, reason)))
    used: Counter[str] = Counter()
    for outcome in outcomes:
        used.update(outcome.rules)
    console.print(
        word("rows cited most: ") + ", ".join(f"{rule} {number / total:.1f}" for rule, number in used.most_common(24))
    )
    lengths = sorted(o.decisions for o in outcomes)
    console.print(
        word(
            "decisions a match: {least} to {most}, median {median}; seed {seed}",
            least=lengths[0],
            most=lengths[-1],
            median=lengths[total // 2],
            seed=start,
        )
    )


def _row(table: Table, label: str, won: int, played: int) -> None:
    table.add_row(label, str(won), str(played), f"{won / played:.1%}" if played else "")


def _tally(outcomes: list[MatchOutcome], kind: str) -> dict[str, tuple[int, int]]:
    """(won, played) of every faction or General."""
    won: Counter[str] = Counter()
    played: Counter[str] = Counter()
    for outcome in outcomes:
        for seat, side in enumerate(outcome.sides):
            if kind in side:
                played[side[kind]] += 1
                won[side[kind]] += seat in outcome.won
    return {label: (won[label], number) for label, number in played.items()}


def _pairings(outcomes: list[MatchOutcome]) -> dict[tuple[str, str], tuple[int, int]]:
    """(won by the first, played) of every pairing of two different factions."""
    found: dict[tuple[str, str], tuple[int, int]] = {}
    for outcome in outcomes:
        factions = [side.get("faction", "") for side in outcome.sides]
        if len(factions) != 2 or factions[0] == factions[1] or not outcome.won or not all(factions):
            continue
        one, other = sorted(factions)
        won, played = found.get((one, other), (0, 0))
        found[one, other] = (won + (factions[outcome.won[0]] == one), played + 1)
    return found


COMMANDS = (match,)
