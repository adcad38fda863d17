"""The face of Vera Discordia."""

from domain.vera_discordia import GAME
from domain.vera_discordia.events import PhaseBegan
from domain.vera_discordia.state import VeraState
from projections.face import Face
from projections.games.vera_discordia_board import board
from projections.games.vera_discordia_cues import cues
from projections.games.vera_discordia_narration import narrate
from projections.games.vera_discordia_scene import scene
from projections.games.vera_discordia_words import named, option, question, speaker

FACE: Face[VeraState] = Face(
    game=GAME,
    narrate=narrate,
    board=board,
    question=question,
    option=option,
    scene=scene,
    headings=frozenset({PhaseBegan}),
    cues=cues,
    speaker=speaker,
    named=named,
)
