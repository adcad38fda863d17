"""`herald match ahead`: answers that a seat signs before it is asked, for its server to give."""

from functools import partial
from typing import Any, Final

import anyio
import click
import msgspec

from herald_client import Instruction, KeptAnswer, Server
from server.cli.common import console
from server.cli.errors import Amiss
from server.cli.hint import seat_link
from server.cli.keys import key_of
from server.cli.output import echo
from server.cli.play import BREAKS, told_plainly
from server.cli.words import word
from server.wire.stream_file import link_of

NEVER: Final = 2**31
MOST: Final = 64


@click.command("ahead")
@click.argument("link", metavar="LINK")
@click.option("--when", "kinds", multiple=True, metavar="KIND", help="The kind of a question, as its line names it.")
@click.option(
    "--then", "choices", multiple=True, metavar="CHOICE", help='The answer to that question, as {"do": "Pass"}.'
)
@click.option(
    "--times",
    default=16,
    show_default=True,
    type=click.IntRange(1, MOST),
    help="The number of times that each answer may be used.",
)
@click.option(
    "--until",
    default=NEVER,
    type=click.IntRange(1, NEVER),
    help="The number of the last question that may be answered so.",
)
@click.option("--clear", is_flag=True, help="Remove all stored answers.")
def ahead(link: str, kinds: tuple[str, ...], choices: tuple[str, ...], times: int, until: int, clear: bool) -> None:
    """Have the server answer for a seat while its player is away: give each kind of question its answer.

    LINK is the seat's link with its key, or the file to which the seat was saved. The answers are signed here, each is
    used once, and they replace those stored before. Nobody else learns of an answer before it is used; then everybody
    does. All answers end when the seat chooses by hand and when a move is taken back. Without options, print the stored
    answers.
    """
    found = seat_link(link)
    if not found:
        raise Amiss(word("Name a seat by its link, or by the file that it was saved to."))
    if len(kinds) != len(choices) or (clear and kinds):
        raise Amiss(word("Give each --when its --then, or --clear alone."))
    said = [Instruction(kind, _choice(text), until=until) for kind, text in zip(kinds, choices, strict=True)]
    if len(said) * times > MOST:
        raise Amiss(word("At most {most} answers are kept; lower --times.", most=MOST))
    kept = anyio.run(partial(_kept, found, said, times, is_set=clear or bool(said)))
    for one in kept:
        echo(one.text)
    console.print(word("The server keeps {n} answers.", n=len(kept)))


def _choice(text: str) -> dict[str, Any]:
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except (msgspec.MsgspecError, RecursionError) as wrong:
        raise Amiss(word('--then is a choice as JSON, such as {{"do": "Pass"}}.')) from wrong


async def _kept(link: str, said: list[Instruction], times: int, *, is_set: bool) -> tuple[KeptAnswer, ...]:
    """Store these answers if any are given, and print the stored ones. Raises `Amiss`."""
    at = link_of(link)
    with told_plainly(at.server):
        async with Server(at.server).play(at.match, at.token, key=key_of(at), scenes=False, tries=BREAKS) as match:
            return await match.keep_ahead(*said, times=times) if is_set else await match.kept_ahead()
