"""The messages of lessons (docs/lessons.md); part of `server.wire.protocol`."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from server.wire.words import Id, In, Language, Out

LONGEST = 64
"""Choices of a lesson, at most."""
Called = Annotated[str, Meta(min_length=1, max_length=64)]
Choices = Annotated[tuple[Any, ...], Meta(max_length=LONGEST)]


Standing = Literal["way", "off", "end"]


class Study(In, frozen=True, tag="study"):
    """Take a lesson: what is to be done in it after these choices? Answered by `studied`, or `error`.

    `choices`: all that was chosen in it so far, in order, each as in `choose`; the server keeps none of it, so fewer of
    them go back. `since`: how many of them were told of before; without it the table is told as a whole. `lang`: the
    language of all that is told, as in `hello`.
    """

    id: Id
    game: Called
    lesson: Called
    choices: Choices = ()
    since: Annotated[int, Meta(ge=0, le=LONGEST)] | None = None
    lang: Language = "en"

    def __repr__(self) -> str:
        return f"Study({self.game}, {self.lesson}, {len(self.choices)})"


class Consider(In, frozen=True, tag="consider"):
    """What would follow from a choice in a lesson? As `foresee` in a match; answered by `foreseen`, or `error`."""

    id: Id
    game: Called
    lesson: Called
    choice: Any
    choices: Choices = ()
    lang: Language = "en"

    def __repr__(self) -> str:
        return f"Consider({self.game}, {self.lesson}, {len(self.choices)})"


class Passage(Struct, frozen=True, omit_defaults=True):
    """What the voice of a lesson says, the things on the table that it means, and the rows that it rests on.

    `lang`: the language it is left in, where Herald has it not in the one that was asked for.
    """

    say: str
    point: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    lang: str = ""


class Studied(Out, frozen=True, tag="studied"):
    """Where a lesson stands.

    `at`: `way`, `off` (something else was chosen than what it is about; `back` is how many choices lead to where the
    way was left), or `end`. `heard`: what is said to the last choice. `read`: what is said now; before the end the last
    of it says what to do. `likely`: choices that the rules refuse, by what one would point at, and why. `done` of
    `steps` are behind. `scene`: the table as a whole, or `deltas`: what has changed since, as in `events`. `next`: the
    lesson that comes after this one. `language`: that of the title.
    """

    id: str
    title: str
    at: Standing
    language: str
    done: int
    steps: int
    read: tuple[Passage, ...] = ()
    heard: tuple[Passage, ...] = ()
    likely: tuple[Passage, ...] = ()
    back: int = 0
    next: str = ""
    scene: dict[str, Any] | None = None
    deltas: tuple[dict[str, Any], ...] = ()
