"""`scripts/bench peers`: its game is the same in Python and in JavaScript, and its figures stand side by side."""

import json
import subprocess
from pathlib import Path

import pytest

from domain.kernel import HIDDEN, Seat, mask_of
from scripts.benchmarks import duels
from scripts.benchmarks.duel import GAME, CardDrawn, CardPlayed, DeckPlaced, HandDealt
from scripts.benchmarks.duels import Duels, NoPeersError, beside, installed
from scripts.benchmarks.matches import play

TWIN = """
import { dealt, played } from "./duel.mjs";
const { deck, dice } = JSON.parse(process.argv[1]);
const state = dealt(() => [...deck]);
const shown = dice.map((die, move) => played(state, move % 2, die));
console.log(JSON.stringify({ hands: state.hands, scores: state.scores, cards: shown.map(each => each.card) }));
"""


def test_a_duel_goes_on_for_as_many_moves_as_it_says() -> None:
    assert play(GAME, 1).decisions == 2000


@pytest.mark.node
def test_the_peers_play_by_the_same_rules() -> None:
    events = play(GAME, 1).events
    hands = [list(e.cards) for e in events if isinstance(e, HandDealt)]  # type: ignore[arg-type]
    (rest,) = [list(e.cards) for e in events if isinstance(e, DeckPlaced)]  # type: ignore[arg-type]
    moves = [e for e in events if isinstance(e, CardPlayed)][:40]
    given = json.dumps({"deck": [*hands[0], *hands[1], *rest], "dice": [e.die for e in moves]})
    command = ["node", "--input-type=module", "-e", TWIN, given]
    done = subprocess.run(command, cwd=duels.SOURCE, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["cards"] == [e.card for e in moves]
    assert told["scores"] == [sum(e.card + e.die for e in moves if e.seat == seat) for seat in (0, 1)]
    drawn = [e for e in events if isinstance(e, CardDrawn)][:40]
    assert told["hands"][1] == [e.card for e in drawn if e.seat == 1][-3:]


def test_nobody_else_sees_a_drawn_card() -> None:
    drawn = CardDrawn(Seat(1), 5)
    assert GAME.redact(drawn, mask_of((1,))) == drawn
    for viewer in (mask_of((0,)), mask_of(())):
        seen = GAME.redact(drawn, viewer)
        assert isinstance(seen, CardDrawn)
        assert seen.card is HIDDEN


def test_each_figure_stands_beside_the_peers() -> None:
    ours = Duels(1000, 2.0, 0.5, 1.0, 2.0, 70_000.0, 900.0, 3.0, 10_000.0, 50.0)
    theirs = Duels(4000, 2.0, 1.0, 2.0, 4.0, 140_000.0, 300.0, 1.0, 20_000.0, 200.0)
    figures = beside(ours, theirs, "Colyseus", "in memory")
    assert [figure.ratio for figure in figures] == pytest.approx([0.25, 2.0, 0.5, 0.5, 0.5, 3.0, 3.0, 0.5])
    assert all(figure.raw_name == "Colyseus" and figure.is_met for figure in figures)


def test_without_npm_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scripts.benchmarks.duels.shutil.which", lambda _: None)
    with pytest.raises(NoPeersError, match=r"Node\.js and npm are needed"):
        installed(tmp_path / "peers")
    assert not (tmp_path / "peers").exists()


def test_peers_are_installed_by_themselves_and_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Path] = []

    def run(command: list[str], cwd: Path, **_: object) -> "subprocess.CompletedProcess[str]":
        asked.append(cwd)
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr("scripts.benchmarks.duels.shutil.which", str)
    monkeypatch.setattr("scripts.benchmarks.duels.subprocess.run", run)
    for _ in range(2):
        assert (installed(tmp_path / "peers") / "driver.mjs").is_file()
    assert asked == [tmp_path / "peers"]
