"""People's texts as they are stored, shown and compared: one line, without invisible characters.

Texts are compared by the skeletons of Unicode Technical Standard #39, section 4, over letters without case.
`confusables.json` holds for each prototype the characters that look like it; `scripts/confusables` makes it.
"""

import json
import re
import unicodedata
from functools import cache
from importlib.resources import files
from typing import Final

IGNORABLE: Final = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Default_Ignorable_Code_Point (Unicode 15, DerivedCoreProperties): characters that fonts do not draw."""
BLANK: Final = "\u2800\U0001d159"
"""Symbols that fonts draw as blank space: the Braille pattern and the notehead without a mark."""
_UNSEEN: Final = re.compile(f"[{IGNORABLE}{BLANK}]")


def visible(text: str) -> str:
    """One line of Unicode NFC, without invisible characters.

    Removes control, formatting and bidirectional characters (categories C), characters that fonts do not draw, and
    accents without a letter.
    """
    plain = _UNSEEN.sub("", unicodedata.normalize("NFC", " ".join(text.split())))
    seen: list[str] = []
    for char in plain:
        kind = unicodedata.category(char)[0]
        if kind != "C" and not (kind == "M" and (not seen or seen[-1] == " ")):
            seen.append(char)
    return unicodedata.normalize("NFC", " ".join("".join(seen).split()))


def skeleton(text: str) -> str:
    """The skeleton of a text: two texts that readers confuse have the same skeleton, regardless of case."""
    return _prototypes_of(_prototypes_of(text).casefold())


def is_alike(one: str, other: str) -> bool:
    """Whether a reader would confuse the two texts."""
    return skeleton(one) == skeleton(other)


def _prototypes_of(text: str) -> str:
    known = _prototypes()
    apart = _UNSEEN.sub("", unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFD", "".join(known.get(char, char) for char in apart))


@cache
def _prototypes() -> dict[str, str]:
    held = json.loads(files(__package__).joinpath("confusables.json").read_text("utf-8"))
    return {char: prototype for prototype, chars in held["prototypes"].items() for char in chars}
