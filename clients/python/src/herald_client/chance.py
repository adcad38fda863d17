"""The origin of the dice (docs/record.md 4): shares of the seats, all of which are fixed before any is revealed, and
draws that are computed again."""

from collections import Counter

from herald_client.errors import Broken
from herald_client.record import Line, b64, below, tagged, u8, unb64_key

CHAIN_LENGTH = 4096


class Chance:
    """The shares of chance of one match, and its public draws, checked as their lines come."""

    def __init__(self, mid: bytes) -> None:
        self._mid = mid
        self.seats = 0
        self.committed: dict[int, str] = {}
        self.entropy: dict[int, bytes] = {}
        self.dice = 0
        """How many dice were computed again."""
        self._anchor = self._hidden = self._last = b""
        self._anchors: dict[int, bytes] = {}
        self._mixed = b""
        self._drawn = self._shuffles = 0
        self.event = ""
        """The event from whose seed the match's chance is dealt; "" if the match's seats make it."""
        self._asked: Counter[tuple[str, int | None]] = Counter()

    @property
    def is_fixed(self) -> bool:
        """Whether every seat's share is fixed."""
        return bool(self.seats) and len(self.committed) == self.seats

    def take(self, line: Line) -> None:
        """Takes a line's statement of chance. Raises `Broken`."""
        if self.event and line.type in ("EntropyCommitted", "EntropyRevealed", "ChanceAnchored"):
            raise Broken(line.seq, f"{line.type} stands where chance is dealt")
        seat = line.fields.get("seat") if line.type in ("DiceRolled", "Shuffled") else None
        if seat is not None and not 0 <= seat < self.seats:
            raise Broken(line.seq, f"the draw is for seat {seat}, which there is not")
        match line.type:
            case "MatchCreated":
                self.seats = len(line.fields["seats"])
                self._anchor = self._last = unb64_key(line.fields.get("anchor", ""))
                self._hidden = unb64_key(line.fields.get("hidden", ""))
                self._deal(line.fields.get("dealt"))
            case "EntropyCommitted":
                self._commit(line)
            case "EntropyRevealed":
                self._reveal(line)
            case "MatchBegun" if not self.event and len(self.entropy) < self.seats:
                raise Broken(line.seq, "play begins before every share of chance is revealed")
            case "ChanceAnchored":
                after = CHAIN_LENGTH * (len(self._anchors) + 1)
                if line.fields["after"] != after:
                    raise Broken(line.seq, f"a chain of keys is announced after draw {line.fields['after']}")
                self._anchors[after] = unb64_key(line.fields["anchor"])
            case "Shuffled":
                self._shuffles += 1
                if line.fields["draw"] != self._shuffles:
                    raise Broken(line.seq, f"the shuffle's number is {line.fields['draw']}")
            case "DiceRolled":
                self._roll(line)

    def _deal(self, dealt: dict[str, str] | None) -> None:
        if dealt is not None:
            self.event = dealt["event"]
            self._mixed = tagged("dealt", unb64_key(self.event), unb64_key(dealt["commitment"]))

    def _commit(self, line: Line) -> None:
        seat = line.fields["seat"]
        if seat in self.committed or self.entropy:
            raise Broken(line.seq, "a share of chance is fixed twice, or too late")
        self.committed[seat] = line.fields["commitment"]

    def _reveal(self, line: Line) -> None:
        seat, share = line.fields["seat"], unb64_key(line.fields["entropy"])
        if not self.is_fixed:
            raise Broken(line.seq, "a share of chance is revealed before all are fixed")
        if b64(commitment(share)) != self.committed[seat]:
            raise Broken(line.seq, "the share of chance is not the one that was fixed")
        self.entropy[seat] = share
        if len(self.entropy) == self.seats:
            shares = [self.entropy[seat] for seat in sorted(self.entropy)]
            self._mixed = tagged("mix", self._mid, self._anchor, self._hidden, u8(self.seats), *shares)

    def _roll(self, line: Line) -> None:
        shown, draw = line.fields.get("dice", []), line.fields.get("draw", 0)
        if not self._mixed:
            raise Broken(line.seq, "dice were rolled before the shares of chance were known")
        if draw != self._drawn + bool(shown):
            raise Broken(line.seq, f"the draw's number is {draw}")
        if not shown:
            return
        key = unb64_key(line.fields["key"])
        drawn = below(key, self._mixed, self._time(line) if self.event else draw)
        if not self.event and tagged("chain", key) != self._anchors.get(self._drawn, self._last):
            raise Broken(line.seq, "the draw's key does not belong to the chain of keys")
        fair = [drawn(line.fields["sides"]) + 1 for _ in shown]
        if list(shown) != fair:
            raise Broken(line.seq, f"the dice show {shown}; the key gives {fair}")
        self._drawn, self._last = draw, key
        self.dice += len(shown)

    def _time(self, line: Line) -> int:
        """How often this rule has rolled for this seat, which gives the place of a draw in an event's deal."""
        place = line.fields.get("rule", ""), line.fields.get("seat")
        self._asked[place] += 1
        return self._asked[place]


def commitment(share: bytes) -> bytes:
    """The commitment that fixes a share of chance."""
    return tagged("ent", share)
