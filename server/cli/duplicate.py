"""`herald duplicate`: one deal at many tables, scored against the field (docs/duplicate.md)."""

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import anyio
import click
import msgspec
from rich.markup import escape
from rich.table import Table

from domain.kernel import Seat
from herald_client import Link
from projections.registry import faces
from replay.duplicate import bundle, manifest, scoring, verifying
from replay.duplicate.errors import EventInvalid
from replay.duplicate.manifest import Announced, Manifest
from replay.duplicate.scoring import Score
from replay.duplicate.verifying import EventReport, played_of
from replay.files import export
from replay.files.private import write_private
from replay.record import sealing
from replay.record.line import codec_of
from replay.record.serverkey import KeyRing, fingerprint
from replay.store.errors import NoSuchMatch
from replay.store.matches import Header
from replay.store.store import Store
from server.cli.common import (
    army_option,
    beside,
    bounded_memory,
    cards_option,
    console,
    db_option,
    face_of,
    open_store,
    option_option,
    read_options,
)
from server.cli.errors import Amiss
from server.cli.output import echo
from server.cli.reading import OF_EVENTS, read_bytes
from server.cli.relinking import relink, tell_link, url_option
from server.cli.times import read_control, time_options
from server.cli.words import told, word
from server.lobby.lobby import Lobby
from server.wire.protocol import Create, Created, SeatWish

FILE = click.Path(dir_okay=False, path_type=Path)
THERE = click.Path(exists=True, dir_okay=False, path_type=Path)
ZIP = b"PK"


@click.group()
def duplicate() -> None:
    """Play one deal at many tables, and score each side against the field.

    Armies, decks, terrain, dice and shuffles are the same at every table, as far as choices let them be. Until the
    event is closed only its players see anything of a table.
    """


@duplicate.command("create")
@click.option("--game", default="vera_discordia", show_default=True, help="The game to play.")
@click.option(
    "--table",
    "tables",
    multiple=True,
    required=True,
    metavar="SEATS",
    help="The players of a table, as in anna,bot:steady; once for each table. Each person gets a link.",
)
@click.option(
    "--tables",
    "count",
    type=click.IntRange(2, manifest.TABLES_MOST),
    help="The number of tables; those beyond the given ones are like the last.",
)
@click.option("--title", default="", help="A title for the event.")
@click.option(
    "--await",
    "awaited",
    multiple=True,
    metavar="SHARE",
    help="Wait for a share of chance that nobody knows yet, such as a lottery's next draw; `deal` makes the "
    "tables then.",
)
@click.option("-o", "--output", type=FILE, required=True, help="The file for the manifest; publish it before play.")
@click.option(
    "--url", default="http://127.0.0.1:8000", show_default=True, help="The address at which players reach the server."
)
@time_options
@option_option
@cards_option
@army_option
@db_option
def create(
    game: str,
    tables: tuple[str, ...],
    count: int | None,
    title: str,
    awaited: tuple[str, ...],
    output: Path,
    url: str,
    time: str,
    on_timeout: str,
    vacation: str,
    absence: str,
    options: tuple[str, ...],
    cards: Path | None,
    armies: tuple[Path, ...],
    db: Path | None,
) -> None:
    """Fix a deal, make its tables, and print every player's link.

    With --await nothing is dealt yet: the command writes a call, to be published before any of the shares can be
    known.
    """
    face = face_of(game)
    game = face.game.name
    given = read_options(face, options, cards, armies)
    control = read_control(time, on_timeout, vacation, absence)
    seats = _seats(tables, count, face.game.seats_of(given))
    face.game.assert_playable(given)
    _assert_new(output)
    said, seed = manifest.planned(
        title or word("Duplicate of {game}", game=face.game.spec.title),
        game,
        codec_of(face.game).rules,
        given,
        control,
        seats,
        _now(),
        awaited,
    )
    if awaited:
        _call(said, seed, output, db)
    else:
        _deal(said, seed, output, url, db)


def _assert_new(output: Path) -> None:
    if output.exists():
        raise Amiss(word("{output} is there already; name another file.", output=output))


def _seed_file(call: Path) -> Path:
    """The file for the seed of a call until the event is dealt."""
    return call.with_name(f"{call.name}.seed")


def _call(said: Manifest, seed: bytes, output: Path, db: Path | None) -> None:
    """Publish all but the shares, and keep the seed."""
    secret = _seed_file(output)
    _assert_new(secret)
    try:
        write_private(secret, sealing.b64(seed).encode())
    except OSError as wrong:
        raise Amiss(word("{name} cannot be written: {why}.", name=secret, why=wrong.strerror)) from wrong
    _write(output, manifest.write(manifest.announce(said, KeyRing.beside(beside(db)).current.stamp)))
    console.print(
        word(
            "The call is in {output}. Give it to everybody before any of these is known: {awaited}.",
            output=output,
            awaited=escape(", ".join(said.awaited)),
        ),
        soft_wrap=True,
    )
    told = word(
        "The seed is in {secret}: show it to nobody. Then: herald duplicate deal {output}", secret=secret, output=output
    )
    console.print(told, soft_wrap=True)


@duplicate.command("deal")
@click.argument("file", type=THERE, metavar="CALL")
@click.option("--share", "given", multiple=True, metavar="SHARE=VALUE", help="The value of a share; once for each.")
@click.option("-o", "--output", type=FILE, required=True, help="The file for the manifest; publish it before play.")
@click.option(
    "--url", default="http://127.0.0.1:8000", show_default=True, help="The address at which players reach the server."
)
@db_option
def deal(file: Path, given: tuple[str, ...], output: Path, url: str, db: Path | None) -> None:
    """Deal a called event, once all shares of its chance are known, and print every player's link."""
    called, secret = manifest.read(_read(file)), _seed_file(file)
    try:
        seed = sealing.unb64(_read(secret).decode())
    except ValueError as wrong:
        raise Amiss(word("{name} is not the seed of this call.", name=secret)) from wrong
    if not manifest.is_seed(called.manifest, seed):
        raise Amiss(word("{name} is not the seed of this call.", name=secret))
    _assert_new(output)
    shares = [_share(called.manifest, text) for text in given]
    _deal(manifest.with_shares(called.manifest, shares), seed, output, url, db)


def _share(call: Manifest, text: str) -> tuple[str, str]:
    """The value of a share; the share's name may contain an equals sign."""
    for share in call.shares:
        if text.startswith(f"{share.of}="):
            return share.of, text.removeprefix(f"{share.of}=").strip()
    name, _, value = text.partition("=")
    return name, value.strip()


def _deal(said: Manifest, seed: bytes, output: Path, url: str, db: Path | None) -> None:
    """Publish the manifest, and make the tables."""
    stamp = KeyRing.beside(beside(db)).current.stamp
    announced = manifest.announce(said, stamp)
    # The manifest is written first: if the tables cannot be made, it says which ones were intended.
    _write(output, manifest.write(announced))
    store = open_store(db)
    try:
        made = anyio.run(_open_tables, Lobby(store, faces(), sign=stamp), announced, seed)
    finally:
        store.close()
    _tell_links(announced, made, output, url.rstrip("/"))


def _now() -> int:
    return time.time_ns() // 1_000_000


def _seats(tables: Sequence[str], count: int | None, seats: int) -> list[tuple[str, ...]]:
    """The players of each table. Raises `Misconfigured` for a wrong number of seats, or too few tables."""
    found = [tuple(name.strip() for name in text.split(",")) for text in tables]
    found += [found[-1]] * ((count or 0) - len(found))
    if len(found) < 2:
        raise Amiss(word("An event has two tables or more: name --table again, or say --tables."))
    for names in found:
        if len(names) != seats or not all(names):
            raise Amiss(
                word("A table of this match has {seats} seats: name {seats}, as in anna,bot:steady.", seats=seats)
            )
    return found


async def _open_tables(lobby: Lobby, announced: Announced, seed: bytes) -> list[Created]:
    said, made = announced.manifest, []
    for number, table in enumerate(said.tables, 1):
        wishes = tuple(_wish(seat) for seat in table.seats)
        title = word("{title}, table {n}", title=said.title[:60], n=number)
        wish = Create(said.game, wishes, said.options, listed=False, title=title, closed=True, time=said.time)
        made.append(await lobby.factory.create(wish, deal=manifest.deal_of(announced.event, seed, table.match)))
    return made


def _wish(seat: str) -> SeatWish:
    kind, _, name = seat.partition(":")
    return SeatWish("bot", "", name) if kind == "bot" else SeatWish("invited", seat)


def _tell_links(announced: Announced, made: Sequence[Created], output: Path, url: str) -> None:
    said = announced.manifest
    console.print(
        word(
            "Event [bold]{event}[/]: {n} tables of {title}.",
            event=sealing.b64(announced.event)[:8],
            n=len(made),
            title=escape(said.title),
        )
    )
    for number, (table, created) in enumerate(zip(said.tables, made, strict=True), 1):
        console.print(
            word(
                "table {number}, match {match}: {seats}",
                number=number,
                match=created.match[:8],
                seats=escape(" – ".join(table.seats)),
            )
        )
        for seat, invitation in created.invitations.items():
            name = escape(table.seats[int(seat)])
            console.print(f"  {name}: {Link(url, created.match, invitation=invitation)}", soft_wrap=True)
    console.print(
        word("The manifest is in {output}. Give it to everybody before play: it fixes tables and deal.", output=output)
    )
    console.print(word("Each link is an invitation, which works once: give each to whom it is for."))
    if any(not created.invitations for created in made):
        console.print(word("Tables at which bots alone sit go on when a server starts, not at one that runs already."))


@duplicate.command("link")
@click.argument("file", type=THERE, metavar="MANIFEST")
@click.option("--table", "number", required=True, type=click.IntRange(1), help="The table, from 1.")
@click.option("--seat", required=True, type=click.IntRange(1), help="Its seat, from 1.")
@url_option
@db_option
def link(file: Path, number: int, seat: int, url: str, db: Path | None) -> None:
    """Print a lost link anew; the former one opens nothing from then on."""
    tables = manifest.read(_read(file)).manifest.tables
    if number > len(tables):
        raise Amiss(word("There is no table {n}; the event has {count}.", n=number, count=len(tables)))
    store = open_store(db)
    try:
        tell_link(*relink(store, tables[number - 1].match, seat - 1, url))
    finally:
        store.close()


@duplicate.command("show")
@click.argument("file", type=THERE, metavar="FILE")
@click.option("--json", "as_json", is_flag=True, help="The same for programs.")
@db_option
def show(file: Path, as_json: bool, db: Path | None) -> None:
    """Show the progress of an event's tables, from its manifest, or its scores, from the file of a closed event."""
    data = _read(file)
    if data[:2] == ZIP:
        with bounded_memory():
            held = bundle.read(data)
        _tell_scores(held.closing.scores, held.announced, as_json=as_json)
        return
    announced = manifest.read(data)
    store = open_store(db, must_exist=True)
    try:
        rows = list(_standings(store, announced))
    finally:
        store.close()
    if as_json:
        echo(msgspec.json.encode([{"table": n, "match": m, "status": s, "lines": e} for n, m, s, e in rows]))
        return
    table = Table(word("table"), word("match"), word("status"), word("lines"), word("seats"), box=None)
    for number, match, status, lines in rows:
        seats = " – ".join(announced.manifest.tables[number - 1].seats)
        table.add_row(str(number), match[:8], word(status), str(lines), escape(seats))
    console.print(table)


def _standings(store: Store, announced: Announced) -> Iterator[tuple[int, str, str, int]]:
    for number, entry in enumerate(announced.manifest.tables, 1):
        try:
            yield number, entry.match, store.header(entry.match).status, store.head(entry.match).seq
        except NoSuchMatch:
            yield number, entry.match, "missing", 0


@duplicate.command("close")
@click.argument("file", type=THERE, metavar="MANIFEST")
@click.option("-o", "--output", type=FILE, required=True, help="The file for the event, with every secret.")
@click.option(
    "--unfinished", is_flag=True, help="Close the event even if some tables are unfinished; these do not count."
)
@db_option
def close(file: Path, output: Path, unfinished: bool, db: Path | None) -> None:
    """Open the seed and all secrets of an event, score it, and write all of it as one file that anybody can verify."""
    announced = manifest.read(_read(file))
    store = open_store(db)
    try:
        headers = _headers(store, announced)
        waiting = [header.match[:8] for header in headers if header.status != "finished"]
        if waiting and not unfinished:
            raise Amiss(
                word(
                    "Not over: {waiting}. Wait, or close it with --unfinished: all is known there then.",
                    waiting=", ".join(waiting),
                )
            )
        records = [export.from_store(store, header.match) for header in headers]
        game = face_of(announced.manifest.game).game
        played = [played_of(game, record) for record in records]
        left = tuple(table.match for table in played if table.result is None)
        closing = bundle.Closing(sealing.b64(announced.event), scoring.scores(played), left, _now())
        data = bundle.write(announced, closing, records, KeyRing.beside(beside(db)).current.stamp)
        _write(output, data)
        # Secrets are opened only after the file is written; until then a repetition of the command finds everything as
        # before.
        for header in headers:
            store.matches.disclose(header.match)
    finally:
        store.close()
    _tell_scores(closing.scores, announced, as_json=False)
    console.print(
        word("The event is in {output}; anybody checks it with: herald duplicate verify {output}", output=output)
    )


def _headers(store: Store, announced: Announced) -> list[Header]:
    """The matches that are the tables of the manifest, all of which must belong to this event.

    Raises `Misconfigured`.
    """
    headers = []
    for entry in announced.manifest.tables:
        try:
            header, first = store.header(entry.match), export.created(store, entry.match)
        except NoSuchMatch as wrong:
            raise Amiss(word("The table {match} is not in this database.", match=entry.match[:8])) from wrong
        if first.dealt is None or first.dealt.event != sealing.b64(announced.event):
            raise Amiss(word("The match {match} is no table of this event.", match=entry.match[:8]))
        headers.append(header)
    return headers


@duplicate.command("verify")
@click.argument("file", type=THERE, metavar="FILE")
@click.option("--manifest", "published", type=THERE, help="The manifest as it was published before play.")
@click.option("--call", type=THERE, help="The call as it was published before the shares were known.")
@click.option(
    "--key", "keys", multiple=True, metavar="KEY", help="A public key of the server, as `herald key show` prints it."
)
@click.option("--json", "as_json", is_flag=True, help="The same for programs.")
@click.pass_context
def verify(
    ctx: click.Context, file: Path, published: Path | None, call: Path | None, keys: tuple[str, ...], as_json: bool
) -> None:
    """Verify a closed event: its tables, its one deal, its seed, its scores. Needs no database."""
    report = _verified(file, published, call, [_key(key) for key in keys], quiet=as_json)
    if as_json:
        echo(msgspec.json.encode({"ok": report.ok, **msgspec.to_builtins(report)}))
    else:
        _tell_report(report)
    ctx.exit(0 if report.ok else 1)


def _verified(
    file: Path, published: Path | None, call: Path | None, keys: Sequence[bytes], *, quiet: bool
) -> EventReport:
    games = {name: face.game for name, face in faces().items()}
    progress = None if quiet else lambda match: console.print(f"[dim]{match[:8]} …[/]")
    try:
        data, announced = _read(file), None if call is None else _read(call)
        with bounded_memory():
            held = bundle.read(data)
            called = None if announced is None else manifest.read(announced)
            report = verifying.verify(held, games, keys, progress, called)
    except EventInvalid as wrong:
        return EventReport("", "", faults=[str(wrong)])
    if published is None:
        report.unproven.append("that this is the manifest that was published before play: name it to compare")
    elif manifest.read(_read(published)).signed != held.announced.signed:
        report.faults.append("the manifest in the file is not the one that was published")
    return report


def _tell_report(report: EventReport) -> None:
    for number, table in enumerate(report.tables, 1):
        faults = "; ".join(map(told, table.faults))
        lines = 0 if table.report is None else table.report.lines
        mark = "[bold red]✗[/]" if faults else "[green]✓[/]"
        console.print(
            word(
                "{mark} table {number} of the file, {match}: {faults}",
                mark=mark,
                number=number,
                match=table.match[:8],
                faults=escape(faults) or word("{lines} lines hold", lines=lines),
            )
        )
        for unproven in () if table.report is None else table.report.unproven:
            console.print(word("    not proven: {unproven}", unproven=escape(told(unproven))), soft_wrap=True)
    for share, value in report.shares.items():
        console.print(word("    share of chance: {share}: {value}", share=escape(share), value=escape(value)))
    for fault in report.faults:
        console.print(f"[bold red]✗[/] {escape(told(fault))}", soft_wrap=True)
    for unproven in report.unproven:
        console.print(word("  not proven: {unproven}", unproven=escape(told(unproven))), soft_wrap=True)
    if report.ok:
        console.print(
            word(
                "[green]✓[/] event {event}, {title}: all of it holds.",
                event=report.event[:8],
                title=escape(report.title),
            )
        )
        _print_scores(report.scores, report.planned)


def _tell_scores(scores: Sequence[Score], announced: Announced, *, as_json: bool) -> None:
    if as_json:
        told = [{**msgspec.to_builtins(one), "share": float(one.share)} for one in scores]
        echo(msgspec.json.encode({"event": sealing.b64(announced.event), "scores": told}))
        return
    console.print(
        word(
            "[bold]{title}[/], signed with {key}",
            title=escape(announced.manifest.title),
            key=fingerprint(announced.signed.key),
        )
    )
    _print_scores(scores, {table.match: table.seats for table in announced.manifest.tables})


def _print_scores(scores: Sequence[Score], planned: Mapping[str, Sequence[str]]) -> None:
    """Print a row for each score; the name in the call follows the player's chosen name in brackets."""
    table = Table(word("side"), word("who"), word("match"), "", word("matchpoints"), word("share"), box=None)
    for one in scores:
        points = word("{n:g} of {of}", n=one.points / 2, of=one.of)
        share = f"{float(one.share):.0%}"
        seats = "+".join(str(seat + 1) for seat in one.seats)
        who = word(" and ").join(_called(one, seat, planned) for seat in one.seats)
        table.add_row(seats, escape(who), one.match[:8], word(one.outcome), points, share)
    console.print(table)


def _called(score: Score, seat: int, planned: Mapping[str, Sequence[str]]) -> str:
    name, plan = score.names[score.seats.index(Seat(seat))], planned.get(score.match, ())
    meant = plan[seat] if seat < len(plan) else ""
    return name if meant in ("", name) or meant.startswith("bot:") else f"{name} ({meant})"


def _key(text: str) -> bytes:
    try:
        key = sealing.unb64(text)
    except ValueError:
        key = b""
    if len(key) != sealing.KEY_BYTES:
        raise Amiss(word("{text!r} is no public key; `herald key show` prints one.", text=text))
    return key


def _read(file: Path) -> bytes:
    return read_bytes(file, OF_EVENTS)


def _write(file: Path, data: bytes) -> None:
    try:
        file.write_bytes(data)
    except OSError as wrong:
        raise Amiss(word("{name} cannot be written: {why}.", name=file, why=wrong.strerror)) from wrong


COMMANDS = (duplicate,)
