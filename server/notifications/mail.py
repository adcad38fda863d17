"""Mails to persons: written with `email`, sent with `aiosmtplib`, stopped by one click (RFC 8058)."""

import asyncio
import logging
import secrets
import ssl
from collections.abc import Sequence
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from typing import Final

import aiosmtplib

from server.notifications.notice_texts import Move, headline, lines, said
from server.notifications.quiet import Quiet
from server.operations.intervals import INTERVALS
from server.operations.notice_settings import smtp_server
from server.operations.settings import NoticeSettings

LOG = logging.getLogger(__name__)
TIMEOUT_S: Final = 20.0
LEAVE: Final = "/mail/leave/"
"""The path below which mail programs unsubscribe by one click."""
REFUSED: Final = 500
"""From this code of a mail server's answer upwards, a repetition is of no use (RFC 5321, 4.2.1)."""
POLICY: Final = SMTP.clone(max_line_length=998, cte_type="7bit")
"""Headers stay on one line: a folded link would not work (RFC 5322, 2.1.1)."""
GONE: Final = 410
OK: Final = 200
FAILED: Final = 0


class Mailer:
    """Writes and sends mails. `settings`: with a mail server; `most_s`: the time limit for sending a mail."""

    def __init__(self, settings: NoticeSettings, most_s: float = INTERVALS.telling_s) -> None:
        self._settings, self._most_s = settings, most_s

    def confirmation(self, address: str, language: str, confirm: str, leave: str, at: int) -> EmailMessage:
        """The mail that asks whether an address is the person's; it contains no text that the person has written."""
        site = self._settings.site
        text = [
            said("Somebody asked at {site} to be told at this address when it is their move.", language, site=site),
            said(
                "If that was you, open this page within two days and confirm: {url}",
                language,
                url=f"{site}/me#confirm={confirm}",
            ),
            said(
                "If it was not you, do nothing. To get no such mail again: {url}",
                language,
                url=f"{site}/me#never={leave}",
            ),
        ]
        return self._mail(address, said("Confirm this address", language), text, secrets.token_hex(16), at)

    def notice(self, address: str, moves: Sequence[Move], quiet: Quiet, leave: str, name: str, at: int) -> EmailMessage:
        """The mail that lists the moves which wait. `name`: the id of this message, the same if it is sent
        once more.
        """
        site, language = self._settings.site, quiet.language
        text = [
            "\n".join(lines(moves, quiet)),
            said("Your matches: {url}", language, url=f"{site}/me"),
            said(
                "You asked for these messages on the page of your account. To get no more: {url}",
                language,
                url=f"{site}/me#leave={leave}",
            ),
        ]
        mail = self._mail(address, headline(len(moves), language), text, name, at)
        mail["List-Unsubscribe"] = f"<{site}{LEAVE}{leave}>"
        mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        return mail

    def test(self, address: str, language: str, leave: str, name: str, at: int) -> EmailMessage:
        """A mail that shows that mails arrive."""
        text = [said("This is a test: you would be told so that it is your move.", language)]
        mail = self._mail(address, headline(1, language), text, name, at)
        mail["List-Unsubscribe"] = f"<{self._settings.site}{LEAVE}{leave}>"
        mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        return mail

    def _mail(self, address: str, subject: str, text: Sequence[str], name: str, at: int) -> EmailMessage:
        # The policy refuses a line break in a header: no value can begin another.
        mail = EmailMessage(policy=POLICY)
        mail["From"] = f"Herald <{self._settings.mail_from}>"
        mail["To"] = address
        mail["Subject"] = f"Herald: {subject}"
        mail["Date"] = format_datetime(datetime.fromtimestamp(at // 1000, UTC))
        mail["Message-ID"] = f"<{name}@{self._settings.mail_from.rpartition('@')[2]}>"
        mail["Auto-Submitted"] = "auto-generated"
        mail.set_content("\n\n".join(text) + "\n")
        return mail

    async def send(self, mail: EmailMessage) -> int:
        """Send a mail; returns `OK`, `GONE` if the server takes none for the address, or `FAILED` in other cases."""
        found = smtp_server(self._settings.smtp)
        try:
            async with asyncio.timeout(self._most_s):  # `timeout` below applies to each of a dozen steps
                await aiosmtplib.send(
                    mail,
                    hostname=found.host,
                    port=found.port,
                    username=found.user or None,
                    password=self._settings.password or None,
                    use_tls=found.is_wrapped,
                    start_tls=False if found.is_wrapped else None if found.is_near else True,
                    tls_context=ssl.create_default_context(),
                    timeout=TIMEOUT_S,
                )
        except aiosmtplib.SMTPRecipientsRefused as wrong:
            LOG.info("the mail server refuses an address: %s", type(wrong).__name__)
            return GONE if all(each.code >= REFUSED for each in wrong.recipients) else FAILED
        except (aiosmtplib.SMTPException, OSError, ValueError) as wrong:
            LOG.warning("a mail could not be sent: %s", type(wrong).__name__)
            return FAILED
        return OK
