"""Sends messages over the channels of persons: mails, pushes, webhooks."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from replay.record import sealing
from replay.store.side_tables.notices import ChannelRow
from replay.store.store import Store
from server.notifications import push
from server.notifications.mail import FAILED, GONE, OK, Mailer
from server.notifications.notice_texts import headline, lines, said
from server.notifications.own_moves import OwnMove
from server.notifications.person_hooks import HookDetails, checked_hook, translated, written
from server.notifications.push import Subscription
from server.notifications.quiet import Quiet
from server.operations.intervals import INTERVALS
from server.operations.settings import NoticeSettings
from server.webhooks.delivery import Hook, posted, signed_headers

PUSH_KEY: Final = 1
LINK_KEY: Final = 2
TEST: Final = "This is a test: you would be told so that it is your move."
BODY_MOST: Final = 600
"""The number of characters of a push: in UTF-8 they fit into its one length."""
PUSH_GONE: Final = (404, 410)
"""The answers of a push service that knows the subscription no longer (RFC 8030, 7.3)."""


class ChannelPosts:
    """Sends over channels. `now`: the time in ms; methods that wait for the store are called in a thread."""

    def __init__(
        self, store: Store, settings: NoticeSettings, now: Callable[[], int], most_s: float = INTERVALS.telling_s
    ) -> None:
        """`most_s`: after this long a channel begins no further message of those that it has to send at once."""
        self.settings, self.mailer = settings, Mailer(settings)
        self._store, self._now, self._most_s = store, now, most_s

    def __bool__(self) -> bool:
        """Whether there is any channel."""
        return bool(self.settings.smtp or self.settings.push_contact or self.settings.webhooks)

    def push_key(self) -> str:
        """The public key by which browsers subscribe; "" without push. It waits for the store."""
        return push.public_text(push.private_key(self._push_secret())) if self.settings.push_contact else ""

    def _push_secret(self) -> bytes:
        return self._store.notices.secret(PUSH_KEY, push.new_key())

    def leave_token(self, person: str, channel: str, added: int) -> str:
        """The token of the link that leaves a channel. It waits for the store."""
        secret = self._store.notices.secret(LINK_KEY, push.new_key())
        parts = person.encode(), channel.encode(), str(added).encode()
        return sealing.b64(sealing.tagged_hash("person/leave", secret + b"\n".join(parts)))

    async def tell(
        self, row: ChannelRow, quiet: Quiet, moves: Sequence[OwnMove], name: str
    ) -> tuple[int, Sequence[OwnMove]]:
        """Send notices of moves; returns `OK`, `GONE` if the channel is gone, or `FAILED`, and the moves reported."""
        if row.kind == "hook":
            return await self._hook(row, quiet, moves)
        tell = self._mail if row.kind == "mail" else self._push
        status = await tell(row, quiet, moves, name)
        return status, moves if status == OK else ()

    async def test(self, row: ChannelRow, quiet: Quiet, name: str) -> int:
        """Send a message that shows that messages arrive."""
        text, at = said(TEST, quiet.language), self._now()
        if row.kind == "mail":
            leave = await asyncio.to_thread(self.leave_token, row.person, row.channel, row.added)
            return await self.mailer.send(self.mailer.test(row.address, quiet.language, leave, name, at))
        if row.kind == "push":
            return await self._pushed(row, {"title": "Herald", "body": text}, name)
        details = msgspec.json.decode(row.details, type=HookDetails)
        plain = msgspec.json.encode({"event": "test", "text": text})
        body = plain if details.form == "plain" else translated(details.form, text)
        return _outcome(await self._posted(row, details, body, name[:16]))

    async def _mail(self, row: ChannelRow, quiet: Quiet, moves: Sequence[OwnMove], name: str) -> int:
        if not self.settings.smtp:
            return FAILED
        leave = await asyncio.to_thread(self.leave_token, row.person, row.channel, row.added)
        told = [own.move for own in moves]
        return await self.mailer.send(self.mailer.notice(row.address, told, quiet, leave, name, self._now()))

    async def _push(self, row: ChannelRow, quiet: Quiet, moves: Sequence[OwnMove], name: str) -> int:
        del name  # each push replaces the one before it
        return await self._pushed(row, push_told(moves, quiet), push.MOVES)

    async def _pushed(self, row: ChannelRow, told: dict[str, str], name: str) -> int:
        contact = self.settings.push_contact
        if not contact:
            return FAILED
        secret = await asyncio.to_thread(self._push_secret)
        subscription = msgspec.json.decode(row.details, type=Subscription)
        made = push.request(row.address, subscription, told, secret, contact, name, self._now())
        status = await posted(Hook(row.address, "push", self.settings.private), made.body, made.headers)
        return GONE if status in PUSH_GONE else _outcome(status)

    async def _hook(self, row: ChannelRow, quiet: Quiet, moves: Sequence[OwnMove]) -> tuple[int, Sequence[OwnMove]]:
        if not self.settings.webhooks:
            return FAILED, ()
        details = msgspec.json.decode(row.details, type=HookDetails)
        bodies = written(details, [own.notice for own in moves], [own.move for own in moves], quiet)
        if details.form != "plain":
            outcome = _outcome(await self._posted(row, details, bodies[0], moves[0].notice.delivery))
            return outcome, moves if outcome == OK else ()
        clock = asyncio.get_running_loop().time
        told, until = 0, clock() + self._most_s
        for body, own in zip(bodies, moves, strict=True):
            outcome = _outcome(await self._posted(row, details, body, own.notice.delivery))
            if outcome != OK:
                return outcome, moves[:told]
            told += 1
            if clock() > until:
                break  # no other server may take this channel meanwhile; the next look continues
        return OK, moves[:told]

    async def _posted(self, row: ChannelRow, details: HookDetails, body: bytes, delivery: str) -> int:
        hook = checked_hook(row.address, details, is_private=self.settings.private)
        return await posted(hook, body, signed_headers(hook, self._now(), delivery, body))


def push_told(moves: Sequence[OwnMove], quiet: Quiet) -> dict[str, str]:
    """The message about moves that a browser shows; `match`: the one that a press opens, "" if there are several."""
    shown = [own.move for own in moves]
    body = "\n".join(lines(shown, quiet))[:BODY_MOST]
    match = moves[0].wait.match if len(moves) == 1 else ""
    return {"title": headline(len(moves), quiet.language), "body": body, "match": match}


def form_of(row: ChannelRow) -> str:
    """The form of a webhook's messages; "" for a channel that is no webhook."""
    return msgspec.json.decode(row.details, type=HookDetails).form if row.kind == "hook" else ""


def _outcome(status: int) -> int:
    if status == GONE:
        return GONE
    return OK if 200 <= status < 300 else FAILED
