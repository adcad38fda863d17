"""The benchmarks count and compare rightly; how fast anything is, they say, not these tests."""

import asyncio
import json
import re
from itertools import pairwise
from pathlib import Path
from unittest.mock import Mock

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol

from scripts.benchmarks import replay
from scripts.benchmarks.__main__ import bench
from scripts.benchmarks.append import append_report
from scripts.benchmarks.contest import Pace
from scripts.benchmarks.load import matches_report, storm_report
from scripts.benchmarks.measure import Figure, Report, loops_s, percentile
from scripts.benchmarks.page import EXAMPLE, HEAD, measured
from scripts.benchmarks.restart import restart_report
from scripts.benchmarks.rules import decide_report, fold_report
from scripts.benchmarks.search import Pace as PlayoutPace
from scripts.benchmarks.search import paced, search_report
from scripts.benchmarks.sockets import Socket, client_frame
from scripts.benchmarks.spectators import Count, Spectator, header_bytes, payload_bytes


@pytest.mark.parametrize(("value", "is_met"), [(299.0, False), (300.0, True)])
def test_a_rate_must_reach_its_floor(value: float, *, is_met: bool) -> None:
    assert Figure("fold", value, "events/s", floor=300).is_met is is_met


@pytest.mark.parametrize(("value", "is_met"), [(3.0, True), (3.1, False)])
def test_a_time_must_stay_under_its_floor(value: float, *, is_met: bool) -> None:
    assert Figure("choose to screen", value, "ms", floor=3).is_met is is_met


@pytest.mark.parametrize(("value", "is_met"), [(79.0, False), (80.0, True)])
def test_a_ratio_is_a_part_of_the_raw_limit(value: float, *, is_met: bool) -> None:
    figure = Figure("deliveries", value, "frames/s", "broadcast", 100, 0.8, "ratio")
    assert figure.ratio == value / 100
    assert figure.is_met is is_met


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
def test_a_spectator_counts_text_frames_however_they_are_cut(sizes: list[int], cut: int) -> None:
    async def count() -> Count:
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
    counted = asyncio.run(count())
    assert counted.frames == len(sizes)
    assert counted.bytes == sum(sizes) + 12 * (len(sizes) + 1)


def test_a_spectator_does_not_count_who_comes_and_goes() -> None:
    async def count() -> Count:
        counted = Count()
        spectator = Spectator(b"", counted)
        spectator._open = True
        for text in (b'{"t":"presence","seats":[]}', b'{"t":"events"}'):
            spectator.data_received(Frame(Opcode.TEXT, text).serialize(mask=False))
        return counted

    assert asyncio.run(count()).frames == 1


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


def test_a_pace_gives_each_choice_its_moment() -> None:
    pace = Pace(1000.0)
    delays = [pace.delay_s() for _ in range(5)]
    assert all(later - earlier > 0.0005 for earlier, later in pairwise(delays))
    assert Pace(0).delay_s() == 0.0


@pytest.mark.whole
def test_matches_played_at_once_are_counted() -> None:
    report = matches_report("skirmish", 3, 0.1)
    assert all(figure.value > 0 for figure in report.figures)
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
    assert {figure.floor for figure in report.figures} >= {20.0, 200_000, 20_000}


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
