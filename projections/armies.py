"""Building an army of one's own: a game's cards and places, and the faults that the game finds in a draft.

A draft is the document that `herald army check` reads. A page shows the form and asks for a finding after every change;
only the game knows the rules.
"""

from collections.abc import Callable
from typing import Any, Literal

from msgspec import Struct

Way = tuple[str | int, ...]
"""The place of a part in a draft: keys and list indexes, such as `("parties", 0, "leader")`."""


class BuilderCard(Struct, frozen=True, omit_defaults=True):
    """A card that may be chosen. `group` and `kind` are the headings under which it is listed, `end` is its short cost.

    `does` is its whole text; `tall`: the card also takes the place behind its own.
    """

    id: str
    name: str
    group: str
    kind: str
    end: str
    does: tuple[str, ...]
    tall: bool = False


class BuilderField(Struct, frozen=True, omit_defaults=True):
    """A part of a draft that is chosen: `one` card, `many`, or `places` with a card each.

    `at` names the field in findings. `cards` are the cards to choose from. `sets` are keys of the draft that take the
    group of the chosen card. For `places`: `rows` are the places, row by row from front to back; the card chosen at
    `lead` stands on one of them, and the draft holds that place's number at `lead_at`.
    """

    label: str
    at: str
    way: Way
    kind: Literal["one", "many", "places"]
    cards: tuple[str, ...]
    sets: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    lead: Way = ()
    lead_at: Way = ()


class BuilderSection(Struct, frozen=True):
    """Fields under one heading."""

    label: str
    fields: tuple[BuilderField, ...]


class BuilderForm(Struct, frozen=True):
    """A draft's sections, the cards, drafts to start from, and an empty draft. `groups` names the groups of cards.

    `english`: the texts that are left in English, if the form is in another language.
    """

    sections: tuple[BuilderSection, ...]
    cards: tuple[BuilderCard, ...]
    groups: dict[str, str]
    ready: tuple[Any, ...]
    empty: Any
    english: tuple[str, ...] = ()


class DraftFault(Struct, frozen=True, omit_defaults=True):
    """One fault: the field it is about, a sentence, its rule; `advice` if the draft may be played nevertheless."""

    at: str
    said: str
    rule: str = ""
    advice: bool = False


class DraftFinding(Struct, frozen=True):
    """A finding about a draft: its cost and the limit, in the game's unit; all its faults; whether it may be played.

    `english`: as in `BuilderForm`.
    """

    cost: int
    most: int
    unit: str
    faults: tuple[DraftFault, ...]
    legal: bool
    english: tuple[str, ...] = ()


class Builder(Struct, frozen=True):
    """A game's form for building an army, and its check of drafts; a draft is given as JSON."""

    form: Callable[[], BuilderForm]
    judge: Callable[[bytes], DraftFinding]
