"""`herald login`, `devices`, `handle` and `my`: a person's account at a server, by a key stored on this machine."""

import asyncio
import json
import secrets
import socket
import time
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any, Final, TypeVar

import click
import segno
from rich.markup import escape

from herald_client import (
    Account,
    AccountDoor,
    BadLink,
    Closed,
    FileKeys,
    Key,
    Link,
    OwnMatch,
    OwnMatches,
    Refused,
    Server,
    Session,
)
from herald_client.accounts import Device, pairing_number
from server.cli.common import console, said_refusal
from server.cli.errors import Amiss
from server.cli.keys import named_link
from server.cli.output import echo
from server.cli.places import data_dir
from server.cli.words import word
from server.wire.stream_file import link_of

T = TypeVar("T")
POLL_S: Final = 2.0
"""How often the server is asked whether a new device has come."""
KEY_SHOWN: Final = 8
NO_ACCOUNT: Final = "No key of this machine is known there. A new account: herald login {server} --handle NAME"
NOBODY_THERE: Final = "The server cannot be reached: {why}"
NO_SERVER: Final = "Name the server: herald login http://HOST:PORT"
RECOVERY: Final = "Recovery code, shown once: {code}\nWrite it down: it lets a new device in when all others are lost."
SIGNED_IN: Final = "Signed in at {server} as {handle}."
ASKED: Final = "The other device now shows a number. Confirm it there if it is {number}; then this device is signed in."
CODE: Final = "On the new device: herald login {server} --code {code}\nWaiting for it until {time} …"
SAME: Final = "{name} asks to be added. Does it show {number}?"
ADDED: Final = "{name} is added."
TOO_LATE: Final = "No device has asked; the code is over."
DIFFERENT: Final = "It was not added. If the numbers differ, somebody else may have the code: make another."
REVOKED: Final = "{name} is revoked; it is signed in nowhere any more."
NO_DEVICE: Final = "No device, or more than one, has this name or key: {device}. herald devices list"
ENTERED: Final = "The seat has another link now. Go on by it, with a key of this device: herald play --new-key {link}"
DELETED: Final = "The account is deleted. Records of matches stay as they are."
LATER: Final = "Its bytes are still in the database, which overwrites them when it next cleans up."
SURE: Final = "Delete the account {handle} for good? Type its handle"
CLAIMED: Final = "Line {line} of the record says that a person stands behind the seat."
SHOWN: Final = ["nobody", "opponents", "everybody"]
OUTCOMES: Final = {"won": "Won", "lost": "Lost", "drawn": "Drawn", "void": "Void"}
GROUPS: Final = {"yours": "Your move", "waiting": "Waiting", "open": "Open", "finished": "Finished"}


def _folder() -> Path:
    return data_dir() / "accounts"


def _named_server(given: str | None) -> str:
    """The server that is named, otherwise the one of the last login. Raises `Misconfigured`."""
    file = _folder() / "server"
    if given:
        return given
    if file.is_file():
        return file.read_text("utf-8").strip()
    raise Amiss(word(NO_SERVER))


def _door(server: str, *, new: bool = False) -> AccountDoor:
    """The entrance to a server, with the key that this machine has for it alone, so that no server can pass it on."""
    keys = FileKeys(_folder())
    door = AccountDoor(server, Key())
    kept = keys.of(door.site)
    if kept is not None:
        return AccountDoor(server, kept)
    if not new:
        raise Amiss(word(NO_ACCOUNT, server=server))
    keys.keep(door.site, door.key)
    return door


def _remember(server: str) -> None:
    """Store the server's address for the commands that name none."""
    _folder().mkdir(parents=True, mode=0o700, exist_ok=True)
    (_folder() / "server").write_text(server + "\n", "utf-8")


async def enter(server: str, handle: str, name: str, code: str, recovery: str) -> str:
    """Sign up, sign in, or ask another device; returns the text for the person.

    Raises `Refused` if the server refuses, and `Closed` if it cannot be reached.
    """
    door = _door(server, new=bool(handle or code or recovery))
    if code:
        told = word(ASKED, number=await door.ask_pairing(code, name))
    elif handle or recovery:
        entered = await (door.sign_up(handle, name) if handle else door.recover(recovery, name))
        signed = word(SIGNED_IN, server=door.url, handle=entered.handle)
        told = f"{signed}\n{word(RECOVERY, code=entered.recovery)}"
    else:
        async with door.session() as session:
            told = word(SIGNED_IN, server=door.url, handle=session.entered.handle)
    _remember(door.url)
    return told


async def within(server: str | None, act: Callable[[Session], Awaitable[T]]) -> T:
    """Do something while signed in. Raises `Refused` if the server refuses, and `Closed` if it cannot be reached."""
    async with _door(_named_server(server)).session() as session:
        return await act(session)


async def add_device(server: str | None, confirm: Callable[[str], bool], poll_s: float = POLL_S) -> str:
    """Wait for a new device and add it if its number is confirmed; returns the text for the person."""

    async def add(session: Session) -> str:
        offered = await session.offer_pairing()
        until = time.strftime("%H:%M", time.localtime(offered.until_ms / 1000))
        named = _named_server(server)
        _print(word(CODE, server=named, code=offered.code, time=until), qr_lines(f"{named}/me#code={offered.code}"))
        while (asks := (await session.account()).asks) is None:
            if time.time() * 1000 > offered.until_ms:
                return word(TOO_LATE)
            await asyncio.sleep(poll_s)
        name = asks.name or asks.key[:KEY_SHOWN]
        number = pairing_number(offered.code, asks.key)
        if not await asyncio.to_thread(confirm, word(SAME, name=name, number=number)):
            return word(DIFFERENT)
        await session.confirm_pairing(asks.key)
        return word(ADDED, name=name)

    return await within(server, add)


async def claim_seat(server: str, at: Link, shown: str) -> int:
    """Claim a seat in its record, or show a claim to others; returns the claim's line.

    Raises `Refused` if the server refuses, and `Closed` if it cannot be reached.
    """
    door = _door(server)
    async with door.session() as session:
        opening = next((one for one in await session.claims() if one.match == at.match), None)
        if opening is None or opening.key != door.key.public:
            key = Key.read(at.key) if at.key else None
            async with Server(at.server).play(at.match, at.token, key=key, scenes=False, tries=1) as match:
                opening = await match.claim_seat(door.key)
        await session.keep_seat(at.match, at.token, claim=opening, shown=shown)
    return opening.line


async def note_seat(server: str, at: Link, *, on: bool) -> None:
    """Note a seat, or remove the note; with the seat's key, if the link holds it, this person's devices can enter it
    later. Raises `Refused` if the server refuses, and `Closed` if it cannot be reached.
    """
    door, signature = _door(server), ""
    if on and at.key:
        async with Server(at.server).play(at.match, at.token, key=Key.read(at.key), scenes=False, tries=1) as match:
            signature = await match.entry(door.key.public)
    async with door.session() as session:
        await session.keep_seat(at.match, at.token, on=on, signature=signature)


async def enter_seat(server: str | None, match: str) -> str:
    """Enter a seat of this person without its link; returns the new link.

    Raises `Refused` if the server refuses, and `Closed` if it cannot be reached.
    """
    token = secrets.token_urlsafe(32)
    await within(server, lambda session: session.enter_seat(match, token))
    return str(Link(_named_server(server), match, token))


def qr_lines(text: str) -> str:
    """A text as a QR code, two rows of modules a line; drawn light on dark, as most terminals are."""
    light = [[not dark for dark in row] for row in segno.make(text, error="m", micro=False).matrix_iter(border=2)]
    light.append([True] * len(light[0]))
    marks = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}
    pairs = zip(light[::2], light[1::2], strict=False)
    return "\n".join("".join(marks[both] for both in zip(upper, lower, strict=True)) for upper, lower in pairs)


def found_device(account: Account, named: str) -> Device:
    """The one device with a name, or with a key that begins with it. Raises `Misconfigured`."""
    live = [device for device in account.devices if not device.revoked_ms]
    found = [device for device in live if device.name == named] or [
        device for device in live if named and device.key.startswith(named)
    ]
    if len(found) != 1:
        raise Amiss(word(NO_DEVICE, device=named))
    return found[0]


def device_lines(account: Account) -> list[str]:
    """A line for each device that is not revoked."""
    return [
        word(
            "{key}  {name}  added {added}, last used {used}{here}",
            key=device.key[:KEY_SHOWN],
            name=device.name or "–",
            added=_day(device.added_ms),
            used=_day(device.used_ms),
            here=word("  (this one)") if device.here else "",
        )
        for device in account.devices
        if not device.revoked_ms
    ]


def match_lines(page: OwnMatches) -> list[str]:
    """A line for each match, below a line with the number of matches in each group."""
    named = {**GROUPS, "void": OUTCOMES["void"]}
    counts = [f"{word(told)}: {page.counts[group]}" for group, told in named.items() if page.counts.get(group)]
    lines = [
        f"{match.match[:KEY_SHOWN]}  {word(GROUPS.get(match.group, match.group))}  {match.game}  "
        f"{match.title or '–'}  {' – '.join(player or '…' for player in match.players)}  {_day(match.changed_ms)}"
        f"{_ended(match)}"
        for match in page.matches
    ]
    return [", ".join(counts) or word("No match is noted yet: herald my seat LINK"), *lines]


def _ended(match: OwnMatch) -> str:
    """The result of a match of this person, and the change of the rating; or the end of this person's time."""
    told = [word(OUTCOMES[match.outcome])] if match.outcome in OUTCOMES else []
    if match.change is not None:
        told.append(f"{match.change:+.0f}")
    if match.due_ms:
        until = time.strftime("%Y-%m-%d %H:%M", time.localtime(match.due_ms / 1000))
        told.append(word("until {time}", time=until))
    return "".join(f"  {text}" for text in told)


def _day(at_ms: int) -> str:
    return time.strftime("%Y-%m-%d", time.localtime(at_ms / 1000)) if at_ms else "–"


def _print(*lines: str) -> None:
    for line in lines:
        console.print(escape(line), soft_wrap=True)


def _run(asked: Coroutine[Any, Any, T]) -> T:
    """Carry out a request to a server.

    Raises `Misconfigured` with the reason if the server refuses or cannot be reached.
    """
    try:
        return asyncio.run(asked)
    except Refused as wrong:
        raise Amiss(said_refusal("", wrong.why, "")) from wrong
    except Closed as wrong:
        raise Amiss(word(NOBODY_THERE, why=wrong.why)) from wrong
    except BadLink as wrong:
        raise Amiss(str(wrong)) from wrong


server_option = click.option("--server", metavar="URL", help="The server.  [default: that of the last login]")


@click.command()
@click.argument("server", metavar="URL")
@click.option("--handle", default="", help="Make a new account with this handle.")
@click.option("--code", default="", help="Join an account by the code that `herald devices add` shows.")
@click.option("--recover", "recovery", default="", help="Join an account by its recovery code.")
@click.option("--device", "name", default="", help="This device's name in the account.  [default: the machine's]")
def login(server: str, handle: str, code: str, recovery: str, name: str) -> None:
    """Sign in at a server with a key of this machine.

    No account is needed to play. The key is made here and stays here, in a file that nobody else may read.
    """
    if sum(map(bool, (handle, code, recovery))) > 1:
        raise Amiss(word("Name one of --handle, --code and --recover."))
    _print(_run(enter(server, handle, (name or socket.gethostname())[:32], code, recovery)))


@click.group()
def devices() -> None:
    """Devices that are let into your account."""


@devices.command("list")
@server_option
def list_devices(server: str | None) -> None:
    """List your devices."""
    _print(*device_lines(_run(within(server, Session.account))))


@devices.command("add")
@server_option
def add(server: str | None) -> None:
    """Let a new device in: this command prints a code for it, and both devices show the same number."""
    _print(_run(add_device(server, lambda question: click.confirm(question, default=False))))


@devices.command("revoke")
@click.argument("device", metavar="DEVICE")
@server_option
def revoke(device: str, server: str | None) -> None:
    """Revoke a device. DEVICE is its name, or the beginning of its key."""

    async def act(session: Session) -> str:
        found = found_device(await session.account(), device)
        await session.revoke(found.key)
        return word(REVOKED, name=found.name or found.key[:KEY_SHOWN])

    _print(_run(within(server, act)))


@click.command()
@click.argument("new", metavar="[HANDLE]", default="")
@server_option
def handle(new: str, server: str | None) -> None:
    """Show your handle, or take another one."""

    async def act(session: Session) -> str:
        return (await (session.rename(new) if new else session.account())).handle

    _print(_run(within(server, act)))


@click.group()
def my() -> None:
    """Your matches and your account."""


@my.command("matches")
@click.argument("text", metavar="[TEXT]", default="")
@click.option("--group", type=click.Choice([*GROUPS]), default=None, help="Only those of one group.")
@click.option("--after", type=click.IntRange(min=0), default=0, help="Skip this many.")
@server_option
def matches(text: str, group: str | None, after: int, server: str | None) -> None:
    """List your matches on all devices, the last changed first.

    With TEXT, only those whose title, game or players contain it.
    """
    page = _run(within(server, lambda session: session.matches(group or "", text, after)))
    _print(*match_lines(page))
    if page.more:
        _print(word("There are more: --after {n}", n=after + len(page.matches)))


@my.command("seat")
@click.argument("link", metavar="LINK")
@click.option("--forget", is_flag=True, help="Remove the note.")
@click.option(
    "--show",
    type=click.Choice(SHOWN),
    help="State in the record that a person is behind the seat; these viewers see your handle.",
)
@server_option
def seat(link: str, forget: bool, show: str | None, server: str | None) -> None:
    """Note a seat among your matches. LINK is a seat's link, or the file of a seat. Nobody else learns of it.

    With `--show` the record says for ever that a person stands behind the seat's key, and never which person. Those to
    whom it is shown see your handle, and can check that your key has signed.
    """
    at = link_of(named_link(link))
    if show is not None and not forget:
        _print(word(CLAIMED, line=_run(claim_seat(server or at.server, at, show))))
        return
    _run(note_seat(server or at.server, at, on=not forget))
    _print(word("The note is removed.") if forget else word("The seat is noted."))


@my.command("enter")
@click.argument("match", metavar="MATCH")
@server_option
def enter_without_link(match: str, server: str | None) -> None:
    """Enter a noted seat without its link. MATCH is the match's id. Your other devices lose the seat.

    The command prints the link that opens the seat from now on.
    """
    _print(word(ENTERED, link=_run(enter_seat(server, match))))


@my.command("code")
@server_option
def renew_code(server: str | None) -> None:
    """Show a new recovery code; the one before opens nothing more."""
    _print(word(RECOVERY, code=_run(within(server, Session.renew_code))))


@my.command("export")
@server_option
def export(server: str | None) -> None:
    """Print all data that the server stores about you, as JSON."""
    echo(json.dumps(_run(within(server, Session.export)), indent=1, ensure_ascii=False))


@my.command("delete")
@server_option
def delete(server: str | None) -> None:
    """Delete your account for good. Records of matches stay as they are."""

    async def act(session: Session) -> bool:
        question = word(SURE, handle=session.entered.handle)
        return await session.delete(await asyncio.to_thread(click.prompt, question))

    is_gone = _run(within(server, act))
    _print(word(DELETED), *(() if is_gone else (word(LATER),)))


COMMANDS = (login, devices, handle, my)
