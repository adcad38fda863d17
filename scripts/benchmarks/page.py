"""`all`: every benchmark, one after another, as the page docs/performance.md."""

import os
import platform
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from scripts.benchmarks import (
    append,
    audit,
    broadcast,
    crowds,
    fanout,
    killed_and_idle,
    live,
    load,
    replay,
    restart,
    rules,
    scale,
    search,
    slow,
    thinking,
    workers,
)
from scripts.benchmarks.goals import open_goals
from scripts.benchmarks.measure import Report, loops_s, percentile
from server.operations.doctor import sync_ms

EXAMPLE = "skirmish"
MAIN = load.MAIN_GAME
LOOPS = 30
"""Fixed loops before a benchmark, and after it."""
Make = Callable[[], Report]

HEAD = """\
# Performance

After reading this page you can judge what one machine can carry, from figures that one command measured
beside the raw limits of the same machine.

Made by one command, which measures everything anew and writes this page:

    ./scripts/bench all --markdown docs/performance.md

Wherever possible, a figure stands beside a bare limit: the speed of a bare library that does the same work in the same
run. A floor is a value that Herald meets today and must keep. It is a ratio to the bare limit, so that it holds on any
machine and shows a change that makes Herald slower; without a bare limit it is a waiting time or a number of bytes. A
goal is a value that Herald should reach; each [open goal](#open-goals) has a reason. Every choice is signed and
durable, synced to the disk, before anybody is told of it. The clients run on the same machine and use some of its
processor time. `{example}` is the example game of the tests. The heading of each section is the command that measures
that section alone. `./scripts/bench peers` plays one small game at boardgame.io, Colyseus and Herald, in memory and
synced, by one driver in one run; npm installs the other two in dist/peers.

Other programs on the machine slow a benchmark down, and only a measurement shows by how much. Therefore each section
says how fast a fixed loop of Python ran just before and after it: the median, as a share of the fastest loop of all.
"""


def benchmarks(*, quick: bool) -> dict[str, Make]:
    """Every benchmark by its name; `quick` ones are small."""

    def count(many: int, few: int) -> int:
        return few if quick else many

    seconds = 0.5 if quick else load.SECONDS
    made: dict[str, Make] = {
        "live": lambda: live.live_report(MAIN, count(20, 2), 1),
        "load matches example": lambda: load.matches_report(EXAMPLE, count(200, 10), seconds, count(3, 1)),
        "load matches": lambda: load.matches_report(MAIN, count(200, 10), seconds, count(3, 1)),
        "load thousand example": lambda: load.matches_report(EXAMPLE, count(1000, 20), seconds),
        "load thousand": lambda: load.matches_report(MAIN, count(1000, 20), seconds),
        "fanout": lambda: fanout.fanout_report(MAIN, count(2000, 50)),
        "load idle": lambda: load.idle_report(count(5000, 200)),
        "load memory example": lambda: load.memory_report(EXAMPLE, count(500, 20)),
        "load memory": lambda: load.memory_report(MAIN, count(500, 20)),
        "load storm": lambda: load.storm_report(count(2000, 100)),
        "load join": lambda: load.join_report(MAIN),
        "load restart": lambda: restart.restart_report(MAIN, count(10_000, 100), count(500, 10)),
        "load thinking": lambda: thinking.thinking_report(
            thinking.Wish(MAIN, count(50, 4), 100.0, seconds, count(3, 1), 1)
        ),
        "scale nodes": lambda: scale.nodes_report(scale.Wish(MAIN, count(200, 6), seconds, count(2, 1))),
        "scale workers example": lambda: _workers(EXAMPLE, count(200, 6), seconds, count(2, 1)),
        "scale workers": lambda: _workers(MAIN, count(200, 6), seconds, count(2, 1)),
        "scale killed": lambda: killed_and_idle.killed_report(MAIN, count(200, 4)),
        "scale slow": lambda: slow.slow_report(count(1_000_000, 500)),
        "scale weights": lambda: killed_and_idle.weights_report(MAIN, count(500, 10)),
        "scale spectators": lambda: crowds.spectators_report(crowds.Wish(MAIN, count(2000, 20), 2, 1, "")),
        "scale broadcast": lambda: broadcast.broadcast_report(
            broadcast.Wish("war_for_edadh", count(10_000, 8), count(2_000, 4), count(4, 2), 4.0 if quick else 40.0)
        ),
        "append": lambda: append.append_report(count(200, 5), 0.2 if quick else 3.0),
        "fold": lambda: rules.fold_report(MAIN, count(20, 2)),
        "decide": lambda: rules.decide_report(MAIN, count(20, 2)),
        **{
            f"search {name}": (lambda name=name: search.search_report(name, 0.2 if quick else 5.0))  # type: ignore[misc]
            for name in search.GOALS
        },
        "audit": lambda: audit.audit_report(MAIN, count(5, 1)),
        "replay": lambda: replay.replay_report(MAIN),
    }
    return made


def _workers(game: str, matches: int, seconds: float, rounds: int) -> Report:
    """The measurement without the peer, because its installation is optional."""
    return workers.workers_report(workers.Wish(game, matches, seconds, rounds))


def machine() -> str:
    """The machine that the figures depend on."""
    with tempfile.TemporaryDirectory(prefix="herald-bench-") as folder:
        sync = sync_ms(Path(folder))
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / (1 << 30)
    build = "the distribution's Python" if sys.base_prefix == "/usr" else "Python"
    return (
        f"{os.cpu_count()} cores ({platform.machine()}), {memory:.0f} GiB, {platform.system()},"
        f" {build} {platform.python_version()}, SQLite {sqlite3.sqlite_version}; a sync of 4 KiB takes {sync:.2f} ms"
    )


def measured(only: tuple[str, ...] = (), *, quick: bool = False) -> tuple[str, bool]:
    """The page, and whether every benchmark was completed; the page names those that were not."""
    chosen = {n: make for n, make in benchmarks(quick=quick).items() if not only or n.startswith(only)}
    sections: list[str] = []
    reports: list[Report] = []
    paces: list[list[float]] = []
    is_whole, loops = True, LOOPS // 10 if quick else LOOPS
    for number, (name, make) in enumerate(chosen.items(), 1):
        print(f"{number} of {len(chosen)}: {name}", file=sys.stderr, flush=True)
        before = loops_s(loops)
        try:
            reports.append(make())
            sections.append(reports[-1].markdown())
        except Exception as wrong:
            is_whole = False
            sections.append(f"### {name}\n\nCould not be measured: {type(wrong).__name__}.\n")
            print(f"  {type(wrong).__name__}: {wrong}", file=sys.stderr, flush=True)
        paces.append(before + loops_s(loops))
    fastest = min(map(min, paces))
    head = [HEAD.format(example=EXAMPLE), f"Measured on {time.strftime('%Y-%m-%d')}: {machine()}.\n"]
    told = [f"{section}\n{_pace(fastest, pace)}\n" for section, pace in zip(sections, paces, strict=True)]
    return "\n".join([*head, *told, open_goals(reports)]), is_whole


def _pace(fastest: float, loops: list[float]) -> str:
    """How fast the machine was around a section."""
    median = percentile(loops, 0.5)
    return f"The fixed loop ran at {fastest / median:.0%} of its fastest: {median * 1000:.1f} ms."
