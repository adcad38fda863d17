"""Rated matches of the skirmish, played honestly, for the tests of ratings."""

from typing import Any

from msgspec.structs import replace

from domain.kernel import Agreed, Game, Offered, Seat
from domain.kernel.table import OfferTerms
from replay.files import export
from replay.files.export import Record
from replay.record import keychain, sealing
from replay.record.creation import create_match
from replay.record.preparation import Preparation
from replay.record.referee import Referee, Sign
from replay.record.signing import SeatKey, share_said
from replay.store.log import Committed
from replay.store.seats import SeatRow
from replay.store.store import Store
from tests.replay.dishonest import SHARES, Signing
from tests.replay.matches import START
from tests.skirmish.game import GAME

GAMES: dict[str, Game[Any]] = {GAME.name: GAME}
PEOPLE = ("person", "person")


class RatedMatch(Signing):
    """A match that was created as rated, with signed shares of chance. `bot`: the bot of a seat that one plays."""

    def __init__(
        self,
        store: Store,
        sign: Sign | None,
        *,
        kinds: tuple[str, ...] = PEOPLE,
        listed: bool = True,
        closed: bool = False,
        rated: bool = True,
        shares: bool = True,
        at: int = START,
        bot: str = "steady",
    ) -> None:
        self.at = at
        self.store = store  # type: ignore[assignment]
        self.keys = [SeatKey() for _ in kinds]
        referee, creation = create_match(
            GAME, {}, ("",) * len(kinds), at=at, listed=listed, sign=sign, shares=shares, rated=rated
        )
        self.referee: Referee[Any] = referee
        rows = tuple(SeatRow(i, "", kind, bot if kind == "bot" else "") for i, kind in enumerate(kinds))
        header = replace(creation.header, closed=closed)
        assert isinstance(store.create(header, creation.keys, rows, creation.ruling.commit), Committed)
        referee.accept(creation.ruling)
        for seat, kind in enumerate(kinds):
            key = self.keys[seat].public if kind == "person" else ""
            self.put(Preparation(referee).take_seat(Seat(seat), f"P{seat}", kind, at, key))
        self._begin(kinds, shares=shares)

    def _begin(self, kinds: tuple[str, ...], *, shares: bool) -> None:
        givers = [Seat(seat) for seat, kind in enumerate(kinds) if kind == "person" and shares]
        for seat in givers:
            commitment = sealing.b64(keychain.entropy_commitment(SHARES[seat]))
            signature = self.keys[seat].said(self.referee.match, seat, share_said(commitment))
            self.put(Preparation(self.referee).commit_entropy(seat, commitment, self.at, signature))
        left = Preparation(self.referee).fix_entropy(self.at)
        if left is not None:
            self.put(left)
        for seat in givers:
            self.put(Preparation(self.referee).reveal_entropy(seat, sealing.b64(SHARES[seat]), self.at))
        self.put(Preparation(self.referee).begin(self.at))

    def agree(self, terms: OfferTerms) -> list[str]:
        """The first seat offers and the second agrees."""
        number = self.referee.state.table.last_offer + 1
        told = self.act(Offered(Seat(0), number=number, terms=terms))
        return told if "OfferAccepted" in told else self.act(Agreed(Seat(1), number=number))

    def finished(self) -> "RatedMatch":
        """Play to the end."""
        self.choose(10_000)
        assert self.referee.state.result is not None
        return self

    def whole(self) -> Record:
        """Everything that the store keeps of it."""
        return export.from_store(self.store, self.referee.match)
