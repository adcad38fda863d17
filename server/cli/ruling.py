"""`herald match end` and `herald match void`: the host ends a match, and its record then says so."""

import time
from pathlib import Path
from typing import Final

import click
from rich.markup import escape

from domain.kernel.act import REASON_MOST
from replay.store.side_tables.rulings import RulingRow
from replay.store.store import Store
from server.cli.common import console, db_option, match_named, open_store
from server.cli.errors import Amiss
from server.cli.words import word
from server.wire.text import visible

WAIT_S: Final = 12.0
"""How long a command waits for a server to write the line."""
LOOK_S: Final = 0.2
DRAW: Final = "draw"
RULED: Final = "The match {match} has ended: {result}. Its record says that the host ended it, and why."
WAITS: Final = (
    "No server has written it yet: the match {match} ends as soon as one runs over this database that knows its game."
    " herald match {act} {match} --withdraw takes it back until then."
)
WITHDRAWN: Final = "Nothing waits for the match {match} any more."
reason_option = click.option(
    "--reason", default="", help="The reason; it stays in the record, where everybody can read it."
)
withdraw_option = click.option("--withdraw", is_flag=True, help="Take back a ruling that no server has written yet.")


def rule(store: Store, match: str, row: RulingRow, wait_s: float = WAIT_S) -> str:
    """Have a server end a match; returns the result once its record has it, otherwise "". Raises `Misconfigured`."""
    header = store.header(match)
    if header.status == "finished":
        raise Amiss(word("The match {match} is over already.", match=match[:8]))
    if header.status == "open" and not row.void:
        raise Amiss(word("The match {match} has not begun; make it void instead.", match=match[:8]))
    store.rulings.note(row)
    until = time.monotonic() + wait_s
    while time.monotonic() < until and store.header(match).status != "finished":
        time.sleep(LOOK_S)
    header = store.header(match)
    return header.result if header.status == "finished" else ""


def read_winners(text: str, seats: int) -> tuple[int, ...]:
    """The winning seats that `--result` names, from 0: `draw`, or numbers from 1. Raises `Misconfigured`."""
    if text == DRAW:
        return ()
    parts = text.replace(",", " ").split()
    won = sorted({int(part) - 1 for part in parts if part.isdecimal()})
    if len(won) != len(parts) or not won or won[0] < 0 or won[-1] >= seats or len(won) == seats:
        raise Amiss(
            word(
                "--result is draw, or the seats that win, from 1 to {n} and not all of them: --result 2, --result 1,3.",
                n=seats,
            )
        )
    return tuple(won)


def _carry_out(name: str, act: str, reason: str, result: str | None, *, withdraw: bool, db: Path | None) -> None:
    store = open_store(db)
    try:
        match = match_named(store, name).match
        if withdraw:
            store.rulings.settle(match)
            console.print(escape(word(WITHDRAWN, match=match[:8])))
            return
        why = visible(reason)
        if not 0 < len(why) <= REASON_MOST:
            raise Amiss(word("Give a reason of 1 to {n} characters: --reason TEXT.", n=REASON_MOST))
        won = () if result is None else read_winners(result, len(store.seats.holders(match)))
        row = RulingRow(match, why, " ".join(map(str, won)), int(result is None), time.time_ns() // 1_000_000)
        ended = rule(store, match, row)
        told = word(RULED, match=match[:8], result=ended) if ended else word(WAITS, match=match[:8], act=act)
        console.print(escape(told), soft_wrap=True)
    finally:
        store.close()


@click.command("end")
@click.argument("name", metavar="MATCH")
@click.option("--result", default=DRAW, show_default=True, help="The seats that win, from 1, or draw.")
@reason_option
@withdraw_option
@db_option
def end_match(name: str, result: str, reason: str, withdraw: bool, db: Path | None) -> None:
    """End a match with a result, as its host.

    The line in the record says that the host ended it, and why. A running server writes it and tells the table. The
    match counts for no rating.
    """
    _carry_out(name, "end", reason, result, withdraw=withdraw, db=db)


@click.command("void")
@click.argument("name", metavar="MATCH")
@reason_option
@withdraw_option
@db_option
def void_match(name: str, reason: str, withdraw: bool, db: Path | None) -> None:
    """Make a match void, as its host: nobody wins, and it counts nowhere.

    The line in the record says that the host did, and why. A running server writes it and tells the table.
    """
    _carry_out(name, "void", reason, None, withdraw=withdraw, db=db)
