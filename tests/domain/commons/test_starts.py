"""Where a position starts, and the frames around it."""

import re
from typing import Any

import pytest

from domain.commons.starts import by_name, frames_around, read_start
from domain.kernel import DONE, NEXT, Flow, Frame, Procedure, step


class Match(Procedure, frozen=True):
    @step("Z-1")
    def play(self, r: Any) -> Flow:
        return NEXT

    @step("Z-2")
    def end(self, r: Any) -> Flow:
        return DONE


class Turn(Procedure, frozen=True):
    by: int
    number: int = 1

    @step("Z-3")
    def move(self, r: Any) -> Flow:
        return NEXT


class Blow(Procedure, frozen=True):
    @step("Z-4")
    def strike(self, r: Any) -> Flow:
        return NEXT


STARTS = by_name(Match, Turn, Blow)


def caller(procedure: Procedure) -> tuple[Procedure, str] | None:
    callers: dict[type[Procedure], tuple[Procedure, str]] = {Turn: (Match(), "Z-1"), Blow: (Turn(1), "Z-3")}
    return callers.get(type(procedure))


def test_a_start_is_a_procedure_by_name_with_defaults_where_it_has_them() -> None:
    assert read_start(STARTS, "Turn", {"number": 4}, {"by": 1, "combat": 9}) == Turn(1, 4)
    assert read_start(STARTS, "Match", {}, {"by": 1}) == Match()


@pytest.mark.parametrize(
    ("name", "terms", "why"),
    [
        ("Trun", {}, "start: 'Trun' is not known here; did you mean 'Turn'?"),
        ("Turn", {"who": 1}, "with: 'who' is not known here; allowed: by, number"),
        ("Turn", {"by": "me"}, "with.by: a whole number is needed, not a text; Turn takes by, number"),
        ("Turn", {}, "with: the key `by` is missing; Turn takes by, number"),
    ],
)
def test_wrong_starts_are_refused(name: str, terms: object, why: str) -> None:
    with pytest.raises(ValueError, match=re.escape(why)):
        read_start(STARTS, name, terms, {})


def test_the_procedures_around_wait_at_the_step_after_the_call() -> None:
    assert frames_around(Turn(0), caller) == (Frame("Match", "Z-2", {}),)
    assert frames_around(Match(), caller) == ()


def test_a_procedure_that_called_in_its_last_step_does_not_wait() -> None:
    assert frames_around(Blow(), caller) == (Frame("Match", "Z-2", {}),)
