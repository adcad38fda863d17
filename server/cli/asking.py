"""A decision asked in a terminal: the prompt of a Scene as numbered lines, and a typed line as an answer."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from rich.markup import escape

from domain.kernel.form import Answer
from server.cli.errors import Unclear

Field = dict[str, Any]


class FromFile(Struct, frozen=True):
    """A choice as plain data, made of what a file holds."""

    choice: dict[str, Any]


Reading = Callable[[str], Answer | FromFile]


class Question:
    """One decision: its lines to print, and how a typed line is read as an answer to its form."""

    def __init__(self, prompt: dict[str, Any]) -> None:
        (self._field,) = prompt["fields"]
        self._prompt = prompt
        kind = self._field["type"]
        if kind == "one":
            listing, self._read, self.hint = _one(self._field)
        elif kind == "many":
            listing, self._read, self.hint = _many(self._field)
        elif self._field["fill"] == "slots":
            listing, self._read, self.hint = _filled(self._field)
        else:
            listing, self._read, self.hint = _placed(self._field)
        self.lines: tuple[str, ...] = (*self._heading(), *listing)

    def _heading(self) -> list[str]:
        prompt = self._prompt
        secret = f" [dim]({escape(prompt['phase'])})[/]" if prompt.get("phase") else ""
        why = [f"[dim]{escape(prompt['why'])}[/]"] if prompt.get("why") else []
        return [f"[bold yellow]{escape(prompt['ask'])}[/]{secret}", *why]

    def read(self, text: str) -> Answer | FromFile:
        """The answer that was typed. Raises `Unclear`."""
        return self._read(text.strip())


def _numbered(items: Sequence[Field]) -> list[str]:
    lines = []
    for number, item in enumerate(items, 1):
        group = f"  [dim]{escape(item['grp'])}[/]" if item.get("grp") else ""
        lines.append(f"  [cyan]{number:>2}[/]  {escape(item.get('label') or item['id'])}{group}")
        if item.get("sub"):
            lines.append(f"      [dim]{escape(item['sub'])}[/]")
        if item.get("follows"):
            lines.append(f"      [{'red' if item['bad'] else 'dim italic'}]{escape(item['follows'])}[/]")
    return lines


def _number(word: str, count: int) -> int:
    """A number from 1 to `count` as a place from 0. Raises `Unclear`."""
    if not word.isdecimal() or not 1 <= int(word[:9]) <= count:
        raise Unclear(f"Numbers go from 1 to {count}; {word[:20]!r} is none of them.")
    return int(word) - 1


def _one(field: Field) -> tuple[list[str], Reading, str]:
    options = field["options"]

    def read(text: str) -> Answer | FromFile:
        word, _, rest = text.partition(" ")
        option = options[_number(word if rest else text, len(options))]
        if option.get("file"):
            return _opened(option["file"], rest.strip())
        if rest:
            raise Unclear(f"A number alone is needed, without {rest[:20]!r}.")
        return str(option["id"])

    files = [number for number, option in enumerate(options, 1) if option.get("file")]
    hint = "".join(f"; with {number} a file, as {number} mine.json" for number in files)
    return _numbered(options), read, f"its number{hint}"


def _opened(file: dict[str, str], name: str) -> FromFile:
    """The choice that a file's JSON makes. Raises `Unclear`."""
    if not name:
        raise Unclear("Write the name of a file behind the number.")
    try:
        held = msgspec.json.decode(Path(name).expanduser().read_bytes())
    except OSError as wrong:
        raise Unclear(f"{name} cannot be read: {wrong.strerror}.") from wrong
    except (msgspec.DecodeError, RecursionError) as wrong:
        raise Unclear(f"{name} holds no JSON: {wrong}.") from wrong
    return FromFile({"do": file["do"], file["as"]: held})


def _many(field: Field) -> tuple[list[str], Reading, str]:
    items, least, most = field["items"], field["min"], field["max"]
    span = f"{least}" if least == most else f"{least} to {most}"

    def read(text: str) -> Answer:
        return [items[_number(word, len(items))]["id"] for word in text.split()]

    order = ", in your order" if field.get("ordered") else ""
    nothing = "; nothing for none" if least == 0 else ""
    return _numbered(items), read, f"{span} numbers with spaces between{order}{nothing}"


def _filled(field: Field) -> tuple[list[str], Reading, str]:
    """An item for every slot, in the slots' order; equal items share a number."""
    slots, kinds = field["slots"], dict[str, list[Field]]()
    for item in field["items"]:
        kinds.setdefault(item["id"].partition(":")[0], []).append(item)
    shown = [{**copies[0], "label": f"{_label(copies[0])}  × {len(copies)}"} for copies in kinds.values()]
    places = ", ".join(_label(slot) for slot in slots)

    def read(text: str) -> Answer:
        words, names = text.split(), list(kinds)
        if len(words) != len(slots):
            raise Unclear(f"{len(slots)} numbers are needed, one for each of: {places}.")
        answer: dict[str, str] = {}
        for word, slot in zip(words, slots, strict=True):
            kind = names[_number(word, len(names))]
            used = sum(item.partition(":")[0] == kind for item in answer)
            if used == len(kinds[kind]):
                raise Unclear(f"There are only {used} of {_label(kinds[kind][0])}.")
            answer[f"{kind}:{used}"] = slot["id"]
        return answer

    return (
        [f"  For {escape(places)}:", *_numbered(shown)],
        read,
        f"{len(slots)} numbers, one for each of these in order",
    )


def _placed(field: Field) -> tuple[list[str], Reading, str]:
    """Pieces on places, as pairs of numbers."""
    pieces, places, legal = field["items"], field["slots"], field["legal"]
    at = {place["id"]: number for number, place in enumerate(places, 1)}
    lines = ["  Places:", *_numbered(places), "  Who may stand where:"]
    for number, piece in enumerate(pieces, 1):
        allowed = " ".join(str(at[place]) for place in legal[piece["id"]])
        lines.append(f"  [cyan]{number:>2}[/]  {escape(_label(piece))}: {allowed}")

    def read(text: str) -> Answer:
        answer: dict[str, str] = {}
        for word in text.split():
            piece, sign, place = word.partition("=")
            if not sign:
                raise Unclear(f"Write who stands where as 1=3; {word[:20]!r} is not that.")
            answer[pieces[_number(piece, len(pieces))]["id"]] = places[_number(place, len(places))]["id"]
        return answer

    return lines, read, f"who=where with spaces between, as 1=3 2=1; at least {field['min']}"


def _label(item: Field) -> str:
    return str(item.get("label") or item["id"])
