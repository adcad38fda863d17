"""The face of War for Edaðh."""

from typing import Any

from domain.kernel import Event
from domain.war_for_edadh import GAME
from domain.war_for_edadh import events as e
from domain.war_for_edadh.state import WarState
from projections.face import Face
from projections.games.war_for_edadh.board import board
from projections.games.war_for_edadh.narration import narrate
from projections.games.war_for_edadh.scene import scene
from projections.games.war_for_edadh.words import option, question


def cues(before: WarState, event: Event) -> list[dict[str, Any]]:
    """What to animate: the Troop chosen, a guard, damage, a Troop that leaves."""
    match event:
        case e.TroopChosen(troop=troop):
            return [{"k": "pulse", "ref": troop}]
        case e.GuardTested(seat=seat, guarded=True) if before.round.chosen[seat]:
            return [{"k": "guard", "ref": before.round.chosen[seat], "t": "guarded", "when": "pre"}]
        case e.DamageTaken(seat=seat, damage=damage) if damage > 0 and before.round.chosen[seat]:
            return [{"k": "hit", "ref": before.round.chosen[seat], "n": damage, "when": "pre"}]
        case e.DurationBegun(number=number):
            return [{"k": "banner", "t": f"Duration {number}"}]
    return []


FACE: Face[WarState] = Face(
    game=GAME,
    narrate=narrate,
    board=board,
    question=question,
    option=option,
    scene=scene,
    headings=frozenset({e.DurationBegun, e.CombatBegun}),
    cues=cues,
    sides=lambda view: tuple({"faction": side.faction} if side.faction else {} for side in view.sides),
    turns=frozenset({e.RoundBegun}),
    rounds=lambda event: isinstance(event, e.RoundBegun),
)
