"""`herald notices`: how a person is notified that it is their move, at a server where they are signed in."""

import re
import time
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

import click
from msgspec.structs import replace

from herald_client import Session
from herald_client.notices import (
    Channel,
    Form,
    Notices,
    Pace,
    Quiet,
    drop_channel,
    name_hook,
    name_mail,
    read_notices,
    set_quiet,
    try_channel,
)
from server.cli.accounts import _print, _run, server_option, within
from server.cli.errors import Amiss
from server.cli.words import language, word

DAY_MS: Final = 86_400_000
CLOCK: Final = re.compile(r"([01]\d|2[0-3]):([0-5]\d)")
KINDS: Final = {"mail": "Mail", "push": "Browser", "hook": "Webhook"}
PACES: Final = {"day": "Mail: once a day at most", "hour": "Mail: once an hour at most", "move": "Mail: with each move"}
ASKED: Final = (
    "A mail with a link is on its way, unless this address was written to within a day or wants no mail."
    " Nothing else is sent there before you open the link."
)
NAMED: Final = "The webhook is named."
SIGNED: Final = "Its messages are signed with this secret, shown once: {secret}"
NO_CHANNEL: Final = "No channel, or more than one, has this name or address: {channel}. herald notices show"
NO_CLOCK: Final = "A time is like 22:00, not {time}."
NOTHING: Final = "This server sends no messages; its host may allow it: docs/hosting.md."


def notice_lines(told: Notices) -> list[str]:
    """A line for each channel, then the times at which nothing is sent."""
    if not (told.mail or told.push_key or told.hooks):
        return [word(NOTHING)]
    quiet = told.quiet
    lines = [_channel_line(channel) for channel in told.channels] or [
        word("Nothing is told: herald notices mail ADDRESS")
    ]
    if quiet.begin != quiet.end:
        lines.append(
            word(
                "Quiet from {begin} to {end}, {zone}", begin=_clock(quiet.begin), end=_clock(quiet.end), zone=quiet.zone
            )
        )
    if quiet.away_until > time.time() * 1000:
        lines.append(word("On vacation until {time}", time=_time(quiet.away_until)))
    return [*lines, word(PACES[quiet.pace])]


def _channel_line(channel: Channel) -> str:
    if not channel.confirmed_ms:
        state = word("waits until you open the link that was sent there")
    else:
        state = word("last told {time}", time=_time(channel.sent_ms)) if channel.sent_ms else word("nothing told yet")
    failed = word("  failed {n} times since", n=channel.tries) if channel.tries else ""
    kind = word(KINDS.get(channel.kind, channel.kind))
    return (
        f"{channel.channel}  {kind}{f' ({channel.form})' if channel.form else ''}  {channel.address}  {state}{failed}"
    )


def _time(at_ms: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at_ms / 1000))


def _clock(minute: int) -> str:
    return f"{minute // 60:02}:{minute % 60:02}"


def minute_of(text: str) -> int:
    """The minute of the day that a time names. Raises `Amiss`."""
    found = CLOCK.fullmatch(text)
    if found is None:
        raise Amiss(word(NO_CLOCK, time=text))
    return int(found[1]) * 60 + int(found[2])


def found_channel(told: Notices, named: str) -> str:
    """The one channel with a name or an address. Raises `Amiss`."""
    found = [channel for channel in told.channels if named in {channel.channel, channel.address, channel.kind}]
    if len(found) != 1:
        raise Amiss(word(NO_CHANNEL, channel=named))
    return found[0].channel


def own_zone() -> str:
    """This machine's time zone by its name; UTC if the zone has no name that is known elsewhere."""
    key = getattr(datetime.now().astimezone().tzinfo, "key", "")
    try:
        with open("/etc/timezone", encoding="ascii") as file:  # noqa: PTH123 - a file of the system
            key = key or file.read().strip()
        return ZoneInfo(key).key
    except (OSError, ValueError):
        return "UTC"


def _changed(server: str | None, change: Callable[[Quiet], Quiet]) -> None:
    """Change one's settings of quiet times, and show them."""

    async def act(session: Session) -> Notices:
        told = await read_notices(session)
        return await set_quiet(session, change(replace(told.quiet, language=language())))

    _print(*notice_lines(_run(within(server, act))))


def _shown(server: str | None, act: Callable[[Session], Awaitable[Notices]]) -> None:
    _print(*notice_lines(_run(within(server, act))))


@click.group()
def notices() -> None:
    """Notices that it is your move, while you are away."""


@notices.command("show")
@server_option
def show(server: str | None) -> None:
    """Show how and when you get notices."""
    _shown(server, read_notices)


@notices.command("mail")
@click.argument("address", metavar="ADDRESS")
@server_option
def mail(address: str, server: str | None) -> None:
    """Get notices by mail. A link is sent to ADDRESS; nothing else is sent before you open it."""

    async def act(session: Session) -> Notices:
        now = (await read_notices(session)).quiet
        if now.language != language():
            await set_quiet(session, replace(now, language=language()))
        return await name_mail(session, address)

    _run(within(server, act))
    _print(word(ASKED))


@notices.command("hook")
@click.argument("url", metavar="URL")
@click.option("--form", type=click.Choice(["plain", "discord", "slack"]), default="plain", help="The form of messages.")
@server_option
def hook(url: str, form: Form, server: str | None) -> None:
    """Get notices by a webhook: signed JSON, or text as Discord or Slack take it."""
    secret = _run(within(server, lambda session: name_hook(session, url, form)))
    _print(word(NAMED), *([word(SIGNED, secret=secret)] if secret else []))


@notices.command("test")
@click.argument("channel", metavar="CHANNEL")
@server_option
def test(channel: str, server: str | None) -> None:
    """Send a test message. CHANNEL is a name, a kind or an address that `herald notices show` shows."""

    async def act(session: Session) -> bool:
        return await try_channel(session, found_channel(await read_notices(session), channel))

    if not _run(within(server, act)):
        raise Amiss(word("The test was not taken: check the address."))
    _print(word("The test was taken."))


@notices.command("drop")
@click.argument("channel", metavar="CHANNEL")
@server_option
def drop(channel: str, server: str | None) -> None:
    """Stop notices over a channel. CHANNEL is a name, a kind or an address."""

    async def act(session: Session) -> Notices:
        return await drop_channel(session, found_channel(await read_notices(session), channel))

    _shown(server, act)


@notices.command("quiet")
@click.argument("begin", metavar="FROM")
@click.argument("end", metavar="TO")
@click.option("--zone", default="", help="The time zone, as Europe/Berlin.  [default: this machine's]")
@server_option
def quiet(begin: str, end: str, zone: str, server: str | None) -> None:
    """Get no notices between FROM and TO, as 22:00 07:00; they come later. Two equal times end the quiet hours."""
    times = minute_of(begin), minute_of(end)
    _changed(server, lambda now: replace(now, begin=times[0], end=times[1], zone=zone or own_zone()))


@notices.command("away")
@click.argument("days", metavar="DAYS", type=click.IntRange(0, 366))
@server_option
def away(days: int, server: str | None) -> None:
    """Get no notices for this many days; 0: you are back. Clocks keep running; take vacation at the table."""
    until = round(time.time() * 1000) + days * DAY_MS if days else 0
    _changed(server, lambda now: replace(now, away_until=until))


@notices.command("pace")
@click.argument("pace", type=click.Choice(["day", "hour", "move"]))
@server_option
def pace(pace: Pace, server: str | None) -> None:
    """Get mail once a day at most, once an hour, or with each move."""
    _changed(server, lambda now: replace(now, pace=pace))


COMMANDS = (notices,)
