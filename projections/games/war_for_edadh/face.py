"""The face of War for Edaðh."""

from typing import Final

from domain.commons.rows import BOTH, foe
from domain.kernel import Event, MatchEnded, Seat
from domain.war_for_edadh import GAME
from domain.war_for_edadh.rules.blows import STAR_MP
from domain.war_for_edadh.state import events as e
from domain.war_for_edadh.state.state import TroopId, WarState
from domain.war_for_edadh.state.stats import star
from projections.blocks import cues as cues_of
from projections.blocks.cues import Cue
from projections.face import Face
from projections.games.war_for_edadh.board import board
from projections.games.war_for_edadh.narration import narrate
from projections.games.war_for_edadh.reasons import reason
from projections.games.war_for_edadh.round import taken, verdict
from projections.games.war_for_edadh.scene import scene
from projections.games.war_for_edadh.words import POSITIONS, option, question, troop_name
from projections.words import player

LOST_MP: Final = {"WE-091", "WE-192"}
"""The rules by which a blow costs MP instead of raising Damage."""


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
        case e.TroopRetired(troop=troop):
            return [cues_of.death(troop, "retired")]
        case e.MpChanged(seat=seat, parts=(part, *_)) if part.rule in LOST_MP and before.round.chosen[seat]:
            return [cues_of.gain(before.round.chosen[seat], f"−{-part.value}", "red", "flying-flag")]
        case e.DurationBegun(number=number):
            return [cues_of.banner(f"Duration {number}", POSITIONS[before.position])]
    return _results(before, event)


def _results(before: WarState, event: Event) -> list[Cue]:
    match event:
        case e.RoundEnded() if None not in before.round.laid:
            winner = Seat(before.round.attacker) if before.round.attacker in BOTH else None
            return [
                cues_of.result(verdict(before), ", ".join(filter(None, (_brought(before, s) for s in BOTH))), winner)
            ]
        case e.PilesCounted(adjusted=lost, shaken=shaken, routed=routed) if any(shaken) and not any(routed):
            seat = Seat(shaken.index(True))
            told = f"{player(before, seat)}'s Unit is Shaken"
            return [cues_of.result(told, f"Cards lost: {lost[0]} to {lost[1]}", foe(seat))]
        case e.CombatEnded(winner=winner):
            won = Seat(winner) if winner in BOTH else None
            return [cues_of.result(narrate(before, before, event, None), "", won)]
        case MatchEnded(result=result):
            return [cues_of.over(before.players, result)]
    return []


def _brought(view: WarState, seat: Seat) -> str:
    """The effects of a round on a seat: its Damage, a Troop that is Instant Discarded, or the MP it loses instead."""
    troop, damage = TroopId(view.round.chosen[seat]), taken(view, seat)
    if damage > 0:
        gone = f" and loses {troop_name(view, troop)}" if troop in view.sides[seat].pile else ""
        return f"{player(view, seat)} takes {damage}{gone}"
    attacker = foe(seat)
    hit = view.round.attacker == attacker and not view.round.guarded and view.round.chosen[attacker]
    return f"{player(view, seat)} loses {STAR_MP} MP" if hit and star(view, attacker) else ""


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
    plain=frozenset({e.RoundBegun, e.TroopChosen, e.TroopsSwapped}),
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
