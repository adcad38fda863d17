"""`herald watch`: the headlines of all matches of a server, in the terminal."""

import time
from collections.abc import Iterator
from http.client import HTTPException
from typing import Any, Final
from urllib.error import URLError
from urllib.parse import quote
from urllib.request import Request, urlopen

import click
import msgspec
from msgspec import Struct
from rich.markup import escape

from herald_client.errors import BadLink
from herald_client.links import base_of
from server.cli.common import console
from server.cli.errors import Amiss
from server.cli.output import echo
from server.cli.words import language, told, word

MOST_BYTES: Final = 1 << 20
"""The longest answer that is read."""
PATIENCE_S: Final = 60
LONGEST_WAIT_S: Final = 60.0


class Told(Struct, frozen=True):
    """A headline as the feed sends it."""

    at: int
    match: str
    title: str
    players: tuple[str, ...]
    line: int
    kind: str
    text: str


class FeedAnswer(Struct, frozen=True):
    """An answer of the feed: headlines as JSON, the last id, and after how many seconds to ask again."""

    headlines: tuple[bytes, ...]
    last: str
    again_s: float


def read_answer(text: str, last: str) -> FeedAnswer:
    """The events of an answer (HTML, 9.2.6), as far as the feed uses them. `last`: the id before it."""
    headlines, again_s = [], 2.0
    for line in text.splitlines():
        field, _, value = line.partition(": ")
        if field == "data":
            headlines.append(value.encode())
        elif field == "id":
            last = value
        elif field == "retry" and value.isdecimal():
            again_s = min(int(value[:9]) / 1000, LONGEST_WAIT_S)
    return FeedAnswer(tuple(headlines), last, again_s)


def _asked(base: str, last: str) -> FeedAnswer:
    headers = {"Last-Event-ID": last} if last else {}
    asked = Request(f"{base}/feed?lang={quote(language())}", headers=headers)  # noqa: S310 - as below
    with urlopen(asked, timeout=PATIENCE_S) as answer:  # noqa: S310 - base_of lets http and https through alone
        if answer.headers.get_content_type() != "text/event-stream":
            raise Amiss(word("There is no feed of headlines at {base}.", base=base))
        return read_answer(answer.read(MOST_BYTES).decode(errors="replace"), last)


def _answers(base: str, *, once: bool) -> Iterator[FeedAnswer]:
    """Answers of the feed, for ever; an unavailable server is asked again at growing intervals."""
    last, wait = "", 1.0
    while True:
        try:
            answer = _asked(base, last)
        except (URLError, OSError, HTTPException) as wrong:
            if once or not last:
                raise Amiss(word("{base} does not answer: {why}.", base=base, why=wrong)) from wrong
            console.print(word("[yellow]The server does not answer; trying again.[/]"))
            time.sleep(wait)
            wait = min(2 * wait, LONGEST_WAIT_S)
            continue
        last, wait = answer.last, 1.0
        yield answer
        if once:
            return
        time.sleep(answer.again_s)


def _shown(one: Told) -> str:
    at = time.strftime("%H:%M:%S", time.localtime(one.at / 1000))
    style = {"ends": "bold green", "begins": "bold", "running": "bold"}.get(one.kind, "")
    text = f"[{style}]{escape(one.text)}[/]" if style else escape(one.text)
    players = escape(" – ".join(one.players))
    return f"{at}  [cyan]{one.match[:8]}[/]  {escape(one.title)} ({players}): {text}"


@click.command()
@click.argument("server", metavar="SERVER")
@click.option("--all", "everything", is_flag=True, required=True, help="Follow all listed matches.")
@click.option("--once", is_flag=True, help="Print the present headlines, and end.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
def watch(server: str, *, everything: bool, once: bool, as_json: bool) -> None:
    """Print the headlines of all listed matches of a server as they happen.

    SERVER is its address, as https://herald.example. Headlines of a match with delayed spectators come with the same
    delay; matches that are not listed have none. Stop with Ctrl+C.
    """
    del everything
    try:
        base = base_of(server).rstrip("/")
    except BadLink as wrong:
        raise Amiss(told(str(wrong))) from wrong
    seen: dict[tuple[str, int, str], None] = {}
    for answer in _answers(base, once=once):
        for data in answer.headlines:
            _print(data, seen, as_json=as_json)


def _print(data: bytes, seen: dict[tuple[str, int, str], None], *, as_json: bool) -> None:
    """Print a headline, unless another process of the server has sent it before."""
    try:
        one = msgspec.json.decode(data, type=Told)
    except msgspec.MsgspecError:
        return
    key: Any = (one.match, one.line, one.kind)
    if key in seen:
        return
    seen[key] = None
    if len(seen) > MOST_REMEMBERED:
        del seen[next(iter(seen))]
    if as_json:
        echo(data.decode(errors="replace"))
    else:
        console.print(_shown(one), soft_wrap=True)


MOST_REMEMBERED: Final = 10_000
COMMANDS = (watch,)
"""The commands that this module adds to `herald`."""
