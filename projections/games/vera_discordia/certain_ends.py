"""Ends that are certain in advance: a player who cannot deploy a General any more loses once all Units are deployed."""

from msgspec.structs import replace

from domain.commons.rows import BOTH, foe
from domain.kernel import Hidden, MatchEnded, NoChance, Seat
from domain.kernel.resolver import EndedError, Resolver
from domain.vera_discordia import GAME
from domain.vera_discordia.rules.deployment import Deploy, Deployment, judge_missing_generals
from domain.vera_discordia.state.state import Phase, VeraState


def settled(view: VeraState) -> tuple[MatchEnded, ...]:
    """VD-129: the possible ends after deployment, if at least one General cannot be deployed any more."""
    if view.phase is not Phase.DEPLOYMENT:
        return ()
    chances = {seat: _chances(view, seat) for seat in BOTH}
    without = [seat for seat in BOTH if chances[seat] == (False,)]
    if not without:
        return ()
    judged = [_judged(_deployed(view, foe(without[0]), came)) for came in chances[foe(without[0])]]
    return tuple(ended for each in judged for ended in each)


def _chances(view: VeraState, seat: Seat) -> tuple[bool, ...]:
    """Whether this player's General will be deployed; both values if that is open or unknown."""
    side = view.sides[seat]
    if side.general_deployed:
        return (True,)
    if isinstance(side.covert, Hidden):
        return (True, False)
    options = Deployment(seat).form(view)
    return (True, False) if any(isinstance(one, Deploy) and one.general for one in options) else (False,)


def _deployed(view: VeraState, seat: Seat, came: bool) -> VeraState:
    side = replace(view.sides[seat], general_deployed=came)
    return replace(view, sides=tuple(side if one == seat else kept for one, kept in enumerate(view.sides)))


def _judged(view: VeraState) -> list[MatchEnded]:
    """The verdict of the rule after the last deployment."""
    rules = Resolver(GAME.evolve, view, NoChance())
    try:
        judge_missing_generals(rules)
    except EndedError:
        return [event for event in rules.events if isinstance(event, MatchEnded)]
    return []
