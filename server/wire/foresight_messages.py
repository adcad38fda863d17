"""The messages about what would follow from a choice; part of `server.wire.protocol`."""

from typing import Any

from server.wire.words import Id, In, Out, Seq


class Foresee(In, frozen=True, tag="foresee"):
    """Ask what would follow if this seat chose so. Nothing happens; `foreseen` answers, or `error`.

    `decision` and `choice` as in `choose`. The answer follows from what the seat knows and from nothing else.
    """

    id: Id
    decision: Seq
    choice: Any

    def __repr__(self) -> str:
        return f"Foresee({self.decision})"


class Foreseen(Out, frozen=True, tag="foreseen"):
    """The consequences of a choice, in sentences with the rules they rest on; empty where nothing is certain.

    `lines`: what is certain. `roll`: the dice that follow, why so many, what they need and how likely they succeed.
    `lost`: the match would be lost. `vain`: the attempt would fail. `final`: whether it could be taken back,
    where dice or a shuffle follow at once. `english`: which of these Herald has not in the connection's language.
    """

    id: Id
    decision: Seq
    lines: tuple[str, ...] = ()
    roll: str = ""
    lost: str = ""
    vain: str = ""
    final: str = ""
    english: tuple[str, ...] = ()
