"""`herald replay`: a match told and drawn in the terminal, as any permitted viewer saw it."""

import time
from pathlib import Path
from typing import Any

import click
from rich.markup import escape

from domain.kernel import Seat
from projections.redaction import SPECTATOR, Viewer
from replay.files.export import EVERYTHING, created
from replay.files.private import write_private
from replay.playback.follow import FollowedReplay
from replay.playback.seek import Eyes, Replay
from replay.store.store import Store
from server.cli.common import (
    console,
    db_option,
    face_of,
    find_match,
    foreign,
    load_replay,
    open_store,
    read_viewer,
)
from server.cli.errors import Amiss
from server.cli.language import language_option
from server.cli.player import FOLLOW_S, ReplayPlayer
from server.cli.words import word
from server.wire.stream_file import stream_of


@click.command()
@language_option
@click.argument("name", metavar="MATCH")
@click.option("--as", "viewer", help="spectator, or a seat: 1, 2 ...  [default: spectator; a file's holder]")
@click.option("--at", help="Draw the table after this line: a number or end.")
@click.option("--from", "first", default=1, type=click.IntRange(1), help="The first line to tell.")
@click.option("--to", "last", type=click.IntRange(1), help="The last line to tell.")
@click.option("--open", "everything", is_flag=True, help="Show everything; only for a match that is over.")
@click.option("--plain", is_flag=True, help="Tell the match line by line, even in a terminal.")
@click.option("--follow", is_flag=True, help="Keep telling the match while it is played, until it ends.")
@click.option("--save", type=click.Path(dir_okay=False, path_type=Path), help="Save the viewer's stream in this file.")
@db_option
def replay(
    name: str,
    viewer: str | None,
    at: str | None,
    first: int,
    last: int | None,
    everything: bool,
    plain: bool,
    follow: bool,
    save: Path | None,
    db: Path | None,
) -> None:
    """Play a match back full-screen, tell it line by line, or draw its table at one moment.

    MATCH is a match's id, its first letters, last, or an exported file. In a terminal, without --at, --from, --to or
    --plain, the full-screen player opens; press ? in it. A seat sees what it saw in play, no more. With --save its
    stream, the protocol's own messages, goes to a file that `herald audit` and scripts/verify-stream.mjs check.
    """
    if save is not None:
        _save_match(name, viewer or "spectator", save, db)
        return
    # A terminal that cannot move its cursor is told line by line, like a pipe.
    whole = console.is_terminal and not console.is_dumb_terminal and not plain and at is None and first == 1
    if follow or (whole and last is None and not everything and not Path(name).is_file()):
        _follow(name, viewer or "spectator", db, full_screen=whole and last is None)
        return
    with foreign(name):
        told = load_replay(name, db)
        eyes = None if everything else _eyes(told, viewer)
        if everything and (told.view != EVERYTHING or told.at(told.end, None).result is None):
            raise Amiss(word("Its secrets are closed: the match is not over, or the file does not hold them."))
        if whole and last is None:
            ReplayPlayer(told, eyes, everything=everything).run()
        elif at is not None:
            _draw(told, eyes, _moment(at, told.end))
        else:
            _tell(told, eyes, first, last or told.end)


def _eyes(told: Replay[Any], viewer: str | None) -> Eyes:
    """The viewer: the requested one, if its view is held; otherwise the holder."""
    held = [Viewer(Seat(seat)) for seat in range(told.seats) if f"seat{seat}" == told.view]
    if viewer is None:
        return held[0] if held else SPECTATOR
    eyes = read_viewer(viewer, told.seats)
    if told.view != EVERYTHING and eyes not in [SPECTATOR, *held]:
        raise Amiss(word("This file holds the view {view}; it cannot be seen through other eyes.", view=told.view))
    return eyes


def _follow(name: str, viewer: str, db: Path | None, *, full_screen: bool) -> None:
    """Play a match of the database as it grows; spectators have the delay of the match."""
    store = open_store(db, must_exist=True)
    try:
        header = find_match(store, name)
        face = face_of(header.game, created(store, header.match))
        eyes = read_viewer(viewer, len(store.seats.holders(header.match)))
        following = FollowedReplay(face, store, header.match, delayed=eyes == SPECTATOR)
        if full_screen:
            going = None if following.ended else following
            ReplayPlayer(following.replay, eyes, following=going, everything=following.ended).run()
            return
        told = 0
        while True:
            _tell(following.replay, eyes, told + 1, following.replay.end)
            told = following.replay.end
            if following.ended:
                return
            while not following.news() and not following.ended:
                time.sleep(FOLLOW_S)
    finally:
        store.close()


def _save_match(name: str, viewer: str, file: Path, db: Path | None) -> None:
    store = open_store(db, must_exist=True)
    try:
        header = find_match(store, name)
        _save(store, header.match, read_viewer(viewer, len(store.seats.holders(header.match))), file)
    finally:
        store.close()


def _save(store: Store, match: str, viewer: Viewer, file: Path) -> None:
    try:
        write_private(file, "".join(f"{frame}\n" for frame in stream_of(store, match, viewer)).encode())
    except OSError as wrong:
        raise Amiss(word("{name} cannot be written: {why}.", name=file, why=wrong.strerror)) from wrong
    said = word("What {viewer} holds is in {file}; check it with: herald audit {file}", viewer=viewer.label, file=file)
    console.print(escape(said), soft_wrap=True)


def _moment(at: str, end: int) -> int:
    if at == "end":
        return end
    if at.isdecimal() and 1 <= int(at) <= end:
        return int(at)
    raise Amiss(word("--at is a line from 1 to {end}, or end; not {at!r}.", end=end, at=at))


def _tell(told: Replay[Any], eyes: Eyes, first: int, last: int) -> None:
    for line in told.chronicle(first, last, eyes):
        text = escape(line.text)
        shown = f"[bold yellow]{text}[/]" if line.heading else text
        console.print(f"[dim]{line.seq:5}[/] {shown}", soft_wrap=True)


def _draw(told: Replay[Any], eyes: Eyes, seq: int) -> None:
    view, seat = told.at(seq, eyes), None if eyes is None else eyes.seat
    if eyes is None:
        who = word("with everything open")
    else:
        who = word("as a spectator") if seat is None else word("as seat {n}", n=seat + 1)
    where = word("line {seq} of {end}", seq=seq, end=told.end)
    console.print(f"[bold]{told.game.spec.title}[/], {where}, {who}")
    console.print(escape(told.board(seq, eyes)), soft_wrap=True)
    for asked in view.asked:
        if asked.seat == seat:
            console.print(f"[bold yellow]{word('You are asked:')}[/] {escape(told.face.question(view, asked))}")


COMMANDS = (replay,)
