"""Chance that nobody could choose (docs/record.md 4): a key chain for public dice, a hidden key for shuffles."""

from collections.abc import Iterable
from typing import Final

from domain.kernel import ChanceAnchored, Dealt, Event, HiddenDraw, MatchCreated, PublicDraw, Seat, State
from replay.errors import RecordInvalid
from replay.record import sealing
from replay.record.dealt_chance import DealtChance, Places, dealt_mix, parts_of, seed_fault
from replay.record.errors import ChainSpent
from replay.record.uniform import UniformNumbers, permutation

CHAIN_LENGTH: Final = 4096
RESERVE: Final = 512
"""The number of public draws left when the next chain is announced; more than any one choice can spend."""
STRIDE: Final = 64
KEY_BYTES: Final = 32


class KeyChain:
    """The keys k_0 to k_N, with k_{j-1} = TH("chain", k_j). Every 64th key is kept; the others are made when needed.

    Keys are stored in rows of bytes, which take a quarter of the memory of separate objects.
    """

    def __init__(self, last: bytes, length: int = CHAIN_LENGTH) -> None:
        self.length = length
        kept, key = [last], last
        for j in range(length - 1 - (length - 1) % STRIDE, -1, -STRIDE):
            key = sealing.chained(key, min(STRIDE, length - j))
            kept.append(key)
        self.anchor = key
        self._kept = b"".join(reversed(kept))
        self._block, self._above, self._near = -1, 0, b""

    def key(self, number: int) -> bytes:
        """k_j. Raises `ChainSpent` beyond the end."""
        if number > self.length:
            raise ChainSpent(f"draw {number} of {self.length}")
        block = -(-number // STRIDE)
        if block != self._block:
            self._open(block)
        at = (self._above - number) * KEY_BYTES
        return self._near[at : at + KEY_BYTES]

    def _open(self, block: int) -> None:
        """Make the keys of a block, from its kept key down to the one above the kept key of the block before."""
        above = min(self.length, block * STRIDE)
        near = [self._kept[block * KEY_BYTES : (block + 1) * KEY_BYTES]]
        for _ in range(above - max((block - 1) * STRIDE + 1, 0)):
            near.append(sealing.chained(near[-1], 1))
        self._block, self._above, self._near = block, above, b"".join(near)


def mix(mid: bytes, anchor: bytes, commitment: bytes, entropy: list[bytes]) -> bytes:
    """X: the value that no single party could choose."""
    return sealing.tagged_hash("mix", mid, anchor, commitment, bytes([len(entropy)]), *entropy)


def hidden_commitment(mid: bytes, hid: bytes) -> bytes:
    """The commitment D in line 1."""
    return sealing.tagged_hash("hid", mid, hid)


def entropy_commitment(entropy: bytes) -> bytes:
    """The value that a seat commits to before anybody reveals."""
    return sealing.tagged_hash("ent", entropy)


def dice(key: bytes, mixed: bytes, number: int, count: int, sides: int) -> tuple[int, ...]:
    """The faces of public draw `number`, which anybody with k_j can compute."""
    stream = UniformNumbers(key, mixed, number)
    return tuple(stream.below(sides) + 1 for _ in range(count))


def hidden_shuffle(hid: bytes, mixed: bytes, number: int, size: int) -> tuple[int, ...]:
    """The permutation of hidden draw `number`."""
    key = sealing.prf(hid, "hid", sealing.u32(number))
    return permutation(UniformNumbers(key, mixed, number).below, size)


def later_chain(hid: bytes, number: int) -> KeyChain:
    """Later key chain `number`, from 1, for draws beyond the first 4096; D fixes it, so nobody can choose it later."""
    return KeyChain(sealing.prf(hid, "anchor", sealing.u32(number)))


class Chains:
    """The key chains of one match, one after the other; each is made when it is first needed."""

    def __init__(self, k_n: bytes, hid: bytes) -> None:
        self.first = KeyChain(k_n)
        self._hid = hid
        self._later: dict[int, KeyChain] = {}

    def chain(self, number: int) -> KeyChain:
        """The first chain (0) or a later one."""
        if number == 0:
            return self.first
        if number not in self._later:
            self._later[number] = later_chain(self._hid, number)
        return self._later[number]

    def key(self, draw: int) -> bytes:
        """The key of a public draw; draws count from 1."""
        number, place = divmod(draw - 1, CHAIN_LENGTH)
        return self.chain(number).key(place + 1)


class RecordedChance:
    """The chance of one decision.

    It starts after the draws that committed events have spent, so a decision that is refused, or that another decision
    overtakes, loses nothing. `anchors` is the number of later chains that have been announced.
    """

    def __init__(self, chains: Chains, hid: bytes, mixed: bytes, draws: int, shuffles: int, anchors: int = 0) -> None:
        self._chains = chains
        self._hid = hid
        self._mixed = mixed
        self._draws = draws
        self._shuffles = shuffles
        self._last = CHAIN_LENGTH * (anchors + 1)

    def dice(self, count: int, sides: int) -> PublicDraw:
        """The next public draw. Raises `ChainSpent` if the next chain has not been announced."""
        self._draws += 1
        if self._draws > self._last:
            raise ChainSpent(f"draw {self._draws} of {self._last}")
        key = self._chains.key(self._draws)
        return PublicDraw(self._draws, sealing.b64(key), dice(key, self._mixed, self._draws, count, sides))

    def shuffle(self, size: int) -> HiddenDraw:
        """The next hidden draw."""
        self._shuffles += 1
        return HiddenDraw(self._shuffles, hidden_shuffle(self._hid, self._mixed, self._shuffles, size))


class MatchChance:
    """The chance of one match: its key chains, the server's shares, and the mixture of all shares.

    The chains are made when they are first needed, because a match may be opened only to be read.
    """

    def __init__(self, mid: bytes, k_m: bytes, k_n: bytes, hid: bytes) -> None:
        self.commitment = hidden_commitment(mid, hid)
        self._mid, self._k_m, self._k_n, self._hid = mid, k_m, k_n, hid
        self._made: Chains | None = None
        self._mixed: tuple[int, bytes] = (-1, b"")
        self._fixed = ""
        self._dealt: Dealt | None = None
        self._places = Places()

    def expect(self, first: Event) -> None:
        """Check the keys against line 1 of the record. Raises `RecordInvalid` now or when the chain is first needed."""
        if not isinstance(first, MatchCreated) or first.hidden != sealing.b64(self.commitment):
            raise RecordInvalid("the key of hidden draws is not the one committed to", 1)
        self.deal(first.dealt)
        self._fixed = first.anchor

    def deal(self, dealt: Dealt | None) -> None:
        """Draw from an event's seed, which is `hid`. Raises `RecordInvalid` if it is not the seed that was fixed."""
        why = "" if dealt is None else seed_fault(dealt, self._hid)
        if why:
            raise RecordInvalid(why, 1)
        self._dealt = dealt

    def follow(self, events: Iterable[Event]) -> None:
        """Continue after events that are in the record."""
        if self._dealt is not None:
            for event in events:
                self._places.take(event)

    @property
    def _chains(self) -> Chains:
        if self._made is None:
            made = Chains(self._k_n, self._hid)
            if self._fixed and sealing.b64(made.first.anchor) != self._fixed:
                raise RecordInvalid("the key chain is not the one whose anchor the record has", 1)
            self._made = made
        return self._made

    @property
    def anchor(self) -> bytes:
        """The anchor k_0 in line 1."""
        return self._chains.first.anchor

    def share(self, seat: Seat) -> bytes:
        """The share that the server's client gives for a seat; it follows from K_m, so a restart does not lose it."""
        return sealing.prf(self._k_m, "ent", self._mid, bytes([seat]))

    def in_state(self, state: State) -> RecordedChance | DealtChance:
        """The chance of a decision in this state, after the events that were followed."""
        if self._dealt is not None:
            mixed = dealt_mix(*parts_of(self._dealt))
            return DealtChance(self._hid, mixed, state.draws, state.shuffles, self._places)
        if self._mixed[0] != len(state.entropy):
            shares = [sealing.unb64(share) for _, share in sorted(state.entropy)]
            self._mixed = (len(shares), mix(self._mid, self.anchor, self.commitment, shares))
        return RecordedChance(self._chains, self._hid, self._mixed[1], state.draws, state.shuffles, state.anchors)

    def next_anchor(self, state: State) -> ChanceAnchored | None:
        """The announcement of the next key chain if the current one is nearly spent."""
        after = CHAIN_LENGTH * (state.anchors + 1)
        if self._dealt is not None or state.draws < after - RESERVE:
            return None
        return ChanceAnchored(sealing.b64(self._chains.chain(state.anchors + 1).anchor), after)
