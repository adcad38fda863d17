"""The parts of every message of the wire: base classes, and types for ids, names and bytes."""

from typing import Annotated

from msgspec import Meta, Struct

# `$` is not used, because in Python it also matches before a line break at the end.
Id = Annotated[str, Meta(pattern=r"^[A-Za-z0-9._-]{1,64}(?![\s\S])")]
"""A client's own name for a message; the server's bots and clock have names of their own."""
MaybeId = Annotated[str, Meta(pattern=r"^[A-Za-z0-9._-]{0,64}(?![\s\S])")]
MatchId = Annotated[str, Meta(min_length=1, max_length=32)]
Token = Annotated[str, Meta(max_length=64)]
NewSecret = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{43}(?![\s\S])")]
"""32 random bytes as base64url, drawn and stored by a client."""
Device = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{0,43}(?![\s\S])")]
Name = Annotated[str, Meta(max_length=32)]
Language = Annotated[str, Meta(pattern=r"^[a-z]{2}(?![\s\S])")]
"""A language by its two letters (ISO 639-1)."""
Seq = Annotated[int, Meta(ge=0, le=2**53 - 1)]
Bytes32 = Annotated[str, Meta(pattern="^([A-Za-z0-9_-]{43})?$")]
"""32 bytes as base64url, or nothing."""
Signature = Annotated[str, Meta(pattern="^([A-Za-z0-9_-]{86})?$")]
"""64 bytes as base64url, or nothing."""


class In(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="t", kw_only=True):
    """A client's message. `id`: the sender's own name for the message, which `error` and some answers repeat."""

    id: MaybeId = ""


class Out(Struct, frozen=True, omit_defaults=True, tag_field="t"):
    """A server's message."""
