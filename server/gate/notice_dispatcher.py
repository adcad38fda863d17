"""Dispatches the messages about the ways in which a person is notified of a move."""

import asyncio

from msgspec import to_builtins
from msgspec.structs import replace

from replay.store.side_tables.notices import ChannelRow
from server.lobby.lobby import Lobby
from server.moderation.errors import Sanctioned
from server.notifications.channel_posts import form_of
from server.notifications.push import Subscription
from server.notifications.quiet import Quiet
from server.wire.account_messages import Done
from server.wire.notice_messages import (
    ChannelInfo,
    ChannelTried,
    ConfirmMail,
    DropChannel,
    HookNamed,
    LeaveMail,
    NameHook,
    NameMail,
    NamePush,
    NoticeAnswer,
    NoticeMessage,
    NoticesTold,
    QuietInfo,
    ReadNotices,
    RenewPush,
    SetQuiet,
    TryChannel,
)


class NoticeDispatcher:
    """Serves the messages about notices. `address`: the address from which the connection comes."""

    def __init__(self, lobby: Lobby, address: str) -> None:
        self._lobby, self._address = lobby, address
        self._channels, self._staff_log = lobby.person_channels, lobby.safety.log

    async def serve(self, message: NoticeMessage) -> NoticeAnswer | Done:
        """The answer to a message.

        Raises `NoticeRefused`, `SignInRefused`, `Sanctioned` or `TooOften` if it is refused.
        """
        return replace(await self._answer(message), id=message.id)

    async def _answer(self, message: NoticeMessage) -> NoticeAnswer | Done:
        if isinstance(message, ConfirmMail | LeaveMail):
            self._lobby.connection_limits.assert_may_sign(self._address, is_new=False)
            act = self._channels.confirm if isinstance(message, ConfirmMail) else self._channels.leave
            await asyncio.to_thread(act, message.token)
            return Done()
        if isinstance(message, RenewPush):
            self._lobby.connection_limits.assert_may_sign(self._address, is_new=False)
            fresh = Subscription(message.p256dh, message.auth)
            await asyncio.to_thread(self._channels.renew_push, message.former, message.secret, message.endpoint, fresh)
            return Done()
        person = await asyncio.to_thread(self._person, message)
        if isinstance(message, NameMail):
            self._lobby.connection_limits.assert_may_sign(self._address, is_new=True)
            await self._channels.name_mail(person, message.address)
        elif isinstance(message, TryChannel):
            return ChannelTried(await self._channels.test(person, message.channel))
        else:
            named = await asyncio.to_thread(self._change, message, person)
            if named is not None:
                return named
        return await asyncio.to_thread(told, self._lobby, person)

    def _person(
        self, message: ReadNotices | SetQuiet | NameMail | NamePush | NameHook | DropChannel | TryChannel
    ) -> str:
        session = self._lobby.accounts.session(message.session)
        self._lobby.connection_limits.assert_may_ask(session.person)
        if not isinstance(message, ReadNotices | DropChannel):
            shut_out = self._staff_log.shut_out(session.person)
            if shut_out is not None:
                raise Sanctioned(f"The staff has shut this account out: {shut_out.why}")
        return session.person

    def _change(
        self, message: ReadNotices | SetQuiet | NamePush | NameHook | DropChannel, person: str
    ) -> HookNamed | None:
        match message:
            case SetQuiet(language=language, zone=zone, begin=begin, end=end, away_until=away, pace=pace):
                self._channels.set_quiet(person, Quiet(language, zone, begin, end, away, pace))
            case NamePush(endpoint=endpoint, p256dh=key, auth=auth):
                self._channels.name_push(person, endpoint, Subscription(key, auth))
            case NameHook(url=url, form=form):
                return HookNamed(self._channels.name_hook(person, url, form))
            case DropChannel(channel=channel):
                self._channels.drop(person, channel)
            case ReadNotices():
                pass
        return None


def told(lobby: Lobby, person: str) -> NoticesTold:
    """The ways in which the person is notified; the call waits for the store."""
    posts, quiet, store = lobby.channel_posts, lobby.person_channels.quiet(person), lobby.store
    return NoticesTold(
        tuple(map(_channel, store.notices.channels(person))),
        QuietInfo(**to_builtins(quiet)),
        mail=bool(posts.settings.smtp),
        push_key=posts.push_key(),
        hooks=posts.settings.webhooks,
    )


def _channel(row: ChannelRow) -> ChannelInfo:
    times = row.added, row.confirmed, row.sent, row.tries
    match row.kind:
        case "mail" | "push" as kind:
            return ChannelInfo(row.channel, kind, row.address, *times)
        case _:
            return ChannelInfo(row.channel, "hook", row.address, *times, form_of(row))
