"""The messages about notices to a person whose move it is; part of `server.wire.protocol`."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from server.wire.words import In, Language, NewSecret, Out

ChannelName = Annotated[str, Meta(min_length=1, max_length=64)]
Url = Annotated[str, Meta(min_length=1, max_length=500)]
Minute = Annotated[int, Meta(ge=0, le=1439)]
Time = Annotated[int, Meta(ge=0, le=2**53 - 1)]


class _OfSession(In, frozen=True):
    """A message of a person who is signed in. `session`: the token of `signed-in`."""

    session: NewSecret

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class ReadNotices(_OfSession, frozen=True, tag="notices"):
    """Ask how the person is notified of a move; answered by `notices-told`."""


class SetQuiet(_OfSession, frozen=True, tag="set-quiet"):
    """Set the times at which the person is not notified, replacing the former setting; answered by `notices-told`.

    `language`: the language of the messages. `zone`: an IANA time zone. Quiet hours last, in this zone, from minute
    `begin` of the day to minute `end`; if the two are equal, there are none. `away_until`: the end of a vacation, in
    ms. `pace`: the limit on mails: one per day, one per hour, or one per move. Moves during quiet hours and vacations
    are reported together afterwards.
    """

    language: Language = "en"
    zone: Annotated[str, Meta(min_length=1, max_length=64)] = "UTC"
    begin: Minute = 0
    end: Minute = 0
    away_until: Time = 0
    pace: Literal["day", "hour", "move"] = "day"


class NameMail(_OfSession, frozen=True, tag="name-mail"):
    """Ask to be notified by mail; answered by `notices-told`.

    A mail with a link is sent now; nothing else is sent until this link has confirmed the address. This mail is not
    sent if one was sent to the address within the last day, or if the address has refused mails.
    """

    address: Annotated[str, Meta(min_length=1, max_length=200)]


class NamePush(_OfSession, frozen=True, tag="name-push"):
    """Ask to be notified by a browser that has subscribed with this server's `push_key`; answered by `notices-told`.

    `endpoint`, `p256dh` and `auth`: the values in the browser's `PushSubscription`.
    """

    endpoint: Url
    p256dh: Annotated[str, Meta(min_length=1, max_length=100)]
    auth: Annotated[str, Meta(min_length=1, max_length=40)]


class RenewPush(In, frozen=True, tag="renew-push"):
    """A browser has a new subscription that replaces the `former` one; `secret`, the `auth` of the former subscription,
    proves this. Answered by `done`. No session is needed: a service worker sends this message while its pages are
    closed.
    """

    former: Url
    secret: Annotated[str, Meta(min_length=1, max_length=40)]
    endpoint: Url
    p256dh: Annotated[str, Meta(min_length=1, max_length=100)]
    auth: Annotated[str, Meta(min_length=1, max_length=40)]

    def __repr__(self) -> str:
        return "RenewPush()"


class NameHook(_OfSession, frozen=True, tag="name-hook"):
    """Be notified by a webhook; answered by `hook-named`. `form`: `plain` messages are signed JSON (docs/hosting.md);
    other messages are text in the form that Discord or Slack accepts.
    """

    url: Url
    form: Literal["plain", "discord", "slack"] = "plain"


class DropChannel(_OfSession, frozen=True, tag="drop-channel"):
    """Stop notices over a channel; answered by `notices-told`."""

    channel: ChannelName


class TryChannel(_OfSession, frozen=True, tag="try-channel"):
    """Have a test message sent over a channel; answered by `channel-tried`."""

    channel: ChannelName


class ConfirmMail(In, frozen=True, tag="confirm-mail"):
    """Confirm an address by the token of the link that was sent to it; answered by `done`. This needs no session."""

    token: NewSecret

    def __repr__(self) -> str:
        return "ConfirmMail()"


class LeaveMail(In, frozen=True, tag="leave-mail"):
    """Stop all mails to an address, by the token of a link in one of them; answered by `done`. No mail is sent for a
    year to an address that was never confirmed.
    """

    token: NewSecret

    def __repr__(self) -> str:
        return "LeaveMail()"


NoticeMessage = (
    ReadNotices
    | SetQuiet
    | NameMail
    | NamePush
    | RenewPush
    | NameHook
    | DropChannel
    | TryChannel
    | ConfirmMail
    | LeaveMail
)


class ChannelInfo(Struct, frozen=True, omit_defaults=True):
    """One of the person's channels. `kind`: `mail`, `push` or `hook`; `form`: the form of a hook's messages; `address`:
    a mail address or a URL. Times are in ms. `confirmed`: when the channel was confirmed, 0 before that; `sent`: when a
    notice was last sent over it; `tries`: how often it has failed since then.
    """

    channel: str
    kind: Literal["mail", "push", "hook"]
    address: str
    added_ms: int
    confirmed_ms: int = 0
    sent_ms: int = 0
    tries: int = 0
    form: str = ""

    def __repr__(self) -> str:
        return f"ChannelInfo({self.kind})"


class QuietInfo(Struct, frozen=True, omit_defaults=True):
    """The times at which the person is not notified; the fields are those of `set-quiet`."""

    language: str = "en"
    zone: str = "UTC"
    begin: int = 0
    end: int = 0
    away_until: int = 0
    pace: Literal["day", "hour", "move"] = "day"


class NoticesTold(Out, frozen=True, tag="notices-told"):
    """How the person is notified. `mail`, `hooks`: whether this server supports these channels; `push_key`: the public
    key with which browsers subscribe, "" if the server sends no pushes.
    """

    channels: tuple[ChannelInfo, ...] = ()
    quiet: QuietInfo = QuietInfo()
    mail: bool = False
    push_key: str = ""
    hooks: bool = False
    id: str = ""

    def __repr__(self) -> str:
        return "NoticesTold()"


class HookNamed(Out, frozen=True, tag="hook-named"):
    """The webhook is set. `secret`: the key that signs plain messages; it is not sent again."""

    secret: str
    id: str = ""

    def __repr__(self) -> str:
        return "HookNamed()"


class ChannelTried(Out, frozen=True, tag="channel-tried"):
    """Whether a test message was accepted."""

    taken: bool
    id: str = ""


NoticeAnswer = NoticesTold | HookNamed | ChannelTried
