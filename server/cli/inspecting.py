"""`herald inspect`: the messages that a client of a match is sent, one by one, and the view they fold to."""

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import anyio
import click
import msgspec
from rich import box
from rich.markup import escape
from rich.table import Table
from rich.text import Text
from websockets.exceptions import WebSocketException

from server.cli.common import console, db_option, face_of, find_match, open_store, read_viewer
from server.cli.errors import Amiss
from server.cli.inspection import InspectedFrame, Inspection, kept_frames, live_frames
from server.cli.words import named, told, word

PARTS: Final = ("messages", "chain", "view", "question")
KIB: Final = 1024
TOKENS: Final = frozenset({"token", "entropy"})
"""Fields of one's own messages that must not be visible on a screen."""
CHAIN: Final[Mapping[str, Any]] = {"line": "right", "event": "left", "by": "right", "opened": "right", "head": "left"}
"""The columns that describe each line of the chain, and the side to which each is aligned."""
NONE: Final[Mapping[str, Any]] = {}


@click.command("inspect")
@click.argument("target", metavar="LINK|MATCH")
@click.option(
    "--as",
    "viewer",
    default="spectator",
    help="The viewer, for a match of the database: spectator, or a seat: 1, 2 ...",
)
@click.option("--at", "upto", type=click.IntRange(1), help="Fold and verify up to this line.")
@click.option(
    "--show", type=click.Choice(PARTS), multiple=True, help="A part to show; may be repeated.  [default: all]"
)
@click.option(
    "--lines", default=20, type=click.IntRange(0), help="The number of lines to show from the end of the chain; 0: all."
)
@click.option("--scenes", is_flag=True, help="With a link: ask for Scenes too.")
@click.option("--follow", is_flag=True, help="With a link: continue until the match ends.")
@click.option("--full", is_flag=True, help="Every message, line and field in full.")
@db_option
def inspect_command(
    target: str,
    viewer: str,
    upto: int | None,
    show: tuple[str, ...],
    lines: int,
    scenes: bool,
    follow: bool,
    full: bool,
    db: Path | None,
) -> None:
    """Show a client's messages, the chain they prove, the view they fold to, the question and its answers.

    LINK is the address of the page on which you play or watch. The command opens a connection of its own with the
    link's token, and shows only the messages on that connection. MATCH is a match of the database,
    shown as the viewer of --as sees it.
    """
    inspection = Inspection(upto)
    shown = show or PARTS
    messages = _printer(full) if "messages" in shown else lambda _: None
    if "://" in target:
        _live(target, inspection, messages, scenes=scenes, follow=follow)
    else:
        _kept(target, viewer, db, inspection, messages)
    if "chain" in shown:
        _chain(inspection, lines, full)
    if "view" in shown:
        _view(inspection, full)
    if "question" in shown:
        _question(inspection)
    if inspection.fault is not None:
        raise Amiss(
            word("The record is broken at line {seq}: {why}.", seq=inspection.fault.seq, why=told(inspection.fault.why))
        )


def _live(
    link: str, inspection: Inspection, messages: Callable[[InspectedFrame], None], *, scenes: bool, follow: bool
) -> None:
    async def read() -> None:
        async for frame in live_frames(link, inspection, scenes=scenes, follow=follow):
            messages(frame)

    try:
        anyio.run(read)
    except (OSError, WebSocketException) as wrong:
        raise Amiss(
            word("The match cannot be read from {link}: {wrong}", link=link.partition("#")[0], wrong=wrong)
        ) from wrong
    except KeyboardInterrupt:
        console.print()


def _kept(
    name: str, viewer: str, db: Path | None, inspection: Inspection, messages: Callable[[InspectedFrame], None]
) -> None:
    store = open_store(db, must_exist=True)
    try:
        header = find_match(store, name)
        eyes = read_viewer(viewer, face_of(header.game).game.seats)
        for frame in kept_frames(store, header.match, eyes):
            inspection.take(frame.text)
            messages(frame)
    finally:
        store.close()


def _heading(text: str) -> None:
    console.rule(f"[bold yellow]{escape(text)}[/]", align="left", style="dim")


def _printer(full: bool) -> Callable[[InspectedFrame], None]:
    """Prints frames as they pass, in columns."""
    begun: list[bool] = []

    def one(frame: InspectedFrame) -> None:
        if not begun:
            begun.append(True)
            _heading(word("messages"))
        said = msgspec.json.decode(frame.text)
        way = "[yellow]→[/]" if frame.out else "[cyan]←[/]"
        kind = "red" if said["t"] in {"refused", "error"} else "yellow" if frame.out else "cyan"
        row = f"[dim]{frame.at:12}[/] {way} [bold {kind}]{said['t']:<10}[/] [dim]{_sized(frame.text):>9}[/]  "
        console.print(row + escape(_brief(said)), no_wrap=True, overflow="ellipsis", crop=True)
        if full:
            console.print_json(msgspec.json.encode(_covered(said)).decode(), indent=2)

    return one


def _covered(said: dict[str, Any]) -> dict[str, Any]:
    return {name: "…" if name in TOKENS else value for name, value in said.items()}


def _sized(text: str) -> str:
    size = len(text.encode())
    return f"{size} B" if size < KIB else f"{size / KIB:.1f} KiB"


def _brief(said: dict[str, Any]) -> str:
    """The summary of a message."""
    kind = said["t"]
    if kind == "events":
        counts = Counter(msgspec.json.decode(text)[4] for text, _ in said["items"])
        types = ", ".join(name if n == 1 else f"{name} ×{n}" for name, n in counts.items())
        return f"{said['from']}–{said['to']}: {types}"
    if kind == "welcome":
        who = said["viewer"]
        seat = f" {who['seat'] + 1}" if who.get("seat") is not None else ""
        return f"{said['title'] or said['game']}, {named(who['as'])}{seat}, {word('{n} lines', n=said['head']['seq'])}"
    rest = {name: value for name, value in _covered(said).items() if name not in {"t", "scene", "head"}}
    return msgspec.json.encode(rest).decode() if rest else ""


def _chain(inspection: Inspection, most: int, full: bool) -> None:
    checked = inspection.lines
    shown = checked if not most else checked[-most:]
    signed = word("; signed by the server to line {n}", n=inspection.signed_to) if inspection.signed_to else ""
    _heading(word("chain: {n} lines, each follows from the one before", n=len(checked)) + signed)
    table = _columns(CHAIN)
    table.add_column(word("says"), overflow="fold" if full else "ellipsis", no_wrap=not full, ratio=1)
    for one in shown:
        line = one.line
        by = str(line.actor + 1) if line.actor >= 0 else ""
        head = one.head if full else one.head[:10]
        says = msgspec.json.encode(msgspec.json.decode(line.payload)).decode()
        table.add_row(str(line.seq), line.type, by, str(one.opened or ""), head, Text(says, style="dim"))
    console.print(table)


def _columns(columns: Mapping[str, Any] = NONE) -> Table:
    table = Table(box=box.SIMPLE_HEAD, header_style="dim", pad_edge=False, expand=True)
    for name, justify in columns.items():
        table.add_column(word(name), justify=justify, no_wrap=True, style="bold" if name == "event" else "")
    return table


def _view(inspection: Inspection, full: bool) -> None:
    view = inspection.view
    if view is None or view.state is None:
        return
    _heading(word("view of {who} after line {line}, folded", who=named(view.viewer.label), line=view.seq))
    fields = msgspec.json.decode(msgspec.json.encode(view.state))
    table = _columns()
    table.show_header = False
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold" if full else "ellipsis", no_wrap=not full, ratio=1)
    for name, value in fields.items():
        table.add_row(name, Text(msgspec.json.encode(value).decode(), style=_style(value)))
    console.print(table)


def _style(value: Any) -> str:
    if value is None or value in ([], {}, ""):
        return "dim"
    return "yellow" if isinstance(value, int) else "green" if isinstance(value, str) else ""


def _question(inspection: Inspection) -> None:
    prompt = inspection.prompt()
    if prompt is None:
        return
    _heading(word("question"))
    console.print(f"[bold]{escape(prompt['ask'])}[/]  [dim]{escape(prompt.get('why', ''))}[/]")
    for field in prompt.get("fields", ()):
        console.print(word("[dim]decision {n}, form {form}[/]", n=prompt["id"], form=field["type"]))
        for part in ("options", "items", "slots"):
            for one in field.get(part, ()):
                console.print(f"  [yellow]{escape(one['id']):>6}[/]  {escape(one.get('label', ''))}")


COMMANDS = [inspect_command]
