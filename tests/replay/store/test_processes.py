"""Several processes write into one file: each line is one's, none waits for ever, nor for one that was killed."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from replay.store.sqlite.store import SqliteStore
from tests.replay.store.stored import create

ROOT = Path(__file__).parents[3]
WRITER = """
import os, queue, sys
from replay.store.sqlite import checkpoint_lock, writer
from replay.store.log import Committed
from replay.store.sqlite.store import SqliteStore
from tests.replay.store.stored import commit

writer.CHECKPOINT_PAGES = 12  # the log is moved every few commits
checkpoint_lock.WAIT_S = 20.0
store, own, wanted = SqliteStore(sys.argv[1]), sys.argv[2], int(sys.argv[3])
os.write(1, b"ready\\n")
sys.stdin.readline()
line, mine = {"shared": 1, own: 1}, 0
while mine < wanted:
    match = "shared" if mine % 2 else own
    told = queue.SimpleQueue()
    if store.stage([commit(match, line[match])], told.put):
        (answer,) = told.get()
    else:
        answer = store.append(commit(match, line[match]))
    line[match] = answer.seq
    if isinstance(answer, Committed):
        mine += 1
        os.write(1, f"{match} {answer.seq}\\n".encode())
store.close()
"""


def writer(path: Path, name: str, wanted: int) -> "subprocess.Popen[str]":
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), name, str(wanted)], cwd=ROOT, stdin=pipe, stdout=pipe, text=True
    )


@pytest.mark.whole
def test_of_several_processes_that_append_at_once_each_line_is_one_s_and_none_is_kept_out(tmp_path: Path) -> None:
    path, names = tmp_path / "herald.db", ("one", "two", "killed")
    store = SqliteStore(path)
    for name in ("shared", *names):
        create(store, name)
    processes = [writer(path, name, 10_000 if name == "killed" else 30) for name in names]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        print(file=process.stdin, flush=True)
    told = []
    killed = processes[-1]
    assert killed.stdout is not None
    for _ in range(10):
        told.append(killed.stdout.readline())
    killed.send_signal(signal.SIGKILL)
    for process in processes:
        text, _ = process.communicate(timeout=200)
        told += text.splitlines()
        assert process.returncode == (-signal.SIGKILL if process is killed else 0)
    found = [(match, int(seq)) for match, seq in (line.split() for line in told if re.fullmatch(r"\w+ \d+\s*", line))]
    assert len(found) == len(set(found)) >= 2 * 30 + 10
    for name in ("shared", *names):
        lines = [entry.seq for entry in store.read(name)]
        assert lines == list(range(1, store.head(name).seq + 1))
        assert {seq for match, seq in found if match == name} <= {*lines}
    # A process that was killed may not have printed its last line.
    assert sum(store.head(name).seq for name in ("shared", *names)) - 4 - len(found) <= 1
    store.close()
