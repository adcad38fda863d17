"""How a person is notified that it is their move: channels, quiet hours and vacations.

The functions take a `Session`; every one raises `Refused` and `Closed`.
"""

from typing import Literal

from msgspec import Struct
from msgspec.structs import asdict

from herald_client.accounts import Session

Pace = Literal["day", "hour", "move"]
Form = Literal["plain", "discord", "slack"]


class Channel(Struct, frozen=True):
    """One way to be notified. `kind`: `mail`, `push` or `hook`, the last in a `form`; times in ms, 0 for never."""

    channel: str
    kind: str
    address: str
    added_ms: int
    confirmed_ms: int = 0
    sent_ms: int = 0
    tries: int = 0
    form: str = ""


class Quiet(Struct, frozen=True):
    """The times without notices. `begin`, `end`: quiet hours in minutes of the day in the time `zone`, both equal if
    there are none; `away_until`: on vacation until a time in ms; `pace`: how often mail may come.
    """

    language: str = "en"
    zone: str = "UTC"
    begin: int = 0
    end: int = 0
    away_until: int = 0
    pace: Pace = "day"


class Notices(Struct, frozen=True):
    """How one is notified, and the channels of this server."""

    channels: tuple[Channel, ...] = ()
    quiet: Quiet = Quiet()
    mail: bool = False
    push_key: str = ""
    hooks: bool = False


class _HookNamed(Struct, frozen=True):
    secret: str


class _Tried(Struct, frozen=True):
    taken: bool


async def read_notices(session: Session) -> Notices:
    """The settings of the notices."""
    return await session.ask(Notices, "notices")


async def set_quiet(session: Session, quiet: Quiet) -> Notices:
    """Set the times without notices."""
    return await session.ask(Notices, "set-quiet", **asdict(quiet))


async def name_mail(session: Session, address: str) -> Notices:
    """Be notified by mail, once the link that is sent to the address has been opened."""
    return await session.ask(Notices, "name-mail", address=address)


async def name_hook(session: Session, url: str, form: Form = "plain") -> str:
    """Be notified by a webhook; returns the secret that signs plain messages, which is sent only this once."""
    return (await session.ask(_HookNamed, "name-hook", url=url, form=form)).secret


async def drop_channel(session: Session, channel: str) -> Notices:
    """Remove a channel of notices."""
    return await session.ask(Notices, "drop-channel", channel=channel)


async def try_channel(session: Session, channel: str) -> bool:
    """Have a test message sent; returns whether it was accepted."""
    return (await session.ask(_Tried, "try-channel", channel=channel)).taken
