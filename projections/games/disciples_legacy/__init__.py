"""The presentation of Disciples: Legacy: its Scenes, prompts and words. `FACE` is its face."""

from projections.games.disciples_legacy.face import FACE

__all__ = ["FACE"]
