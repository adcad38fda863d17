"""Preparation for play: people sit down with their keys, and every seat gives its share of chance
(docs/record.md 4).
"""

import unicodedata
from typing import Generic, TypeVar

from domain.kernel import (
    EntropyCommitted,
    EntropyRevealed,
    Event,
    MatchEnded,
    MatchOver,
    NotBegun,
    NotNow,
    Result,
    Seat,
    SeatClaimed,
    SeatKeyed,
    SeatTaken,
    State,
    begin,
)
from replay.record import claims, keychain, sealing, seat_proof, signing
from replay.record.answer_check import NAME_LIMIT
from replay.record.ed25519 import is_public_key
from replay.record.errors import NotSigned, SeatRefused
from replay.record.referee import SERVER, Referee, Ruling
from replay.record.seat_proof import UNREVEALED, VOID

S = TypeVar("S", bound=State)


class Preparation(Generic[S]):
    """The seats of a match, their keys and their shares of chance; its rulings are like the referee's."""

    def __init__(self, referee: Referee[S]) -> None:
        self._referee = referee
        self._chance = referee.chance
        self._answers = referee.answers
        self._mid = sealing.unb64(referee.match)

    @property
    def _state(self) -> S:
        return self._referee.state

    def take_seat(self, seat: Seat, name: str, kind: str, at: int, key: str = "") -> Ruling[S]:
        """Seat somebody; `key` is an Ed25519 public key (base64url) that will sign the seat's choices.

        Raises `SeatRefused` for a seat that does not exist or is taken, a match that has begun, or an invalid key.
        """
        if not 0 <= seat < len(self._state.players):
            raise SeatRefused(f"There is no seat {seat}; this game has seats 0 to {len(self._state.players) - 1}.")
        if self._state.begun or any(taken == seat for taken, _ in self._state.taken):
            raise SeatRefused("The seat is taken.")
        if key and not (_length(key) == sealing.KEY_BYTES and is_public_key(sealing.unb64(key))):
            raise SeatRefused("A seat's key is an Ed25519 public key, 32 bytes as base64url, of the whole order.")
        name = unicodedata.normalize("NFC", name)[:NAME_LIMIT]
        return self._referee.rule((SeatTaken(seat, name, kind, key),), None, SERVER, at)

    def set_key(self, seat: Seat, key: str, signature: str, at: int) -> Ruling[S]:
        """Give a person's seat another key. `signature` is the former key's signature over it; it is "" if the seat has
        no key or its holder has lost it. Raises `SeatRefused`."""
        taken = dict(self._state.taken)
        if self._state.record == 1:
            raise SeatRefused("In a match of version 1 a seat keeps its first key.")
        if seat not in taken or seat in self._state.table.bots or self._state.result is not None:
            raise SeatRefused("No person plays this seat.")
        if _length(key) != sealing.KEY_BYTES or key == taken[seat] or not is_public_key(sealing.unb64(key)):
            raise SeatRefused("A seat's key is an Ed25519 public key, 32 bytes as base64url, and another than before.")
        message = signing.act_message(self._mid, seat, signing.key_said(key))
        if signature and not signing.is_signed_text(taken[seat], message, signature):
            raise SeatRefused("The new key is not signed with the seat's key.")
        return self._referee.rule((SeatKeyed(seat, key, signature),), None, seat, at)

    def claim_seat(self, seat: Seat, commitment: str, signature: str, at: int) -> Ruling[S]:
        """Note that a person is behind the seat's current key, which has signed the commitment.

        Raises `SeatRefused` if the seat has no key, or if a person has been noted for this key, and `NotSigned` for a
        wrong signature.
        """
        key = dict(self._state.taken).get(seat, "")
        if self._state.record < signing.BINDS or not key or seat in self._state.table.bots:
            raise SeatRefused("Only a person's seat with a key can be somebody's, in a record of version 3.")
        if self._state.result is not None:
            raise SeatRefused("The match is over: nobody else can stand behind its seats.")
        if not claims.is_commitment(commitment):
            raise SeatRefused("A commitment is 32 bytes as base64url.")
        if (seat, key) in self._state.claimed:
            raise SeatRefused("A person stands behind this key already.")
        message = signing.act_message(self._mid, seat, signing.person_said(commitment))
        if not signing.is_signed_text(key, message, signature):
            raise NotSigned("The commitment is not signed with the seat's key.")
        return self._referee.rule((SeatClaimed(seat, commitment, signature),), None, seat, at)

    def vouches(self, seat: Seat, said: bytes, signature: str) -> bool:
        """Whether the seat's key has signed a statement beside the record; a seat without a key needs no signature."""
        key = dict(self._state.taken).get(seat, "")
        return not key or signing.is_signed_text(key, signing.act_message(self._mid, seat, said), signature)

    def commit_entropy(self, seat: Seat, commitment: str, at: int, signature: str = "") -> Ruling[S]:
        """Fix the share of chance of a seat's own client: TH("ent", share). Raises `SeatRefused`."""
        if self._state.dealt:
            raise SeatRefused("The chance of this match is dealt by its event; no seat gives a share.")
        if self._state.begun or any(committed == seat for committed, _ in self._state.committed):
            raise SeatRefused("This seat's share of chance is fixed already.")
        if _length(commitment) != sealing.KEY_BYTES or not 0 <= seat < len(self._state.players):
            raise SeatRefused("A commitment is 32 bytes as base64url, for a seat of the match.")
        key = dict(self._state.taken).get(seat, "")
        if self._state.record == 1:
            return self._referee.rule((EntropyCommitted(seat, commitment),), None, seat, at)
        message = signing.act_message(self._mid, seat, signing.share_said(commitment))
        if key and not signing.is_signed_text(key, message, signature):
            raise NotSigned("This seat signs its share of chance, and this one is not signed with its key.")
        return self._referee.rule(
            (EntropyCommitted(seat, commitment, signature=signature if key else ""),), None, seat, at
        )

    def fix_entropy(self, at: int) -> Ruling[S] | None:
        """Fix, by the server's client, the shares of the other seats; None if all are fixed.

        Seats that give their own share reveal it after this, because no share may be known before all are fixed.
        """
        events = self._server_commitments()
        return self._referee.rule(events, None, SERVER, at) if events else None

    @property
    def awaited(self) -> tuple[Seat, ...]:
        """The seats whose clients must still fix a share of chance before the match begins."""
        if not self._state.shares or self._state.begun:
            return ()
        done = {*dict(self._state.committed), *self._state.table.bots}
        return tuple(seat for seat in map(Seat, range(len(self._state.players))) if seat not in done)

    def reveal_entropy(self, seat: Seat, share: str, at: int) -> Ruling[S]:
        """Reveal the share of chance of a seat's own client, 32 bytes. Raises `SeatRefused`."""
        committed = dict(self._state.committed)
        if len(committed) < len(self._state.players):
            raise SeatRefused("Shares of chance are revealed when every seat has fixed its own; wait for that.")
        if any(revealed == seat for revealed, _ in self._state.entropy):
            raise SeatRefused("This seat's share of chance is revealed already.")
        if self._state.result is not None:
            raise SeatRefused("The match is over: a share that comes too late is taken no more.")
        if _length(share) != sealing.KEY_BYTES or _commitment(sealing.unb64(share)) != committed.get(seat):
            raise SeatRefused("This is not the share that the seat has fixed.")
        return self._referee.rule((EntropyRevealed(seat, share),), None, seat, at)

    def begin(self, at: int) -> Ruling[S]:
        """Start play once all seats are taken: fix and reveal the server client's share of chance first.

        Raises `NotBegun` while a seat that fixed its own share has not revealed it, and, in a match that waits for
        shares, while a person's client has not fixed one.
        """
        self._referee.assert_current()
        if self.awaited:
            raise NotBegun("The match waits until every player's client has given a share of chance.")
        events = [*self._server_commitments()]
        state = self._referee.game.fold(events, self._state)
        revealed = {seat for seat, _ in state.entropy}
        for seat, commitment in sorted(state.committed):
            if seat not in revealed:
                share = self._chance.share(seat)
                if _commitment(share) != commitment:
                    raise NotBegun("The match waits until every player's share of chance is revealed.")
                events.append(EntropyRevealed(seat, sealing.b64(share)))
        state = self._referee.game.fold(events, self._state)
        resolver = begin(self._referee.game, state, self._chance.in_state(state))
        return self._referee.rule((*events, *resolver.events), resolver.state, SERVER, at)

    @property
    def void_at(self) -> int:
        """The time, in ms, at which the match is void unless every share of chance is revealed."""
        return self._answers.committed_at + seat_proof.REVEAL_MS

    def void(self, at: int) -> Ruling[S]:
        """End the match without a winner because a share of chance was never revealed. Raises `MatchOver`, `NotNow`."""
        state = self._state
        if state.result is not None:
            raise MatchOver("The match is over already.")
        if not self.owing or state.shares or at < self.void_at:
            raise NotNow("The match is not void: no share of chance is overdue.")
        return self._referee.rule((MatchEnded(Result(None, f"{VOID}{UNREVEALED}")),), None, SERVER, at)

    @property
    def owing(self) -> tuple[Seat, ...]:
        """The seats whose clients must still reveal their fixed share of chance, once every share is fixed."""
        state = self._state
        if state.begun or state.result is not None or len(state.committed) < len(self._state.players):
            return ()
        revealed = dict(state.entropy)
        owed = (
            seat
            for seat, fixed in sorted(state.committed)
            if seat not in revealed and fixed != _commitment(self._chance.share(seat))
        )
        return tuple(map(Seat, owed))

    def _server_commitments(self) -> list[Event]:
        if self._state.dealt:
            return []
        committed = {seat for seat, _ in self._state.committed}
        missing = [Seat(seat) for seat in range(len(self._state.players)) if seat not in committed]
        return [EntropyCommitted(seat, _commitment(self._chance.share(seat)), "server") for seat in missing]


def _commitment(share: bytes) -> str:
    return sealing.b64(keychain.entropy_commitment(share))


def _length(text: str) -> int:
    """The number of bytes of a base64url text; -1 for any other text."""
    try:
        return len(sealing.unb64(text))
    except ValueError:
        return -1
