"""Data for the page that builds armies: the games that have armies, their forms, and findings about drafts."""

from collections.abc import Mapping
from typing import Any

import msgspec

from projections.army_words import translated_finding, translated_form
from projections.face import Face
from projections.i18n.language import language_of
from projections.languages import ENGLISH

ARMIES = "/armies/"
"""Below this path: the games whose armies can be built; `<game>`, its form; `<game>?draft=...`, the faults of a draft;
both with `lang=de` in German.

The page sends a request after every change, so it is not counted with the bundles of matches; the length of its first
line bounds its cost.
"""


def army_answer(faces: Mapping[str, Face[Any]], path: str, query: dict[str, str]) -> bytes | None:
    """The JSON of an address below `ARMIES`; None if there is none."""
    builders = {name: face.builder for name, face in faces.items() if face.builder is not None}
    name = path.removeprefix(ARMIES)
    if not name:
        return msgspec.json.encode({"games": sorted(builders)})
    builder = builders.get(name)
    if builder is None:
        return None
    said = language_of(name, query.get("lang", ENGLISH))
    if "draft" in query:
        found = builder.judge(query["draft"].encode(errors="replace"))
        return msgspec.json.encode(found if said is None else translated_finding(found, said))
    form = builder.form()
    return msgspec.json.encode(form if said is None else translated_form(form, said))
