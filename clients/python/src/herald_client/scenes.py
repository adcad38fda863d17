"""The Scene of a viewer as its steps change it (docs/scene.md 5)."""

from typing import Any, Final

LOG_LINES: Final = 200
"""The number of lines of its chronicle that a Scene keeps."""


def merge(target: Any, patch: Any) -> Any:
    """The target with a JSON merge patch applied (RFC 7396); the arguments are not changed."""
    if not isinstance(patch, dict):
        return patch
    merged = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = merge(merged.get(key), value)
    return merged


def stepped(scene: dict[str, Any], step: dict[str, Any]) -> dict[str, Any]:
    """The Scene after a step; the one before is not changed."""
    after: dict[str, Any] = merge(scene, step.get("set", {}))
    if step.get("log"):
        after["log"] = [*scene.get("log", []), *step["log"]][-LOG_LINES:]
    after["seq"] = step["seq"]
    return after
