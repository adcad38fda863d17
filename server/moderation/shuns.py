"""Lasting blocks and mutes: persons whom a person does not want to meet, or to hear."""

from collections.abc import Callable
from typing import Final, Literal

from replay.store.side_tables.moderation import ShunRow
from replay.store.store import Store
from server.moderation.errors import SafetyRefused
from server.moderation.staff_log import StaffLog
from server.wire.text import skeleton

Kind = Literal["block", "mute"]
MOST: Final = 500
"""The most persons whom one person may block and mute."""


class Shuns:
    """The persons whom each person blocks and mutes. Every method waits for the store. `now`: the time in ms."""

    def __init__(self, store: Store, staff: StaffLog, now: Callable[[], int], most: int = MOST) -> None:
        self._most = most
        self._moderation, self._people, self._seats = store.moderation, store.people, store.seats
        self._staff, self._now = staff, now

    def person(self, handle: str) -> str:
        """The person with a handle. Raises `SafetyRefused`."""
        row = self._people.named(skeleton(handle))
        if row is None:
            raise SafetyRefused("Nobody has this handle here.")
        return row.person

    def at_seat(self, match: str, seat: int) -> str:
        """The person who noted a seat first; "" for a guest."""
        rows = [row for row in self._people.at(match) if row.seat == seat]
        return min(rows, key=lambda row: (row.at, row.person)).person if rows else ""

    def shun(self, person: str, other: str, kind: Kind, name: str) -> None:
        """Block or mute a person, who is known to the blocking person by `name`. Raises `SafetyRefused`."""
        if not other:
            raise SafetyRefused("A guest sits there, whom nobody knows again: mute that seat in its match.")
        if other == person:
            raise SafetyRefused("That is you.")
        if not self._moderation.shun(ShunRow(person, other, kind, name, self._now()), self._most):
            raise SafetyRefused(f"You block and mute {self._most} persons, and no more are kept.")

    def may_meet(self, one: str, other: str) -> bool:
        """Whether two persons may meet at a table: neither blocks the other, and neither is shut out."""
        if any(self._staff.shut_out(person) for person in (one, other)):
            return False
        blocks = [(row.person, row.other) for each in (one, other) for row in self.blocks(each)]
        return (one, other) not in blocks and (other, one) not in blocks

    def blocks(self, person: str) -> list[ShunRow]:
        """The persons whom a person blocks."""
        return [row for row in self._moderation.shuns(person) if row.kind == "block"]

    def _seat_name(self, match: str, seat: int) -> str:
        return next((row.name for row in self._seats.holders(match) if row.seat == seat), "")

    def mute_at(self, match: str, seat: int, other: int, *, on: bool) -> None:
        """Mute the person in another seat for the person in a seat, in every match; or unmute.

        Changes nothing if one of them is a guest; a blocked person stays blocked.
        """
        person, shunned = self.at_seat(match, seat), self.at_seat(match, other)
        if not person or not shunned or person == shunned:
            return
        known = {row.other: row.kind for row in self._moderation.shuns(person)}
        if on and shunned not in known and len(known) < MOST:
            self.shun(person, shunned, "mute", self._seat_name(match, other))
        elif not on and known.get(shunned) == "mute":
            self._moderation.unshun(person, shunned)

    def muted_seats(self, match: str, seat: int) -> set[int]:
        """The other seats of a match whose persons the person in a seat has muted."""
        rows = self._people.at(match)
        own = {row.person for row in rows if row.seat == seat}
        shunned = {row.other for person in own for row in self._moderation.shuns(person)}
        return {row.seat for row in rows if row.person in shunned and row.seat != seat}
