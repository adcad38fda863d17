"""Draws the seats of players by lots that were sealed before anybody knew the others'; anybody can check the draw.

Each player draws a lot, 32 bytes, and first publishes only its commitment. The id of the match follows from all
commitments. Then each player shows the lot. The seats follow from all lots together (docs/record.md, seat draws).
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Final

from msgspec import Struct

from replay.record import sealing

NUMBERS: Final = 4096
"""How many ids one occasion may give; a server takes the first that falls to the process that makes the match."""


class SeatDraw(Struct, frozen=True, forbid_unknown_fields=True):
    """How seats were drawn: by seat the commitment and the lot, as base64url of 32 bytes."""

    sealed: tuple[str, ...]
    lots: tuple[str, ...]

    def fault(self, match: str) -> str:
        """Why the seats of a match are not those that the lots give, as a sentence; empty if they are."""
        if not len(self.sealed) == len(self.lots) == len(set(self.sealed)):
            return "Each seat has one lot and one commitment of its own."
        for seat, (sealed, lot) in enumerate(zip(self.sealed, self.lots, strict=True), 1):
            if not is_opened(sealed, lot):
                return f"The lot of seat {seat} is not the one that was sealed."
        if drawn(dict(zip(self.sealed, self.lots, strict=True))) != self:
            return "The lots give another order of seats."
        return "" if follows(match, self.sealed) else "The id of the match does not follow from these commitments."


def follows(match: str, sealed: Sequence[str]) -> bool:
    """Whether the id of a match follows from these commitments, in any order."""
    occasion = occasion_of(sealed)
    return any(sealing.b64(match_id(occasion, number)) == match for number in range(NUMBERS))


def sealed_lot(lot: bytes) -> str:
    """The commitment to a lot."""
    return sealing.b64(sealing.tagged_hash("seat-draw/lot", lot))


def is_opened(sealed: str, lot: str) -> bool:
    """Whether a lot is the one that was sealed."""
    try:
        held = sealing.unb64(lot)
    except ValueError:
        return False
    return len(held) == sealing.KEY_BYTES and sealed_lot(held) == sealed


def bot_lots(secret: bytes, count: int) -> list[bytes]:
    """The lots for a number of bots' seats, from the server's own secret."""
    return [sealing.tagged_hash("seat-draw/bot", secret, sealing.u32(number)) for number in range(count)]


def drawn(lots: dict[str, str]) -> SeatDraw:
    """The draw that follows from all lots, given by their commitments."""
    held = {sealed: sealing.unb64(lot) for sealed, lot in lots.items()}
    joint = sealing.tagged_hash("seat-draw", *sorted(held.values()))
    order = sorted(held, key=lambda sealed: sealing.tagged_hash("seat-draw/place", joint, held[sealed]))
    return SeatDraw(tuple(order), tuple(lots[sealed] for sealed in order))


def occasion_of(sealed: Sequence[str]) -> bytes:
    """The occasion from which the id of the match follows: every commitment."""
    return b"seat-draw:" + "".join(sorted(sealed)).encode()


def match_id(occasion: bytes, number: int) -> bytes:
    """The id of the match for an occasion, or the id with another number."""
    return sha256(b"herald:occasion:%d:" % number + occasion).digest()[: sealing.MID_BYTES]
