"""The notation for positions of Joan of Arc: what it reads, refuses, writes and shows."""

from typing import Any, Final

import pytest

from domain.joan_of_arc import GAME
from domain.joan_of_arc.positions.positions import POSITIONS
from domain.joan_of_arc.positions.starts import STARTS
from domain.joan_of_arc.positions.writing import written
from domain.joan_of_arc.state.options import ScenarioName
from domain.joan_of_arc.state.state import JoanState
from domain.kernel import Hidden, Seat
from server.conformance.walks import Walk
from tests.domain.joan_of_arc.table import given

FORD: Final[ScenarioName] = "s1_ford_at_brossay"
TABLE: Final = ("boards", "field", "sky", "scores", "rallies", "piles", "river")
COURSE: Final = ("phase", "round", "turn", "placed", "played")
MATCHES: list[dict[str, Any]] = [
    {"scenario": FORD},
    {"scenario": "s2_market_day"},
    {"scenario": "s3_wyrm_of_rougemont"},
    {"scenario": FORD, "seats": 3},
    {"scenario": "s2_market_day", "seats": 4, "ransom": "on"},
]


def wrong(position: dict[str, Any], options: dict[str, Any] | None = None) -> str:
    with pytest.raises(ValueError) as refused:  # noqa: PT011 - the message is what each test looks at
        POSITIONS.read(position, options or {})
    return str(refused.value)


def rests(state: JoanState) -> bool:
    """Whether a position can be written: nobody acts, and a procedure that a position may start with goes on."""
    assert not isinstance(state.stack, Hidden)
    return not state.activations and state.attack is None and state.stack[-1].procedure in STARTS


@pytest.mark.parametrize("options", MATCHES, ids=lambda each: "-".join(map(str, each.values())))
@pytest.mark.parametrize("seed", [0, 1])
def test_every_position_between_orders_is_written_and_read_back_as_it_was(options: dict[str, Any], seed: int) -> None:
    walk, told = Walk(GAME, seed, options), 0
    for _ in walk.steps():
        state = walk.state
        if state.result is None and rests(state):
            again, _ = POSITIONS.read(written(state), options)
            for name in (*TABLE, *COURSE):
                assert getattr(again, name) == getattr(state, name), f"{name} after {len(walk.events)} events"
            told += 1
    assert told > 20


def test_what_goes_on_or_is_hidden_is_not_written() -> None:
    ours = {"orders": "1 command", "units": ["e1: e_billmen @L0"]}
    table = given(seat0=ours, seat1={"units": ["f: f_voulgiers @L4"]})
    with pytest.raises(ValueError, match="only a whole state"):
        written(POSITIONS.view(table.state, Seat(1)))
    table.do("PlayOrder command 0,0:a")
    with pytest.raises(ValueError, match="between orders"):
        written(table.state)


def test_a_position_of_a_scenario_has_its_map_and_players() -> None:
    state, _ = POSITIONS.read({}, {"scenario": FORD, "seats": 3})
    assert (len(state.boards), state.options.own) == (3, None)
    said = wrong({"map": "line"}, {"scenario": FORD})
    assert said == "map: the options name a scenario, which says it; leave one of them out"
    assert "terrain" in wrong({"areas": {"0,0:a": {"terrain": "hill"}}}, {"scenario": FORD})


def test_a_map_of_ones_own_has_no_name_of_a_fixture() -> None:
    hexes = [{"q": 0, "r": 0, "areas": [{"id": "a", "terrain": "hill", "edges": [0, 1, 2, 3, 4, 5]}]}]
    state, _ = POSITIONS.read({"map": {"hexes": hexes}, "seat0": {"units": ["e1: e_billmen @0,0:a"]}}, {})
    assert POSITIONS.show(state)["units"]["e1"]["at"] == "0,0:a"
    assert wrong({"map": {"id": "line", "hexes": hexes}}) == "map.id: line is the name of a fixture; leave it out"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("e_billmen", "say where it is"),
        ("e1: nobody @L0", "seat0.units"),
        ("e1: e_billmen @L9", "L9"),
        ("e1: e_billmen @L0 asleep", "'asleep' says nothing here"),
        ("e1: e_billmen @L0 has:terror", "write a skill for a time"),
        ("e1: e_billmen @L0 has:sloth:1:end_of_turn", "seat0.units"),
        ("e1: e_billmen @L0 has:terror:x:end_of_turn", "write a skill for a time"),
    ],
)
def test_a_unit_that_cannot_be_read_is_refused_with_its_place(text: str, said: str) -> None:
    assert said in wrong({"seat0": {"units": [text]}})


def test_a_skill_for_a_time_is_read_and_shown() -> None:
    state, _ = POSITIONS.read({"seat0": {"units": ["e1: e_billmen @L0 has:terror:2:end_of_turn"]}}, {})
    shown = POSITIONS.show(state)["units"]["e1"]
    assert shown["grants"] == [{"skill": "terror", "x": 2, "until": "end_of_turn"}]


def test_what_lies_on_the_map_can_be_gone() -> None:
    areas = {"L1": {"terrain": "village", "building": "small_house", "razed": True}}
    state, _ = POSITIONS.read({"areas": areas}, {})
    assert POSITIONS.show(state)["areas"] == {}
    assert POSITIONS.figures(state)["areas"]["L1"] == {"used": 0, "capacity": 8, "adjacent": {"L0", "L2"}}
