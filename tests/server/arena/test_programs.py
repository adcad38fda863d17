"""Programs in the arena: one that breaks a rule, sleeps, floods, dies or writes rubbish loses; nothing else happens."""

import json
import os
import sys
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from domain.kernel import Seat
from projections.plain import plain_face
from server.arena.bout import WHY_CHARS, Bout, ContestSetting, Outcome, play_bout
from server.arena.errors import Forfeit
from server.arena.players import Entrant
from server.arena.program import LINE_BYTES, Program, ProgramLimits
from tests.pennants.game import GAME as PENNANTS
from tests.skirmish.game import GAME as SKIRMISH

HELLO = 'import sys, json, os, time\nsys.stdin.readline()\nprint(\'{"t": "hello"}\', flush=True)\n'
ASKED = "asked = json.loads(sys.stdin.readline())\n"
ANSWER = 'print(json.dumps({"t": "choose", "decision": asked["decision"], "choice": "0"}), flush=True)\n'
SHORT = ProgramLimits(choice_s=0.7, match_s=20.0, start_s=10.0, memory=200 << 20, file=1 << 16)
PATIENT = replace(SHORT, choice_s=15.0)
"""For what is found out by something else than the time it takes, on however busy a machine."""

WRONGS = {
    "sleeps": ("time.sleep(60)", "it took longer than 0.7 s"),
    "sleeps before it says hello": (None, "it took longer than 1 s"),
    "is gone": ("sys.exit(3)", "it ended with code 3"),
    "kills itself": ("os.kill(os.getpid(), 9)", "it was ended by SIGKILL"),
    "kills itself by a signal without a name": ("os.kill(os.getpid(), 40)", "it was ended by signal 40"),
    "closes its output": ("os.close(1); time.sleep(60)", "it closed its output"),
    "chooses what is not offered": (
        ASKED + 'print(json.dumps({"t": "choose", "decision": asked["decision"], "choice": "999"}), flush=True)',
        "is no choice: There is no option 999",
    ),
    "brings what breaks a rule": (
        ASKED
        + 'mine = {"do": "Play", "card": 99}\n'
        + 'print(json.dumps({"t": "choose", "decision": asked["decision"], "choice": mine}), flush=True)',
        "breaks a rule: It is not among the options",
    ),
    "answers another question": (
        ASKED + 'print(json.dumps({"t": "choose", "decision": 77, "choice": "0"}), flush=True); time.sleep(60)',
        "something else than question",
    ),
    "chooses before it is asked": (
        'print(json.dumps({"t": "choose", "decision": 77, "choice": "0"}), flush=True); time.sleep(60)',
        "unasked|something else than question|more than one line",  # by how far the arena is when it is read
    ),
    "writes rubbish": (ASKED + "os.write(1, bytes(range(1, 256)))", "no message of the protocol|more than one line"),
    "nests lists": (ASKED + 'print("[" * 60_000, flush=True); time.sleep(60)', "no message of the protocol"),
    "is no UTF-8": (ASKED + 'os.write(1, b"\\xff\\xfe\\n"); time.sleep(60)', "no message of the protocol"),
    "answers twice": (ASKED + 'print("{}\\n{}", flush=True); time.sleep(60)', "more than one line"),
    "writes a gigabyte without a line's end": (
        ASKED + 'while True: os.write(1, b"x" * 65_536)',
        f"a line of more than {LINE_BYTES} bytes",
    ),
    "floods with lines": ('while True: os.write(1, b"{}\\n" * 20_000)', "unasked|more than one line"),
    "floods where nobody listens": (
        ASKED + ANSWER + 'while True: os.write(1, b"{}\\n" * 20_000)',
        "unasked|more than one line",
    ),
    "takes all memory": (ASKED + "held = bytearray(1 << 30)", "it ended with code 1"),
    "fills the disk": (
        ASKED + 'import tempfile\nwith tempfile.TemporaryFile() as f:\n  while True: f.write(b"x" * 65_536)',
        "it ended",
    ),
}


def program(tmp_path: Path, text: str) -> tuple[str, ...]:
    path = tmp_path / "bot.py"
    path.write_text(text)
    return (sys.executable, "-IS", str(path))


def bout(tmp_path: Path, text: str, bounds: ProgramLimits = SHORT, seat: int = 0) -> Outcome:
    """A match against the random bot; the program is entrant 1."""
    entrants = (Entrant("random", "random"), Entrant("mine", command=program(tmp_path, text)))
    seats = (1, 0) if seat == 0 else (0, 1)
    return play_bout(plain_face(SKIRMISH), ContestSetting("skirmish", {}, entrants, bounds), Bout(1, "1", seats))


@pytest.mark.parametrize("wrong", WRONGS)
def test_a_program_loses_its_match_that(wrong: str, tmp_path: Path) -> None:
    does, why = WRONGS[wrong]
    late = SHORT if does == "time.sleep(60)" else PATIENT
    bounds = ProgramLimits(choice_s=0.7, start_s=1.0) if does is None else late
    begun = time.monotonic()
    outcome = bout(tmp_path, "import time\ntime.sleep(60)" if does is None else HELLO + does, bounds)
    assert time.monotonic() - begun < 30
    assert outcome.places == ((Seat(1),), (Seat(0),))
    (fault,) = outcome.faults
    assert fault.seat == 0
    assert any(part in fault.why for part in why.split("|")), fault.why


def test_a_program_that_does_not_read_loses_when_its_time_is_over(tmp_path: Path) -> None:
    """What it was told is more than a pipe holds, and nobody waits for it longer than for an answer."""
    running = Program(program(tmp_path, "import time\ntime.sleep(60)"), SHORT)
    for _ in range(40):
        running.say({"events": "x" * 10_000})
    begun = time.monotonic()
    with pytest.raises(Forfeit, match="it took longer"):
        running.ask({}, 0.5)
    assert time.monotonic() - begun < 10
    running.close()


def test_all_that_a_program_began_ends_with_it(tmp_path: Path) -> None:
    does = "import subprocess\nchild = subprocess.Popen(['sleep', '300'])\nprint(child.pid, flush=True)\ntime.sleep(60)"
    running = Program(program(tmp_path, "import sys, time\n" + does), SHORT)
    child = int(running.ask({}, 10))
    os.kill(child, 0)
    running.close()
    until = time.monotonic() + 10
    while time.monotonic() < until and _runs(child):
        time.sleep(0.02)
    assert not _runs(child)


def test_what_has_left_the_process_group_ends_with_its_session(tmp_path: Path) -> None:
    """Its parent is gone too, so that nothing but the session says whose it was."""
    does = """
import os, time
read, write = os.pipe()
if os.fork() == 0:
    if os.fork() == 0:
        os.setpgid(0, 0)
        os.write(write, str(os.getpid()).encode() + b"\\n")
        time.sleep(300)
    os._exit(0)
os.wait()
os.write(1, os.read(read, 20))
time.sleep(60)
"""
    running = Program(program(tmp_path, does), SHORT)
    child = int(running.ask({}, 10))
    assert os.getpgid(child) == child
    assert os.getsid(child) == running._process.pid
    running.close()
    assert not _runs(child)


def _runs(pid: int) -> bool:
    """Whether a process is there and no zombie that waits for its parent."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_program_is_told_little_of_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERALD_SECRET", "x")
    running = Program(program(tmp_path, "import os\nprint(sorted(os.environ), flush=True)\ninput()"), SHORT)
    told = running.ask({}, 10).decode()
    running.close()
    assert "PATH" in told
    assert "SECRET" not in told


def test_what_a_program_made_up_is_told_of_it_in_one_short_visible_line(tmp_path: Path) -> None:
    mine = {"do": "\x1b[2J\r\n" + "x" * 5000}
    text = f'print(json.dumps({{"t": "choose", "decision": asked["decision"], "choice": {mine!r}}}), flush=True)'
    (fault,) = bout(tmp_path, HELLO + ASKED + text).faults
    assert "is no choice" in fault.why
    assert fault.why.isprintable()
    assert len(fault.why) <= WHY_CHARS


def test_nobody_waits_for_a_program_that_may_not_be_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where its command is sudo, and what that began does not end by itself."""
    running = Program(program(tmp_path, "import time\ntime.sleep(60)"), SHORT)
    kill = os.killpg

    def refused(_pid: int, _signal: int) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "killpg", refused)
    monkeypatch.setattr(os, "kill", refused)
    begun = time.monotonic()
    running.close()
    assert time.monotonic() - begun < 10
    kill(running._process.pid, 9)
    running._process.wait()


def test_a_program_that_is_not_there_loses(tmp_path: Path) -> None:
    entrants = (Entrant("random", "random"), Entrant("mine", command=("no-such-program",)))
    setting = ContestSetting("skirmish", {}, entrants, SHORT)
    outcome = play_bout(plain_face(SKIRMISH), setting, Bout(1, "1", (0, 1)))
    assert outcome.places[0] == (Seat(0),)
    assert outcome.faults[0].why == "there is no program no-such-program"


def test_a_program_that_the_system_does_not_begin_loses() -> None:
    """As where there are too many processes; here one of its words is longer than any may be."""
    entrants = (Entrant("random", "random"), Entrant("mine", command=(sys.executable, "x" * (1 << 20))))
    outcome = play_bout(plain_face(SKIRMISH), ContestSetting("skirmish", {}, entrants, SHORT), Bout(1, "1", (0, 1)))
    assert outcome.places[0] == (Seat(0),)
    assert [fault.why for fault in outcome.faults] == ["it could not be begun: Argument list too long"]


def test_where_nobody_can_take_a_seat_nobody_wins() -> None:
    entrants = (Entrant("one", command=("no-such-program",)), Entrant("other", command=("no-such-program",)))
    outcome = play_bout(plain_face(SKIRMISH), ContestSetting("skirmish", {}, entrants, SHORT), Bout(1, "1", (0, 1)))
    assert outcome.places == ((Seat(0), Seat(1)),)
    assert [fault.seat for fault in outcome.faults] == [0, 1]


def test_the_time_of_a_match_is_counted_over_all_answers(tmp_path: Path) -> None:
    slow = HELLO + "while True:\n  " + ASKED.strip() + "\n  time.sleep(0.3)\n  " + ANSWER
    outcome = bout(tmp_path, slow, ProgramLimits(choice_s=5.0, match_s=0.5))
    assert outcome.faults[0].seat == 0
    assert "s" in outcome.faults[0].why
    assert outcome.thought_s[0] < 5


def test_a_program_is_told_what_its_seat_sees_and_nothing_else(tmp_path: Path) -> None:
    """Everything that it reads is kept; the other's hand is never in it."""
    kept = tmp_path / "kept"
    text = f"""
import json, sys
with open({str(kept)!r}, "w") as out:
    for line in sys.stdin:
        out.write(line)
        out.flush()
        told = json.loads(line)
        if told["t"] == "hello":
            print(json.dumps({{"t": "hello", "wants": ["events", "view", "scene"]}}), flush=True)
        if told["t"] == "ask":
            print(json.dumps({{"t": "choose", "decision": told["decision"], "choice": "0"}}), flush=True)
"""
    outcome = bout(tmp_path, text, ProgramLimits(choice_s=20.0, file=1 << 30), seat=1)
    assert not outcome.faults
    told = [json.loads(line) for line in kept.read_text().splitlines()]
    kinds = [one["t"] for one in told]
    assert kinds[:2] == ["hello", "events"]
    assert "ask" in kinds
    assert told[-1]["t"] == "over"
    asked = [one for one in told if one["t"] == "ask"]
    for one in asked:
        assert one["view"]["hands"][0] == {"is": "hidden"}
        assert one["view"]["hands"][1] != {"is": "hidden"}
        assert one["field"]["options"][0]["choice"]["do"]
        assert one["scene"]["prompt"]["mode"] == "you"


def test_where_three_play_the_others_go_on_without_who_lost(tmp_path: Path) -> None:
    entrants = (Entrant("a", "random"), Entrant("b", "random"), Entrant("mine", command=program(tmp_path, HELLO)))
    outcome = play_bout(plain_face(PENNANTS), ContestSetting("pennants", {}, entrants, SHORT), Bout(1, "1", (0, 2, 1)))
    assert [fault.seat for fault in outcome.faults] == [1]
    assert Seat(1) not in outcome.places[0]
    assert outcome.decisions >= 2
