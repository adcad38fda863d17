"""`herald replay`: a match told and drawn in the terminal, as any permitted viewer saw it."""

from pathlib import Path
from typing import Any

import click
from rich.markup import escape

from domain.kernel import Event
from projections.face import Face
from projections.redaction import Viewer
from replay.referee import read_event
from replay.store import Store
from server.cli.common import console, db_option, face_of, find_match, open_store, read_viewer
from server.errors import Misconfigured
from server.saving import stream_of


@click.command()
@click.argument("name", metavar="MATCH")
@click.option("--as", "viewer", default="spectator", show_default=True, help="spectator, or a seat: 1, 2 ...")
@click.option("--at", help="Draw the table after this line: a number or end.")
@click.option("--from", "first", default=1, type=click.IntRange(1), help="The first line to tell.")
@click.option("--to", "last", type=click.IntRange(1), help="The last line to tell.")
@click.option("--save", type=click.Path(dir_okay=False, path_type=Path), help="Save the viewer's stream in this file.")
@db_option
def replay(
    name: str, viewer: str, at: str | None, first: int, last: int | None, save: Path | None, db: Path | None
) -> None:
    """Tell a match line by line, or draw its table at one moment.

    MATCH is a match's id, its first letters, or last. A seat sees what it saw in play, no more. With --save its
    stream, the protocol's own messages, goes to a file that `herald audit` and scripts/verify-stream.mjs check.
    """
    store = open_store(db, must_exist=True)
    try:
        header = find_match(store, name)
        face = face_of(header.game)
        watcher = read_viewer(viewer, face.game.seats)
        if save is not None:
            _save(store, header.match, watcher, save)
            return
        events = [read_event(face.game, entry) for entry in store.read(header.match)]
    finally:
        store.close()
    stop = _moment(at, len(events)) if at else None
    _tell(face, events, watcher, first, stop if stop is not None else last or len(events), quiet=stop is not None)


def _save(store: Store, match: str, viewer: Viewer, file: Path) -> None:
    try:
        file.write_text("".join(f"{frame}\n" for frame in stream_of(store, match, viewer)), encoding="utf-8")
    except OSError as wrong:
        raise Misconfigured(f"{file} cannot be written: {wrong.strerror}.") from wrong
    console.print(f"What {viewer.label} holds is in {file}; check it with: herald audit {file}", soft_wrap=True)


def _moment(at: str, end: int) -> int:
    if at == "end":
        return end
    if at.isdecimal() and 1 <= int(at) <= end:
        return int(at)
    raise Misconfigured(f"--at is a line from 1 to {end}, or end; not {at!r}.")


def _tell(face: Face[Any], events: list[Event], viewer: Viewer, first: int, last: int, *, quiet: bool) -> None:
    view: Any = None
    for seq, event in enumerate(events[:last], 1):
        redacted = face.game.redact(event, viewer.mask)
        before = view
        view = face.game.fold((redacted,), view) if view is not None else face.game.fold((redacted,))
        text = face.narrate(before, view, redacted, viewer.seat) if before is not None and seq >= first else ""
        if text and not quiet:
            style = "bold yellow" if type(event) in face.headings else ""
            console.print(
                f"[dim]{seq:5}[/] " + (f"[{style}]{escape(text)}[/]" if style else escape(text)), soft_wrap=True
            )
    if quiet:
        who = "a spectator" if viewer.seat is None else f"seat {viewer.seat + 1}"
        console.print(f"[bold]{face.game.spec.title}[/], line {last} of {len(events)}, as {who}")
        console.print(escape(face.board(view, viewer.seat)), soft_wrap=True)
        for asked in view.asked:
            if asked.seat == viewer.seat:
                console.print(f"[bold yellow]You are asked:[/] {escape(face.question(view, asked))}")


COMMANDS = (replay,)
