"""What is told of a server of several processes is counted and compared rightly; the figures are not these tests'."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from scripts.benchmarks import workers
from scripts.benchmarks.__main__ import bench
from scripts.benchmarks.command import commanded, settings
from scripts.benchmarks.matches import game_of
from scripts.benchmarks.page import benchmarks
from scripts.benchmarks.peers import is_installed
from scripts.benchmarks.player_processes import Child, Measured, measured_together
from scripts.benchmarks.players import tickets
from scripts.benchmarks.workers import Shared, Tried, Wish, figures, workers_report
from server.operations.configuration import load
from server.table.placement import Placement
from server.wire.addresses import short_hash
from tests.server.tabletop import live

PEER = Path(workers.__file__).with_name("peer")
PLAYERS = """
import json, sys

def told():
    return sys.stdin.readline().strip()

turns, word, is_short = 0, "again", sys.argv[1] == "short"
while word == "again":
    turns += 1
    print("ready", flush=True)
    assert told() == "go"
    if is_short and turns == 1:
        print("over", flush=True)
        assert told() == "stop"
    else:
        assert told() == "stop"
        print("over", flush=True)
    word = told()
each = {"accepted_ms": [1, 2], "shown_ms": [1, 2], "players_s": 1, "server_s": 1}
print(json.dumps({"asked": 0, "choices": turns, "seconds": 1, **each}), flush=True)
"""


def players(*arguments: str) -> Child:
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, "-c", *arguments], stdin=pipe, stdout=pipe, text=True)


def test_processes_of_players_end_with_the_first_and_go_on_together_until_the_time_is_over() -> None:
    children = [players(PLAYERS, "short"), players(PLAYERS, "long")]
    assert [one.choices for one in measured_together(children, 0.3)] == [2, 2]


def test_where_one_process_of_players_fails_none_is_left() -> None:
    children = [players(PLAYERS, "long"), players("print('lost')")]
    with pytest.raises(RuntimeError, match="players said 'lost' in the place of 'ready'"):
        measured_together(children, 0.3)
    assert all(child.poll() is not None for child in children)


def shared(rate: float, server_s: float = 0.5) -> Shared:
    """What two processes of players measured in 2 s, at a server that used so much meanwhile."""
    parts = [Measured(rate / 4, int(rate), 2.0, (3.0 + n, 9.0), (3.0, 9.0), 0.2 + n, server_s) for n in (0, 1)]
    return Shared(tuple(parts))


def test_a_servers_time_that_every_part_saw_counts_once() -> None:
    run = shared(1000)
    assert (run.rate, run.server_cores, run.server_us) == (1000, 0.25, 250)
    assert (run.busiest, run.p50_ms) == (0.6, 4.0)


def found(one: float, two: float) -> dict[int, Tried]:
    return {count: Tried(shared(rate), shared(rate / 2)) for count, rate in ((1, one), (2, two))}


def wish(game: str, share: float = 0.0) -> Wish:
    return Wish(game, 4, 0.3, 1, share=share)


@pytest.mark.parametrize(
    ("cores", "share", "floor"), [(3, 0.0, 0.0), (4, 0.0, 1.7), (2, 1.0, 0.0), (2, 0.51, 0.0), (2, 0.5, 1.7)]
)
def test_two_processes_are_held_to_a_floor_where_they_and_the_players_have_cores(
    cores: int, share: float, floor: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "cores", lambda: cores)
    beside = figures(wish("skirmish", share), found(1000, 1690), None)[-1]
    assert (beside.name, beside.ratio, beside.floor) == ("two processes beside one", 1.69, floor)
    assert beside.is_met is (floor == 0)


@pytest.mark.parametrize(("game", "is_met"), [("skirmish", False), ("vera_discordia", True)])
def test_the_better_of_both_stands_beside_the_peer_and_only_a_game_as_small_is_held_to_it(
    game: str, *, is_met: bool
) -> None:
    rate, cost = figures(wish(game), found(1000, 900), shared(1100, 0.44))[-2:]
    assert (rate.name, rate.value, rate.raw) == ("one process, the best, beside boardgame.io, choices", 1000, 1100)
    assert rate.is_met is is_met
    assert (cost.value, cost.raw) == (250, 200)


def test_servers_that_are_measured_have_settings_by_which_nobody_is_bounded(tmp_path: Path) -> None:
    (tmp_path / "herald.toml").write_text(settings())
    limits = load(tmp_path / "herald.toml").sound().limits
    assert min(limits.messages_per_s, limits.message_burst, limits.creations_per_minute) == 1_000_000
    assert min(limits.connections, limits.strangers) == 100_000


def test_a_folder_without_the_peer_is_refused(tmp_path: Path) -> None:
    ran = CliRunner().invoke(bench, ["scale", "workers", "--peer", str(tmp_path)])
    assert ran.exit_code == 2
    assert "run `npm ci` there" in " ".join(ran.output.split())
    assert not is_installed(tmp_path)


def test_the_peer_is_pinned_and_names_no_registry() -> None:
    wanted = json.loads((PEER / "package.json").read_text())
    locked = json.loads((PEER / "package-lock.json").read_text())["packages"]
    for name, version in {**wanted["dependencies"], **wanted["overrides"]}.items():
        assert locked[f"node_modules/{name}"]["version"] == version
    assert not [name for name, package in locked.items() if "resolved" in package]
    assert all("integrity" in package for name, package in locked.items() if name)


def test_all_measures_several_processes_too() -> None:
    assert {"scale workers", "scale workers example"} <= set(benchmarks(quick=True))


@pytest.mark.whole
@live
async def test_players_matches_live_by_turns_in_each_process() -> None:
    with commanded(2) as server:
        made = await tickets(server.url, game_of("skirmish"), 4)
    homes = [Placement(0, 2).holder_of(short_hash(ticket.match)) for ticket in made]
    assert homes in ([0, 1, 0, 1], [1, 0, 1, 0])


@pytest.mark.whole
def test_one_process_and_two_are_measured() -> None:
    report = workers_report(Wish("skirmish", 4, 0.2, 1))
    assert all(figure.value > 0 for figure in report.figures if figure.unit not in {"µs", "cores"})
    assert "boardgame.io was left out" in report.about
    assert {figure.raw_name for figure in report.figures} == {"", "asked for", "one process"}
