"""The face of Vera Discordia."""

from domain.kernel import Event
from domain.vera_discordia import GAME
from domain.vera_discordia.state.events import (
    ArmyCounted,
    AttackDeclared,
    AttackFailed,
    CardsDrawn,
    ManeuverPassed,
    PhaseBegan,
    RankExchanged,
    TerrainExamined,
    TurnBegan,
    UnitTookOrder,
)
from domain.vera_discordia.state.queries import cards_of
from domain.vera_discordia.state.state import Phase, VeraState
from projections.face import Face
from projections.games.vera_discordia.board import board
from projections.games.vera_discordia.certain_ends import settled
from projections.games.vera_discordia.cues import cues
from projections.games.vera_discordia.narration import narrate
from projections.games.vera_discordia.reasons import reason
from projections.games.vera_discordia.rolls import rolling
from projections.games.vera_discordia.scene import scene
from projections.games.vera_discordia.words import named, option, question, speaker


def _sides(view: VeraState) -> tuple[dict[str, str], ...]:
    """The faction and the General that each player commands."""
    cards = cards_of(view)
    found = []
    for side in view.sides:
        of = {"faction": cards.factions[side.faction].name} if side.faction in cards.factions else {}
        found.append({**of, "General": cards.general(side.general)[1].name} if side.general else of)
    return tuple(found)


def _fails(event: Event) -> bool:
    """Whether the event is an Attack without a target (VD-189) or a Castling that is not matched (VD-172)."""
    return isinstance(event, AttackFailed) or (isinstance(event, ManeuverPassed) and event.failed)


FACE: Face[VeraState] = Face(
    game=GAME,
    narrate=narrate,
    board=board,
    question=question,
    reason=reason,
    option=option,
    scene=scene,
    headings=frozenset({PhaseBegan}),
    cues=cues,
    speaker=speaker,
    named=named,
    sides=_sides,
    fails=_fails,
    ahead=lambda event: isinstance(event, AttackDeclared),
    settled=settled,
    rolling=rolling,
    turns=frozenset({TurnBegan}),
    discloses=frozenset({ArmyCounted, CardsDrawn, RankExchanged, TerrainExamined, UnitTookOrder}),
    rounds=lambda event: isinstance(event, PhaseBegan) and event.phase is Phase.BEGINNING,
    lasting={
        "ArmyDealt.cards": "the Closed Units of an army",
        "ArmyDealt.mustered": "the Closed Units of an army",
        "RankExchanged.cards": "the Closed Units of an army",
        "ArmyShown.closed": "the Closed Units of an army",
        "TerrainExamined.terrain": "Terrain that one player has looked at",
        "UnitDeployed.card": "the Closed Units of an army",
        "UnitDeployed.life": "",
        "UnitDeployed.covert": "the Closed Units of an army",
        "UnitTookOrder.order": "",
        "LifeRegained.life": "",
        "CardsDrawn.hand": "",
        "OrdersIssued.orders": "",
        "OrdersIssued.hand": "",
        "LeftoverDiscarded.hand": "",
        "OrderTakenBack.hand": "",
        "CardExchanged.order": "",
        "CardExchanged.hand": "",
        "OrderReclaimed.hand": "",
    },
    open_cards_s=120,
)
