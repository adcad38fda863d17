"""Webhooks of persons: in the form of the server's own webhooks, or in the form that Discord or Slack takes."""

from collections.abc import Sequence
from typing import Final, Literal

import msgspec
from msgspec import Struct

from server.errors import Misconfigured
from server.notifications.errors import NoticeRefused
from server.notifications.notice_texts import Move, headline, lines
from server.notifications.quiet import Quiet
from server.webhooks.delivery import Hook, Notice, checked

Form = Literal["plain", "discord", "slack"]
TEXT_MOST: Final = 1_900
"""The number of characters of one message: Discord takes 2,000."""


class HookDetails(Struct, frozen=True):
    """The parts of a person's webhook beside its address: its form, and the secret that signs plain messages."""

    form: Form
    secret: str

    def __repr__(self) -> str:
        return f"HookDetails({self.form})"


def checked_hook(url: str, details: HookDetails, *, is_private: bool) -> Hook:
    """The webhook, if it can be used. Raises `NoticeRefused` with its fault."""
    try:
        return checked(Hook(url, details.secret, is_private))
    except Misconfigured as wrong:
        raise NoticeRefused(str(wrong)) from wrong


def written(details: HookDetails, notices: Sequence[Notice], moves: Sequence[Move], quiet: Quiet) -> list[bytes]:
    """The bodies of the notices about moves: one each, or one text for all of them."""
    if details.form == "plain":
        return [msgspec.json.encode(notice) for notice in notices]
    return [translated(details.form, "\n".join([headline(len(moves), quiet.language), *lines(moves, quiet)]))]


def translated(form: Form, text: str) -> bytes:
    """A text in the form that the service takes. Names of people are written so that they mention nobody there."""
    shown = text[:TEXT_MOST]
    if form == "discord":
        return msgspec.json.encode({"content": shown, "allowed_mentions": {"parse": []}})
    escaped = shown.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return msgspec.json.encode({"text": escaped})
