"""Openings of claims to seats, beside the record, and devices that vouch for each other; side tables.

The record holds commitments. Their openings are kept here, so that they are deleted with the person (docs/record.md 5).
"""

from collections.abc import Sequence
from typing import Any, Final, Literal, Protocol

from msgspec import Struct
from msgspec.structs import astuple

from replay.store.side_tables.sql import Tables

_CLAIM: Final = """INSERT INTO person_claims SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?
WHERE EXISTS (SELECT 1 FROM devices WHERE person = ? AND key = ? AND revoked = 0)
ON CONFLICT (match, line) DO UPDATE SET shown = excluded.shown WHERE person_claims.person = excluded.person
RETURNING line"""
_VOUCH: Final = """INSERT INTO device_vouchers SELECT ?, ?, ?, ?, ?
WHERE EXISTS (SELECT 1 FROM devices WHERE person = ? AND key = ?)
AND EXISTS (SELECT 1 FROM devices WHERE person = ? AND key = ?)
ON CONFLICT (person, key) DO NOTHING"""


class ClaimRow(Struct, frozen=True):
    """The opening of a line's claim, the person, and the viewers: nobody, opponents or everybody."""

    match: str
    line: int
    person: str
    seat: int
    site: str
    key: str
    salt: str
    signature: str
    shown: Literal["nobody", "opponents", "everybody"]

    def __repr__(self) -> str:
        return f"ClaimRow({self.match}, {self.line})"


class VoucherRow(Struct, frozen=True):
    """A person's device `by` has signed, at a server called `site`, that the device `key` is the person's too."""

    person: str
    key: str
    by: str
    site: str
    signature: str


class Claims(Protocol):
    """The openings of a store's claims. Every method may be called from any thread, and waits; see `Store`."""

    def keep(self, row: ClaimRow) -> bool:
        """Keep an opening, or change the viewers of a kept one; False if the device is revoked or gone, or the claim is
        somebody else's."""
        ...

    def of_match(self, match: str) -> list[ClaimRow]:
        """The openings of a match, by line."""
        ...

    def of_matches(self, matches: Sequence[str]) -> list[ClaimRow]:
        """The openings of some matches, by line."""
        ...

    def of_person(self, person: str) -> list[ClaimRow]:
        """The openings of a person."""
        ...

    def vouch(self, row: VoucherRow) -> None:
        """Note that a device vouches for another, if both are the person's."""
        ...

    def vouchers(self, person: str) -> list[VoucherRow]:
        """The vouchers between the devices of a person."""
        ...


class SqlClaims:
    """See `Claims`; in the tables of a database."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def keep(self, row: ClaimRow) -> bool:
        """See `Claims`."""
        return bool(self._tables.change([(_CLAIM, (*astuple(row), row.person, row.key))]))

    def of_match(self, match: str) -> list[ClaimRow]:
        """See `Claims`."""
        return self._claims("WHERE match = ? ORDER BY line", match)

    def of_matches(self, matches: Sequence[str]) -> list[ClaimRow]:
        """See `Claims`."""
        return self._claims(f"WHERE match {self._tables.among} ORDER BY line", self._tables.listed(matches))

    def of_person(self, person: str) -> list[ClaimRow]:
        """See `Claims`."""
        return self._claims("WHERE person = ? ORDER BY match, line", person)

    def _claims(self, where: str, value: object) -> list[ClaimRow]:
        names = "match, line, person, seat, site, key, salt, signature, shown"
        return [ClaimRow(*row) for row in self._tables.ask(f"SELECT {names} FROM person_claims {where}", value)]  # noqa: S608

    def vouch(self, row: VoucherRow) -> None:
        """See `Claims`."""
        own: tuple[Any, ...] = (row.person, row.key, row.person, row.by)
        self._tables.change([(_VOUCH, (*astuple(row), *own))])

    def vouchers(self, person: str) -> list[VoucherRow]:
        """See `Claims`."""
        sql = "SELECT person, key, by_key, site, signature FROM device_vouchers WHERE person = ? ORDER BY key"
        return [VoucherRow(*row) for row in self._tables.ask(sql, person)]
