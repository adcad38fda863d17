"""Persons behind the seats of a match, as a server shows them: checked against the record, and against each other."""

from msgspec import Struct

from herald_client.claims import Opening
from herald_client.keys import is_signed
from herald_client.messages import PersonInfo, Voucher
from herald_client.record import tagged, u32, unb64
from herald_client.verifier import Verifier


class Person(Struct, frozen=True):
    """A person who stands behind a seat's key from a line on, as the record and the person's key prove; the handle is
    only the server's claim. `vouchers`: the signatures, checked here, by which one of the person's devices vouches for
    another.
    """

    seat: int
    line: int
    site: str
    key: str
    handle: str
    vouchers: tuple[Voucher, ...] = ()


def vouch_message(site: str, by: str, key: str) -> bytes:
    """The 32 bytes that a device signs: the device `key` is my person's too, at this server."""
    parts = [part.encode() for part in (site, "", "", by, key)]
    return tagged("person/vouch", *(u32(len(part)) + part for part in parts))


def checked(verifier: Verifier, told: PersonInfo) -> Person:
    """The person whom a server shows, if the record confirms it. Raises `Broken`; wrong vouchers are dropped."""
    opening = Opening(verifier.match, told.line, told.site, told.key, told.salt, told.signature)
    claim = verifier.person(opening)
    good = tuple(one for one in told.vouchers if _is_good(one))
    return Person(claim.seat, told.line, told.site, told.key, told.handle, good)


def _is_good(voucher: Voucher) -> bool:
    try:
        key, signature = unb64(voucher.by), unb64(voucher.signature)
    except ValueError:
        return False
    return is_signed(key, vouch_message(voucher.site, voucher.by, voucher.key), signature)


def is_same_person(former: Person, later: Person) -> bool:
    """Whether the later claim is by the same person, proved without the server: both have the same key, or the former
    key has signed that the later key is its person's. The later key's signature would prove nothing: anybody can make a
    key that signs the former one.
    """
    vouched = {(one.by, one.key) for one in (*former.vouchers, *later.vouchers) if one.site == former.site}
    return former.site == later.site and (former.key == later.key or (former.key, later.key) in vouched)
