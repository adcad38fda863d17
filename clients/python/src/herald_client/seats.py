"""The right to speak for a seat, and to agree in its name, as far as public lines prove it (docs/record.md 5)."""

from typing import Any, Final

from herald_client.clocks import ACTS
from herald_client.public_state import Fields, PublicState
from herald_client.record import Line

BY: Final = ("seat", "bot", "clock", "standing", "rules")
REVEAL_MS: Final = 60_000
VOID: Final = "void: "
VOID_BY_HOST: Final = "void: by the host"
FAILED: Final = "void: the rules cannot go on from this position"
UNREVEALED: Final = "void: a share of chance was never revealed"


class Seats:
    """Follows the seats of one match of version 2; `fault` gives the reason why a line is impossible, `take` continues
    after a line.
    """

    def __init__(self, created: Fields, table: PublicState) -> None:
        self._table = table
        self._waits = bool(created.get("shares"))
        self._owed: dict[int, str] = {}
        self._fixed: set[int] = set()
        self._committed_at = 0
        self._asked_at = 0
        self._spent = 0
        self._chosen_at: dict[int, int] = {}
        self._accepted: Fields = {}
        self._is_voided = False
        self._is_scenario = False
        self._is_begun = False
        self._lot: Fields = {}

    def _is_person(self, seat: int) -> bool:
        return seat in self._table.taken and seat not in self._table.bots

    def fault(self, line: Line) -> str:
        """The reason why nobody can have made this line; "" if somebody can."""
        kind, fields = line.type, line.fields
        seat = fields.get("seat", -1)
        if kind in (*ACTS, "SeatKeyed", "SeatClaimed") and not self._is_person(seat):
            return f"seat {seat} acts, and no person holds it"
        match kind:
            case "SeatTaken":
                known = seat in self._table.taken or fields.get("kind", "person") not in ("person", "bot")
                return f"seat {seat} is taken twice, or by neither a person nor a bot" if known else ""
            case "EntropyCommitted":
                return "" if self._may_share(fields) else f"nobody may fix this share of chance for seat {seat}"
            case "Chosen":
                return self._choice_fault(line)
            case "OfferAccepted":
                return self._accepted_fault(fields)
            case "MatchEnded" if fields["result"]["reason"].startswith(VOID):
                return "" if self._is_void(line) else "the match is void, and nobody agreed or owed a share so long"
        return ""

    def _may_share(self, fields: Fields) -> bool:
        seat, by = fields["seat"], fields.get("by", "seat")
        if by == "server":
            return not fields.get("signature") and not (self._waits and seat not in self._table.bots)
        return bool(by == "seat" and self._is_person(seat))

    def _choice_fault(self, line: Line) -> str:
        fields, table = line.fields, self._table
        seat, by = fields["seat"], fields.get("by", "seat")
        wrong = by not in BY or (by == "rules") != (seat in table.left) or (by == "bot" and seat not in table.bots)
        if wrong or (by in ("seat", "standing") and not self._is_person(seat)):
            return f"{by!r} chooses for seat {seat}"
        return f"the clock chooses for seat {seat} before its time" if by == "clock" and self._is_early(line) else ""

    def _is_early(self, line: Line) -> bool:
        """Whether the clock chooses too early: no line of the time control has ended the seat's time, and no limit that
        the question states has passed.
        """
        place = line.fields["seat"], line.fields["number"]
        if self._lot and place == (self._lot["seat"], self._lot["number"]):
            return False
        asked = [one for one in self._table.asked if (one["seat"], one["number"]) == place]
        return not asked or not asked[0].get("limit_ms") or line.at < self._asked_at + asked[0]["limit_ms"]

    def _accepted_fault(self, fields: Fields) -> str:
        """Why an acceptance is wrong: its terms were not offered, or a seat that had to agree did not. A bot never
        agrees to give back chance.
        """
        offer: Fields = self._table.offers.get(fields["number"], {})
        said = {name: fields.get(name) for name in ("seat", "agreed", "terms")}
        if offer != said:
            return f"offer {fields['number']} is accepted, which nobody made so or agreed to so"
        missing = self._voters(offer) - set(fields["agreed"])
        return f"offer {fields['number']} is accepted without seat {min(missing)}" if missing else ""

    def _voters(self, offer: Fields) -> set[int]:
        terms, others = offer["terms"], set(range(self._table.seats)) - {offer["seat"]}
        if terms["is"] != "take_back":
            return self._table.voters(offer)
        line = terms.get("line", 0)
        if self._spent > line:
            return others
        is_theirs = any(seat in others and at > line for seat, at in self._chosen_at.items())
        return self._table.voters(offer) if is_theirs else set()

    def _is_void(self, line: Line) -> bool:
        reason: Any = line.fields["result"]["reason"]
        if (self._accepted.get("terms") or {}).get("is") == "abandon":
            return True
        if reason == VOID_BY_HOST and self._is_voided:
            return True
        if reason == FAILED and self._is_scenario and self._is_begun:
            return True
        owed = len(self._fixed) == self._table.seats and "seat" in self._owed.values()
        return reason == UNREVEALED and owed and not self._waits and line.at >= self._committed_at + REVEAL_MS

    def take(self, line: Line) -> None:
        """Continue after a line that is possible here."""
        kind, fields = line.type, line.fields
        match kind:
            case "EntropyCommitted":
                self._owed[fields["seat"]], self._committed_at = fields.get("by", "seat"), line.at
                self._fixed.add(fields["seat"])
            case "EntropyRevealed":
                self._owed.pop(fields["seat"], None)
            case "DecisionsOpened" | "MatchBegun" | "PositionSet":
                self._asked_at = line.at
            case "Chosen":
                self._chosen_at[fields["seat"]] = line.seq
        if kind == "Shuffled" or (kind == "DiceRolled" and fields["dice"]):
            self._spent = line.seq
        if kind != "Shuffled":
            self._lot = fields if kind == "TimeRanOut" else {}
        self._is_scenario = self._is_scenario or kind == "ScenarioOpened"
        self._is_begun = self._is_begun or kind == "MatchBegun"
        self._is_voided = kind == "OperatorRuled" and bool(fields.get("void"))
        if kind != "SeatBriefed":
            self._accepted = fields if kind == "OfferAccepted" else {}
