"""The settings of notices to persons: the mail server's address, the sender, and conflicts between settings."""

import re
from collections.abc import Iterator
from ipaddress import ip_address
from typing import Final
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from server.errors import Misconfigured
from server.operations.settings import NoticeSettings

MAIL_MOST: Final = 200
_ATOM: Final = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,64}"
_LABEL: Final = r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
MAIL_ADDRESS: Final = re.compile(rf"(?=[^@]{{1,64}}@){_ATOM}(\.{_ATOM})*@({_LABEL}\.)+(?=.*[A-Za-z]){_LABEL}")
"""The form of a usual mail address, without the quotes, comments and numeric hosts that RFC 5321 also allows."""
SITE: Final = re.compile(r"https?://[A-Za-z0-9.\[\]:-]+")
PORTS: Final = {"smtp": 587, "smtps": 465}


class SmtpServer(Struct, frozen=True):
    """A mail server. `is_wrapped`: whether TLS begins with the first byte and not after STARTTLS; `is_near`: whether
    the mail server is on this machine, where TLS is optional.
    """

    host: str
    port: int
    user: str
    is_wrapped: bool
    is_near: bool


def is_mail_address(text: str) -> bool:
    """Whether a text is a mail address, and nothing more."""
    return len(text) <= MAIL_MOST and bool(MAIL_ADDRESS.fullmatch(text))


def smtp_server(url: str) -> SmtpServer:
    """The mail server at an address. Raises `Misconfigured` if the address is invalid."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as wrong:
        raise Misconfigured(f"The mail server's address cannot be read: {wrong}.") from wrong
    if parts.scheme not in PORTS or not parts.hostname or parts.path not in {"", "/"} or parts.query or port == 0:
        raise Misconfigured("A mail server's address is smtp://USER@HOST:PORT or smtps://USER@HOST:PORT.")
    if parts.password is not None:
        raise Misconfigured(
            "A password in the mail server's address stands in the list of processes; set notices.password in a file of"
            " settings, or HERALD_NOTICES_PASSWORD."
        )
    user = unquote(parts.username or "")
    return SmtpServer(
        parts.hostname, port or PORTS[parts.scheme], user, parts.scheme == "smtps", _is_near(parts.hostname)
    )


def _is_near(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def notice_defects(settings: NoticeSettings) -> Iterator[tuple[str, str, str]]:
    """The setting, its fault, and the allowed values."""
    if settings.site and not SITE.fullmatch(settings.site):
        yield "notices.site", "site is no address of a server", "a scheme and a host, as https://club.example"
    if settings.smtp:
        try:
            smtp_server(settings.smtp)
        except Misconfigured as wrong:
            yield "notices.smtp", str(wrong), ""
        if not settings.site:
            yield "notices.smtp", "mails need notices.site, for their links", "https://club.example"
        if not settings.mail_from:
            yield "notices.smtp", "mails need notices.mail_from, their sender", "herald@club.example"
    if settings.mail_from and not is_mail_address(settings.mail_from):
        yield "notices.mail_from", "mail_from is no mail address", "herald@club.example"
    if settings.push_contact and not _is_contact(settings.push_contact):
        yield "notices.push_contact", "push_contact reaches nobody", "mailto:ADDRESS or https://HOST/"


def _is_contact(contact: str) -> bool:
    scheme, _, rest = contact.partition(":")
    if scheme == "mailto":
        return is_mail_address(rest)
    return bool(re.fullmatch(r"https://[!-~]+", contact))
