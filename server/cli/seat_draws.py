"""`herald match draw`: how the seats of a match were drawn, checked."""

from contextlib import closing
from pathlib import Path
from typing import Final

import click
import msgspec
from rich.markup import escape

from replay.record.seat_draw import SeatDraw
from server.cli.common import console, db_option, match_named, open_store
from server.cli.output import echo
from server.cli.words import word

DRAWN: Final = "✓ The seats of {match} follow from the lots of all players, and its id from their commitments."
NOT_DRAWN: Final = "The seats of {match} were not drawn: it was not found by a search."
FAULT: Final = "✗ {match}: {why}"


@click.command("draw")
@click.argument("name", metavar="MATCH")
@click.option("--json", "as_json", is_flag=True, help="The lots and commitments, for programs.")
@db_option
@click.pass_context
def check_draw(ctx: click.Context, name: str, as_json: bool, db: Path | None) -> None:
    """Check how the seats were drawn in a match whose players the server has paired.

    The lots must be the sealed ones, the seats must follow from all lots, and the id of the match from the commitments.
    """
    with closing(open_store(db)) as store:
        match = match_named(store, name).match
        kept = store.opponents.draw(match)
    if as_json:
        echo(kept or "null")
        return
    if not kept:
        _say(word(NOT_DRAWN, match=match))
        return
    why = msgspec.json.decode(kept, type=SeatDraw).fault(match)
    _say(word(FAULT, match=match, why=why) if why else word(DRAWN, match=match))
    ctx.exit(1 if why else 0)


def _say(text: str) -> None:
    console.print(escape(text), soft_wrap=True)
