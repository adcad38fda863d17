"""The presentation of Vera Discordia: its Scenes, prompts and words. `FACE` is its face."""

from projections.games.vera_discordia.face import FACE

__all__ = ["FACE"]
