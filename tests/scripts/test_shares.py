"""Servers that are measured can be held to a part of a core each, and are let go again."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from scripts.benchmarks import shares, workers
from scripts.benchmarks.__main__ import bench
from scripts.benchmarks.shares import NoSharesError, held, room
from scripts.benchmarks.weights import cpu_s, family

BUSY = "print(flush=True)\nwhile True: pass"
PARENT = f"""
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", {BUSY!r}], stdin=subprocess.DEVNULL)
sys.stdin.read()
child.kill()
"""


@pytest.fixture
def busy() -> Iterator["subprocess.Popen[str]"]:
    """A process that does nothing, with a child that never rests."""
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", PARENT], stdin=pipe, stdout=pipe, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "\n"
        yield child
        child.communicate(timeout=120)


def used(pid: int, seconds: float) -> float:
    """Cores that a process uses."""
    begun, before = time.monotonic(), cpu_s(pid)
    time.sleep(seconds)
    return (cpu_s(pid) - before) / (time.monotonic() - begun)


def test_a_process_and_what_it_started_is_held_to_its_share_and_let_go(busy: "subprocess.Popen[str]") -> None:
    itself, child = family(busy.pid)
    assert itself == busy.pid
    try:
        with held([busy.pid], 0.1):
            groups = Path(f"/proc/{child}/cgroup").read_text()
            assert f"herald-bench-{os.getpid()}-{child}" in groups
            assert used(child, 2.0) < 0.2
    except NoSharesError:
        handed_down = shares.V2 / "cgroup.subtree_control"
        assert not os.access(shares.V1 / "cpu.cfs_quota_us", os.W_OK)
        assert not (handed_down.exists() and "cpu" in handed_down.read_text().split() and os.access(shares.V2, os.W_OK))
    assert "herald-bench" not in Path(f"/proc/{child}/cgroup").read_text()
    assert not [*shares.V1.glob("herald-bench-*"), *shares.V2.glob("herald-bench-*")]


def test_a_share_of_nothing_holds_nobody(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(shares, "V1", tmp_path / "nowhere")
    monkeypatch.setattr(shares, "V2", tmp_path / "nowhere")
    with held([1], 0.0):
        assert not list(tmp_path.iterdir())


def test_where_nobody_can_be_held_that_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(shares, "V1", tmp_path / "nowhere")
    monkeypatch.setattr(shares, "V2", tmp_path / "nowhere")
    with pytest.raises(NoSharesError, match="no process can be held to a part of a core here"), held([1], 0.5):
        pass
    told = ["scale", "workers", "--game", "skirmish", "--matches", "1", "--seconds", "0.1", "--rounds", "1"]
    monkeypatch.setattr(workers, "workers_report", None)
    monkeypatch.setattr("scripts.benchmarks.__main__.workers_report", lambda wish: held([1], wish.share).__enter__())
    ran = CliRunner().invoke(bench, [*told, "--share", "0.5"])
    assert ran.exit_code == 1
    assert "Leave --share out, or run as root on Linux." in " ".join(ran.output.split())


@pytest.mark.parametrize(("cores", "share", "shares_"), [(2, 0.0, 2), (2, 1.0, 2), (2, 0.5, 4), (6, 0.25, 24)])
def test_a_machine_has_room_for_as_many_shares_as_its_cores_hold(cores: int, share: float, shares_: float) -> None:
    assert room(cores, share) == shares_
