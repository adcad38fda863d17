"""How War for Edaðh looks: its Scenes, prompts and words. `FACE` is its face."""

from projections.games.war_for_edadh.face import FACE

__all__ = ["FACE"]
