"""2.O, 2.Q: a turn: Untap/Unspend Phase, Healing Phase, Strategic Phase, End of Turn."""

from domain.commons.rows import BOTH
from domain.disciples_legacy.rules.dying import finish, settle
from domain.disciples_legacy.rules.healing import Healing
from domain.disciples_legacy.rules.strategic import StrategicPhase
from domain.disciples_legacy.state.events import CitiesUntapped, EffectsEnded, LeadersUnspent, PhaseBegan
from domain.disciples_legacy.state.queries import (
    cards_of,
    of_seat,
)
from domain.disciples_legacy.state.state import DisciplesState
from domain.disciples_legacy.state.stats import hp
from domain.kernel import DONE, NEXT, Call, Flow, Procedure, Resolver, Seat, step


class Turn(Procedure, frozen=True):
    """DL-105: from one Untap/Unspend Phase to the next."""

    @step("DL-106", "DL-107")
    def untap(self, r: Resolver[DisciplesState]) -> Flow:
        """DL-106: Capitals and Cities untap; DL-107: spent tokens come off."""
        r.emit(PhaseBegan("untap"))
        tapped = tuple(city.id for city in r.state.cities.values() if city.tapped)
        if tapped:
            r.emit(CitiesUntapped(tapped))
        spent = tuple(member.id for member in r.state.members.values() if member.spent)
        if spent:
            r.emit(LeadersUnspent(spent))
        return NEXT

    @step("DL-108")
    def healing(self, r: Resolver[DisciplesState]) -> Flow:
        """The Healing Phase."""
        return Call(Healing())

    @step("DL-121", "DL-122")
    def strategic(self, r: Resolver[DisciplesState]) -> Flow:
        """The Strategic Phase; the player whose turn it is begins."""
        r.emit(PhaseBegan("strategic"))
        return Call(StrategicPhase())

    @step("DL-130")
    def end(self, r: Resolver[DisciplesState]) -> Flow:
        """6.2: effects that last for the turn end; deaths and wiped-out Parties follow."""
        r.emit(PhaseBegan("end"))
        ended = tuple(
            member.id
            for member in r.state.members.values()
            if any(effect.until == "turn" for effect in member.effects)
            or (member.ward is not None and member.ward.until == "turn")
        )
        if ended:
            r.emit(EffectsEnded("turn", ended))
            settle(r)
        return NEXT

    @step("DL-Q60")
    def limit(self, r: Resolver[DisciplesState]) -> Flow:
        """After the last turn the stronger side wins."""
        if r.state.turn < r.state.options.turn_limit:
            return DONE
        ours, theirs = (strength(r.state, seat) for seat in BOTH)
        winner = None if ours == theirs else Seat(int(theirs > ours))
        finish(r, winner, f"turn limit: {_decided_by(ours, theirs)}", "DL-Q60")
        return DONE


MEASURES = ("more living Major Leaders", "more (C) of living members", "more HP of living members")
"""The measures that `strength` compares, in words."""


def _decided_by(ours: tuple[int, ...], theirs: tuple[int, ...]) -> str:
    """The first measure in which the sides differ."""
    found = (words for words, mine, other in zip(MEASURES, ours, theirs, strict=True) if mine != other)
    return next(found, "both sides are equal")


def strength(state: DisciplesState, seat: int) -> tuple[int, int, int]:
    """DL-Q60: living Major Leaders, (C) cost of living members, their current HP; compared in this order."""
    bodies = cards_of(state).bodies
    living = [member for member in of_seat(state, seat) if not member.dead]
    majors = sum(1 for member in living if member.kind == "major")
    return majors, sum(bodies[m.card].cost for m in living), sum(hp(state, m.id) for m in living)
