"""The words and the rules of each game as pages load them: `/api/words/<game>` and `/api/rules/<game>`.

Each answer names the address of the present content, which changes with the content, so that a browser may cache that
answer for ever. `/api/words/<game>?lang=de` names the address of the words in another language.
"""

import json
import re
from typing import Final, Literal

from projections.glossary import encoded
from projections.languages import ENGLISH, LANGUAGES, known_language

ADDRESS: Final = re.compile(r"^/api/(words|rules)/([a-z0-9_]{1,64})(?:/([0-9a-f]{16}))?$")
FOR_EVER: Final = "public, max-age=31536000, immutable"


def rulebook(path: str, lang: str = ENGLISH) -> tuple[bytes, str] | None:
    """JSON, and how long a browser may cache it; None for other addresses.

    `lang`: the language of the words, English if there are no words in it.
    """
    asked = ADDRESS.match(path)
    if asked is None:
        return None
    what: Literal["words", "rules"] = "words" if asked[1] == "words" else "rules"
    if asked[3] is None:
        found = encoded(asked[2], what, known_language(lang))
        return found and (json.dumps({"at": f"/api/{what}/{asked[2]}/{found[0]}"}).encode(), "no-cache")
    told = (encoded(asked[2], what, language) for language in LANGUAGES)
    return next(((one[1], FOR_EVER) for one in told if one and one[0] == asked[3]), None)
