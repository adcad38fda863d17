"""End of game and victory (section S): VP, conditions that end a match at once, scores of the camp phase, the end.

A moment at which victory is judged calls `judge`, once all of it has happened (JA-Q85).
"""

from collections.abc import Iterator
from typing import Final

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.board.scenarios import Condition, InstantVictory
from domain.joan_of_arc.board.table import furnishing, interior_of, units_in
from domain.joan_of_arc.state.events import PointsScored
from domain.joan_of_arc.state.queries import setting_of, table_of
from domain.joan_of_arc.state.setting import seat_of
from domain.joan_of_arc.state.state import JoanState
from domain.kernel import Resolver

SCORER: Final = "scorer"


def score(r: Resolver[JoanState], side: str, points: int, rule: str) -> None:
    """VP of a side (JA-Q91); victory is judged when the moment is over."""
    if points:
        r.emit(PointsScored(side, points, rule))


def judge(r: Resolver[JoanState]) -> None:
    """JA-245: a condition that is met ends the match at once.

    JA-Q85: if several sides meet one, the side with more VP wins.
    """
    won = {side: instant for instant in _instants(r.state) for side in winners_at_once(r.state, instant)}
    if won:
        side = best_of(r.state, tuple(won))
        points = won[side].when.vp_at_least
        finish(r, side, "victory condition" if points is None else f"{points} VP reached", "JA-245")


def _instants(state: JoanState) -> tuple[InstantVictory, ...]:
    return setting_of(state).scenario.victory.instant


def winners_at_once(state: JoanState, instant: InstantVictory) -> Iterator[str]:
    """The sides that win by a condition now; a condition that names the scorer is tested for each side."""
    setting = setting_of(state)
    if instant.winner != SCORER:
        side = setting.sides[seat_of(instant.winner)]
        if fulfilled(state, instant.when, side):
            yield side
        return
    yield from (side for side in dict.fromkeys(setting.sides) if fulfilled(state, instant.when, side))


def fulfilled(state: JoanState, when: Condition, side: str) -> bool:
    """Whether a condition of a scenario holds for a side (ledger 6.11)."""
    if when.vp_at_least is not None:
        return state.scores.get(side, 0) >= when.vp_at_least
    if when.unit_destroyed is not None:
        dead = (unit for unit in state.field.units.values() if unit.spot == "graveyard")
        return any(when.unit_destroyed in {unit.id.partition("#")[0], unit.card} for unit in dead)
    if when.building_collapsed is not None:
        around = AreaId(when.building_collapsed.partition("/")[0])
        return furnishing(table_of(state), around).rubble
    return _held(state, when, side)


def _held(state: JoanState, when: Condition, side: str) -> bool:
    """Only the side's units are in the area; an interior is held while its building stands."""
    table = table_of(state)
    area = AreaId(when.area_held or when.interior_held or "")
    around = table.board.areas[area].around
    if around is not None and (interior_of(table, around) is None or furnishing(table, around).rubble):
        return False
    return {unit.side for unit in units_in(table, area)} - {None} == {side}


def score_camp(r: Resolver[JoanState]) -> None:
    """JA-246: the scenario's scores of every camp phase."""
    for scored in setting_of(r.state).scenario.victory.camp:
        for side in dict.fromkeys(setting_of(r.state).sides):
            if fulfilled(r.state, scored.when, side):
                score(r, side, scored.vp, "JA-246")


def conclude(r: Resolver[JoanState]) -> None:
    """JA-244, JA-247: after the last round the side with the most VP wins, the scenario decides a tie."""
    setting = setting_of(r.state)
    for extra in setting.scenario.victory.final.extra:
        side = setting.sides[seat_of(extra.player)]
        if fulfilled(r.state, extra.when, side):
            score(r, side, extra.vp, "JA-246")
    judge(r)
    finish(r, best_of(r.state, tuple(dict.fromkeys(setting.sides))), "most VP", "JA-247")


def best_of(state: JoanState, sides: tuple[str, ...]) -> str:
    """JA-Q85: the side with the most VP among these; a tie goes to the scenario's side if it is one of them."""
    setting = setting_of(state)
    most = max(state.scores.get(side, 0) for side in sides)
    best = tuple(side for side in sides if state.scores.get(side, 0) == most)
    tie = setting.sides[seat_of(setting.scenario.victory.final.tie)]
    return tie if tie in best else best[0]


def finish(r: Resolver[JoanState], side: str, reason: str, rule: str) -> None:
    """JA-247, JA-Q91: the match is over; a side wins with all its seats."""
    setting = setting_of(r.state)
    r.end(tuple(seat for seat in setting.seats if setting.sides[seat] == side), reason, rule)
