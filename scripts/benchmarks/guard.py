"""Whether the working tree is slower than a revision: both are measured, and each figure with a floor is compared."""

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median
from typing import Final

from msgspec import Struct

from scripts.benchmarks.measure import LESS

ROOT: Final = Path(__file__).resolve().parents[2]
WORSE: Final = 1.05
"""A figure that is worse by more than this factor, in the median of the pairs, is reported."""
COMMANDS: Final = (("fold",), ("decide",), ("audit",), ("replay",), ("append", "--seconds", "2"))
"""The benchmarks that are run by default: those that take seconds."""

Measured = dict[tuple[str, str], tuple[float, bool]]
"""Keyed by benchmark and figure: the measured ratio or value, and whether a lower one is better."""


class Compared(Struct, frozen=True):
    """The medians of a figure before and now, and the median over the pairs of the factor by which it is worse."""

    name: str
    before: float
    now: float
    factor: float

    @property
    def is_worse(self) -> bool:
        """Whether the figure is reported."""
        return self.factor > WORSE

    def line(self) -> str:
        """The figure as a row of text."""
        mark = "WORSE" if self.is_worse else ""
        return f"  {self.name:<70}{self.before:>12,.4g}{self.now:>12,.4g}{self.factor - 1:>+9.1%}  {mark}"


def figures_of(told: str) -> Measured:
    """The figures of a JSON report that have a floor, each as a ratio or as a value, whichever the floor limits."""
    report = json.loads(told)
    return {
        (report["benchmark"], figure["name"]): (
            figure["ratio"] if figure["floor_of"] == "ratio" else figure["value"],
            figure["unit"] in LESS,
        )
        for figure in report["figures"]
        if figure["floor"]
    }


def compared(pairs: Sequence[tuple[Measured, Measured]]) -> list[Compared]:
    """Every figure that both trees have in each pair (before, now)."""
    names = set.intersection(*({*before} & {*now} for before, now in pairs))
    found = []
    for name in sorted(names):
        was, is_now = [before[name][0] for before, _ in pairs], [now[name][0] for _, now in pairs]
        is_less_better = pairs[0][1][name][1]
        factors = [b / a if is_less_better else a / b for a, b in zip(was, is_now, strict=True) if a and b]
        if factors:
            found.append(Compared(": ".join(name), median(was), median(is_now), median(factors)))
    return found


def unpacked(revision: str, folder: Path) -> Path:
    """The files of a revision in a folder. Raises `CalledProcessError` if there is no such revision."""
    packed = subprocess.run(["git", "archive", revision], cwd=ROOT, capture_output=True, check=True).stdout
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["tar", "-x", "-C", folder], input=packed, check=True)
    return folder


def measured(tree: Path, commands: Iterable[Sequence[str]]) -> Measured:
    """The figures of a tree. Raises `RuntimeError` with the end of the output of a benchmark that failed."""
    found: Measured = {}
    places = (tree, tree / "clients/library/src", tree / "clients/python/src")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, places))}
    for words in commands:
        command = [sys.executable, "-m", "scripts.benchmarks", *words, "--json"]
        done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False)
        if not done.stdout.startswith("{"):  # a floor that is missed is a figure too
            raise RuntimeError(f"{' '.join(words)} in {tree}: {(done.stdout + done.stderr)[-1500:]}")
        found |= figures_of(done.stdout)
    return found


def paired(old: Path, commands: Sequence[Sequence[str]], pairs: int) -> list[Compared]:
    """Measure the revision and the working tree alternately; each is first in every other pair."""
    found = []
    for number in range(pairs):
        if number % 2:
            now = measured(ROOT, commands)
            found.append((measured(old, commands), now))
        else:
            before = measured(old, commands)
            found.append((before, measured(ROOT, commands)))
    return compared(found)
