"""The rules of speech in chats: persons whom the staff has muted cannot write, and guests cannot write links."""

import re
from typing import Final

from replay.store.side_tables.people import People
from server.moderation.staff_log import StaffLog
from server.wire.text import visible

LINK: Final = re.compile(
    r"[a-z][a-z0-9+.-]*://|\bwww\.\w|\b[\w-]+(\.[\w-]+)*\.[a-z]{2,24}/"
    r"|\b[\w-]+\.(com|net|org|info|biz|io|gg|app|dev|xyz|shop|site|online|link|click|top|me|tv|co|ru|cn|de|eu|uk|us)\b",
    re.IGNORECASE,
)
"""An address with a scheme or a path, or a name in one of the domains that are written most."""
MUTED: Final = "The staff of this server has muted you; your account says why and how long."
NO_LINKS: Final = "Guests write no links here; sign in and note this seat as yours, or say it without."


class Voices:
    """Gives the reason why somebody may not write a line. Every method waits for the store.

    `guest_links`: guests may write links.
    """

    def __init__(self, people: People, log: StaffLog, *, guest_links: bool = False) -> None:
        self._people, self._log, self._guest_links = people, log, guest_links

    def refusal(self, match: str, seat: int | None, text: str) -> str:
        """The reason why a line may not be written from a seat, or by a spectator (None); "" if it may."""
        persons = {row.person for row in self._people.at(match) if row.seat == seat} if seat is not None else set()
        if any(self._log.is_muted(person) for person in persons):
            return MUTED
        return NO_LINKS if not persons and not self._guest_links and LINK.search(visible(text)) else ""
