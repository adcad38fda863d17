"""Matches that begin in a scenario's position, for puzzles, for teaching, and for experiments by hand."""

from typing import Any, Generic, TypeVar

from msgspec import Struct

from domain.kernel import Game, ScenarioOpened, State
from replay.record.creation import Beginning
from replay.scenarios.comparison import Difference
from replay.scenarios.errors import ScenarioInvalid
from replay.scenarios.format import Scenario
from replay.scenarios.play import Playing, options_of
from replay.scenarios.text import nearest

S = TypeVar("S", bound=State)


def case_of(scenario: Scenario, case: str = "") -> Scenario:
    """The scenario itself, or one of its cases, by default the first. Raises `ScenarioInvalid`."""
    cases = scenario.cases()
    name = case or next(iter(cases))
    if name not in cases:
        known = nearest(case, cases) if scenario.case else "the scenario has none"
        raise ScenarioInvalid(f"there is no case {case!r}; {known}")
    return cases[name]


class Opening(Struct, Generic[S], frozen=True):
    """The beginning of a match, and the options for creating it."""

    beginning: Beginning[S]
    options: dict[str, Any]


def opening(game: Game[S], scenario: Scenario) -> Opening[S]:
    """The beginning of a match that continues from the scenario's position, at the first question asked there.

    The events before that question are played with the dice and shuffles of `[begin]`. Raises `ScenarioInvalid` if
    these do not suffice, if nobody is asked anything, and if this is no scenario of the game.
    """
    playing = Playing(game, scenario)
    if not playing.views:
        raise ScenarioInvalid(f"game: the notation of {game.name} cannot tell what players know of a position")
    wrong = next((one for one in playing.begin() if _prevents(one)), None)
    if wrong is not None:
        raise ScenarioInvalid(f"[{wrong.place}]: {wrong.got}; expected: {wrong.expected}")
    if not playing.state.asked:
        raise ScenarioInvalid("[begin]: nobody is asked anything there, so that no match can begin")
    beginning = Beginning(ScenarioOpened(scenario.title), playing.views_now())
    return Opening(beginning, options_of(game, scenario, playing.state))


def _prevents(difference: Difference) -> bool:
    """Whether a difference prevents a match; a result that differs from `then` does not."""
    return difference.place in {"begin", "begin: chance", "begin: invariants"}
