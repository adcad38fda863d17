"""`herald diff`: two records, or one match from two views, side by side from their first difference."""

from pathlib import Path
from typing import Any

import click
from rich.markup import escape
from rich.table import Table

from replay.errors import RecordInvalid
from replay.playback.seek import Eyes, Replay
from server.cli.common import console, db_option, foreign, load_replay, read_viewer
from server.cli.errors import Amiss
from server.cli.words import named, told, word

SHOWN = 12
"""The number of lines shown from the first difference on, by default."""


@click.command("diff")
@click.argument("one")
@click.argument("two")
@click.option("--as", "viewer", default="spectator", show_default=True, help="The viewer: spectator or a seat.")
@click.option("--and", "other", help="The viewer of TWO.  [default: the same]")
@click.option("--lines", default=SHOWN, show_default=True, type=click.IntRange(1), help="The number of lines to show.")
@db_option
def diff_command(one: str, two: str, viewer: str, other: str | None, lines: int, db: Path | None) -> None:
    """Compare two matches, or two viewers of one: the first difference, then both side by side.

    ONE and TWO are matches (an id, its first letters, last) or exported files. Ends with 0 when nothing differs, with
    1 when something does.
    """
    with foreign(one, two):
        _compare(load_replay(one, db, check=False), load_replay(two, db, check=False), (one, two), viewer, other, lines)


def _compare(
    left: Replay[Any], right: Replay[Any], names: tuple[str, str], viewer: str, other: str | None, lines: int
) -> None:
    if left.game.name != right.game.name:
        raise Amiss(word("These are different games: {one} and {other}.", one=left.game.name, other=right.game.name))
    eyes = read_viewer(viewer, left.seats), read_viewer(other or viewer, right.seats)
    at = first_difference(left, right, eyes)
    if at is None:
        console.print(word("Nothing differs in {end} lines.", end=left.end))
        return
    kinds = [type(told.events[at - 1]).__name__ if at <= told.end else word("the end") for told in (left, right)]
    console.print(
        word(
            "The first difference is at line {at}: [bold]{one}[/] against [bold]{other}[/].",
            at=at,
            one=kinds[0],
            other=kinds[1],
        )
    )
    seen = ((names[0], viewer), (names[1], other or viewer))
    one, another = (word("{name} as {who}", name=name, who=named(who)) for name, who in seen)
    console.print(_side_by_side(left, right, eyes, at, lines, (one, another)))
    raise click.exceptions.Exit(1)


def first_difference(left: Replay[Any], right: Replay[Any], eyes: tuple[Eyes, Eyes]) -> int | None:
    """The first line that differs; the line after the shorter match if that is all; None if the two are equal."""
    for seq in range(1, min(left.end, right.end) + 1):
        if left.seen(seq, eyes[0]) != right.seen(seq, eyes[1]):
            return seq
    return None if left.end == right.end else min(left.end, right.end) + 1


def _side_by_side(
    left: Replay[Any], right: Replay[Any], eyes: tuple[Eyes, Eyes], at: int, lines: int, titles: tuple[str, str]
) -> Table:
    table = Table(word("line"), escape(titles[0]), escape(titles[1]), show_lines=True)
    for seq in range(max(1, at - 2), at + lines):
        told = [_said(replay, seq, view) for replay, view in zip((left, right), eyes, strict=True)]
        kinds = [type(r.events[seq - 1]).__name__ if seq <= r.end else "" for r in (left, right)]
        if not any(kinds):
            break
        cells = [escape(text) or f"[dim]{kind}[/]" for text, kind in zip(told, kinds, strict=True)]
        table.add_row(f"[bold]{seq}[/]" if seq == at else str(seq), *cells)
    return table


def _said(replay: Replay[Any], seq: int, eyes: Eyes) -> str:
    try:
        return replay.told(seq, eyes).text if seq <= replay.end else ""
    except RecordInvalid as wrong:  # a record that is compared may well be broken
        return told(str(wrong))


COMMANDS = (diff_command,)
