"""The messages about the persons who hold the seats of a match (docs/record.md 5); part of `server.wire.protocol`."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from server.wire.words import In, NewSecret, Out, Seq

Shown = Literal["nobody", "opponents", "everybody"]
Signed = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{86}(?![\s\S])")]
"""64 bytes as base64url."""


class ClaimSeat(In, frozen=True, tag="person"):
    """State in the record that a person holds the key of the sender's seat. The record gets the commitment to that
    person, signed by the seat's key (docs/record.md 5). Everybody sees that a person has claimed the seat. A message
    with an `id` is answered by `accepted`.
    """

    commitment: NewSecret
    signature: Signed


class ReadPersons(In, frozen=True, tag="persons"):
    """Ask for the persons who hold the seats and show themselves to this client; answered by `persons-told`."""


class ClaimOpening(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The opening of the line `line`, which committed to the signed-in person's device: the salt and the device's
    signature.

    `shown`: the viewers who see the opening and the handle from now on. A viewer can still hold an opening that was
    shown earlier.
    """

    line: Seq
    salt: NewSecret
    signature: Signed
    shown: Shown = "nobody"

    def __repr__(self) -> str:
        return f"ClaimOpening({self.line})"


class Voucher(Struct, frozen=True):
    """The device `by` has signed, at the server `site`, that the device `key` belongs to the same person
    (docs/people.md).
    """

    site: str
    by: str
    key: str
    signature: str


class PersonInfo(Struct, frozen=True, omit_defaults=True):
    """The opening of a claim, and the handle of its person; only the server vouches for the handle. `vouchers`:
    signatures that show that the keys of several claims to one seat belong to one person.
    """

    seat: int
    line: int
    site: str
    key: str
    salt: str
    signature: str
    handle: str
    vouchers: tuple[Voucher, ...] = ()

    def __repr__(self) -> str:
        return f"PersonInfo({self.line})"


class PersonsTold(Out, frozen=True, tag="persons-told"):
    """The persons who hold seats and show themselves to this client, indexed by the lines of their claims."""

    persons: tuple[PersonInfo, ...]
    id: str = ""

    def __repr__(self) -> str:
        return f"PersonsTold({len(self.persons)})"
