"""A decision asked in a terminal: the prompt of a Scene as numbered lines, and a typed line as an answer."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct
from rich.markup import escape

from domain.kernel.form import Answer
from server.cli.errors import Unclear
from server.cli.reading import read_bytes
from server.cli.words import refused, word
from server.errors import Misconfigured

Field = dict[str, Any]
NOTHING: Final = "Nothing can be chosen here: press Enter."


class FromFile(Struct, frozen=True):
    """A choice as plain data, made from a file's content."""

    choice: dict[str, Any]


Reading = Callable[[str], Answer | FromFile]


class DecisionPrompt:
    """One decision: its lines to print, and the reading of a typed line as an answer to its form."""

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
        self.only: str = self._field["options"][0]["label"] if prompt.get("forced") else ""
        """The only possible answer, if giving it at once reveals nothing; number 1 gives it."""

    def _heading(self) -> list[str]:
        prompt = self._prompt
        secret = f" [dim]({escape(prompt['phase'])})[/]" if prompt.get("phase") else ""
        why = [f"[dim]{escape(prompt[key])}[/]" for key in ("why", "also", "hint") if prompt.get(key)]
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


def _number(given: str, count: int) -> int:
    """A number from 1 to `count` as a place from 0. Raises `Unclear`."""
    if not given.isdecimal() or not 1 <= int(given[:9]) <= count:
        raise Unclear(word("Numbers go from 1 to {count}; {given!r} is none of them.", count=count, given=given[:20]))
    return int(given) - 1


def _one(field: Field) -> tuple[list[str], Reading, str]:
    options = field["options"]
    sole = len(options) == 1 and not options[0].get("file")

    def read(text: str) -> Answer | FromFile:
        if sole and not text:
            return str(options[0]["id"])
        first, _, rest = text.partition(" ")
        option = options[_number(first if rest else text, len(options))]
        if option.get("file"):
            return _opened(option["file"], rest.strip())
        if rest:
            raise Unclear(word("A number alone is needed, without {rest!r}.", rest=rest[:20]))
        return str(option["id"])

    files = [number for number, option in enumerate(options, 1) if option.get("file")]
    hint = "".join(word("; with {number} a file, as {number} mine.json", number=number) for number in files)
    return _numbered(options), read, word("Enter for the only answer") if sole else word("its number") + hint


def _opened(file: dict[str, str], name: str) -> FromFile:
    """The choice that a file's JSON makes. Raises `Unclear`."""
    if not name:
        raise Unclear(word("Write the name of a file behind the number."))
    try:
        held = msgspec.json.decode(read_bytes(Path(name).expanduser()))
    except Misconfigured as wrong:
        raise Unclear(refused(wrong)) from wrong
    except (msgspec.DecodeError, RecursionError) as wrong:
        raise Unclear(word("{name} holds no JSON: {why}.", name=name, why=wrong)) from wrong
    return FromFile({"do": file["do"], file["as"]: held})


def _nothing(text: str) -> Answer:
    if text:
        raise Unclear(word(NOTHING))
    return []


def _many(field: Field) -> tuple[list[str], Reading, str]:
    items, least, most = field["items"], field["min"], field["max"]
    if not most:
        return [f"  {word(NOTHING)}"], _nothing, word("nothing")
    span = f"{least}" if least == most else word("{least} to {most}", least=least, most=most)

    def read(text: str) -> Answer:
        return [items[_number(given, len(items))]["id"] for given in text.split()]

    order = word(", in your order") if field.get("ordered") else ""
    nothing = word("; nothing for none") if least == 0 else ""
    return _numbered(items), read, word("{span} numbers with spaces between", span=span) + order + nothing


def _filled(field: Field) -> tuple[list[str], Reading, str]:
    """An item for every slot, in the slots' order; equal items share a number. An empty line takes them as listed."""
    slots, kinds = field["slots"], dict[str, list[Field]]()
    for item in field["items"]:
        kinds.setdefault(item["id"].partition(":")[0], []).append(item)
    shown = [{**copies[0], "label": f"{_label(copies[0])}  × {len(copies)}"} for copies in kinds.values()]
    places = ", ".join(_label(slot) for slot in slots)

    def read(text: str) -> Answer:
        if not text:
            return {item["id"]: slot["id"] for item, slot in zip(field["items"], slots, strict=False)}
        words, names = text.split(), list(kinds)
        if len(words) != len(slots):
            raise Unclear(word("{n} numbers are needed, one for each of: {places}.", n=len(slots), places=places))
        answer: dict[str, str] = {}
        for given, slot in zip(words, slots, strict=True):
            kind = names[_number(given, len(names))]
            used = sum(item.partition(":")[0] == kind for item in answer)
            if used == len(kinds[kind]):
                raise Unclear(word("There are only {n} of {what}.", n=used, what=_label(kinds[kind][0])))
            answer[f"{kind}:{used}"] = slot["id"]
        return answer

    return (
        [word("  For {places}:", places=escape(places)), *_numbered(shown)],
        read,
        word("{n} numbers, one for each of these in order; Enter takes them as listed", n=len(slots)),
    )


def _placed(field: Field) -> tuple[list[str], Reading, str]:
    """Pieces on places, as pairs of numbers."""
    pieces, places, legal = field["items"], field["slots"], field["legal"]
    at = {place["id"]: number for number, place in enumerate(places, 1)}
    lines = [word("  Places:"), *_numbered(places), word("  Who may stand where:")]
    for number, piece in enumerate(pieces, 1):
        allowed = " ".join(str(at[place]) for place in legal[piece["id"]])
        lines.append(f"  [cyan]{number:>2}[/]  {escape(_label(piece))}: {allowed}")

    def read(text: str) -> Answer:
        answer: dict[str, str] = {}
        for given in text.split():
            piece, sign, place = given.partition("=")
            if not sign:
                raise Unclear(word("Write who stands where as 1=3; {given!r} is not that.", given=given[:20]))
            answer[pieces[_number(piece, len(pieces))]["id"]] = places[_number(place, len(places))]["id"]
        return answer

    return lines, read, word("who=where with spaces between, as 1=3 2=1; at least {n}", n=field["min"])


def _label(item: Field) -> str:
    return str(item.get("label") or item["id"])
