"""The presentation of War for Edaðh: its Scenes, prompts and words. `FACE` is its face."""

from projections.games.war_for_edadh.face import FACE

__all__ = ["FACE"]
