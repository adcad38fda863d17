"""The benchmarks count and compare rightly; how fast anything is, they say, not these tests."""

import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from scripts.benchmarks import replay
from scripts.benchmarks.append import append_report
from scripts.benchmarks.measure import Figure, percentile
from scripts.benchmarks.rules import decide_report, fold_report
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
        for at in range(0, len(stream), cut):
            spectator.data_received(stream[at : at + cut])
        return counted

    frames = [Frame(Opcode.TEXT, b"x" * size).serialize(mask=False) for size in sizes]
    stream = Frame(Opcode.PING, b"still there?").serialize(mask=False).join([b"", *frames, b""])
    counted = asyncio.run(count())
    assert counted.frames == len(sizes)
    assert counted.bytes == sum(sizes) + 12 * (len(sizes) + 1)


def test_reports_are_told_to_people_and_to_programs() -> None:
    report = fold_report("skirmish", 1)
    assert "events/s" in report.text()
    assert json.loads(report.json())["figures"][0]["value"] > 0
    assert decide_report("skirmish", 1).figures[0].value > 0


def test_a_long_match_is_sought_replayed_and_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "LENGTH", 60)
    report = replay.replay_report("vera_discordia")
    assert all(figure.value > 0 for figure in report.figures)
    assert {figure.floor for figure in report.figures} >= {20.0, 200_000, 20_000}


def test_appends_are_measured_on_a_disk() -> None:
    assert [figure.value > 0 for figure in append_report(3, 0.1).figures] == [True, True, True]
