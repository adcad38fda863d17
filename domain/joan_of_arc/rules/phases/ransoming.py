"""Ransom in the camp phase (JA-348 to JA-350), an optional rule."""

from typing import Final

from domain.joan_of_arc.rules.player_actions.exchanging import Exchange, exchange, exchanges
from domain.joan_of_arc.state.events import CharacterRansomed, RansomRefused
from domain.joan_of_arc.state.queries import setting_of, unit_of
from domain.joan_of_arc.state.state import JoanState, UnitId
from domain.kernel import DONE, NEXT, Choice, Decision, Flow, Goto, One, Procedure, Resolver, ask, only, step

PRICE: Final = 3
"""JA-348: XP for a captured character."""


class PayRansom(Choice, frozen=True):
    """Pay for the captive."""


class KeepPurse(Choice, frozen=True):
    """Pay nothing."""


class RansomOffer(Decision, frozen=True):
    """JA-D55 Whether a captive is paid for; asked again in every later camp phase (JA-Q78)."""

    rule = "JA-348"

    unit: UnitId

    def form(self, state: JoanState) -> One:
        """Payment needs the XP, for which intrigue tokens may be swapped (JA-188)."""
        pays = (PayRansom(),) if state.boards[self.by].xp >= PRICE else ()
        return only((KeepPurse(), *pays, *exchanges(state, self.by)))

    def resolve(self, r: Resolver[JoanState], choice: PayRansom | KeepPurse | Exchange) -> Flow:
        """JA-349: the captor has the XP, the character waits."""
        match choice:
            case PayRansom():
                r.emit(CharacterRansomed(self.unit, PRICE))
                return NEXT
            case KeepPurse():
                r.emit(RansomRefused(self.unit))
                return NEXT
        exchange(r, self.by, choice)
        return Goto("JA-348")


def captives(state: JoanState) -> tuple[UnitId, ...]:
    """The captured characters, by their owners in turn order."""
    found = sorted(unit.id for unit in state.field.units.values() if unit.spot == "captive")
    return tuple(unit for seat in setting_of(state).order for unit in found if unit_of(state, unit).owner == seat)


class Ransoming(Procedure, frozen=True):
    """JA-348: the owners of captives are asked, one captive after the other."""

    units: tuple[UnitId, ...]

    @step("JA-348")
    def offer(self, r: Resolver[JoanState]) -> Flow:
        """A player who could not pay with all tokens is not asked."""
        if not self.units:
            return DONE
        unit = unit_of(r.state, self.units[0])
        assert unit.owner is not None, "a captive is a player's"
        board = r.state.boards[unit.owner]
        return ask(RansomOffer(unit.owner, unit.id)) if board.xp + board.intrigue >= PRICE else NEXT

    @step("JA-349")
    def next_captive(self, r: Resolver[JoanState]) -> Flow:
        """The next captive."""
        return Goto("JA-348", Ransoming(self.units[1:]))
