"""Entering a seat by the account alone: a device that never had the seat's link gets a token of its own."""

from replay.record import sealing
from replay.record.signing import act_message, entry_said, is_signed_text
from replay.store.side_tables.seat_entries import EntryRow
from replay.store.side_tables.standing import StandingRow
from replay.store.store import Store
from server.people.claims import key_before
from server.people.errors import AccountRefused
from server.table.guests import token_hash

NO_SEAT = (
    "You have no seat there that this account opens: none is noted, or its link was renewed on a device that is not"
    " signed in. Use the seat's link."
)


class SeatEntry:
    """Lets persons into their own seats. Every method waits for the store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def note(self, key: str, shown: EntryRow, signature: str) -> None:
        """Note a token that opens a seat, shown by a device, for which the seat's key, if there is one, has to vouch.

        Otherwise anybody who has seen the link could lock out the seat's holder. `key`: the device's.
        """
        last = self._store.head(shown.match).seq
        seat_key = key_before(self._store, shown.match, last + 1, shown.seat)
        said = act_message(sealing.unb64(shown.match), shown.seat, entry_said(key))
        if not seat_key or is_signed_text(seat_key, said, signature):
            self._store.seat_entries.keep(shown)

    def keep(self, person: str, match: str, seat: int, held: bytes) -> None:
        """Store the hash of the token that the person has drawn, which opens the seat."""
        self._store.seat_entries.keep(EntryRow(person, match, seat, held))

    def drop(self, person: str, match: str, seat: int) -> None:
        """Forget a seat: the account can no longer enter it."""
        self._store.seat_entries.drop(person, match, seat)

    def enter(self, person: str, match: str, token: str) -> int:
        """Make another token open the person's seat, and void the earlier one; returns the seat.

        A repetition with the same token gets the same answer. Raises `AccountRefused`.
        """
        entries = self._store.seat_entries.at(person, match)
        held = {row.seat: row.token_hash for row in self._store.seats.holders(match)} if entries else {}
        fresh = token_hash(token)
        for entry in entries:
            if held.get(entry.seat) == fresh:
                return entry.seat
            if held.get(entry.seat) == entry.token_hash and self._change(entry, fresh):
                self.keep(person, match, entry.seat, fresh)
                return entry.seat
        raise AccountRefused(NO_SEAT)

    def signed_ahead(self, person: str) -> list[StandingRow]:
        """The stored answers of the seats that the account opens now; answers that others have signed are theirs."""
        found = [self._store.standing.of_seat(match, seat) for match, seat in self._own_answers(person)]
        return [row for row in found if row is not None and self._holds(person, row.match, row.seat)]

    def drop_signed_ahead(self, person: str) -> None:
        """Remove the stored answers of the person's seats, except of seats that somebody else has noted and holds."""
        for match, seat in self._own_answers(person):
            others = {row.person for row in self._store.people.at(match) if row.seat == seat} - {person}
            if not any(self._holds(other, match, seat) for other in others):
                self._store.standing.drop(match, seat)

    def _own_answers(self, person: str) -> list[tuple[str, int]]:
        kept = {(match, seat) for match, seat, _ in self._store.standing.looked()}
        return [(row.match, row.seat) for row in self._store.people.seats(person) if (row.match, row.seat) in kept]

    def _holds(self, person: str, match: str, seat: int) -> bool:
        shown = {row.seat: row.token_hash for row in self._store.seat_entries.at(person, match)}
        opens = {row.seat: row.token_hash for row in self._store.seats.holders(match)}
        return seat in shown and shown[seat] == opens.get(seat)

    def _change(self, entry: EntryRow, fresh: bytes) -> bool:
        return self._store.seats.change_token(entry.match, entry.seat, entry.token_hash, fresh)
