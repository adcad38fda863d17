"""`herald replay`: a match told and drawn in the terminal, as any permitted viewer saw it."""

from pathlib import Path
from typing import Any

import click
from rich.markup import escape

from projections.redaction import Viewer
from replay.moments import Eyes, Replay
from replay.store import Store
from server.cli.common import console, db_option, face_of, find_match, foreign, load_replay, open_store, read_viewer
from server.cli.player import Player
from server.errors import Misconfigured
from server.saving import stream_of


@click.command()
@click.argument("name", metavar="MATCH")
@click.option("--as", "viewer", default="spectator", show_default=True, help="spectator, or a seat: 1, 2 ...")
@click.option("--at", help="Draw the table after this line: a number or end.")
@click.option("--from", "first", default=1, type=click.IntRange(1), help="The first line to tell.")
@click.option("--to", "last", type=click.IntRange(1), help="The last line to tell.")
@click.option("--open", "everything", is_flag=True, help="Show everything; only of a match that is over.")
@click.option("--plain", is_flag=True, help="Tell it line by line also in a terminal, as into a pipe.")
@click.option("--save", type=click.Path(dir_okay=False, path_type=Path), help="Save the viewer's stream in this file.")
@db_option
def replay(
    name: str,
    viewer: str,
    at: str | None,
    first: int,
    last: int | None,
    everything: bool,
    plain: bool,
    save: Path | None,
    db: Path | None,
) -> None:
    """Play a match back full-screen, tell it line by line, or draw its table at one moment.

    MATCH is a match's id, its first letters, last, or an exported file. In a terminal, without --at, --from, --to or
    --plain, the full-screen player opens; press ? in it. A seat sees what it saw in play, no more. With --save its
    stream, the protocol's own messages, goes to a file that `herald audit` and scripts/verify-stream.mjs check.
    """
    if save is not None:
        _save_match(name, viewer, save, db)
        return
    with foreign(name):
        _show(load_replay(name, db), viewer, at, first, last, everything=everything, plain=plain)


def _show(
    told: Replay[Any], viewer: str, at: str | None, first: int, last: int | None, *, everything: bool, plain: bool
) -> None:
    eyes: Eyes = None if everything else read_viewer(viewer, told.game.seats)
    if everything and told.at(told.end, None).result is None:
        raise Misconfigured("The match is not over; its secrets stay closed. Choose a viewer with --as.")
    if console.is_terminal and not plain and at is None and first == 1 and last is None:
        Player(told, eyes, everything=everything).run()
    elif at is not None:
        _draw(told, eyes, _moment(at, told.end))
    else:
        _tell(told, eyes, first, last or told.end)


def _save_match(name: str, viewer: str, file: Path, db: Path | None) -> None:
    store = open_store(db, must_exist=True)
    try:
        header = find_match(store, name)
        _save(store, header.match, read_viewer(viewer, face_of(header.game).game.seats), file)
    finally:
        store.close()


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


def _tell(told: Replay[Any], eyes: Eyes, first: int, last: int) -> None:
    for line in told.chronicle(first, last, eyes):
        text = escape(line.text)
        shown = f"[bold yellow]{text}[/]" if line.heading else text
        console.print(f"[dim]{line.seq:5}[/] {shown}", soft_wrap=True)


def _draw(told: Replay[Any], eyes: Eyes, seq: int) -> None:
    view, seat = told.at(seq, eyes), None if eyes is None else eyes.seat
    who = "with everything open" if eyes is None else "as a spectator" if seat is None else f"as seat {seat + 1}"
    console.print(f"[bold]{told.game.spec.title}[/], line {seq} of {told.end}, {who}")
    console.print(escape(told.board(seq, eyes)), soft_wrap=True)
    for asked in view.asked:
        if asked.seat == seat:
            console.print(f"[bold yellow]You are asked:[/] {escape(told.face.question(view, asked))}")


COMMANDS = (replay,)
