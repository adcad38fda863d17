"""Agreements around a match, and its open questions, as its verified lines state them (docs/record.md 5 and 9).

A server's frames repeat the same facts, unsigned; this class is the source of everything shown or signed.
"""

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from herald_client.messages import OfferInfo, SeatInfo, TableInfo
from herald_client.record import Line

ASKS = frozenset({"DecisionsOpened", "PositionSet", "MatchBegun"})


class Agreements:
    """Follows the lines of one match: its open decisions, offers, pause, hints, and the seats that may agree."""

    def __init__(self) -> None:
        self.asked_at = 0
        """The last line that opened decisions."""
        self.offers: dict[int, OfferInfo] = {}
        """The open offers, by number."""
        self.terms: dict[int, dict[str, Any]] = {}
        """The terms of every offer that was made."""
        self.offered_at: dict[int, int] = {}
        self._asked: dict[int, int] = {}
        self._last_asked = 0
        self._count = 0
        self.game = ""
        self._held: dict[int, SeatInfo] = {}
        self._left: set[int] = set()
        self._control: dict[str, Any] = {}
        self._hints = self._is_begun = self._is_over = self._paused = False
        self._hinted: set[int] = set()
        self._owing: set[int] = set()
        self._committed: set[int] = set()

    def take(self, line: Line) -> None:
        """Continue after a line."""
        if line.type in ASKS:
            self.asked_at = line.seq
        match line.type:
            case "MatchCreated" | "SeatTaken" | "SeatReplaced" | "SeatLeft" | "ClocksSet" | "MatchBegun":
                self._sit(line.type, line.fields)
            case "EntropyCommitted" | "EntropyRevealed":
                self._share(line.type, line.fields)
            case "DecisionsOpened":
                self._ask(line.fields["asked"])
            case "PositionSet" if "asked" in line.fields["view"]:
                self._ask(line.fields["view"]["asked"])
            case "Chosen":
                self._choose(line.fields)
            case "MatchPaused":
                self._paused = True
            case "MatchResumed":
                self._paused = False
                self._keep(offer for offer in self.offers.values() if offer.terms["is"] != "go_on")
            case "MatchEnded":
                self._asked, self.offers, self._paused, self._is_over = {}, {}, False, True
            case "HintAsked":
                self._hinted.add(line.fields["number"])
            case "Offered" | "Agreed" | "Declined" | "OfferAccepted":
                self._offer(line)

    def _sit(self, kind: str, fields: dict[str, Any]) -> None:
        seat = fields.get("seat", 0)
        match kind:
            case "MatchCreated":
                self._count, self.game = len(fields["seats"]), fields["game"]
                self._hints = bool(fields.get("hints")) and not fields.get("dealt")
            case "SeatTaken":
                self._held[seat] = SeatInfo(seat, fields.get("name", ""), fields.get("kind", "person"))
            case "SeatReplaced":
                self._held[seat] = replace(self._held[seat], kind="bot")
                self.offers = {}
            case "SeatLeft":
                self._left.add(seat)
                self.offers = {}
            case "ClocksSet":
                self._control = fields["control"]
            case "MatchBegun":
                self._is_begun = True

    def _share(self, kind: str, fields: dict[str, Any]) -> None:
        if kind == "EntropyRevealed":
            self._owing.discard(fields["seat"])
            return
        self._committed.add(fields["seat"])
        if fields.get("by", "seat") == "seat":
            self._owing.add(fields["seat"])

    def _ask(self, asked: list[dict[str, Any]]) -> None:
        self._asked = {one["number"]: one["seat"] for one in asked}
        self._last_asked = max(self._asked, default=self._last_asked)

    def _choose(self, fields: dict[str, Any]) -> None:
        """A choice ends every offer to take back, and each offer of a draw that its seat has neither made nor agreed
        to.
        """
        self._asked.pop(fields["number"], None)
        seat, by = fields["seat"], fields.get("by", "seat")

        def stays(offer: OfferInfo) -> bool:
            if offer.terms["is"] == "draw":
                return by == "rules" or seat in (offer.seat, *offer.agreed)
            return bool(offer.terms["is"] != "take_back")

        self._keep(filter(stays, self.offers.values()))

    def _offer(self, line: Line) -> None:
        number, seat = line.fields["number"], line.fields["seat"]
        if line.type == "Offered":
            terms = self.terms[number] = line.fields["terms"]
            self.offered_at[number] = line.seq
            self.offers[number] = OfferInfo(number, seat, terms)
        elif line.type == "Agreed" and number in self.offers:
            offer = self.offers[number]
            self.offers[number] = replace(offer, agreed=(*offer.agreed, seat))
        elif line.type != "Agreed":
            self.offers.pop(number, None)

    def _keep(self, offers: Iterable[OfferInfo]) -> None:
        self.offers = {offer.number: offer for offer in offers}

    @property
    def is_resolving(self) -> bool:
        """Whether the rules must still ask a seat, or end the match."""
        waits = not self._asked or not self._left.isdisjoint(self._asked.values())
        return self._is_begun and not self._is_over and waits

    def is_asked(self, number: int, seat: int) -> bool:
        """Whether a seat is asked a decision that it has not answered."""
        return self._is_begun and self._asked.get(number) == seat

    def was_asked(self, number: int) -> bool:
        """Whether a decision has been asked, of any seat."""
        return self._is_begun and number <= self._last_asked

    def table(self, told: TableInfo) -> TableInfo:
        """The agreements as the lines state them; only the time left is taken from the server's statement."""
        paused_ms = max(1, told.paused_ms) if self._paused else 0
        offers = tuple(replace(offer, asked=self._voters(offer)) for _, offer in sorted(self.offers.items()))
        reveal = tuple(sorted(self._owing)) if len(self._committed) == self._count and not self._is_begun else ()
        left_ms, hinted = told.reveal_ms if reveal else 0, tuple(sorted(self._hinted & self._asked.keys()))
        return TableInfo(self._control, paused_ms, offers, reveal, left_ms, self._hints, hinted)

    def seats(self, told: Iterable[SeatInfo]) -> tuple[SeatInfo, ...]:
        """The holders of the seats, from the lines; for a seat that nobody holds, the server's `told` alone gives a
        name.
        """
        return tuple(self._held.get(one.seat, SeatInfo(one.seat, one.name)) for one in told)

    def _voters(self, offer: OfferInfo) -> tuple[int, ...]:
        """The seats that have to agree: every other person, but not one replaced for being away, nor one who left."""
        away = offer.terms["seat"] if offer.terms["is"] == "replace" and offer.terms.get("absent_ms") else -1
        people = (seat for seat, held in sorted(self._held.items()) if held.kind == "person")
        return tuple(seat for seat in people if seat not in {offer.seat, away, *self._left})
