"""The face of Disciples: Legacy."""

from domain.disciples_legacy import GAME
from domain.disciples_legacy.state.events import (
    BattleBegan,
    HandPeeked,
    PhaseBegan,
    ReservesDrawn,
    ReservesShown,
    TurnBegan,
)
from domain.disciples_legacy.state.state import DisciplesState
from projections.face import Face
from projections.games.disciples_legacy.board import board
from projections.games.disciples_legacy.builder import BUILDER
from projections.games.disciples_legacy.cues import cues
from projections.games.disciples_legacy.narration import narrate
from projections.games.disciples_legacy.options import option
from projections.games.disciples_legacy.pieces import capital_of
from projections.games.disciples_legacy.reasons import reason
from projections.games.disciples_legacy.scene import scene
from projections.games.disciples_legacy.texts import RACES
from projections.games.disciples_legacy.words import named, question, speaker


def _sides(view: DisciplesState) -> tuple[dict[str, str], ...]:
    """The race and the Capital that each player leads."""
    found = []
    for seat, side in enumerate(view.sides):
        of = {"race": RACES[side.race]} if side.race else {}
        capital = capital_of(view, seat)
        found.append({**of, "Capital": capital.name} if capital else of)
    return tuple(found)


FACE: Face[DisciplesState] = Face(
    game=GAME,
    narrate=narrate,
    board=board,
    question=question,
    option=option,
    scene=scene,
    headings=frozenset({TurnBegan, PhaseBegan, BattleBegan}),
    plain=frozenset({ReservesShown}),  # no player needs it for a decision
    open_ends=frozenset({"DL-Q48", "DL-Q60", "DL-225"}),
    cues=cues,
    speaker=speaker,
    named=named,
    sides=_sides,
    reason=reason,
    turns=frozenset({TurnBegan}),
    discloses=frozenset({HandPeeked, ReservesDrawn}),
    rounds=lambda event: isinstance(event, TurnBegan),
    builder=BUILDER,
    lasting={
        "DeckChosen.deck": "the Reserves that a player holds",
        "ReservesDrawn.cards": "the Reserves that a player holds",
        "HandPeeked.cards": "the Reserves that a player holds",
    },
    open_cards_s=60,
)
