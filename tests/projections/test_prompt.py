"""The field of a prompt, as each form needs it."""

import pytest

from domain.kernel import Asked, Choice, Formation, MatchCreated, Seat
from projections.prompt import Words, field_of, prompt_for
from tests.skirmish.game import GAME


class Stand(Choice, frozen=True):
    """Where everybody stands."""

    places: tuple[tuple[str, str], ...]


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
