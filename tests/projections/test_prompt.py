"""The field of a prompt, as each form needs it."""

import pytest

from domain.kernel import Asked, Choice, Formation, MatchCreated, MatchEnded, One, Result, Seat
from projections.prompt import Words, field_of, prompt_for, why_alone
from tests.skirmish.game import GAME


class Stand(Choice, frozen=True):
    """Where everybody stands."""

    places: tuple[tuple[str, str], ...]


class Halt(Choice, frozen=True):
    """Go no further."""


WORDS = Words(lambda *_: "Who stands where?", lambda *_: "So", lambda *_: "Somebody decides.")
ASKED = Asked(1, Seat(0), "Standing", {})


def test_a_formation_starts_with_one_that_is_legal() -> None:
    form = Formation(Stand, {"a": ("x", "y"), "b": ("x",)}, 2)
    field = field_of(None, ASKED, form, WORDS)
    assert field["draft"] == {"a": "y", "b": "x"}
    assert form.read(field["draft"]) == Stand((("a", "y"), ("b", "x")))


def test_a_formation_without_pieces_starts_empty() -> None:
    assert field_of(None, ASKED, Formation(Stand, {}, 0), WORDS)["draft"] == {}


@pytest.mark.parametrize(
    ("players", "ask"),
    [
        (("Ada", ""), "The match begins when every seat is taken."),
        (("Ada", "Bo"), "The match begins when every share of chance is revealed."),
    ],
)
def test_before_play_is_said_what_is_waited_for(players: tuple[str, str], ask: str) -> None:
    state = GAME.fold((MatchCreated(GAME.name, {}, players),))
    assert prompt_for(GAME, state, Seat(0), WORDS)["ask"] == ask


@pytest.mark.parametrize(
    ("alone", "said"),
    [
        ({}, "The rules allow nothing else here."),
        ({"Asking": "It is late."}, "It is late."),
        ({"Halt": "Enough."}, "Enough."),
    ],
)
def test_a_question_with_one_answer_says_why_there_is_nothing_else(alone: dict[str, str], said: str) -> None:
    words = Words(lambda *_: "What now?", lambda *_: "So", lambda *_: "Somebody decides.", alone=alone)
    assert why_alone(One((Halt(),)), Asked(1, Seat(0), "Asking", {}), words) == said
    assert why_alone(One((Halt(), Stand(()))), Asked(1, Seat(0), "Asking", {}), words) == ""


@pytest.mark.parametrize(("viewer", "phase"), [(Seat(0), "You lost"), (Seat(1), "You won"), (None, "")])
def test_the_end_says_who_won_and_in_a_line_of_its_own_why(viewer: Seat | None, phase: str) -> None:
    view = GAME.fold((MatchCreated(GAME.name, {}, ("Ada", "Bo")), MatchEnded(Result(1, "rout", "SK-1"))))
    prompt = prompt_for(GAME, view, viewer, WORDS)
    assert (prompt["ask"], prompt["also"]) == ("Bo wins.", "rout (SK-1).")
    assert (prompt.get("phase", ""), prompt["seat"]) == (phase, 1)
