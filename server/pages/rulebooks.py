"""The words and the rules of each game as pages load them: `/api/words/<game>` and `/api/rules/<game>`.

Each names an address that holds what it says now and changes with it, so that a browser may keep that for ever.
"""

import json
import re
from typing import Final, Literal

from projections.glossary import encoded

ADDRESS: Final = re.compile(r"^/api/(words|rules)/([a-z0-9_]{1,64})(?:/([0-9a-f]{16}))?$")
FOR_EVER: Final = "public, max-age=31536000, immutable"


def rulebook(path: str) -> tuple[bytes, str] | None:
    """JSON, and how long a browser may keep it; None where the address is of something else, or of nothing there is."""
    asked = ADDRESS.match(path)
    if asked is None:
        return None
    what: Literal["words", "rules"] = "words" if asked[1] == "words" else "rules"
    found = encoded(asked[2], what)
    if found is None:
        return None
    name, body = found
    if asked[3] is None:
        return json.dumps({"at": f"/api/{what}/{asked[2]}/{name}"}).encode(), "no-cache"
    return (body, FOR_EVER) if asked[3] == name else None
