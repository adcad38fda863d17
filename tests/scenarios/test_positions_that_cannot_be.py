"""Positions that no match reaches are refused, whoever asks; what slips through is played on, or said to fail."""

import copy
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from replay.scenarios.errors import ScenarioInvalid
from replay.scenarios.format import Scenario
from replay.scenarios.invariants import unsound
from replay.scenarios.opening import case_of, opening
from replay.scenarios.play import Playing, check, parse
from tests.conformance.walks import games
from tests.scenarios.hostile_scenarios import places

HERE = Path(__file__).parent
GAMES = {game.name: game for game in games()}
POSITIONS = [tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(HERE.rglob("*.toml"))]
WORDS = st.sampled_from(
    ("", "none", "?", "...", "A", "L1", "V2", "closed", "dead", "damage:2", "captor:9", "sent_by:9", "nobody", "9,9:z")
)
NUMBERS = st.sampled_from((-1, 0, 1, 2, 3, 5, 9, 99, 2**40)) | st.integers(-20, 20)
VALUES: st.SearchStrategy[Any] = (
    WORDS | NUMBERS | st.booleans() | st.just([]) | st.just({}) | st.lists(WORDS | NUMBERS, max_size=3)
)


@st.composite
def changed(draw: st.DrawFn) -> dict[str, Any]:
    """A position of the tests with one to three places of it changed, words within texts too."""
    data = draw(st.sampled_from(POSITIONS))
    made = {name: copy.deepcopy(data[name]) for name in ("title", "game", "position", "options", "at") if name in data}
    for _ in range(draw(st.integers(1, 3))):
        inside = [place for place in places(made.get("position", {})) if place]
        if not inside:
            break
        *around, last = draw(st.sampled_from(inside))
        inner: Any = made["position"]
        for key in around:
            inner = inner[key]
        words = inner[last].split() if isinstance(inner[last], str) else []
        if words and draw(st.booleans()):
            words[draw(st.integers(0, len(words) - 1))] = str(draw(VALUES))
            inner[last] = " ".join(words)
        else:
            inner[last] = draw(VALUES)
    return made


def told(why: str) -> None:
    """What is refused is said in an author's words."""
    assert not [odd for odd in ("of a kind that cannot be read", "Expected `", "KeyError", "<class") if odd in why], why


def held(data: dict[str, Any]) -> None:
    """The position is refused in words, or it is sound, and a match begins there or is refused in words."""
    try:
        scenario = msgspec.convert(data, Scenario)
        playing = Playing(GAMES[scenario.game], scenario)
    except (ScenarioInvalid, msgspec.ValidationError) as wrong:
        told(str(wrong))
        return
    assert not list(unsound(playing.game, playing.state))
    try:
        opened = opening(playing.game, scenario)
    except ScenarioInvalid:
        return
    assert opened.beginning is not None


FAST = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@FAST
@given(changed())
def test_a_changed_position_is_refused_in_words_or_sound(data: dict[str, Any]) -> None:
    held(data)


@pytest.mark.deep
@settings(max_examples=20_000, deadline=None, suppress_health_check=list(HealthCheck))
@given(changed())
def test_twenty_thousand_changed_positions_are_refused_in_words_or_sound(data: dict[str, Any]) -> None:
    held(data)


JOAN, DISCIPLES, EDADH, VERA = (
    f'title = "x"\ngame = "{game}"\n[position]\n'
    for game in ("joan_of_arc", "disciples_legacy", "war_for_edadh", "vera_discordia")
)
ASSAULT = 'start = "Assaulting"\nattack = { leader = "A1", target = '
FIGHT = 'start = "BattleRound"\nattack = { leader = "A1", target = "B1" }\n'
CHURCH = 'areas.L1 = { terrain = "village", building = "church" }\n'
ATTACK = 'attack = { attacker = "A", target = "D" }\n'
DEAD = 'seat0.parties = [{ 1 = "S: squire dead damage:2", 2 = "K: knight_captain" }]'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (JOAN + 'seat0.units = ["e1: e_billmen disrupted sent_by:9"]', "there is no seat 9"),
        (JOAN + 'seat1.units = ["j: f_joan_1 captive captor:9"]', "there is no seat 9"),
        (JOAN + 'seat1.units = ["j: f_joan_1 captive captor:1"]', "captive of its own side"),
        (JOAN + "areas.L1.fire = 9", "there is no seat 9"),
        (JOAN + "turn = 9", "there is no seat 9"),
        (JOAN + CHURCH + 'seat0.units = ["e1: e_knights @L1/church"]', "does not enter buildings"),
        (JOAN + "areas.L1.elements = { tree = 12 }", "holds more than it has room for"),
        (JOAN + "scores = { burgundian = 1 }", "there is no side 'burgundian'; allowed: english, french"),
        (JOAN + 'phase = "lunch"', "'lunch' is not known here"),
        (JOAN + "played = -1", "-1 orders were played"),
        (JOAN + 'seat0.units = ["e1: e_billmen @L1 carrier:nobody"]', "carried by nobody"),
        (JOAN + 'start = "Turn"\nwith = { seat = 9 }', "there is no seat 9"),
        (DISCIPLES + ASSAULT + '"B1", blocker = "A4" }', "cannot block the attack"),
        (DISCIPLES + ASSAULT + '"C2" }', "C2 is a Capital"),
        (DISCIPLES + FIGHT + "battle = { round = 3 }", "Battle Round 3 of 2"),
        (DISCIPLES + DEAD, "leave its damage out"),
        (DISCIPLES + 'phase = "lunch"', "'lunch' is not known here"),
        (DISCIPLES + "turn = -1", "turn -1"),
        (DISCIPLES + "seat0.recruited = -1", "recruited or revived less than nobody"),
        (DISCIPLES + 'cards.units.monk = { abilities = ["S: summon(nobody)@none"] }', "nobody"),
        (DISCIPLES + 'cards.units.monk = { abilities = ["S: summon(squire)@none"] }', "summon"),
        (EDADH + 'start = "Duration"\nwith = { number = 5 }', "with.number: 5; allowed: 0"),
        (EDADH + "duration = -3", "Duration -3"),
        (EDADH + 'round = { chosen = ["B1", "A1"] }', "fights with B1, which is the enemy's"),
        (EDADH + "larger = 7", "the larger side 7"),
        (VERA + "round = -1", "round -1"),
        (VERA + ATTACK + 'seat0.V1 = "A: sentinels"\nseat0.V2 = "D: trackers"', "of its own side"),
        (VERA + "seat0.destroyed = -2", "destroyed is -2"),
    ],
)  # fmt: skip
def test_a_position_that_no_match_reaches_is_refused(text: str, said: str) -> None:
    scenario = parse(text)
    with pytest.raises(ScenarioInvalid) as told:
        check(GAMES[scenario.game], scenario)
    assert said in str(told.value)
    with pytest.raises(ScenarioInvalid) as refused:
        opening(GAMES[scenario.game], case_of(scenario))
    assert said in str(refused.value)
