"""The face of War for Edaðh."""

from domain.commons.rows import BOTH
from domain.kernel import Event, MatchEnded, Seat
from domain.war_for_edadh import GAME
from domain.war_for_edadh.state import events as e
from domain.war_for_edadh.state.state import WarState
from projections.blocks import cues as cues_of
from projections.blocks.cues import Cue
from projections.face import Face
from projections.games.war_for_edadh.board import board
from projections.games.war_for_edadh.narration import narrate
from projections.games.war_for_edadh.reasons import reason
from projections.games.war_for_edadh.round import taken, verdict
from projections.games.war_for_edadh.scene import scene
from projections.games.war_for_edadh.words import option, question
from projections.words import player


def cues(before: WarState, event: Event) -> list[Cue]:
    """The cues of an event: the Troop chosen, a guard, damage, a Troop that leaves."""
    match event:
        case e.TroopChosen(troop=troop):
            return [cues_of.pulse(troop)]
        case e.GuardTested(seat=seat, guarded=True) if before.round.chosen[seat]:
            return [cues_of.guard(before.round.chosen[seat], "guarded")]
        case e.DamageTaken(seat=seat, damage=damage) if damage > 0 and before.round.chosen[seat]:
            return [cues_of.hit(before.round.chosen[seat], damage)]
        case e.TroopInstantDiscarded(troop=troop) | e.TroopDiscarded(troop=troop):
            return [cues_of.death(troop, "discarded")]
        case e.DurationBegun(number=number):
            return [cues_of.banner(f"Duration {number}")]
    return _results(before, event)


def _results(before: WarState, event: Event) -> list[Cue]:
    match event:
        case e.RoundEnded() if None not in before.round.laid:
            moved = [f"{player(before, seat)} takes {taken(before, seat)}" for seat in BOTH if taken(before, seat) > 0]
            winner = Seat(before.round.attacker) if before.round.attacker in BOTH else None
            return [cues_of.result(verdict(before), ", ".join(moved), winner)]
        case e.CombatEnded(winner=winner):
            won = Seat(winner) if winner in BOTH else None
            return [cues_of.result(narrate(before, before, event, None), "", won)]
        case MatchEnded(result=result):
            return [cues_of.over(before.players, result)]
    return []


FACE: Face[WarState] = Face(
    game=GAME,
    narrate=narrate,
    board=board,
    question=question,
    reason=reason,
    option=option,
    scene=scene,
    headings=frozenset({e.DurationBegun, e.CombatBegun}),
    cues=cues,
    sides=lambda view: tuple({"faction": side.faction} if side.faction else {} for side in view.sides),
    turns=frozenset({e.RoundBegun}),
    discloses=frozenset({e.TerrainCut}),
    plain=frozenset({e.RoundBegun, e.TroopsSwapped}),
    rounds=lambda event: isinstance(event, e.RoundBegun),
    lasting={
        "ArmyChosen.army": "the army that a player has chosen",
        "DeckChosen.deck": "the Stratagem Deck of a player",
        "UnitSelected.selection": "",
        "StratagemsPicked.holding": "Stratagems that lie face down",
        "StratagemsPicked.deck": "the Stratagem Deck of a player",
        "HoldingReturned.deck": "the Stratagem Deck of a player",
        "StratagemReturned.deck": "the Stratagem Deck of a player",
        "SurvivorsSetAside.deck": "the Stratagem Deck of a player",
    },
    open_cards_s=60,
)
