"""The messages of lessons (docs/lessons.md); part of `server.wire.protocol`."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from server.wire.words import Id, In, Language, Out

LONGEST = 64
"""The maximum number of choices in a lesson."""
Called = Annotated[str, Meta(min_length=1, max_length=64)]
Choices = Annotated[tuple[Any, ...], Meta(max_length=LONGEST)]


Standing = Literal["way", "off", "end"]


class Study(In, frozen=True, tag="study"):
    """Take a lesson: ask for its state after these choices. Answered by `studied`, or `error`.

    `choices`: all choices in the lesson so far, in order, each as in `choose`. The server stores none of them, so a
    shorter list goes back to an earlier state. `since`: the number of choices that were answered before; without it,
    the entire table is sent. `lang`: the language of the answer, as in `hello`.
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
    """Ask for the consequences of a choice in a lesson, as `foresee` does in a match; answered by `foreseen`, or
    `error`.
    """

    id: Id
    game: Called
    lesson: Called
    choice: Any
    choices: Choices = ()
    lang: Language = "en"

    def __repr__(self) -> str:
        return f"Consider({self.game}, {self.lesson}, {len(self.choices)})"


class Passage(Struct, frozen=True, omit_defaults=True):
    """A passage spoken by a lesson's voice, the things on the table to which it points, and the rows of the rules
    behind it.

    `lang`: the language of the passage, if it is not translated into the requested one.
    """

    say: str
    point: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    lang: str = ""


class Studied(Out, frozen=True, tag="studied"):
    """The state of a lesson.

    `at`: `way`, while the learner follows the lesson; `off`, after a choice that the lesson is not about (`back`: the
    number of choices to take back); or `end`. `heard`: the answer to the last choice. `read`: the current passages;
    before the end, the last of them says what to do. `likely`: passages that explain why the rules refuse a likely
    choice; each points to the thing that the learner would choose. `done`: the number of completed `steps`; while `at`
    is `off`, the number that were completed before. `scene`: the entire table; or `deltas`: the changes since then, as
    in `events`. `next`: the lesson that follows this one. `language`: the language of the title.
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
