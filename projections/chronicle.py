"""Lines of the chronicle: an event's sentence, its author, and the things on the table that it names."""

from typing import Any

from domain.kernel import Event, Seat
from projections.face import Face

Line = dict[str, Any]


def line(face: Face[Any], before: Any, after: Any, event: Event, viewer: Seat | None) -> Line | None:
    """The line of a redacted event (docs/scene.md 3); None if there is nothing to say."""
    text = face.narrate(before, after, event, viewer)
    if not text:
        return None
    if type(event) in face.headings:
        return {"t": text.removesuffix("."), "k": "head"}
    told: Line = {"t": linked(text, face.named(before, event) | face.named(after, event))}
    seat = face.speaker(before, event)
    return told if seat is None else {"seat": seat, **told}


def linked(text: str, names: dict[str, str]) -> str | list[str | dict[str, str]]:
    """The text, split at the names in it, each with its meaning; the plain text if it has no names."""
    found = [(at, name) for name in names if (at := text.find(name)) >= 0]
    parts: list[str | dict[str, str]] = []
    done = 0
    for at, name in sorted(found, key=lambda hit: (hit[0], -len(hit[1]))):
        if at < done:
            continue
        if at > done:
            parts.append(text[done:at])
        parts.append({"r": names[name], "t": name})
        done = at + len(name)
    if parts and done < len(text):
        parts.append(text[done:])
    return parts or text
