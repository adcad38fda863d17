"""Persons behind seats: the stored openings of claims in records, and the viewers to whom they are shown."""

from collections.abc import Iterable
from typing import Any, Final, Literal

import msgspec

from replay.record import claims
from replay.record.claims import OpenedClaim, SeatClaim
from replay.record.signing import is_signed_text
from replay.store.side_tables.claims import ClaimRow, VoucherRow
from replay.store.store import Store
from server.people.challenges import SigningPlace, signed_message
from server.people.errors import AccountRefused
from server.people.profiles import Profiles
from server.wire.person_messages import ClaimOpening, PersonInfo, PersonsTold, Voucher

CHUNK: Final = 64
"""The number of lines that are read at a time, backwards, to find the lines that name a seat's key."""
KEYED: Final = ("SeatTaken", "SeatKeyed")
FACTS: Final = 8
"""The place of the public facts in a line of the record (docs/record.md 2)."""


class SeatClaims:
    """Stores and shows openings. Every method waits for the store."""

    def __init__(self, store: Store, profiles: Profiles) -> None:
        self._store, self._profiles = store, profiles

    def keep(self, person: str, key: str, site: str, place: tuple[str, int], opening: ClaimOpening) -> None:
        """Store the opening of a seat's claim, or show a stored one to others; `place`: match and seat, which the
        caller knows to be the person's. Raises `AccountRefused`.
        """
        match, seat = place
        row = ClaimRow(match, opening.line, person, seat, site, key, opening.salt, opening.signature, opening.shown)
        why = self._fault(row)
        if why:
            raise AccountRefused(f"This opens no claim of the seat: {why}.")
        if not self._store.claims.keep(row):
            raise AccountRefused("This claim is somebody else's, or your device was revoked at this moment.")

    def _fault(self, row: ClaimRow) -> str:
        if not row.site:
            return "it comes over a connection that is in a match; send it over one of its own"
        claim = claim_at(self._store, row.match, row.line)
        if claim is None or claim.seat != row.seat:
            return f"line {row.line} is none of it"
        return claims.fault(
            row.match, claim, OpenedClaim(row.match, row.line, row.site, row.key, row.salt, row.signature)
        )

    def shown(self, person: str, match: str, seat: int) -> Literal["", "nobody", "opponents", "everybody"]:
        """The viewers to whom the last claim of a person to a seat is shown; empty if there is none."""
        rows = [row for row in self._store.claims.of_match(match) if (row.person, row.seat) == (person, seat)]
        return rows[-1].shown if rows else ""

    def told(self, match: str, last: int, seat: int | None, message: str = "") -> PersonsTold:
        """The persons who show themselves to a viewer of a match: to a holder of a seat, or to everybody (None);
        `last`: the last line that the viewer may see.
        """
        rows = [
            row
            for row in self._store.claims.of_match(match)
            if row.line <= last and (row.shown == "everybody" or (seat is not None and _is_for(row, seat)))
        ]
        return PersonsTold(tuple(self._info(row, rows) for row in rows), message)

    def _info(self, row: ClaimRow, rows: Iterable[ClaimRow]) -> PersonInfo:
        others = {one.key for one in rows if (one.seat, one.person) == (row.seat, row.person)} - {row.key}
        vouchers = self._store.claims.vouchers(row.person) if others else ()
        handle = self._profiles.handle(row.person)
        opening = row.site, row.key, row.salt, row.signature
        return PersonInfo(row.seat, row.line, *opening, handle, _between(vouchers, {row.key, *others}))

    def vouch(self, person: str, by: str, key: str, site: str, signature: str) -> None:
        """Store the statement of device `by` that `key` belongs to the same person; without a valid signature nothing
        is stored. Raises `AccountRefused` for a wrong signature.
        """
        if not signature:
            return
        if not is_signed_text(by, signed_message("vouch", SigningPlace(site), "", by, key), signature):
            raise AccountRefused("This device has not signed the key of the new one.")
        self._store.claims.vouch(VoucherRow(person, key, by, site, signature))


def _is_for(row: ClaimRow, seat: int) -> bool:
    """Whether a holder of a seat is shown a claim: the claim of that seat, and claims that are open to opponents."""
    return row.seat == seat or row.shown == "opponents"


def _between(vouchers: Iterable[VoucherRow], keys: set[str]) -> tuple[Voucher, ...]:
    """The vouchers of a person that lead from one key to another; any further voucher would reveal another device."""
    rows = list(vouchers)
    found = {(row.by, row.key): row for row in rows}
    needed = {pair for pair in found if set(pair) <= keys}
    return tuple(Voucher(found[pair].site, *pair, found[pair].signature) for pair in sorted(needed))


def claim_at(store: Store, match: str, line: int) -> SeatClaim | None:
    """The claim in a line of a record, with the seat's key there; None for another line, or no claim."""
    if not 0 < line <= store.head(match).seq:
        return None
    (entry,) = store.read(match, line - 1, 1)
    if entry.type != "SeatClaimed":
        return None
    facts = _facts(entry.line)
    return SeatClaim(facts["seat"], key_before(store, match, line, facts["seat"]), facts["commitment"])


def key_before(store: Store, match: str, line: int, seat: int) -> str:
    """The key with which a seat signs immediately before a line of its record; empty if it has none."""
    end = line - 1
    while end > 0:
        begin = max(0, end - CHUNK)
        for entry in reversed(store.read(match, begin, end - begin)):
            if entry.type in KEYED and (facts := _facts(entry.line))["seat"] == seat:
                return str(facts.get("key", ""))
        end = begin
    return ""


def _facts(line: bytes) -> dict[str, Any]:
    facts: dict[str, Any] = msgspec.json.decode(line)[FACTS]
    return facts
