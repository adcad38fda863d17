"""Checks chance (docs/record.md 4) from all public lines about it, one event after the other."""

from domain.kernel import (
    ChanceAnchored,
    Dealt,
    DiceRolled,
    EntropyCommitted,
    EntropyRevealed,
    Event,
    MatchBegun,
    MatchCreated,
    Shuffled,
)
from replay.errors import RecordInvalid
from replay.record import dealt_chance, keychain, sealing
from replay.record.uniform import UniformNumbers, permutation


def _key(text: str, what: str) -> bytes:
    try:
        data = sealing.unb64(text)
    except ValueError as wrong:
        raise RecordInvalid(f"{what} is {wrong}") from wrong
    if len(data) != sealing.KEY_BYTES:
        raise RecordInvalid(f"{what} has {len(data)} bytes", expected=f"{sealing.KEY_BYTES}")
    return data


class Draws:
    """Follows the commitments, the shares and the draws of one match; every method raises `RecordInvalid`."""

    def __init__(self, mid: bytes) -> None:
        self._mid = mid
        self.anchors: list[bytes] = []
        self.hidden = b""
        self.mixed = b""
        self.draws = 0
        self.shuffles = 0
        self._seats = 0
        self._key = b""
        self._committed: dict[int, str] = {}
        self._shares: dict[int, bytes] = {}
        self.dealt: Dealt | None = None
        self._places = dealt_chance.Places()
        self.time = 0
        """How often the last draw's request has been made, if chance is dealt."""

    def take(self, event: Event) -> None:
        """Check one event and continue after it; events without chance are ignored."""
        self._check_seat(event)
        if self.dealt is not None:
            self.time = self._places.take(event)
            if isinstance(event, EntropyCommitted | EntropyRevealed | ChanceAnchored):
                raise RecordInvalid(f"{type(event).__name__} stands where chance is dealt")
        match event:
            case DiceRolled():
                self._dice(event)
            case Shuffled(draw=draw):
                self.shuffles += 1
                if draw != self.shuffles:
                    raise RecordInvalid(f"the shuffle has number {draw}", expected=str(self.shuffles))
            case MatchCreated(seats=seats):
                self._seats = len(seats)
                self.anchors = [_key(event.anchor, "the anchor of the key chain")]
                self.hidden = _key(event.hidden, "the commitment to hidden draws")
                self._key, self.dealt = self.anchors[0], event.dealt
                if event.dealt is not None:
                    self.mixed = dealt_chance.dealt_mix(*dealt_chance.parts_of(event.dealt))
            case EntropyCommitted(seat, commitment):
                self._commit(seat, commitment)
            case EntropyRevealed(seat, share):
                self._reveal(seat, share)
            case MatchBegun():
                self._mix()
            case ChanceAnchored(anchor, after):
                due = keychain.CHAIN_LENGTH * len(self.anchors)
                if after != due:
                    raise RecordInvalid(f"a key chain is announced after draw {after}", expected=str(due))
                self.anchors.append(_key(anchor, "the anchor of the key chain"))

    def _check_seat(self, event: Event) -> None:
        seat = event.seat if isinstance(event, DiceRolled | Shuffled) else None
        if seat is not None and not 0 <= seat < self._seats:
            raise RecordInvalid(f"the draw is for seat {seat}", expected="a seat of the match, or none")

    def _commit(self, seat: int, commitment: str) -> None:
        if self._shares:
            raise RecordInvalid("a share of chance is fixed after another was revealed")
        if seat in self._committed or not 0 <= seat < self._seats:
            raise RecordInvalid(f"seat {seat} fixes a share of chance twice, or is no seat")
        self._committed[seat] = commitment

    def _reveal(self, seat: int, share: str) -> None:
        if len(self._committed) < self._seats:
            raise RecordInvalid("a share of chance is revealed before every seat has fixed its own")
        if seat in self._shares:
            raise RecordInvalid(f"seat {seat} reveals its share of chance twice")
        value = _key(share, "the share of chance")
        made = sealing.b64(keychain.entropy_commitment(value))
        fixed = self._committed.get(seat, "none")
        if made != fixed:
            raise RecordInvalid(f"seat {seat} reveals another share than it fixed: {made}", expected=fixed)
        self._shares[seat] = value

    def _mix(self) -> None:
        if self.dealt is not None:
            return
        if len(self._shares) < self._seats:
            raise RecordInvalid("play begins before every share of chance is revealed")
        shares = [self._shares[seat] for seat in sorted(self._shares)]
        self.mixed = keychain.mix(self._mid, self.anchors[0], self.hidden, shares)

    def _dice(self, roll: DiceRolled) -> None:
        if not roll.dice:
            if roll.draw != self.draws:
                raise RecordInvalid(f"a roll of no dice has the draw {roll.draw}", expected=str(self.draws))
            return
        if roll.sides < 1:
            raise RecordInvalid(f"dice of {roll.sides} sides are rolled", expected="1 side or more")
        if roll.draw != self.draws + 1:
            raise RecordInvalid(f"the roll has the draw {roll.draw}", expected=str(self.draws + 1))
        if self.dealt is not None:
            self._dealt_dice(roll)
            return
        number, place = divmod(self.draws, keychain.CHAIN_LENGTH)
        if number >= len(self.anchors):
            raise RecordInvalid(f"draw {roll.draw} has no key chain announced for it")
        before = self.anchors[number] if place == 0 else self._key
        key = _key(roll.key, "the key of the draw")
        if sealing.tagged_hash("chain", key) != before:
            raise RecordInvalid(f"the key of draw {roll.draw} is not in the chain")
        made = keychain.dice(key, self.mixed, roll.draw, len(roll.dice), roll.sides)
        if made != roll.dice:
            raise RecordInvalid(f"draw {roll.draw} shows {_faces(roll.dice)}", expected=_faces(made))
        self._key, self.draws = key, roll.draw

    def _dealt_dice(self, roll: DiceRolled) -> None:
        """Check that the dice follow from their key; `check_key` checks the key once the seed is open."""
        stream = UniformNumbers(_key(roll.key, "the key of the draw"), self.mixed, self.time)
        made = tuple(stream.below(roll.sides) + 1 for _ in roll.dice)
        if made != roll.dice:
            raise RecordInvalid(f"draw {roll.draw} shows {_faces(roll.dice)}", expected=_faces(made))
        self.draws = roll.draw

    def check_key(self, roll: DiceRolled, seed: bytes) -> None:
        """Check the last roll's key against the opened seed of the event."""
        made = sealing.b64(dealt_chance.place_key(seed, dealt_chance.asking_of(roll), self.time))
        if roll.key != made:
            raise RecordInvalid(f"the key of draw {roll.draw} does not follow from the event's seed", expected=made)

    def order(self, drawn: Shuffled, hid: bytes) -> tuple[int, ...]:
        """The order of the last shuffle, from the secret that line 1 fixes."""
        if self.dealt is None:
            return keychain.hidden_shuffle(hid, self.mixed, drawn.draw, drawn.size)
        key = dealt_chance.place_key(hid, dealt_chance.asking_of(drawn), self.time)
        return permutation(UniformNumbers(key, self.mixed, self.time).below, drawn.size)


def _faces(dice: tuple[int, ...]) -> str:
    return " ".join(map(str, dice))
