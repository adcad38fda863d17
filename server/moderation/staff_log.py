"""The log of the staff: each act is an entry that names the former entry by its hash and is never changed."""

from collections.abc import Callable, Iterable
from typing import Final, Literal

import msgspec
from msgspec import Struct

from replay.record import sealing
from replay.store.errors import RowExists
from replay.store.side_tables.moderation import LogRow, Moderation
from server.moderation.errors import SafetyRefused

HOST: Final = "host"
"""The author of acts that the host does by a command."""
Act = Literal["warn", "mute", "suspend", "ban", "lift", "settle", "appoint", "dismiss", "end", "void", "prune"]
SANCTIONS: Final[tuple[Act, ...]] = ("mute", "suspend", "ban")
SHUT_OUT: Final = ("suspend", "ban")
GENESIS: Final = bytes(32)
WHY_MOST: Final = 500
ATTEMPTS: Final = 20


class Sanction(Struct, frozen=True):
    """A restriction of a person, its end in ms (0: never), and its reason."""

    act: str
    until: int
    why: str


class StaffLog:
    """Appends to the log, reads it, and derives the restrictions that follow from it. Every method waits for the store.
    `now`: the time in ms.
    """

    def __init__(self, moderation: Moderation, now: Callable[[], int]) -> None:
        self._moderation, self._now = moderation, now

    def append(self, author: str, about: str, act: Act, why: str, *, until: int = 0, report: str = "") -> LogRow:
        """Append an entry, and return it. `author` and `about`: persons, `HOST`, or "" for nobody.

        Raises `SafetyRefused`.
        """
        if not 0 < len(why) <= WHY_MOST:
            raise SafetyRefused(f"An entry of the staff's log has a reason of 1 to {WHY_MOST} characters.")
        named = self._named(author), self._named(about)
        for _ in range(ATTEMPTS):
            last = self._moderation.last()
            number, before = (1, GENESIS) if last is None else (last.n + 1, last.hash)
            row = LogRow(number, self._now(), *named, act, why, until, report, b"")
            row = msgspec.structs.replace(row, hash=entry_hash(before, row))
            try:
                self._moderation.log(row)
            except RowExists:
                continue  # another server has appended at this moment
            return row
        raise SafetyRefused("Too much is written to the staff's log at this moment; try again.")

    def _named(self, person: str) -> str:
        return person if person in (HOST, "") else self._moderation.name_of(person)

    def about(self, person: str) -> list[LogRow]:
        """The entries about a person, in order."""
        name = self._moderation.known_name(person)
        return self._moderation.about(name) if name else []

    def in_force(self, person: str) -> list[Sanction]:
        """The restrictions of a person now."""
        return in_force(self.about(person), self._now())

    def is_muted(self, person: str) -> bool:
        """Whether a person is barred from chats."""
        return bool(self.in_force(person))

    def shut_out(self, person: str) -> Sanction | None:
        """The restriction that bars a person from everything but the person's own data."""
        return next((each for each in self.in_force(person) if each.act in SHUT_OUT), None)

    def is_staff(self, person: str) -> bool:
        """Whether the host has appointed a person, who is not shut out now."""
        roles = [row.act for row in self.about(person) if row.act in ("appoint", "dismiss")]
        return roles[-1:] == ["appoint"] and self.shut_out(person) is None

    def fault(self) -> int:
        """The number of the first entry that does not follow from the one before; 0 if all do."""
        before = GENESIS
        for number, row in enumerate(self._moderation.entries(), start=1):
            if row.n != number or row.hash != entry_hash(before, row):
                return number
            before = row.hash
        return 0


def entry_hash(before: bytes, row: LogRow) -> bytes:
    """The hash of an entry: tagged, over the hash before it and its fields as JSON (docs/people.md)."""
    fields = [row.n, row.at, row.author, row.about, row.act, row.why, row.until, row.report]
    return sealing.tagged_hash("staff", before, msgspec.json.encode(fields))


def in_force(rows: Iterable[LogRow], now: int) -> list[Sanction]:
    """The restrictions of one person at a time: the last of each kind since all were lifted."""
    held: dict[str, Sanction] = {}
    for row in rows:
        if row.act == "lift":
            held.clear()
        elif row.act in SANCTIONS:
            held[row.act] = Sanction(row.act, row.until, row.why)
    return [each for each in held.values() if not each.until or each.until > now]
