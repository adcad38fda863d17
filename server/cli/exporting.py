"""`herald export`: a match as one file, for auditors, other servers, spreadsheets, SQL, or a browser."""

from pathlib import Path
from typing import Any

import click

from projections.face import Face
from replay.files import export
from replay.files.export import Record
from replay.files.private import make_private, write_private
from replay.files.reading import packer_of
from replay.playback import readable
from replay.store.matches import Header
from replay.store.store import Store
from server.cli.common import console, db_option, find_match, open_store, read_viewer, written_face
from server.cli.errors import Amiss
from server.cli.output import echo
from server.cli.words import word
from server.pages.standalone import standalone

FORMATS = ("record", "jsonl", "sqlite", "html")


@click.command("export")
@click.argument("match")
@click.option(
    "--as", "who", help="The view of this seat (from 1) or of the spectator; open: everything. [default: open]"
)
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="The file.  [default: standard output]"
)
@click.option("--compress", is_flag=True, help="Pack it: with gzip, or as the file's name says (.gz, .bz2, .xz).")
@click.option(
    "--unfinished", is_flag=True, help="Export everything even while the match is running: this opens every secret."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="record",
    show_default=True,
    help="The record; its events as JSON lines; a database of it; or a page that replays it in any browser, offline.",
)
@db_option
def export_command(
    match: str, who: str | None, output: Path | None, compress: bool, unfinished: bool, form: str, db: Path | None
) -> None:
    """Write a match as a file.

    The record (`.herald`) can be audited by anybody, with this program or with scripts/verify-stream.mjs, and
    imported by another server. The other formats are for reading: they are made from the same viewer's view.
    """
    if output is None and form == "sqlite":
        raise Amiss(word("A database needs a file: name one with -o."))
    store = open_store(db, must_exist=True)
    try:
        header = find_match(store, match)
        face = written_face(header.game, export.created(store, header.match))
        if form == "html":
            if who not in (None, "spectator"):
                raise Amiss(word("A page shows what a spectator may see, and everything once that is public."))
            data, lines = standalone(face, store, header.match).encode(), store.head(header.match).seq
        else:
            record = _record(store, header, who, unfinished=unfinished)
            if form == "sqlite":
                assert output is not None, "asked for above"
                _write_database(face, record, output)
                return
            data = b"".join(export.write(record) if form == "record" else readable.jsonl(face, record))
            lines = len(record.held)
    finally:
        store.close()
    _write(packer_of("" if output is None else output.name, compress=compress)(data), output, lines, form)


def _record(store: Store, header: Header, who: str | None, *, unfinished: bool) -> Record:
    if who in (None, "open"):
        if header.status != "finished" and not unfinished:
            raise Amiss(word("The match still goes on; --unfinished exports it with every secret, --as a view of it."))
        return export.from_store(store, header.match)
    assert who is not None, "one of the two above"
    return export.from_store(store, header.match, read_viewer(who, len(store.seats.holders(header.match))))


def _write_database(face: Face[Any], record: Record, output: Path) -> None:
    if output.exists():
        raise Amiss(word("{output} is there already; name another file.", output=output))
    made = output.with_name(output.name + ".part")
    try:
        made.unlink(missing_ok=True)
        make_private(made)
        readable.write_sqlite(face, record, made)
        made.replace(output)
    except OSError as wrong:
        raise Amiss(word("{name} cannot be written: {why}.", name=output, why=wrong.strerror)) from wrong
    finally:
        made.unlink(missing_ok=True)
    console.print(
        word("{n} events are in {output}; try: datasette {output}", n=len(record.held), output=output), soft_wrap=True
    )


def _write(data: bytes, output: Path | None, lines: int, form: str) -> None:
    if output is None:
        echo(data, nl=False)
        return
    try:
        write_private(output, data)
    except OSError as wrong:
        raise Amiss(word("{name} cannot be written: {why}.", name=output, why=wrong.strerror)) from wrong
    after = {
        "record": word("check them with: herald audit {file}", file=output),
        "jsonl": word("read them with: jq . {file}", file=output),
        "html": word("open it in a browser"),
    }
    console.print(
        word("{lines} lines are in {output}; {after}", lines=lines, output=output, after=after[form]), soft_wrap=True
    )


COMMANDS = (export_command,)
