"""`herald audit`, `herald save`, `herald key`: the record of a match, and whether it is true."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anyio
import click
import msgspec
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from websockets.exceptions import WebSocketException

from domain.kernel import Game, MatchCreated
from projections.registry import faces
from replay.audit.match_audit import audit, compare
from replay.audit.persons import check_openings, read_openings
from replay.audit.report import AuditFault, AuditReport
from replay.errors import RecordInvalid
from replay.files import export
from replay.files.export import EVERYTHING, Record
from replay.files.private import make_private
from replay.playback.branch import difference, opening_of, trunk_of
from replay.record import sealing
from replay.record.claims import OpenedClaim
from replay.record.line import read_line
from replay.record.serverkey import PUBLIC_BYTES, KeyRing, fingerprint
from replay.store.errors import NoSuchMatch
from replay.store.store import Store
from server.cli.common import (
    beside,
    bounded_memory,
    console,
    db_option,
    default_db,
    find_match,
    open_store,
    read_record,
    read_viewer,
    stored_at,
)
from server.cli.errors import Amiss
from server.cli.output import CleanConsole, echo
from server.cli.reading import read_bytes
from server.cli.words import named, told, word
from server.wire.stream_file import live_stream

SEATS_MOST = 8
OPENINGS_MOST = 1 << 20
"""The largest file of openings, in bytes; a file has some 300."""
THERE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("audit")
@click.argument("targets", nargs=-1, required=True, metavar="MATCH|FILE...")
@click.option("--as", "who", help="Audit the view of this seat (from 1) or of the spectator.")
@click.option("--key", "keys", multiple=True, metavar="KEY", help="A server's public key that may sign checkpoints.")
@click.option("--persons", type=THERE, metavar="FILE", help="Openings of claims to seats, one JSON object a line.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per target.")
@db_option
def audit_command(
    targets: tuple[str, ...],
    who: str | None,
    keys: tuple[str, ...],
    persons: Path | None,
    as_json: bool,
    db: Path | None,
) -> None:
    """Check a match of the database, an export, or a stream that a viewer saved.

    Every line, seal, signature and die is checked; if all secrets are open, the rules decide every choice again. A
    saved file is also compared with the record in the database, if the match is there. The exit status is 0 if
    everything holds. It is 1 if something does not, and the first bad line is named, or if the rules of the game are
    missing here.
    """
    given, own = [_public(key) for key in keys], _own_keys(db)
    openings = _openings(persons)
    failed = False
    with _store(db) as store:
        for target in targets:
            report = _audit_one(target, store, who, (given, own), quiet=as_json)
            check_openings(report, openings)
            failed |= not report.ok or not _is_judged(report)
            if as_json:
                echo(msgspec.json.encode({"target": target, "ok": report.ok, **msgspec.structs.asdict(report)}))
            else:
                _print(target, report)
    if failed:
        click.get_current_context().exit(1)


def _openings(path: Path | None) -> list[OpenedClaim]:
    try:
        return [] if path is None else read_openings(read_bytes(path, OPENINGS_MOST))
    except RecordInvalid as wrong:
        raise Amiss(f"{path}: {told(str(wrong))}") from wrong


def _is_judged(report: AuditReport) -> bool:
    """Whether the rules judged every choice: a file must not avoid the rules by naming a game that is not here."""
    return "rules" not in report.lacks


def _own_keys(db: Path | None) -> list[bytes]:
    path = beside(db)
    directory = path.with_name(path.name + ".keys")
    return [key.public for key in KeyRing(directory).keys] if directory.is_dir() else []


def _public(text: str) -> bytes:
    try:
        key = sealing.unb64(text)
    except ValueError:
        key = b""
    if len(key) != PUBLIC_BYTES:
        raise Amiss(word("{text!r} is no public key; `herald key show` prints one.", text=text))
    return key


@contextmanager
def _store(db: Path | None) -> Iterator[Store | None]:
    if not stored_at(db) and not (db or default_db()).exists():
        yield None
        return
    store = open_store(db, must_exist=True)
    try:
        yield store
    finally:
        store.close()


def _audit_one(
    target: str, store: Store | None, who: str | None, keys: tuple[list[bytes], list[bytes]], *, quiet: bool
) -> AuditReport:
    path = Path(target)
    from_file = path.is_file()
    try:
        record = _read_file(path, who) if from_file else _read_match(target, store, who)
    except RecordInvalid as wrong:
        return AuditReport("", "", "", fault=AuditFault(wrong.seq, wrong.why, wrong.expected))
    known = faces()
    game = known[record.game].game if record.game in known else None
    given, own = keys
    signers = given or ([] if from_file and not _is_ours(record, store) else own)
    with _progress(quiet) as bar:
        task = bar.add_task(word("audit"), total=len(record.held))
        with bounded_memory():
            report = audit(game, record, signers, lambda done: bar.update(task, completed=done))
    if from_file and report.ok and store is not None and _is_ours(record, store):
        report.fault = compare(record, export.from_store(store, record.match))
    elif from_file and report.ok and given and not record.checkpoints:
        report.fault = AuditFault(0, "nobody has signed this record", "checkpoints by one of the keys named")
    elif from_file and report.ok:
        report.unchecked.append("another's copy: this database does not have the match to compare with")
    if report.ok and game is not None and record.view == EVERYTHING:
        _compare_trunk(report, game, record, store)
    return report


def _compare_trunk(report: AuditReport, game: Game[Any], record: Record, store: Store | None) -> None:
    """Compare a branch with the match from which it was branched, if the database has that."""
    events = trunk_of(game, record).events
    opened = opening_of(events)
    if opened is None:
        return
    try:
        trunk = None if store is None else trunk_of(game, export.from_store(store, opened.match))
    except NoSuchMatch:
        trunk = None
    if trunk is None:
        report.unchecked.append(f"where it begins: this database does not have the match {opened.match}")
        return
    why = difference(game, events, trunk)
    report.fault = AuditFault(2, why) if why else None


def _is_ours(record: Record, store: Store | None) -> bool:
    try:
        return store is not None and bool(store.header(record.match))
    except NoSuchMatch:
        return False


def _read_file(path: Path, who: str | None) -> Record:
    with bounded_memory():
        record = read_record(path)
    viewer = None if who is None else read_viewer(who, _seats_of(record))
    if viewer is not None and record.view != viewer.label:
        raise RecordInvalid(
            f"the file holds what {whose(record.view)} holds", expected=f"what {whose(viewer.label)} does"
        )
    return record


def whose(view: str) -> str:
    """A view's name with seats counted from 1, as `--as` counts them."""
    return f"seat {int(view[4:]) + 1}" if view.startswith("seat") and view[4:].isdecimal() else view


def _seats_of(record: Record) -> int:
    """The number of seats that a file names for its match; the largest possible if it does not begin as a match."""
    try:
        first = msgspec.json.decode(read_line(record.held[0].line).payload, type=MatchCreated)
    except (IndexError, RecordInvalid, msgspec.MsgspecError, UnicodeError, RecursionError):
        return SEATS_MOST
    return min(len(first.seats), SEATS_MOST)


def _read_match(target: str, store: Store | None, who: str | None) -> Record:
    if store is None:
        raise Amiss(word("{target} is no file, and there is no database. Name one with --db.", target=target))
    match = find_match(store, target).match
    viewer = None if who is None else read_viewer(who, len(store.seats.holders(match)))
    return export.from_store(store, match, viewer)


def _progress(quiet: bool) -> Progress:
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    errors = CleanConsole(stderr=True)
    return Progress(*columns, console=errors, transient=True, disable=quiet or not errors.is_terminal)


def _print(target: str, report: AuditReport) -> None:
    if report.fault is not None:
        console.print(f"[bold red]✗[/] {escape(target)}: [bold]{escape(told(str(report.fault)))}[/]", soft_wrap=True)
        for about_package in report.unchecked if not report.lines else ():
            console.print(f"  {escape(told(about_package))}", soft_wrap=True)
        return
    whole = report.view == EVERYTHING
    is_judged = whole and _is_judged(report)
    view = word("everything opened") if whole else word("as {who} holds it", who=named(whose(report.view)))
    first = word(
        "[bold green]✓[/] {target}: {lines} lines of {game}, {view}",
        target=escape(target),
        lines=report.lines,
        game=report.game,
        view=view,
    )
    console.print("; ".join([first, *_lacking(report)]), soft_wrap=True)
    counts = {
        word("choices decided again") if is_judged else word("choices"): report.choices,
        word("acts at the table"): report.acts,
        word("rolls"): report.rolls,
        word("shuffles"): report.shuffles,
        word("openings"): report.openings,
        word("signatures of seats"): report.signatures,
        word("signed checkpoints"): report.checkpoints,
    }
    console.print(
        word("  checked: ") + ", ".join(f"{number} {name}" for name, number in counts.items() if number), soft_wrap=True
    )
    console.print(word("  head of line {lines}: {head}", lines=report.lines, head=report.head), soft_wrap=True)
    if report.signed_to:
        console.print(
            word("  signed up to line {signed_to}, {when}", signed_to=report.signed_to, when=_when(report.signed_ms)),
            soft_wrap=True,
        )
    if report.chance:
        console.print(word("  dice: {chance}", chance=escape(told(report.chance))), soft_wrap=True)
    if report.claims:
        console.print(
            word(
                "  persons: behind {claims} keys of seats; opened here: {opened}",
                claims=len(report.claims),
                opened=len(report.persons),
            ),
            soft_wrap=True,
        )
    for person in report.persons:
        console.print(f"    {escape(told(person))}", soft_wrap=True)
    for unproven in report.unproven:
        console.print(word("  [yellow]not proven[/] {unproven}", unproven=escape(told(unproven))), soft_wrap=True)
    for decided in report.differences:
        console.print(
            word("  [yellow]newer rules differ[/] at {decided}", decided=escape(told(str(decided)))), soft_wrap=True
        )
    for reason in report.unchecked:
        console.print(word("  [yellow]not checked[/] {reason}", reason=escape(told(reason))), soft_wrap=True)


def _lacking(report: AuditReport) -> list[str]:
    """The weaknesses of the record, shown first so that nobody can hide them further down."""
    said = {
        "version": word("an older version of the record"),
        "keys": word("a seat did not always sign"),
        "shares": word("the dice could have been chosen"),
        "reveal": word("its end opens the secrets not to everybody"),
        "signatures": word("no signature of the server is here for its last line"),
        "commit": word("it ends inside a commit"),
        "rules": word("its rules were not judged"),
    }
    return [f"[yellow]{said[name]}[/]" for name in report.lacks]


def _when(at: int) -> str:
    """A moment, in ms since 1970, and its age: a truncated file ends long before the present."""
    try:
        moment = datetime.fromtimestamp(at / 1000, UTC)
    except (OverflowError, ValueError, OSError):
        return word("at {at} ms since 1970", at=at)
    minutes = int((datetime.now(UTC) - moment).total_seconds()) // 60
    said = f"{moment:%Y-%m-%d %H:%M} UTC"
    if minutes < 0:
        return word("{moment}, in the future", moment=said)
    days = word("{n} days", n=minutes // 1440)
    age = days if minutes >= 2 * 1440 else f"{minutes // 60} h {minutes % 60} min"
    return word("{moment}, {age} ago", moment=said, age=age)


@click.command("save")
@click.argument("link")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--follow", is_flag=True, help="Continue until the match has ended.")
def save_command(link: str, file: Path, follow: bool) -> None:
    """Save a match from its server, as LINK shows it, and check it.

    LINK is the address of the page on which you play or watch. The file holds the protocol's own messages; it can be
    checked again at any time, without the server.
    """
    try:
        anyio.run(_save, link, file, follow)
    except (OSError, WebSocketException) as wrong:
        raise Amiss(
            word("The match cannot be saved from {link}: {wrong}", link=link.partition("#")[0], wrong=wrong)
        ) from wrong
    report = audit(None, read_record(file))
    _print(str(file), report)
    if not report.ok:
        click.get_current_context().exit(1)


async def _save(link: str, file: Path, follow: bool) -> None:
    make_private(file)
    with file.open("w", encoding="utf-8") as out, _progress(quiet=False) as bar:
        task = bar.add_task(word("save"), total=None)
        async for frame, seq, end in live_stream(link, follow=follow):
            out.write(f"{frame}\n")
            out.flush()
            bar.update(task, completed=seq, total=end)


@click.group("key")
def key_command() -> None:
    """The keys with which this server signs its records."""


@key_command.command("show")
@db_option
def key_show(db: Path | None) -> None:
    """Print the server's public keys; the last one signs. Publish it where players can find it."""
    ring = KeyRing.beside(beside(db))
    for key in ring.keys:
        state = word("signs") if key is ring.current else word("old")
        console.print(f"{key.number:>3}  {key.text}  {key.fingerprint}  {state}", soft_wrap=True)


@key_command.command("rotate")
@db_option
def key_rotate(db: Path | None) -> None:
    """Make a new key, which signs from the server's next start on. The old ones are kept to check old matches."""
    ring = KeyRing.beside(beside(db))
    old = ring.current
    new = ring.rotate()
    console.print(
        word("{new} signs from the next start on; {old} is kept.", new=new.text, old=fingerprint(old.public)),
        soft_wrap=True,
    )


COMMANDS = [audit_command, save_command, key_command]
