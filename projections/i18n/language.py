"""Scenes, lines and faces in another language than English: texts for people are translated, keys stay.

`lang` of a line names the language in which the line is left; `english` of a Scene lists the texts that are left in
English. With them a page can mark these texts, and a screen reader pronounces them correctly.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import takewhile, zip_longest
from textwrap import wrap
from typing import Any, Final, TypeVar, get_args, get_origin, get_type_hints

from msgspec.structs import fields, replace

from domain.kernel import Event, Seat, State
from projections import vocabulary as words
from projections.chronicle import Line, linked
from projections.face import Face, Scene
from projections.i18n.catalogue import Catalogue, catalogue
from projections.languages import ENGLISH
from projections.plain import WIDTH
from projections.scene import diff
from projections.words import ROW

S = TypeVar("S", bound=State)

READ: Final[dict[type[words.Word], frozenset[str]]] = {
    words.Counter: frozenset({"label"}),
    words.Mark: frozenset({"label"}),
    words.Plate: frozenset({"side", "aria"}),
    words.Die: frozenset({"label"}),
    words.PooledDie: frozenset({"label"}),
    words.Group: frozenset({"label", "sum"}),
    words.Roll: frozenset({"title", "result"}),
    words.Place: frozenset({"label", "short", "aria"}),
    words.Edge: frozenset({"label"}),
    words.Zone: frozenset({"label", "note", "aria", "tip"}),
    words.Edge: frozenset({"label"}),
    words.Stat: frozenset({"label", "k"}),
    words.Bar: frozenset({"label"}),
    words.Badge: frozenset({"label"}),
    words.End: frozenset({"label", "note", "tip"}),
    words.Piece: frozenset({"label", "title", "short", "sub", "tierLabel", "backTitle", "tip", "known"}),
    words.Option: frozenset({"label", "sub", "end", "grp", "confirm", "off", "tip"}),
    words.Item: frozenset({"label", "sub"}),
    words.Field: frozenset({"label", "unit"}),
    words.Prompt: frozenset({"ask", "why", "also", "phase", "confirm", "undo", "hint"}),
    words.SceneWords: frozenset({"crumbs"}),
    words.Symbol: frozenset({"t"}),
    words.Cue: frozenset({"t", "sub"}),
}
"""The fields of a Scene's words that people read, without the fields that hold names, keys, glyphs and tones."""
PLACES: Final = frozenset({"label", "aria", "short", "sub", "tag", "tip"})
"""The fields that people read in a map's areas, a panel's items and a track's marks."""
LOOSE: Final = frozenset({"areas", "items", "marks"})
"""The fields of a geometry that hold areas, items and marks by name."""

INDENT: Final = "  "
"""The beginning of a line that continues the line before."""
_GAPS: Final = re.compile(r"( {2,})")

Say = Callable[[str], str]
Walk = Callable[[Any, Say], Any]


def _texts(value: Any, say: Say) -> Any:
    """A text, or texts in lists."""
    if isinstance(value, str):
        return say(value)
    return [_texts(part, say) for part in value] if isinstance(value, list) else value


def _loose(value: Any, say: Say) -> Any:
    return {
        name: {key: _texts(one, say) if key in PLACES else one for key, one in place.items()}
        if isinstance(place, dict)
        else place
        for name, place in value.items()
    }


def _struct(hint: Any) -> type[words.Word] | None:
    """The struct that a type is or may contain."""
    options = (hint, *get_args(hint))
    return next((one for one in options if isinstance(one, type) and issubclass(one, words.Word)), None)


def _of_type(hint: Any) -> Walk | None:
    """The function that translates a field's contents; None if people read nothing in it."""
    inner = _struct(get_args(hint)[-1]) if get_origin(hint) in {list, dict} else _struct(hint)
    if inner is None or not _steps(inner):
        return None
    if get_origin(hint) is list:
        return lambda value, say: [_walked(inner, one, say) for one in value]
    if get_origin(hint) is dict:
        return lambda value, say: {name: _walked(inner, one, say) for name, one in value.items()}
    return lambda value, say: _walked(inner, value, say)


@cache
def _steps(struct: type[words.Word]) -> dict[str, Walk]:
    """By field of a struct, the function that translates it; fields without text for people are left out."""
    hints = get_type_hints(struct)
    found: dict[str, Walk] = {}
    for field in fields(struct):
        walk = _texts if field.encode_name in READ.get(struct, ()) else _of_type(hints[field.name])
        if struct is words.Geom and field.name in LOOSE:
            walk = _loose
        if walk is not None:
            found[field.encode_name] = walk
    return found


def _walked(struct: type[words.Word], value: dict[str, Any], say: Say) -> dict[str, Any]:
    steps = _steps(struct)
    return {key: steps[key](one, say) if key in steps else one for key, one in value.items()}


class Language:
    """A language with the texts of a game."""

    def __init__(self, texts: Catalogue, language: str) -> None:
        self._texts = texts
        self.language = language

    def text(self, text: str) -> str:
        """A text in the language, or in English if the language lacks it."""
        return self._texts.said(text) or text

    def has(self, text: str) -> bool:
        """Whether the language has a text."""
        return self._texts.said(text) is not None

    def refusal(self, why: str) -> tuple[str, bool]:
        """A refusal, with the row of the rules that it may end with, and whether the language has the refusal."""
        row = ROW.search(why)
        if row is None:
            return self.text(why), self.has(why)
        bare = ROW.sub(".", why)
        return f"{self.text(bare).removesuffix('.')}{row[0]}", self.has(bare)

    def scene(self, scene: Scene) -> Scene:
        """A Scene, with the texts that the language lacks in `english`."""
        missing: dict[str, None] = {}
        players = {plate["name"] for plate in scene.get("seats", {}).values()}

        def say(text: str) -> str:
            if text in players:
                return text
            said = self._texts.said(text)
            if said is None:
                missing[text] = None
                return text
            return said

        told = _walked(words.SceneWords, scene, say)
        return {**told, "english": sorted(missing)} if missing else told

    def step(self, step: dict[str, Any], old: Scene, new: Scene) -> dict[str, Any]:
        """A Step between two Scenes that are in the language already."""
        told = {**step, "set": diff(old, new) or {}}
        if "log" in step:
            told["log"] = [self.line(line) for line in step["log"]]
        if "cues" in step:
            told["cues"] = [self.cue(cue) for cue in step["cues"]]
        return told

    def cue(self, cue: dict[str, Any]) -> dict[str, Any]:
        """A cue; `lang` is set if it is left in English."""
        left = any(cue.get(key) and not self.has(cue[key]) for key in READ[words.Cue])
        told = _walked(words.Cue, cue, self.text)
        return {**told, "lang": ENGLISH} if left else told

    def line(self, line: Line) -> Line:
        """A line of the chronicle, its names linked to the table again; `lang` is set if it is left in English."""
        parts = line["t"]
        text = parts if isinstance(parts, str) else "".join(p if isinstance(p, str) else p["t"] for p in parts)
        said = self.sentence(text)
        if said is None:
            return {**line, "lang": ENGLISH}
        names = {} if isinstance(parts, str) else {p["t"]: p["r"] for p in parts if not isinstance(p, str)}
        if line.get("k") == "head":
            said = said.removesuffix(".")
        return {**line, "t": linked(said, self.names(names))}

    def sentence(self, text: str) -> str | None:
        """A line's text, with or without its final stop, because headings have none."""
        return self._texts.said(text) or self._texts.said(f"{text}.")

    def names(self, names: dict[str, str]) -> dict[str, str]:
        """The names of things on the table as they occur in sentences, each with its thing."""
        return {said: ref for name, ref in names.items() for said in self._texts.named(name)}

    def board(self, board: str) -> str:
        """A table as plain text: cells between bars keep their width, and a text on several lines is wrapped anew."""
        told: list[str] = []
        for lines, said in self._paragraphs(board):
            if said is None:
                told.append(self._board_line(lines[0]))
            elif len(lines) == 1:
                told.append(said)
            else:
                told += wrap(said, WIDTH, subsequent_indent=INDENT)
        return "\n".join(told)

    def missing_on(self, board: str) -> list[str]:
        """The words of a plain-text table that the language lacks; the last words of a full line may be cut."""
        found: list[str] = []
        for lines, said in self._paragraphs(board):
            if said is None:
                texts = [part.strip() for cell in lines[0].split("|") for part in _GAPS.split(cell)[::2]]
                found += texts[:-1] if len(lines[0]) == WIDTH else texts
        return [text for text in found if text and not self.has(text)]

    def _paragraphs(self, board: str) -> Iterator[tuple[list[str], str | None]]:
        """The lines of a table with their translation. Lines without bars that are one text stay together; a line that
        the language lacks comes by itself, with None."""
        lines = board.split("\n")
        while lines:
            more = list(takewhile(lambda line: line.startswith(INDENT), lines[1:]))
            for taken in range(1 + len(more) if "|" not in lines[0] else 0, 0, -1):
                said = self._texts.said(" ".join(line.strip() for line in lines[:taken]))
                if said is not None:
                    break
            else:
                taken, said = 1, None
            yield lines[:taken], said
            lines = lines[taken:]

    def _board_line(self, line: str) -> str:
        """A line in the language. In a grid, whose lines begin with a bar, each cell keeps its width."""
        cells = line.split("|")
        told = [self._cell(cell) for cell in cells]
        if line.startswith("|"):
            told = [said.ljust(len(cell))[: len(cell)] for said, cell in zip(told, cells, strict=True)]
        return "|".join(told)

    def _cell(self, cell: str) -> str:
        """Words in columns: a longer word shortens the gap behind it."""
        parts = _GAPS.split(cell)
        told, more = "", 0
        for text, gap in zip_longest(parts[::2], parts[1::2], fillvalue=""):
            bare = text.strip()
            said = text.replace(bare, self.text(bare)) if bare else text
            more += len(said) - len(text)
            kept = max(len(gap) - more, 1) if gap else 0
            more -= len(gap) - kept
            told += said + " " * kept
        return told


@cache
def language_of(game: str, language: str) -> Language | None:
    """A language with the texts of a game; None for English, and for a language that Herald does not have."""
    texts = catalogue(game, language)
    return None if texts is None else Language(texts, language)


def translated(face: Face[S], language: str) -> Face[S]:
    """A face that says everything in a language; texts that the language lacks stay in English."""
    said = language_of(face.game.name, language)
    if said is None:
        return face

    def narrate(before: Any, view: Any, event: Event, viewer: Seat | None) -> str:
        text = face.narrate(before, view, event, viewer)
        return said.text(text) if text else text

    return replace(
        face,
        narrate=narrate,
        board=lambda view, viewer: said.board(face.board(view, viewer)),
        question=lambda view, asked: said.text(face.question(view, asked)),
        option=lambda view, asked, choice: said.text(face.option(view, asked, choice)),
        scene=lambda view, viewer: said.scene(face.scene(view, viewer)),
        cues=lambda before, event: [said.cue(cue) for cue in face.cues(before, event)],
        named=lambda view, event: said.names(face.named(view, event)),
    )
