"""docs/bots.md: its programs take part in the arena."""

import re
import shutil
import sys
from pathlib import Path

import pytest

from projections.registry import faces
from server.arena.bout import ContestSetting, play_bout
from server.arena.players import Entrant
from server.arena.program import ProgramLimits
from server.arena.schedule import bouts
from tests.web.node import ROOT

PAGE = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
PROGRAMS = {
    name: code for _, name, code in re.findall(r"^```(python|js) (\S+)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
}
BOUNDS = ProgramLimits(choice_s=60.0)


def plays(folder: Path, name: str, program: str, game: str, *before: str) -> None:
    path = folder / name
    path.write_text(PROGRAMS[name])
    entrants = (Entrant("random", "random"), Entrant("mine", command=(*before, program, str(path))))
    for bout in bouts(1, 1, 2, [(0,), (1,)]):
        outcome = play_bout(faces()[game], ContestSetting(game, {}, entrants, BOUNDS), bout)
        assert not outcome.faults
        assert outcome.decisions > 10


@pytest.mark.parametrize("name", ["bot.py", "bot.mjs"])
def test_a_bot_has_forty_lines(name: str) -> None:
    assert 20 < len(list(filter(str.strip, PROGRAMS[name].splitlines()))) <= 40


@pytest.mark.parametrize("game", ["vera_discordia", "war_for_edadh"])
def test_the_bot_in_python_plays_whole_matches(game: str, tmp_path: Path) -> None:
    plays(tmp_path, "bot.py", sys.executable, game)


@pytest.mark.node
def test_the_bot_in_javascript_plays_whole_matches(tmp_path: Path) -> None:
    plays(tmp_path, "bot.mjs", shutil.which("node") or "node", "vera_discordia")


def test_the_bot_of_the_servers_protocol_plays_whole_matches(tmp_path: Path) -> None:
    plays(tmp_path, "linked.py", sys.executable, "war_for_edadh", "HERALD_LINK={link}")
