"""The face of Joan of Arc."""

from typing import Final

from domain.joan_of_arc import GAME
from domain.joan_of_arc.state.attack_events import (
    LossesCounted,
    ResultAllocated,
    ResultReassigned,
    ResultsCancelled,
)
from domain.joan_of_arc.state.events import (
    ActionDeclared,
    BonusTaken,
    CardHandedOver,
    CharacterReverted,
    CharacterUpgraded,
    CouncilCardDrawn,
    DiscussionStarted,
    EquipmentGained,
    InterruptDeclined,
    InterruptOffered,
    IntrigueCardTaken,
    IntrigueExchanged,
    LegendDrawn,
    LegendPassed,
    LegendPlayed,
    OrderPlayed,
    OrdersGained,
    OrdersReserved,
    OrdersReturned,
    PhaseBegan,
    QuestionChosen,
    ResourceGained,
    RoundBegan,
    RoundCardFlipped,
    TurnBegan,
    TurnEnded,
    UnitsActivated,
    UpkeepPaid,
    WarCouncilChosen,
)
from domain.joan_of_arc.state.queries import setting_of
from domain.joan_of_arc.state.state import JoanState
from domain.kernel import Event
from projections.face import Face
from projections.games.joan_of_arc.ahead import ahead
from projections.games.joan_of_arc.board import board
from projections.games.joan_of_arc.cues import cues
from projections.games.joan_of_arc.dice_shown import rolling
from projections.games.joan_of_arc.fortune import tries
from projections.games.joan_of_arc.narration import narrate
from projections.games.joan_of_arc.options import option
from projections.games.joan_of_arc.reasons import reason
from projections.games.joan_of_arc.scene import scene
from projections.games.joan_of_arc.words import named, plain_name, question, side_name, speaker


def _sides(view: JoanState) -> tuple[dict[str, str], ...]:
    """The side that each player leads."""
    return tuple({"side": plain_name(side_name(side))} for side in setting_of(view).sides)


PLAIN: Final[frozenset[type[Event]]] = frozenset(
    {
        ActionDeclared,
        BonusTaken,
        CharacterReverted,
        CharacterUpgraded,
        DiscussionStarted,
        IntrigueExchanged,
        LegendPassed,
        LegendPlayed,
        InterruptDeclined,
        InterruptOffered,
        LossesCounted,
        OrderPlayed,
        OrdersGained,
        OrdersReserved,
        OrdersReturned,
        PhaseBegan,
        QuestionChosen,
        ResourceGained,
        ResultAllocated,
        ResultReassigned,
        ResultsCancelled,
        RoundBegan,
        TurnBegan,
        TurnEnded,
        UnitsActivated,
        UpkeepPaid,
        WarCouncilChosen,
    }
)
"""The consequences that an option states itself, or that everybody expects."""


FACE: Face[JoanState] = Face(
    game=GAME,
    narrate=narrate,
    board=board,
    question=question,
    option=option,
    scene=scene,
    cues=cues,
    headings=frozenset({RoundBegan, PhaseBegan, TurnBegan}),
    speaker=speaker,
    named=named,
    sides=_sides,
    reason=reason,
    rolling=rolling,
    turns=frozenset({TurnBegan}),
    rounds=lambda event: isinstance(event, RoundBegan),
    plain=PLAIN,
    titles={"Doom": "The turn is over, and in the camp the disrupted roll doom"},
    # the top of a pile; JA-397: no answer before the question is asked
    discloses=frozenset(
        {CardHandedOver, CouncilCardDrawn, EquipmentGained, IntrigueCardTaken, LegendDrawn, RoundCardFlipped}
    ),
    tries=tries,
    ahead=ahead,
    lasting={
        "IntrigueCardTaken.card": "the intrigue cards that a player holds",
        "LegendDrawn.cards": "the legend cards that a player holds",
        "CardHandedOver.answers": "",
    },
    open_cards_s=120,
)
