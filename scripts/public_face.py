"""The public face of the package `herald`, written down: `python -m scripts.public_face`; a test compares it.

Therefore a review shows every change of a name, of its signature, or of the members of a class.
"""

import inspect
import json
import re
from pathlib import Path
from types import ModuleType
from typing import Final

import herald
import herald.authoring

KEPT: Final = Path(__file__).parents[1] / "clients" / "library" / "public.json"
PUBLIC: Final[dict[str, ModuleType]] = {"herald": herald, "herald.authoring": herald.authoring}


def signature(value: object) -> str:
    """The signature of a name: parameters with their types and defaults; the type of a value that cannot be called."""
    if not callable(value):
        return type(value).__name__
    try:
        said = str(inspect.signature(value))
    except (TypeError, ValueError):
        return "..."
    return re.sub(r" at 0x[0-9a-f]+", "", said)


def described() -> dict[str, dict[str, object]]:
    """The public face: each name with its signature, classes with their public members."""
    found: dict[str, dict[str, object]] = {}
    for module, held in PUBLIC.items():
        for name in sorted(held.__all__):
            value = getattr(held, name)
            members = sorted(each for each in vars(value) if not each.startswith("_")) if inspect.isclass(value) else []
            found[f"{module}.{name}"] = {"signature": signature(value), **({"members": members} if members else {})}
    return found


if __name__ == "__main__":
    KEPT.write_text(json.dumps(described(), indent=1, sort_keys=True) + "\n", "utf-8")
