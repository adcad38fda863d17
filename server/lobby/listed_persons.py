"""The persons who hold seats of listed matches: guests, and persons who show themselves to everybody."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from replay.store.seats import SeatRow
from replay.store.store import Store


class ListedPersons(Struct, frozen=True):
    """For one match: the seats of people whom its record does not name, and handles by seat.

    In the match list, only the server vouches for the persons; at the table, each client checks them (docs/people.md).
    """

    guests: tuple[int, ...] = ()
    handles: dict[int, str] = {}


def listed_persons(store: Store, rows: Mapping[str, Sequence[SeatRow]]) -> dict[str, ListedPersons]:
    """The persons of some matches, by match; `rows`: the holders of their seats. Waits for the store."""
    claims = store.claims.of_matches(list(rows))
    names: dict[str, str] = {}
    for claim in claims:
        if claim.shown == "everybody" and claim.person not in names:
            found = store.people.handles(claim.person)
            names[claim.person] = found[0].handle if found and not found[0].until else ""
    told: dict[str, ListedPersons] = {}
    for match, seats in rows.items():
        # A later claim to a seat is from another device of the same person, or from a person who has taken over the
        # seat.
        last = {claim.seat: claim for claim in claims if claim.match == match}
        handles = {seat: names[claim.person] for seat, claim in last.items() if claim.shown == "everybody"}
        guests = tuple(row.seat for row in seats if row.kind == "person" and row.seat not in last)
        told[match] = ListedPersons(guests, {seat: handle for seat, handle in handles.items() if handle})
    return told
