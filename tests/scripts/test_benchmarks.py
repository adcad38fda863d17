"""The benchmarks count and compare rightly; how fast anything is, they say, not these tests."""

import json
import random
import re
import sys
from pathlib import Path
from unittest.mock import Mock

import pyspiel
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol

from scripts.benchmarks import crowds, killed_and_idle, replay, slow
from scripts.benchmarks.__main__ import bench
from scripts.benchmarks.append import append_report
from scripts.benchmarks.contest import AHEAD, Schedule, Wave
from scripts.benchmarks.goals import open_goals, reason
from scripts.benchmarks.load import matches_report, storm_report
from scripts.benchmarks.matches import game_of
from scripts.benchmarks.measure import Figure, Report, loops_s, percentile
from scripts.benchmarks.page import EXAMPLE, HEAD, measured
from scripts.benchmarks.player_processes import Measured
from scripts.benchmarks.ratings import ratings_report
from scripts.benchmarks.research import SPIEL_PEERS, research_report, spiel_play
from scripts.benchmarks.restart import restart_report
from scripts.benchmarks.rules import decide_report, fold_report
from scripts.benchmarks.scale import Run, Wish, nodes_report
from scripts.benchmarks.search import Pace as PlayoutPace
from scripts.benchmarks.search import paced, search_report
from scripts.benchmarks.sockets import Socket, client_frame
from scripts.benchmarks.spectators import Count, Spectator, header_bytes, payload_bytes
from scripts.benchmarks.thinking import ALONE, thinking_report
from scripts.benchmarks.thinking import Wish as ThinkingWish
from scripts.benchmarks.watching import Crowd, Seen
from scripts.benchmarks.watching import Spectator as Watcher
from tests.server.tabletop import live


@pytest.mark.parametrize(("value", "is_met"), [(299.0, False), (300.0, True)])
def test_a_rate_must_reach_its_floor(value: float, *, is_met: bool) -> None:
    assert Figure("fold", value, "events/s", floor=300).is_met is is_met


@pytest.mark.parametrize("unit", ["ms", "µs"])
@pytest.mark.parametrize(("value", "is_met"), [(3.0, True), (3.1, False)])
def test_a_time_must_stay_under_its_floor(value: float, unit: str, *, is_met: bool) -> None:
    assert Figure("choose to screen", value, unit, floor=3).is_met is is_met


@pytest.mark.parametrize(("value", "is_met"), [(79.0, False), (80.0, True)])
def test_a_ratio_is_a_part_of_the_raw_limit(value: float, *, is_met: bool) -> None:
    figure = Figure("deliveries", value, "frames/s", "broadcast", 100, 0.8, "ratio")
    assert figure.ratio == value / 100
    assert figure.is_met is is_met


@pytest.mark.parametrize(("value", "is_met"), [(5.0, True), (5.1, False)])
def test_a_time_beside_a_raw_limit_must_stay_under_so_many_times_of_it(value: float, *, is_met: bool) -> None:
    assert Figure("choose to screen", value, "ms", "bare", 1.0, 5.0, "ratio").is_met is is_met


@pytest.mark.parametrize(("value", "is_open"), [(99.0, True), (100.0, False)])
def test_a_goal_is_open_until_it_is_reached_and_breaks_no_floor(value: float, *, is_open: bool) -> None:
    figure = Figure("random play", value, "decisions/s", "bare", 200, 0.4, "ratio", goal=100)
    assert (figure.is_met, figure.is_open) == (True, is_open)
    assert figure.row().endswith(f"goal ≥ 100 decisions/s | met, goal {'open' if is_open else 'reached'} |")


def test_open_goals_stand_on_the_page_with_their_reasons() -> None:
    figures = (Figure("random play", 9.0, "x/s", goal=10), Figure("playout, random", 11.0, "x/s", goal=10))
    told = open_goals([Report("decide", "", figures)])
    assert "`decide`: random play: ≥ 10.00 x/s, measured 9.00 x/s. " in told
    assert "playout" not in told
    assert open_goals([Report("search", "", figures[1:])]) == ""


def test_every_open_goal_of_the_page_is_listed_and_no_floor_is_missed() -> None:
    text = (Path(__file__).parents[2] / "docs/performance.md").read_text()
    figures, _, listed = text.partition("## Open goals")
    names = [row.split("|")[1].strip() for row in figures.splitlines() if row.endswith("goal open |")]
    rows = [line for line in listed.splitlines() if line.startswith("- ")]
    assert len(rows) == len(names) > 0
    assert all(f": {name}: " in row and reason(name) in row for row, name in zip(rows, names, strict=True))
    assert "not met" not in figures


@pytest.mark.parametrize(("part", "value"), [(0.0, 1), (0.5, 3), (0.99, 4), (1.0, 4)])
def test_a_percentile_is_one_of_the_values(part: float, value: float) -> None:
    assert percentile([4, 1, 3, 2], part) == value


def test_no_values_have_no_percentile() -> None:
    with pytest.raises(ValueError, match="no values"):
        percentile([], 0.5)


@pytest.mark.parametrize(("size", "header"), [(125, 2), (126, 4), (65535, 4), (65536, 10)])
def test_a_frames_length_is_read_from_its_header(size: int, header: int) -> None:
    frame = Frame(Opcode.TEXT, b"x" * size).serialize(mask=False)
    assert (header_bytes(frame), payload_bytes(frame)) == (header, size)


@given(st.lists(st.integers(0, 300), max_size=5), st.integers(1, 50))
@live
async def test_a_spectator_counts_text_frames_however_they_are_cut(sizes: list[int], cut: int) -> None:
    def count() -> Count:
        counted = Count()
        spectator = Spectator(b"", counted)
        spectator._open = True
        spectator._transport = Mock()
        for at in range(0, len(stream), cut):
            spectator.data_received(stream[at : at + cut])
        pong = [bytes(call.args[0][6:]) for call in spectator._transport.write.call_args_list]
        assert [len(payload) for payload in pong] == [12] * (len(sizes) + 1)
        return counted

    frames = [Frame(Opcode.TEXT, b"x" * size).serialize(mask=False) for size in sizes]
    stream = Frame(Opcode.PING, b"still there?").serialize(mask=False).join([b"", *frames, b""])
    counted = count()
    assert counted.frames == len(sizes)
    assert counted.bytes == sum(sizes) + 12 * (len(sizes) + 1)


@live
async def test_a_spectator_does_not_count_who_comes_and_goes() -> None:
    counted = Count()
    spectator = Spectator(b"", counted)
    spectator._open = True
    for text in (b'{"t":"presence","seats":[]}', b'{"t":"events"}'):
        spectator.data_received(Frame(Opcode.TEXT, text).serialize(mask=False))
    assert counted.frames == 1


class Heard(Socket):
    """Notes the text frames that come."""

    def __init__(self) -> None:
        super().__init__()
        self._is_open = True
        self.heard: list[bytes] = []

    def text(self, payload: bytes) -> None:
        self.heard.append(payload)


@given(st.lists(st.integers(0, 70_000), max_size=4), st.integers(1, 9_000))
def test_a_bare_socket_reads_text_frames_however_they_are_cut(sizes: list[int], cut: int) -> None:
    frames = [Frame(Opcode.TEXT, b"x" * size).serialize(mask=False) for size in sizes]
    stream = b"".join(frames)
    heard = Heard()
    for at in range(0, len(stream), cut):
        heard.data_received(stream[at : at + cut])
    assert [len(payload) for payload in heard.heard] == sizes


@pytest.mark.parametrize("size", [0, 125, 126, 65_535, 65_536])
def test_a_bare_sockets_frame_is_one_that_a_server_reads(size: int) -> None:
    protocol = ServerProtocol(state=State.OPEN, max_size=None)
    protocol.receive_data(client_frame(b"y" * size))
    (event,) = protocol.events_received()
    assert isinstance(event, Frame)
    assert event.data == b"y" * size


def test_moments_are_as_far_apart_as_the_rate_says_whenever_they_are_given_out() -> None:
    schedule, late = Schedule(4.0), list[float]()
    schedule.begin(10.0)
    for _ in range(8):
        schedule.add(late.append, 10.0)
    assert schedule.give(10.0) == 0.25  # the first
    assert schedule.give(10.9) == pytest.approx(0.1)  # those of 0.25, 0.5 and 0.75
    assert late == [0.0] * 4
    schedule.give(11.74)
    assert len(late) == 7
    schedule.give(11.75)
    assert len(late) == 8


def test_a_moment_at_which_nobody_is_asked_waits_and_its_choice_is_late() -> None:
    schedule, late = Schedule(4.0), list[float]()
    schedule.begin(10.0)
    schedule.give(10.25)
    for now in (10.5, 11.0, 11.1):
        schedule.add(late.append, now)
    assert late == [0.25, 0.75]
    schedule.give(11.2)
    assert late == [0.25, 0.75, 0.0]


def test_without_a_rate_a_choice_is_made_as_soon_as_it_is_asked_for() -> None:
    schedule, late = Schedule(0.0), list[float]()
    schedule.add(late.append, 10.0)
    assert late == [0.0]
    assert not schedule.is_bounded


class Seat:
    """Notes that it was told to answer."""

    def __init__(self, match: int, told: list[int]) -> None:
        self._match, self._told = match, told

    def answer(self) -> None:
        self._told.append(self._match)


def test_one_match_after_another_takes_the_place_of_one_that_ends_until_none_waits() -> None:
    told: list[int] = []
    wave = Wave(game_of(EXAMPLE), 3, 2, 0.0, Mock())
    wave.players = [Seat(match, told) for match in range(5) for _ in (0, 1)]  # type: ignore[misc]
    wave.end(1)
    wave.end(1)  # as the other seat tells
    wave.end(0)
    assert (told, wave.is_short.is_set()) == ([3, 3, 4, 4], False)
    wave.end(3)
    assert wave.is_short.is_set()


def test_before_it_counts_matches_get_ahead_of_each_other_and_no_further() -> None:
    wave = Wave(game_of(EXAMPLE), AHEAD, 1, 0.0, Mock())
    assert not wave.is_ahead()
    made = [sum(wave.may_choose(match) for _ in range(50)) for match in range(AHEAD + 1)]
    assert made == [*range(AHEAD), 0]
    assert wave.is_ahead()
    wave.is_measured = True
    assert wave.may_choose(0)
    wave.end(0)
    assert not wave.may_choose(0)


def test_processor_time_is_told_a_choice() -> None:
    measured = Measured(1000.0, 1900, 2.0, (1.0, 2.0), (1.0, 2.0), 0.1, 0.38)
    assert (measured.rate, measured.server_us) == (950.0, 200.0)


@pytest.mark.whole
def test_matches_played_at_once_are_counted() -> None:
    report = matches_report("skirmish", 3, 0.5)
    assert report.figures[0].value > 0
    assert all(figure.value >= 0 for figure in report.figures), "a short time of processor may count as none"
    assert "rounds" not in report.about


@pytest.mark.deep
def test_of_several_rounds_the_best_is_shown_and_what_the_others_came_to_is_said() -> None:
    report = matches_report("skirmish", 3, 0.1, 3)
    told = re.search(r"came to ([\d,]+) and ([\d,]+) choices/s .* to ([\d.]+) and ([\d.]+) ms", report.about)
    assert told is not None
    figures = {figure.name: figure.value for figure in report.figures}
    assert figures["choices at full speed"] >= max(float(rate.replace(",", "")) for rate in told.group(1, 2)) - 1
    assert figures["half of it, choose to accepted, p99"] <= min(float(ms) for ms in told.group(3, 4)) + 0.1


@pytest.mark.whole
def test_connections_that_come_again_are_counted() -> None:
    report = storm_report(4)
    assert all(figure.value > 0 for figure in report.figures if figure.unit in {"s", "kB"})


@pytest.mark.whole
def test_a_restart_is_measured_until_all_is_in_memory() -> None:
    ready, _, folded = restart_report("vera_discordia", 6, 2).figures
    assert 0 < ready.value <= folded.value


def test_a_page_names_what_could_not_be_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str, matches: int) -> Report:
        raise RuntimeError("no such thing")

    monkeypatch.setattr("scripts.benchmarks.rules.decide_report", broken)
    text, is_whole = measured(("fold", "decide"), quick=True)
    assert not is_whole
    assert "### `fold --game vera_discordia`" in text
    assert "### decide\n\nCould not be measured: RuntimeError." in text


def test_only_what_is_no_benchmark_is_refused() -> None:
    ran = CliRunner().invoke(bench, ["all", "--only", "fold", "--only", "folt"])
    assert ran.exit_code == 2
    assert "Invalid value for --only: 'folt' begins no benchmark's name" in " ".join(ran.output.split())


def test_a_page_says_how_fast_the_machine_was_around_each_benchmark(monkeypatch: pytest.MonkeyPatch) -> None:
    # The loop takes 10 ms around the first of two benchmarks, 20 ms around the second.
    took = iter([0.01, 0.01, 0.02, 0.02])
    monkeypatch.setattr("scripts.benchmarks.page.loops_s", lambda times: [next(took)] * times)
    text, _ = measured(("fold", "decide"), quick=True)
    assert re.findall(r"ran at (\d+)% of its fastest: ([\d.]+) ms", text) == [("100", "10.0"), ("50", "20.0")]


def test_a_loop_of_known_length_is_timed() -> None:
    assert all(second > 0 for second in loops_s(3))
    assert len(loops_s(3)) == 3


def test_the_page_is_headed_as_the_command_makes_it() -> None:
    text = (Path(__file__).parents[2] / "docs/performance.md").read_text()
    assert text.startswith(HEAD.format(example=EXAMPLE))


def test_a_row_tells_whether_the_floor_is_met() -> None:
    assert Figure("ready", 3.1, "s", floor=3).row() == "| ready | 3.10 s |  | ≤ 3.00 s | **not met** |"
    assert Figure("rate", 7.0, "x/s", "bare", 14.0, 0.4, "ratio").row().endswith("≥ 0.40 of the bare limit | met |")


def test_reports_are_told_to_people_and_to_programs() -> None:
    report = fold_report("skirmish", 1)
    assert "events/s" in report.text()
    assert json.loads(report.json())["figures"][0]["value"] > 0
    assert decide_report("skirmish", 1).figures[0].value > 0


def test_how_long_a_bot_thinks_is_measured_where_one_does() -> None:
    assert len(decide_report("skirmish", 1).figures) == 1
    _, half, longest = decide_report("war_for_edadh", 1).figures
    assert 0 < half.value <= longest.value
    assert longest.unit == "ms"
    assert longest.floor == 50


def test_a_long_match_is_sought_replayed_and_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "LENGTH", 60)
    monkeypatch.setattr(replay, "MATCHES", 1)
    report = replay.replay_report("vera_discordia")
    assert all(figure.value > 0 for figure in report.figures)
    assert {figure.floor for figure in report.figures} >= {4.0, 0.3, 0.06, 0.15}


def test_appends_are_measured_on_a_disk() -> None:
    assert [figure.value > 0 for figure in append_report(3, 0.1).figures] == [True, True, True]


def test_playouts_are_counted_until_the_time_is_spent() -> None:
    pace = paced(0.0, lambda _: 7)
    assert (pace.matches, pace.decisions) == (1, 7)
    assert PlayoutPace(4, 100, 2.0).decisions_s == 50
    assert PlayoutPace(4, 100, 2.0).matches_s == 2


def test_playouts_stand_beside_decide() -> None:
    report = search_report(EXAMPLE, 0.01)
    assert [(figure.name, figure.unit) for figure in report.figures] == [
        ("playout, random", "decisions/s"),
        ("playout, random", "matches/s"),
    ]
    assert report.figures[0].raw > 0


def test_what_several_servers_do_at_once_is_added_up_and_the_slowest_is_named() -> None:
    one = Measured(0, 100, 2.0, (3.0, 9.0), (3.0, 9.0), 0.2, 0.5, 0.4)
    two = Measured(0, 300, 2.0, (4.0, 8.0), (4.0, 8.0), 0.4, 1.5, 0.4)
    run = Run((one, two))
    assert (run.rate, run.choices, run.p50_ms, run.p99_ms) == (200, 400, 4.0, 9.0)
    assert (run.server_us, run.database_us) == (5000, 1000)


@pytest.mark.postgres
@pytest.mark.nats
@pytest.mark.deep
@pytest.mark.xdist_group("postgres")
def test_servers_over_one_database_are_measured_beside_bare_inserts() -> None:
    report = nodes_report(Wish("skirmish", 6, 0.3, 1))
    assert all(figure.value > 0 for figure in report.figures if figure.unit != "µs")
    assert {figure.raw_name for figure in report.figures} >= {"one server over SQLite", "one server"}
    assert all(figure.raw > 0 for figure in report.figures if figure.raw_name)


@pytest.mark.postgres
@pytest.mark.nats
@pytest.mark.deep
@pytest.mark.xdist_group("postgres")
def test_matches_of_a_killed_server_answer_at_others_and_what_they_cost_is_measured() -> None:
    half, most, last = killed_and_idle.killed_report("skirmish", 4).figures
    assert 0 < half.value <= most.value <= last.value
    told = {figure.name: figure.value for figure in killed_and_idle.weights_report("skirmish", 4).figures}
    assert told["memory of a server with hardly a match"] > 10


@pytest.mark.postgres
@pytest.mark.nats
@pytest.mark.deep
@pytest.mark.xdist_group("postgres")
def test_spectators_at_servers_that_a_command_starts_are_shown_every_choice() -> None:
    through = f"{sys.executable} -m tests.server.serving serve --port {{port}} --store {{store}} --pubsub {{hints}}"
    report = crowds.spectators_report(crowds.Wish("skirmish", 6, 3, 2, through))
    assert "6 spectators in 3 processes at 2 others, started by" in report.about
    assert {figure.name: figure.value for figure in report.figures}["deliveries at full speed"] > 0


def watched(*seen: Seen) -> crowds.Watched:
    return crowds.Watched([*seen], [0.1], {1: 10.0, 2: 11.0, 3: 12.0}, 9.0, 0)


def test_a_choice_counts_as_shown_when_the_last_spectator_anywhere_has_it() -> None:
    two = watched(Seen(4, 400, {1: 10.5, 2: 11.25, 3: 12.5}, 12.5), Seen(4, 500, {1: 10.25, 2: 11.5}, 13.0))
    assert two.lags_ms() == [500, 500]
    assert (two.frames, two.seconds, two.bytes_each) == (8, 4.0, 112.5)


def test_a_crowd_notes_when_the_last_of_it_was_shown_a_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    line = [2, "AA", 7, 5, "Chosen", "r", 0, "", {"seat": 0, "number": 3, "id": "a"}, []]
    events = {"t": "events", "from": 7, "to": 7, "items": [[json.dumps(line), []]], "head": {"seq": 7, "hash": "x"}}
    payload = json.dumps(events, separators=(",", ":"))
    ended = payload.replace("Chosen", "MatchEnded")
    times = iter([1.0, 2.0, 3.0, 4.0])
    monkeypatch.setattr("scripts.benchmarks.watching.time.perf_counter", lambda: next(times))
    crowd = Crowd(2)
    for spectator in (Watcher(b"hello", crowd), Watcher(b"hello", crowd)):
        for text in ('{"t":"presence","seats":[]}', payload, payload, ended):
            spectator.text(text.encode())
    assert (crowd.greeted, crowd.done, crowd.frames) == (2, 2, 4)
    assert crowd.seen().shown == {3: 3.0}
    assert crowd.seen().last == 4.0


@pytest.mark.postgres
@pytest.mark.nats
@pytest.mark.deep
@pytest.mark.xdist_group("postgres")
def test_a_look_for_what_is_due_is_measured_beside_one_at_everything() -> None:
    look, _ = slow.slow_report(200).figures
    assert min(look.value, look.raw) > 0


@pytest.mark.whole
def test_research_stands_beside_games_of_hidden_information() -> None:
    report = research_report("war_for_edadh", 0.001)
    told = [figure.name for figure in report.figures]
    assert [name for name in told if any(peer in name for peer in SPIEL_PEERS)] == [
        f"OpenSpiel: {peer}" for peer in SPIEL_PEERS
    ]
    assert all(figure.value > 0 for figure in report.figures)


@pytest.mark.parametrize("game", ["leduc_poker", "goofspiel(imp_info=True,num_cards=3)"])
def test_a_match_by_lot_comes_to_its_end(game: str) -> None:
    played = spiel_play(pyspiel.load_game(game))
    assert played(random.Random(1)) == played(random.Random(1)) > 1


@pytest.mark.deep
def test_choices_are_timed_beside_thought_and_without_and_it_is_told_that_there_was_thought() -> None:
    report = thinking_report(ThinkingWish("war_for_edadh", 2, 20.0, 0.5, 1, 1))
    told = {figure.name: figure for figure in report.figures}
    for name in (ALONE, "bots think", "hints are worked out", "bots think in threads"):
        p50, p99 = (told[f"{name}, choose to accepted, {which}"].value for which in ("p50", "p99"))
        assert 0 < p50 <= p99
    for name in ("bots think", "hints are worked out"):
        assert told[f"{name}, answers thought about"].value > 0
        assert told[f"{name}, processor for it"].value > 0
        assert told[f"{name}, choose to accepted, p99"].raw == told[f"{ALONE}, choose to accepted, p99"].value
    assert "bots think in threads, processor for it" not in told


def test_results_are_folded_and_one_more_is_timed() -> None:
    report = ratings_report(50)
    assert [figure.name for figure in report.figures] == ["fold, for a million results", "one more result, p99"]
    assert all(figure.value > 0 for figure in report.figures)
