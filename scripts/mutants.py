"""`scripts/mutants`: changes single places of the code, one at a time, and checks whether the tests of that place fail.

The tree is copied, so that the checkout stays as it is. Each changed file is tried with the tests of its own folder,
the file's own test first, until one fails; a change under which a test never ends counts as noticed. A change that no
test noticed is printed. Either it needs a test, or it has no effect.
"""

import ast
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from msgspec import Struct

from scripts.mutations import Mutation, mutations

ROOT = Path(__file__).parents[1]
FOLDERS = ("domain", "projections", "replay", "server")
LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "node_modules")
PATIENCE = 5
"""The tests of a change may take this many times as long as the tests without the change."""
LEAST_S = 60.0


class AlreadyFailing(Exception):
    """A test fails even without a change, and therefore cannot judge one."""


class Place(Struct, frozen=True):
    """A change of one file, named by its path from the root."""

    file: str
    change: Mutation

    def __str__(self) -> str:
        before = " ".join(self.change.before.split())
        return f"{self.file}:{self.change.line}: {before}  ->  {self.change.after}"


class Mutants:
    """A copy of the tree, in which files are changed and tests run."""

    def __init__(self, root: Path, copy: Path) -> None:
        self._copy = copy
        shutil.copytree(root, copy, ignore=LEFT_OUT, dirs_exist_ok=True)
        self._usual: dict[tuple[str, ...], float] = {}
        self._said = ""

    def noticed(self, place: Place) -> bool:
        """Whether a test fails under the change. Raises `AlreadyFailing` if a test fails without the change."""
        tests = proofs_of(self._copy, place.file)
        file = self._copy / place.file
        code = file.read_bytes()
        limit = max(LEAST_S, PATIENCE * self._usual_s(tests))
        try:
            file.write_bytes(place.change.made_in(code))
            return not self._passes(tests, limit)
        finally:
            file.write_bytes(code)

    def _usual_s(self, tests: tuple[str, ...]) -> float:
        if tests not in self._usual:
            begun = time.monotonic()
            if not self._passes(tests, None):
                raise AlreadyFailing(f"{' '.join(tests)}: {self._said}")
            self._usual[tests] = time.monotonic() - begun
        return self._usual[tests]

    def _passes(self, tests: Sequence[str], limit: float | None) -> bool:
        words = [
            sys.executable,
            "-B",
            "-m",
            "pytest",
            "-x",
            "-q",
            "-m",
            "not deep and not whole and not chromium",
            *tests,
        ]
        try:
            done = subprocess.run(words, cwd=self._copy, capture_output=True, timeout=limit, check=False)
        except subprocess.TimeoutExpired:
            return False
        failed = [line for line in done.stdout.decode(errors="replace").splitlines() if line.startswith("FAILED")]
        self._said = "; ".join(failed) or f"pytest ends with {done.returncode}"
        return done.returncode == 0


def proofs_of(root: Path, file: str) -> tuple[str, ...]:
    """The tests of a file, for pytest: its own, those of its folder or the nearest above, its game's scenarios."""
    path = Path(file)
    folder = next(up for up in path.parents if (root / "tests" / up).is_dir())
    own = f"tests/{folder.as_posix()}/test_{path.stem}.py"
    found = [own] if (root / own).is_file() else []
    whole = [f"tests/{folder.as_posix()}"] if folder.parts else []
    scenarios = [f"tests/scenarios/{part}" for part in path.parts if (root / "tests" / "scenarios" / part).is_dir()]
    played = ["tests/scenarios/test_scenarios.py"] if scenarios else []
    return (*found, *whole, *played)


def places(root: Path, only: Sequence[str] = ()) -> Iterator[Place]:
    """Every possible change in the files whose path begins with a given path; `FILE:LINE` stands for one line."""
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.py")):
            file = path.relative_to(root).as_posix()
            if only and not any(file.startswith(word.partition(":")[0]) for word in only):
                continue
            for change in mutations(path.read_bytes()):
                if not only or any(_is_asked(file, change.line, word) for word in only):
                    yield Place(file, change)


def _is_asked(file: str, line: int, word: str) -> bool:
    name, _, number = word.partition(":")
    return file.startswith(name) and number in {"", str(line)}


def sampled(root: Path, count: int, seed: int, only: Sequence[str] = ()) -> list[Place]:
    """Random changes, at most one per line: a line with many possible changes is not drawn more often."""
    lines: dict[tuple[str, int], list[Place]] = {}
    for place in places(root, only):
        lines.setdefault((place.file, place.change.line), []).append(place)
    rng = random.Random(seed)  # noqa: S311 - a sample that can be drawn again, no secret
    picked = rng.sample(sorted(lines), min(count, len(lines)))
    return [rng.choice(lines[key]) for key in picked]


@click.command(help=ast.get_docstring(ast.parse(Path(__file__).read_text(encoding="utf-8"))))
@click.argument("only", nargs=-1, metavar="[PATH[:LINE]]...")
@click.option("--count", default=60, show_default=True, type=click.IntRange(1), help="How many changes are tried.")
@click.option("--seed", type=int, help="Which changes; left out, other ones each time. It is printed.")
@click.option("--every", is_flag=True, help="Every change of the lines named, not a sample.")
@click.option("--most", default=0.15, show_default=True, help="The share that may go unnoticed.")
def main(only: tuple[str, ...], count: int, seed: int | None, every: bool, most: float) -> None:
    """Try changes and print those that no test noticed; the exit status is 1 if there are more than `--most`."""
    seed = random.SystemRandom().randrange(10**6) if seed is None else seed
    tried = list(places(ROOT, only)) if every else sampled(ROOT, count, seed, only)
    if not tried:
        raise click.ClickException("nothing there can be changed")
    click.echo(f"seed {seed}: {len(tried)} changes")
    missed: list[Place] = []
    unknown: list[Place] = []
    with TemporaryDirectory() as folder, click.progressbar(tried, label="changes", file=sys.stderr) as bar:
        mutants = Mutants(ROOT, Path(folder))
        for place in bar:
            try:
                if not mutants.noticed(place):
                    missed.append(place)
                    click.echo(f"\nnot noticed: {place}")
            except AlreadyFailing as wrong:
                unknown.append(place)
                click.echo(f"\nnot tried, for a test fails without any change: {place}\n  {wrong}")
    judged = len(tried) - len(unknown)
    click.echo(f"{judged - len(missed)} of {judged} changes were noticed, {len(missed)} were not")
    if unknown:
        click.echo(f"{len(unknown)} could not be tried")
    sys.exit(bool(unknown) or len(missed) > most * judged)


if __name__ == "__main__":
    main()
