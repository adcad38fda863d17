"""The messages about the consequences of a choice; part of `server.wire.protocol`."""

from typing import Any

from server.wire.words import Id, In, Out, Seq


class Foresee(In, frozen=True, tag="foresee"):
    """Ask for the consequences of this choice by this seat. Nothing happens; `foreseen` answers, or `error`.

    `decision` and `choice` as in `choose`. The answer follows only from the seat's knowledge.
    """

    id: Id
    decision: Seq
    choice: Any

    def __repr__(self) -> str:
        return f"Foresee({self.decision})"


class Foreseen(Out, frozen=True, tag="foreseen"):
    """The consequences of a choice, in sentences with the rules behind them; empty if nothing is certain.

    `lines`: the certain consequences. `roll`: the dice that follow, the reasons for their number, the faces they need
    and their chance of success. `lost`: whether the match would be lost. `vain`: whether the attempt would fail.
    `final`: whether the choice can never be taken back, because dice or a shuffle follow at once. `english`: the
    sentences among these that Herald lacks in the connection's language.
    """

    id: Id
    decision: Seq
    lines: tuple[str, ...] = ()
    roll: str = ""
    lost: str = ""
    vain: str = ""
    final: str = ""
    english: tuple[str, ...] = ()
