"""docs/scenarios.md holds what it says: its scenarios pass, and it leaves out no key."""

import re
from pathlib import Path

import pytest

from domain.disciples_legacy.positions import positions as disciples_legacy
from domain.disciples_legacy.positions import starts as disciples_start
from domain.disciples_legacy.positions.notation import OWN_KINDS
from domain.disciples_legacy.positions.sides import SIDE_KEYS as DISCIPLES_SIDE_KEYS
from domain.joan_of_arc.positions import positions as joan_of_arc
from domain.joan_of_arc.positions import starts as joan_start
from domain.joan_of_arc.positions.boards import LYING, PLANNED
from domain.vera_discordia.positions.notation import FLAGS, ORDER_FLAGS
from domain.vera_discordia.positions.positions import KEYS, SIDE_KEYS
from domain.vera_discordia.positions.starts import STARTS
from domain.vera_discordia.state.state import SPACES
from domain.war_for_edadh.positions import positions as war_for_edadh
from replay.scenarios import lesson_check, lesson_format
from replay.scenarios.format import Begin, Then, When
from replay.scenarios.play import Scenario, check, parse
from tests.conformance.walks import games

TEXT = (Path(__file__).parents[2] / "docs" / "scenarios.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```toml\n(title = .*?)```", TEXT, re.DOTALL)
GAMES = {game.name: game for game in games()}


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_the_scenarios_shown_are_as_told(number: int) -> None:
    scenario = parse(BLOCKS[number], f"docs/scenarios.md, block {number + 1}")
    differences = check(GAMES[scenario.game], scenario)
    assert not differences, "\n" + "\n".join(map(str, differences))


def test_every_key_and_word_is_documented() -> None:
    keys = {name for table in (Scenario, When, Then, Begin) for name in table.__struct_fields__}
    edadh = {*war_for_edadh.STARTS, *war_for_edadh.KEYS, *war_for_edadh.SIDE_KEYS}
    disciples = {*disciples_start.STARTS, *disciples_legacy.KEYS, *DISCIPLES_SIDE_KEYS, *OWN_KINDS}
    joan = {*joan_start.STARTS, *joan_of_arc.KEYS, *joan_of_arc.SIDE_KEYS, *LYING, *PLANNED} - {"seat1", "seat2"}
    words = (
        keys
        | joan
        | edadh
        | disciples
        | set(STARTS)
        | set(FLAGS)
        | set(ORDER_FLAGS)
        | set(KEYS)
        | set(SIDE_KEYS) - set(SPACES)
    )
    assert sorted(word for word in words if f"`{word}`" not in TEXT) == []
    assert len(BLOCKS) > 1


def test_the_lesson_of_the_docs_is_as_told() -> None:
    text = (Path(__file__).parents[2] / "docs" / "lessons.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    told = lesson_format.parse(block, "docs/lessons.md")
    assert [str(found) for found in lesson_check.check(GAMES[told.game], told)] == []
    keys = [
        key
        for table in (lesson_format.Lesson, lesson_format.LessonStep, lesson_format.Mistake, lesson_format.Reply)
        for key in table.__struct_fields__
    ]
    assert [key for key in keys if f"`{key}`" not in text and key != "name"] == []
