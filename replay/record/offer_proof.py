"""Offers at the table and agreement to them, as public lines prove them (docs/record.md 5)."""

from domain.kernel import (
    Act,
    Agreed,
    Declined,
    OfferAccepted,
    Offered,
    OpenOffer,
)
from domain.kernel.table import OfferTerms
from replay.errors import RecordInvalid
from replay.record import signing
from replay.record.seat_holders import SeatHolders


class OfferProof:
    """The offers of one match: their terms, the seats that agreed, and the offer that the previous line accepted."""

    def __init__(self, holders: SeatHolders) -> None:
        self._holders = holders
        self._offers: dict[int, OpenOffer] = {}
        self._terms: dict[int, OfferTerms] = {}
        """The terms of every offer so far, by its number: an answer to an offer states them."""
        self.accepted: OfferTerms | None = None
        """The terms that the previous line accepted."""

    def answered(self, act: Act) -> OfferTerms | None:
        """The terms that the signature of an answer to an offer covers, since version 3."""
        if self._holders.version < signing.BINDS or not isinstance(act, Agreed | Declined):
            return None
        terms = self._terms.get(act.number)
        if terms is None:
            raise RecordInvalid(f"seat {act.seat} answers offer {act.number}, which nobody made")
        return terms

    def follow(self, act: Act) -> None:
        """Note an act that makes, answers or withdraws an offer."""
        match act:
            case Offered(seat, number=number, terms=terms):
                self._offers[number] = OpenOffer(number, seat, terms)
                self._terms[number] = terms
            case Agreed(seat, number=number) if number in self._offers:
                offer = self._offers[number]
                self._offers[number] = OpenOffer(number, offer.seat, offer.terms, (*offer.agreed, seat))
            case Declined(number=number):
                self._offers.pop(number, None)

    def settle(self, event: OfferAccepted, asked: set[int]) -> None:
        """Check that agreed terms were offered, and that each seat that had to agree has done so."""
        offer = self._offers.pop(event.number, None)
        self.accepted = event.terms
        if self._holders.version == 1:
            return
        found = None if offer is None else (offer.seat, offer.agreed, offer.terms)
        if found != (event.seat, event.agreed, event.terms):
            raise RecordInvalid(f"offer {event.number} is accepted, which nobody made so or agreed to so")
        if not asked <= set(event.agreed):
            raise RecordInvalid(f"offer {event.number} is accepted without {_seats(asked - set(event.agreed))}")

    def lapse(self) -> None:
        """Note that the accepted terms have taken effect: later lines do not follow from them."""
        self.accepted = None

    def close(self) -> None:
        """Make every open offer void, because the seats that it concerns have changed."""
        self._offers.clear()


def _seats(seats: set[int]) -> str:
    return ", ".join(f"seat {seat}" for seat in sorted(seats))
