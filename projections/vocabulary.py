"""The words from which a Scene may be made (docs/scene.md 3 to 5), as types.

Scenes are plain data while they are built, compared and sent; these types define that data. `defects` reads a Scene
with them, key by key, and then checks facts that types cannot express: that every reference names something, and that
nothing face down shows its face.
"""

from collections.abc import Collection, Iterator
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from projections.scene import is_shown

Box = list[float]
"""x, y, width, height in board units; a fifth number 1 turns a map a quarter."""
Ref = str
Tip = list[str | list[str]]
MOST_BYTES: Final = 120_000
"""The largest size of a Scene as JSON; a larger Scene is a defect."""


class Word(Struct, forbid_unknown_fields=True, omit_defaults=True, frozen=True, kw_only=True):
    """The base of all words; a key that the word does not define is an error."""


class Looker(Word, frozen=True):
    """The viewer."""

    as_: str = msgspec.field(name="as")
    seat: int | None = None


class Layout(Word, frozen=True):
    """The arrangement of zones."""

    size: list[float]
    at: dict[str, Box]


class Counter(Word, frozen=True):
    """A number on a player's plate."""

    g: str
    label: str
    v: int | str
    max: int | None = None
    key: bool = False
    tone: str = ""
    term: str = ""


class Mark(Word, frozen=True):
    """A sign on a player's plate."""

    g: str
    label: str
    term: str = ""


class Clock(Word, frozen=True):
    """Time left, and whether it runs."""

    ms: int
    run: bool


class Plate(Word, frozen=True):
    """A player. `team`: the number of the side, where seats win together; `out`: the seat has left the match."""

    name: str
    side: str
    charge: str
    active: bool
    counters: dict[str, Counter]
    marks: dict[str, Mark]
    clock: Clock | None = None
    aria: str = ""
    team: int | None = None
    out: bool = False


class Back(Word, frozen=True):
    """The back of a card."""

    seat: int
    g: str


class Die(Word, frozen=True):
    """One die."""

    t: str
    f: int | str | None = None
    g: str = ""
    st: Literal["", "hit", "off"] = ""
    label: str = ""


class Group(Word, frozen=True):
    """Dice that belong together."""

    label: str
    owner: int
    dice: list[Die]
    sum: str = ""


class Roll(Word, frozen=True):
    """The last roll."""

    title: str
    groups: list[Group]
    result: str = ""


class Edge(Word, frozen=True):
    """A line on a map that carries something or that can be named; like an area, it is a place."""

    line: list[list[float]]
    label: str
    kind: Literal["", "wall", "stakes"] = ""
    owner: int | None = None
    terms: list[str] = []


class Geom(Word, frozen=True):
    """The shape of a zone and its places; `type` decides which other fields apply. `over`: the map whose place on the
    table this map may take. `fold`: rows, or rows and columns, without pieces are narrow."""

    type: Literal["grid", "row", "col", "fan", "pile", "map", "track", "panel", "tray", "free"]
    cols: int | None = None
    rows: int | None = None
    gap: float | list[float] | None = None
    aspect: float | None = None
    pad: float | None = None
    align: Literal["start", "center", "end"] = "center"
    max: float | None = None
    min: float | None = None
    fold: Literal["", "rows", "both"] = ""
    arc: float | None = None
    count: int | None = None
    back: Back | None = None
    open: bool = False
    box: list[float] | None = None
    unit: float | None = None
    areas: dict[str, Any] = {}
    edges: dict[str, Edge] = {}
    over: str = ""
    ticks: list[Any] = []
    marks: dict[str, Any] = {}
    items: dict[str, Any] = {}
    roll: Roll | None = None
    tall: dict[str, Any] = {}


class Place(Word, frozen=True):
    """A place of a grid or a row."""

    label: str
    short: str = ""
    aria: str = ""


class Zone(Word, frozen=True):
    """Part of the table."""

    geom: Geom
    label: str = ""
    note: str = ""
    aria: str = ""
    owner: int | None = None
    style: Literal["", "none", "field", "battle", "ward", "inlay", "caption", "bare"] = ""
    slots: dict[str, Place] = {}
    tip: Tip = []
    terms: list[str] = []


class Stat(Word, frozen=True):
    """A number on a card."""

    v: int | str
    label: str
    k: str = ""
    g: str = ""
    form: Literal["box", "shield", "key"] = "box"
    tone: str = ""


class Bar(Word, frozen=True):
    """Life."""

    v: int
    max: int
    label: str
    warn: int | None = None


class Badge(Word, frozen=True):
    """A sign on a piece."""

    at: str
    label: str
    g: str = ""
    n: int | None = None
    tone: str = ""


class End(Word, frozen=True):
    """One half of a double-ended card."""

    v: int | str
    label: str
    g: str = ""
    note: str = ""
    tip: Tip = []


class Piece(Word, frozen=True):
    """A thing on the table. `same`: the equal piece that stands for this one in options. `terms`: the glossary terms of
    the piece and of everything shown on it, the most specific first."""

    shape: Literal["card", "tile", "disc", "cube", "coin", "flag"]
    kind: str
    label: str
    zone: str = ""
    slot: str | int = ""
    owner: int | None = None
    face: Literal["up", "down", "peek"] = "up"
    on: str = ""
    dock: Literal["", "tl", "t", "tr", "l", "c", "r", "bl", "b", "br"] = ""
    dockSize: float | None = None  # noqa: N815 - the client's name
    hang: float | None = None
    z: int = 0
    glyph: str = ""
    art: Literal["", "plain"] = ""
    title: str = ""
    short: str = ""
    sub: str = ""
    tier: int = 0
    tierLabel: str = ""  # noqa: N815 - the client's name
    back: Back | None = None
    backTitle: str = ""  # noqa: N815 - the client's name
    stats: list[Stat] = []
    dice: list[Die] = []
    bar: Bar | None = None
    badges: list[Badge] = []
    ends: list[End] = []
    span: list[int] = []
    size: float | None = None
    mark: bool = False
    rot: float = 0
    tone: str = ""
    n: int | None = None
    state: list[Literal["dim", "used", "dead", "ghost", "hot"]] = []
    tip: Tip = []
    known: str = ""
    same: Ref = ""
    terms: list[str] = []


class PooledDie(Word, frozen=True):
    """Dice of one kind in an option's row; `label` gives their kind and number in words."""

    t: str
    n: int
    g: str = ""
    label: str = ""


class OwnFile(Word, frozen=True):
    """How a file is sent: as the choice `do`, with the file's JSON in its field `as`."""

    do: str
    as_: str = msgspec.field(name="as")


class Item(Word, frozen=True):
    """Something to pick, to assign, or to fill."""

    id: str
    label: str
    at: Ref = ""
    g: str = ""
    sub: str = ""
    cap: int | None = None
    die: Die | None = None


class Arrange(Word, frozen=True):
    """Things on the table that may be put elsewhere: a field of type `assign`, whose answer is the option's."""

    items: list[Item]
    slots: list[Item]
    legal: dict[str, list[str]]
    draft: dict[str, str]


class Option(Word, frozen=True):
    """One answer. An option with `file` is answered with the contents of a JSON file that the player opens; an option
    with `arrange` is answered with a slot for each item."""

    id: str
    label: str
    sub: str = ""
    end: str = ""
    grp: str = ""
    g: str = ""
    at: list[Ref] = []
    from_: Ref = msgspec.field(name="from", default="")
    dice: list[PooledDie] = []
    key: str = ""
    tone: Literal["", "quiet", "danger"] = ""
    confirm: str = ""
    off: str = ""
    tip: Tip = []
    file: OwnFile | None = None
    arrange: Arrange | None = None


class Field(Word, frozen=True):
    """One part of an answer."""

    id: str
    type: Literal["one", "many", "assign"]
    label: str = ""
    look: Literal["", "chips"] = ""
    optional: bool = False
    draft: Any = None
    options: list[Option] = []
    items: list[Item] = []
    slots: list[Item] = []
    min: int | None = None
    max: int | None = None
    fill: Literal["", "slots", "items"] = ""
    legal: dict[str, list[str]] = {}
    dock: str = ""
    ordered: bool = False


class Prompt(Word, frozen=True):
    """The question. `forced`: there is only one answer, and giving it at once reveals nothing. `dice`: the dice of the
    question; the die that it asks about now is a `hit`, dice that no longer count are `off`. `also`: the stakes at this
    moment, beside the reason for the question, `why`."""

    id: str
    seat: int
    mode: Literal["you", "wait", "past", "none", "over"]
    ask: str
    why: str = ""
    also: str = ""
    phase: str = ""
    left: int | None = None
    fields: list[Field] = []
    confirm: str = ""
    undo: str = ""
    hint: str = ""
    forced: bool = False
    terms: list[str] = []
    dice: list[Group] = []


class Link(Word, frozen=True):
    """A line between two things."""

    from_: Ref = msgspec.field(name="from")
    to: Ref
    tone: str = ""


class LineRef(Word, frozen=True):
    """A name in a line that refers to a thing."""

    r: Ref
    t: str


class Line(Word, frozen=True):
    """A line of the chronicle. `lang`: its language, if that is not the viewer's."""

    t: str | list[str | LineRef]
    seat: int | None = None
    k: Literal["line", "head", "note", "sec", "why"] = "line"
    lang: str = ""


class Symbol(Word, frozen=True):
    """A word that has a picture wherever it occurs: before it, or with `only` instead of it. A `coin` is a disc."""

    t: str
    g: str = ""
    tone: str = ""
    form: Literal["", "die", "coin"] = ""
    only: bool = False


class SceneWords(Word, frozen=True):
    """A whole Scene. `english`: the texts in it that are in English because the viewer's language lacks them."""

    v: Literal[1]
    game: str
    title: str
    crumbs: list[str]
    viewer: Looker
    seats: dict[str, Plate]
    layouts: dict[Literal["wide", "tall"], Layout]
    zones: dict[str, Zone]
    pieces: dict[str, Piece]
    links: dict[str, Link]
    prompt: Prompt | None = None
    seq: int = 0
    log: list[Line] = []
    symbols: list[Symbol] = []
    english: list[str] = []


class Cue(Word, frozen=True):
    """An animation. `odds`: for a roll against the odds, the numbers of dice that succeeded, of all dice, and of
    expected successes. `lang`: the language it is left in, if the viewer's language lacks it."""

    k: Literal["arrow", "hit", "guard", "gain", "flip", "roll", "pulse", "banner", "result", "walk"]
    when: Literal["pre", "post"] = "post"
    at: int = 0
    from_: Ref = msgspec.field(name="from", default="")
    to: Ref = ""
    ref: Ref = ""
    t: str = ""
    tone: str = ""
    n: int | None = None
    ms: int | None = None
    zone: str = ""
    sub: str = ""
    g: str = ""
    path: list[Ref] = []
    seat: int | None = None
    odds: list[float] = []
    lang: str = ""


def defects(scene: dict[str, Any]) -> list[str]:
    """The defects of a Scene; empty for a good one."""
    encoded = msgspec.json.encode(scene)
    try:
        words = msgspec.json.decode(encoded, type=SceneWords)
    except msgspec.ValidationError as wrong:
        return [str(wrong)]
    found = [f"{len(encoded)} bytes"] if len(encoded) > MOST_BYTES else []
    if b":null" in encoded:
        found.append("holds a null")
    return [*found, *_lost_zones(words), *_lost_pieces(words), *_lost_refs(words)]


def cue_defects(cue: dict[str, Any], before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """The defects of a cue between two Scenes: a reference must name something in the Scene it runs on."""
    try:
        words = msgspec.convert(cue, Cue)
    except msgspec.ValidationError as wrong:
        return [str(wrong)]
    scene = before if words.when == "pre" else after
    named = [ref for ref in (words.ref, words.from_, words.to, words.zone, *words.path) if ref]
    return [f"cue {words.k} names {ref}" for ref in named if not is_shown(scene, ref)]


def _lost_zones(scene: SceneWords) -> Iterator[str]:
    for name, layout in scene.layouts.items():
        width, height = layout.size
        for zone, (x, y, wide, high, *_) in layout.at.items():
            if zone not in scene.zones:
                yield f"layout {name} places {zone}, which is not there"
            if x < 0 or y < 0 or x + wide > width + 0.01 or y + high > height + 0.01:
                yield f"zone {zone} leaves layout {name}"


def _lost_pieces(scene: SceneWords) -> Iterator[str]:
    for ref, piece in scene.pieces.items():
        if ref in scene.zones or set(ref) & set("/#;"):
            yield f"piece {ref} has a name it may not have"
        if piece.on not in scene.pieces if piece.on else piece.zone not in scene.zones:
            yield f"piece {ref} is nowhere"
        if piece.face == "down" and (piece.stats or piece.dice or piece.ends or piece.bar or piece.title or piece.sub):
            yield f"piece {ref} lies face down and shows its face"


def _lost_refs(scene: SceneWords) -> Iterator[str]:
    prompt = scene.prompt
    if prompt is None:
        return
    if prompt.fields and prompt.mode != "you":
        yield "a viewer who is not asked is offered options"
    for part in prompt.fields:
        refs = [ref for option in part.options for ref in (*option.at, option.from_)]
        refs += [item.at for item in (*part.items, *part.slots)]
        for ref in refs:
            if ref and not _is_there(scene, ref):
                yield f"the prompt names {ref}, which is not there"


def _places(zone: Zone) -> tuple[Collection[str], ...]:
    return zone.slots, zone.geom.areas, zone.geom.edges


def _is_there(scene: SceneWords, ref: Ref) -> bool:
    zone, hashed, slot = ref.partition("#")
    if hashed:
        return zone in scene.zones and any(slot in places for places in _places(scene.zones[zone]))
    base, halved, half = ref.partition("/")
    if halved:
        return base in scene.pieces and half.isdecimal() and int(half) < len(scene.pieces[base].ends)
    return ref in scene.pieces or ref in scene.zones
