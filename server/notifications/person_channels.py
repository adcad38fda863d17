"""The channels of persons: added, confirmed, tested and removed."""

import asyncio
import secrets
from collections.abc import Callable
from typing import Final

import msgspec

from replay.record import sealing
from replay.store.side_tables.notices import ChannelRow
from replay.store.store import Store
from server.errors import Misconfigured
from server.notifications.channel_posts import ChannelPosts
from server.notifications.errors import NoticeRefused
from server.notifications.mail import OK
from server.notifications.person_hooks import Form, HookDetails, checked_hook
from server.notifications.push import Subscription
from server.notifications.push import checked as checked_subscription
from server.notifications.quiet import DAY_MS, HOUR_MS, Quiet, checked_quiet, read_quiet
from server.operations.notice_settings import is_mail_address
from server.webhooks.delivery import Hook, checked

MOST: Final = 12
"""The number of channels that one person may have."""
CONFIRM_MS: Final = 2 * DAY_MS
SHUT_MS: Final = 365 * DAY_MS
MAILS_A_DAY: Final = 3
"""The number of confirmations that one person may ask for in a day; one address gets one."""
TESTS_AN_HOUR: Final = 6
MAIL: Final = "mail"
NO_MAIL: Final = "This server sends no mails; its operator may set up a mail server."
NO_PUSH: Final = "This server sends no pushes; its operator may allow it."
NO_HOOKS: Final = "This server sends to no webhooks of persons; its operator may allow it."
NO_ADDRESS: Final = "This is no mail address that Herald can write to; it is like anja@club.example, in ASCII."
TOO_MANY: Final = f"You have {MOST} channels, and no more are kept; drop one."
NO_CHANNEL: Final = "You have no such channel."
NO_FORMER: Final = "This server does not push to the browser's former subscription; have it tell this browser anew."
NO_LINK: Final = "This link opens nothing: it was used, is over, or is not whole."


class PersonChannels:
    """Names, confirms, tests and drops channels. Every method but `test` and `name_mail` waits for the store."""

    def __init__(self, store: Store, posts: ChannelPosts, now: Callable[[], int]) -> None:
        self._store, self._posts, self._now = store, posts, now

    def quiet(self, person: str) -> Quiet:
        """A person's wishes about notices."""
        return read_quiet(self._store.notices.quiet(person))

    def set_quiet(self, person: str, quiet: Quiet) -> None:
        """Store a person's wishes about notices. Raises `NoticeRefused`."""
        at = self._now()
        self._store.notices.set_quiet(person, msgspec.json.encode(checked_quiet(quiet, at)).decode(), at)

    async def name_mail(self, person: str, address: str) -> None:
        """Notify a person by mail, once the address is confirmed.

        Raises `NoticeRefused` if the server cannot do that, and `StoreFailed` if the store fails.

        The answer reveals nothing about other persons with the same address: it is always the same.
        """
        asked = await asyncio.to_thread(self._ask_mail, person, address)
        if asked is not None:
            row, token = asked
            language = (await asyncio.to_thread(self.quiet, person)).language
            leave = await asyncio.to_thread(self._posts.leave_token, person, MAIL, row.added)
            mail = self._posts.mailer.confirmation(address, language, token, leave, row.added)
            await self._posts.mailer.send(mail)

    def _ask_mail(self, person: str, address: str) -> tuple[ChannelRow, str] | None:
        """The channel and the token that confirms it; None if no mail may be sent."""
        if not self._posts.settings.smtp:
            raise NoticeRefused(NO_MAIL)
        if not is_mail_address(address):
            raise NoticeRefused(NO_ADDRESS)
        at, token = self._now(), secrets.token_urlsafe(32)
        if not self._store.notices.allow(_hashed("person", person), at, at + DAY_MS, MAILS_A_DAY):
            raise NoticeRefused(f"You have asked for {MAILS_A_DAY} mails today; go on tomorrow.")
        leave = self._posts.leave_token(person, MAIL, at)
        hashes = token_hash("confirm", token), token_hash("leave", leave)
        row = ChannelRow(person, MAIL, "mail", address, "{}", at, 0, token_hash=hashes[0], leave_hash=hashes[1])
        self._put(row)
        is_allowed = self._store.notices.allow(_hashed("address", _mailbox(address)), at, at + DAY_MS, 1)
        return (row, token) if is_allowed else None

    def confirm(self, token: str) -> None:
        """Confirm that an address is its person's, by the link that was sent there. Raises `NoticeRefused`."""
        at = self._now()
        if not self._store.notices.confirm(token_hash("confirm", token), at, at - CONFIRM_MS):
            raise NoticeRefused(NO_LINK)

    def leave(self, token: str) -> None:
        """Send no more mails to an address; an address that was never confirmed gets no further mail either.

        Raises `NoticeRefused`.
        """
        row = self._store.notices.by_leave(token_hash("leave", token)) if token else None
        if row is None:
            raise NoticeRefused(NO_LINK)
        self._store.notices.drop(row.person, row.channel)
        if not row.confirmed:
            self._store.notices.shut(_hashed("address", _mailbox(row.address)), self._now() + SHUT_MS)

    def name_push(self, person: str, endpoint: str, subscription: Subscription) -> None:
        """Notify a person by a browser. Raises `NoticeRefused`."""
        known = self._store.notices.by_leave(_push_hash(endpoint, subscription.auth))
        if known is not None and known.person == person:
            name = known.channel
        else:
            name = "push-" + sealing.b64(sealing.tagged_hash("person/push", endpoint.encode())[:9])
        self._put(self._push_row(person, name, endpoint, subscription))

    def renew_push(self, former: str, secret: str, endpoint: str, subscription: Subscription) -> None:
        """Push to a browser's new subscription in the place of a former one, whose secret it shows; notices that still
        wait go there. Raises `NoticeRefused`.
        """
        shown = _push_hash(former, secret)
        row = self._store.notices.by_leave(shown)
        if row is None or _push_hash(endpoint, subscription.auth) == shown:
            raise NoticeRefused(NO_FORMER)
        while row is not None:  # several persons may be notified through one browser
            self._put(self._push_row(row.person, row.channel, endpoint, subscription))
            row = self._store.notices.by_leave(shown)

    def _push_row(self, person: str, name: str, endpoint: str, subscription: Subscription) -> ChannelRow:
        if not self._posts.settings.push_contact:
            raise NoticeRefused(NO_PUSH)
        try:
            checked(Hook(endpoint, "push", self._posts.settings.private))
        except Misconfigured as wrong:
            raise NoticeRefused(str(wrong)) from wrong
        details = msgspec.json.encode(checked_subscription(subscription)).decode()
        at = self._now()
        leave_hash = _push_hash(endpoint, subscription.auth)
        return ChannelRow(person, name, "push", endpoint, details, at, at, leave_hash=leave_hash)

    def name_hook(self, person: str, url: str, form: Form) -> str:
        """Notify a person by a webhook; returns the secret that signs its messages. Raises `NoticeRefused`."""
        if not self._posts.settings.webhooks:
            raise NoticeRefused(NO_HOOKS)
        details = HookDetails(form, secrets.token_urlsafe(32))
        checked_hook(url, details, is_private=self._posts.settings.private)
        name = "hook-" + sealing.b64(sealing.tagged_hash("person/hook", url.encode())[:9])
        at = self._now()
        self._put(ChannelRow(person, name, "hook", url, msgspec.json.encode(details).decode(), at, at))
        return details.secret if form == "plain" else ""

    def _put(self, row: ChannelRow) -> None:
        if not self._store.notices.put(row, MOST):
            raise NoticeRefused(TOO_MANY)

    def drop(self, person: str, channel: str) -> None:
        """Stop notices to a person over this channel."""
        self._store.notices.drop(person, channel)

    async def test(self, person: str, channel: str) -> bool:
        """Send a test message; returns whether it was accepted. Raises `NoticeRefused`."""
        row, quiet = await asyncio.to_thread(self._to_test, person, channel)
        return await self._posts.test(row, quiet, secrets.token_hex(16)) == OK

    def _to_test(self, person: str, channel: str) -> tuple[ChannelRow, Quiet]:
        row = next((row for row in self._store.notices.channels(person) if row.channel == channel), None)
        if row is None:
            raise NoticeRefused(NO_CHANNEL)
        if not row.confirmed:
            raise NoticeRefused("Confirm this address first: by the link in the mail that was sent there.")
        at = self._now()
        if not self._store.notices.allow(_hashed("tests", person), at, at + HOUR_MS, TESTS_AN_HOUR):
            raise NoticeRefused("You have tested often enough; go on in an hour.")
        return row, self.quiet(person)


def token_hash(purpose: str, token: str) -> bytes:
    """The hash of a link's token that the store keeps; a token of one purpose opens nothing else."""
    return sealing.tagged_hash(f"person/mail-{purpose}", token.encode())


def _push_hash(endpoint: str, auth: str) -> bytes:
    """The hash by which a browser later shows that a subscription was its own."""
    return sealing.tagged_hash("person/push-renew", endpoint.encode(), auth.encode())


def _hashed(kind: str, what: str) -> bytes:
    return sealing.tagged_hash("person/notice-limit", f"{kind}/{what}".encode())


def _mailbox(address: str) -> str:
    """The mailbox of an address, for its limit: the part after a plus reaches the same person."""
    local, _, host = address.casefold().rpartition("@")
    return f"{local.partition('+')[0]}@{host}"
