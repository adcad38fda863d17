"""Checks that a store still holds a match as it was written, for servers that open a match to continue it.

An audit finds more (`replay.audit.match_audit`). These checks must pass before a server adds anything to a record.
"""

from collections.abc import Sequence

from replay.errors import RecordInvalid
from replay.record import sealing
from replay.record.line import read_line
from replay.store.log import Entry, Head


def heads_of(match: str, entries: Sequence[Entry], claimed: Head) -> list[bytes]:
    """The chain's hashes, genesis first. Raises `RecordInvalid` if the chain does not lead to the claimed head."""
    heads = [sealing.genesis(sealing.unb64(match))]
    for number, entry in enumerate(entries, 1):
        if entry.seq != number:
            raise RecordInvalid(f"line {number} is missing", number)
        heads.append(sealing.link(heads[-1], entry.line))
    if claimed.seq >= len(heads):
        raise RecordInvalid(f"the record ends here, the match list says at {claimed.seq}", len(entries))
    if claimed.hash != heads[claimed.seq]:
        raise RecordInvalid("the chain does not come to the head that the match list has", claimed.seq)
    return heads


def check_openings(entries: Sequence[Entry], sealer: sealing.Sealer) -> None:
    """Check that the columns beside the lines fit them, and every sealed secret too. Raises `RecordInvalid`."""
    for entry in entries:
        # The first seven members of a line contain no comma (docs/record.md 2), and decoding the line takes longer.
        _, _, seq, at, kind, _, actor, _ = entry.line.split(b",", 7)
        columns = b"%d %d %d" % (entry.seq, entry.at, entry.actor)
        if b"%b %b %b" % (seq, at, actor) != columns or kind[1:-1].decode() != entry.type:
            raise RecordInvalid("the columns beside the line are not the line's", entry.seq)
        if entry.openings or not entry.line.endswith(b",[]]"):
            _check_seals(entry, sealer)


def _check_seals(entry: Entry, sealer: sealing.Sealer) -> None:
    seals = read_line(entry.line).seals
    if len(seals) != len(entry.openings):
        raise RecordInvalid(f"{len(entry.openings)} secrets are held, {len(seals)} were sealed", entry.seq)
    for slot, ((mask, sealed), value) in enumerate(zip(seals, entry.openings, strict=True)):
        if sealing.b64(sealer.seal(entry.seq, slot, mask, value)) != sealed:
            raise RecordInvalid(f"the secret in slot {slot} is not the one that was sealed", entry.seq)
