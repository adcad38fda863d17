"""A mail server that keeps the mails it receives, and persons who are notified at an address there."""

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any

from aiosmtpd.controller import Controller

from server.operations.settings import NoticeSettings
from server.wire.account_messages import Done
from server.wire.client import Client
from server.wire.notice_messages import ConfirmMail, NameMail, NoticesTold

SITE = "https://club.example"


class Postbox:
    """What arrived. `refuses`: the answers to the next recipients, in place of taking them."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.raw: list[bytes] = []
        self.refuses: list[str] = []
        self.port = 0

    async def handle_RCPT(self, _server: Any, _session: Any, envelope: Any, address: str, _options: Any) -> str:  # noqa: N802 - aiosmtpd's name
        """Take a recipient, or not."""
        if self.refuses:
            return self.refuses.pop(0)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd's name
        """Keep a mail."""
        self.raw.append(envelope.content)
        found = message_from_bytes(envelope.content, _class=EmailMessage, policy=default)
        self.mails.append(found)
        return "250 kept"

    async def until(self, count: int) -> EmailMessage:
        """Wait for so many mails; the last of them."""
        while len(self.mails) < count:
            await asyncio.sleep(0.01)
        return self.mails[count - 1]

    @property
    def settings(self) -> NoticeSettings:
        """Those of a server that mails through here."""
        return NoticeSettings(
            site=SITE,
            smtp=f"smtp://127.0.0.1:{self.port}",
            mail_from="herald@club.example",
            push_contact="mailto:host@club.example",
            webhooks=True,
            private=True,
        )


class OnFreePort(Controller):
    """A mail server whose port the system chooses."""

    def _trigger_server(self) -> None:
        assert isinstance(self.server, asyncio.Server)
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()  # type: ignore[no-untyped-call]


@contextmanager
def postbox() -> Iterator[Postbox]:
    """A mail server on a free port of this machine."""
    box = Postbox()
    controller = OnFreePort(box, hostname="127.0.0.1", port=0)
    controller.start()
    try:
        box.port = controller.port
        yield box
    finally:
        controller.stop()


def link(mail: EmailMessage, purpose: str) -> str:
    """The token of a link in a mail."""
    found = re.search(rf"{SITE}/me#{purpose}=([A-Za-z0-9_-]{{43}})", mail.get_content())
    assert found is not None, mail.get_content()
    return found[1]


async def mailed(client: Client, session: str, box: Postbox, address: str = "anja@home.example") -> None:
    """Have a person told by mail at an address, which they confirm."""
    count = len(box.mails)
    await client.ask(NameMail(session=session, address=address), NoticesTold)
    token = link(await box.until(count + 1), "confirm")
    await client.ask(ConfirmMail(token=token), Done)
