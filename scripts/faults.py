"""`scripts/faults`: tries everything that can go wrong with a server, and prints the trials and the losses."""

import asyncio
import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from msgspec import Struct

from tests.server.faults import frames, processes, wires
from tests.server.faults.damage import DAMAGES, damaged, played, verdict
from tests.server.faults.nursery import FAULTS
from tests.server.faults.trials import trials
from tests.server.faults.tried import Tried
from tests.server.fuzzing import throw
from tests.server.tabletop import live, table
from tests.simulation.world import Failed, run

ROOT = Path(__file__).parents[1]


class Line(Struct):
    """A line of the table: the trial, the number of tries, the outcome, and the losses."""

    what: str
    tried: str
    came: str
    lost: list[str]


def counted(found: Counter[str]) -> str:
    """Counts as text, the most frequent first."""
    return ", ".join(f"{count:,} {name}" for name, count in found.most_common() if count)


def simulated(first: int, runs: int) -> Line:
    """Runs of the simulation."""
    faults: Counter[str] = Counter()
    times: Counter[str] = Counter()
    lost: list[str] = []
    choices = 0
    for seed in range(first, first + runs):
        try:
            outcome = run(seed)
        except Failed as failed:
            lost.append(f"seed {seed}: {failed.__cause__!r}")
            continue
        faults.update(outcome.faults)
        times.update(outcome.times)
        choices += outcome.choices
    disk = sum(count for name, count in faults.items() if name.startswith("disk"))
    outs = sum(count for name, count in times.items() if name.startswith("time-outs"))
    came = (
        f"{choices:,} choices accepted; {disk:,} disk faults, {faults['crash'] + faults['stop']:,} crashes and stops,"
        f" {faults['clock']:,} clock jumps, {outs:,} time-outs; of hints {faults['hint lost']:,} lost,"
        f" {faults['hint late']:,} late, {faults['hint doubled']:,} doubled"
    )
    return Line("simulation", f"{runs:,} runs from seed {first}", came, lost)


def disk(fault: str, rounds: int, stride: int) -> Line:
    """Trials with a fault at every call, or at every few calls."""
    found = list(trials(fault, rounds=rounds, stride=stride))
    ends = Counter(case["ended"] for case in found)
    told = sum(case["told"] for case in found)
    lost = [f"at {case['at']}: {wrong}" for case in found for wrong in case["lost"]]
    name = "power cut" if fault == "power cut" else f"{fault}, at the k-th call"
    return Line(name, f"{len(found):,} cases", f"{counted(ends)}; {told:,} frames told", lost)


def damage(tries: int) -> Line:
    """Flipped and torn files."""
    rng = random.Random(1)  # noqa: S311 - damage that can be done again, no secret
    found: Counter[str] = Counter()
    with TemporaryDirectory() as folder:
        both, match, entries = played(Path(folder))
        for number in range(tries):
            hurt = damaged(both[number % 2], DAMAGES[number // 2 % len(DAMAGES)], rng)
            found[verdict(Path(folder, "hurt"), hurt, match, entries)] += 1
    lost = [f"{found['false']} records were silently false"] if found["false"] else []
    return Line("flipped and torn files", f"{tries:,} files", counted(found), lost)


def fuzzed(frames: int) -> Line:
    """Changed frames."""
    thrown = throw(frames, seed=1)
    kept = {name: thrown.answers[name] for name in ("Error", "Refused", "Accepted", "matches played out")}
    return Line("changed frames", f"{thrown.frames:,} frames", counted(Counter(kept)), thrown.wrong)


def told(what: str, of: str, found: Tried) -> Line:
    """The result of a trial over connections; `of`: the name of its cases."""
    return Line(what, f"{found.cases:,} {of}", counted(found.came), found.lost)


def sent_often() -> Line:
    """Choices that are sent one to five times over one to three sockets."""
    found = Tried()
    for copies, sockets in wires.COPIES:
        found.add(asyncio.run(wires.sent_often(copies, sockets)))
    return told("choices sent 1 to 5 times, 1 to 3 sockets", "matches", found)


def jumped() -> Line:
    """Wall clocks that jump, with every kind of game clock."""
    found = Tried()
    for control in wires.CONTROLS.values():
        found.add(asyncio.run(wires.jumped(control)))
    return told("a wall clock that jumps", "matches", found)


def processes_failed() -> Line:
    """A whole `herald serve` whose disk fails with EIO."""
    found = Tried()
    for fault in processes.FAULTS:
        with TemporaryDirectory() as folder:
            found.add(processes.eio(Path(folder, "herald.sqlite"), fault))
    return told("EIO under a whole herald serve", "processes", found)


def framed() -> Line:
    """The websocket's own frames."""
    found = Tried()

    @live
    async def sent() -> None:
        async with table() as at:
            for part in (frames.allowed, frames.forbidden, frames.controlled):
                found.add(await part(at))

    sent()
    return told("frames of RFC 6455", "frames", found)


def everything(*, deep: bool) -> Iterator[Callable[[], Line]]:
    """The functions that each make one line of the table."""
    many = 50 if deep else 1
    rounds, stride = (3, 1) if deep else (1, 5)
    yield lambda: simulated(0, 100 * many)
    yield from (partial(disk, fault, rounds, 1 if fault == "killed" else stride) for fault in FAULTS)
    yield lambda: disk("power cut", rounds, 60 * many)
    yield processes_failed
    yield lambda: damage(120 * many)
    yield sent_often
    yield lambda: told("reconnection at every line", "returns", asyncio.run(wires.come_back()))
    yield jumped
    yield lambda: told("a reader that stalls", "match", asyncio.run(wires.stalled()))
    yield lambda: fuzzed(20_000 * many)
    yield framed


DEEP = "Hours: fifty times as much of what is drawn by chance, and a fault at every call of a longer match."


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--deep", is_flag=True, help=DEEP)
@click.pass_context
def main(context: click.Context, *, deep: bool) -> None:
    """Try everything, and print a table; the exit status is 1 when something was lost."""
    if context.invoked_subcommand is not None:
        return
    lost = False
    for one in everything(deep=deep):
        begun = sum(os.times()[:4])
        line = one()
        took = f"{sum(os.times()[:4]) - begun:.0f} s of CPU"
        click.echo(f"{line.what:42} {line.tried:24} lost: {len(line.lost) or 'nothing':10} {took}")
        click.echo(f"{'':42} {line.came}")
        for wrong in line.lost[:10]:
            click.echo(f"    {wrong}")
        lost = lost or bool(line.lost)
    sys.exit(lost)


@main.command()
@click.option("--seed", required=True, type=int, help="The run.")
def simulate(seed: int) -> None:
    """Show one run of the simulation again, step by step."""
    try:
        click.echo("\n".join(run(seed).story))
    except Failed as failed:
        click.echo("\n".join(failed.story))
        raise failed from failed.__cause__


def fuzzing_client(wstest: str, folder: str) -> dict[str, dict[str, str]]:
    """The verdict of Autobahn's client on each case, as `spec.json` in the folder names them."""
    command = [str(Path(wstest).absolute()), "-m", "fuzzingclient", "-s", "spec.json"]
    try:
        done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
    except OSError as wrong:
        raise click.ClickException(f"{wstest} cannot be run: {wrong.strerror}. Name Autobahn's `wstest`.") from wrong
    index = Path(folder, "index.json")
    if done.returncode or not index.is_file():
        last = f" It said last: {done.stderr.splitlines()[-1]}" if done.stderr else ""
        raise click.ClickException(
            f"{wstest} ended with status {done.returncode} and no report; docs/testing.md says what it needs.{last}"
        )
    cases: dict[str, dict[str, str]] = json.loads(index.read_text())["herald"]
    return cases


@main.command()
@click.option("--wstest", required=True, type=click.Path(exists=True), help="Autobahn's program; it needs Python 2.7.")
def autobahn(wstest: str) -> None:
    """Let Autobahn's fuzzing client loose on the server's listener (docs/testing.md)."""
    command = [sys.executable, "-m", "tests.server.faults.echo"]
    with TemporaryDirectory() as folder, subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as echo:
        try:
            assert echo.stdout is not None
            url = f"ws://127.0.0.1:{int(echo.stdout.readline())}/ws"
            server = {"agent": "herald", "url": url, "protocols": ["herald.v1+json"]}
            spec = {"outdir": folder, "servers": [server], "cases": ["*"], "exclude-cases": ["12.*", "13.*"]}
            Path(folder, "spec.json").write_text(json.dumps({**spec, "exclude-agent-cases": {}}))
            cases = fuzzing_client(wstest, folder)
        finally:
            echo.kill()
    click.echo(f"{len(cases)} cases: {counted(Counter(case['behavior'] for case in cases.values()))}")
    for name, case in sorted(cases.items()):
        if case["behavior"] == "FAILED" or case["behaviorClose"] not in {"OK", "INFORMATIONAL"}:
            click.echo(f"  {name}: {case['behavior']}, closed with {case['remoteCloseCode']}")


if __name__ == "__main__":
    main()
