"""Build a release and test its promises: wheel, sdist, the clients' packages, a list of parts, hashes.

Nothing is uploaded. Each step is printed. The first step that fails ends the run, and no hashes are written.
"""

import argparse
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from scripts import promises
from scripts.promises import ROOT, BrokenPromiseError, run
from scripts.public_face import KEPT, described

OLDEST: Final = 11
"""The oldest supported minor version of Python 3."""
NEWEST_TRIED: Final = 20
KINDS: Final = ("added", "changed", "deprecated", "removed", "fixed", "security")
"""The kinds of changes, as `[tool.towncrier]` in pyproject.toml has them, in the order of the changelog."""
NEXT: Final = "next"
"""The placeholder for the coming version in a draft of its section."""
PICTURES: Final = ROOT / "docs/images/made-for"
"""The file with the version for which `scripts/pictures` made the screenshots."""
MARK: Final = "<!-- releases -->\n"
"""The newest release is inserted into the changelog after this line."""
WEBSOCKETS: Final = "--experimental-websocket"
"""The option that gives Node.js 20 websockets; later versions have them without the option."""
LOCKED: Final = re.compile(r"^([A-Za-z0-9][\w.-]*)==(\S+)", re.MULTILINE)


def versions(root: Path = ROOT) -> dict[str, str]:
    """The version that each package states, and the one in the citation file."""
    found = {
        folder: str(tomllib.loads((root / folder / "pyproject.toml").read_text("utf-8"))["project"]["version"])
        for folder in (".", "clients/python")
    }
    packed = json.loads((root / "clients/typescript/package.json").read_text("utf-8"))
    cited = re.search(r"^version: (.+)$", (root / "CITATION.cff").read_text("utf-8"), re.MULTILINE)
    return found | {"clients/typescript": str(packed["version"]), "CITATION.cff": cited[1] if cited else "none"}


def one_version(found: Mapping[str, str]) -> str:
    """The version that all of them state. Raises `BrokenPromiseError` if they differ."""
    if len(set(found.values())) > 1:
        raise BrokenPromiseError(f"the packages differ in version: {dict(found)}")
    return next(iter(found.values()))


def fragments() -> dict[str, list[str]]:
    """The changes not released yet, by kind, as towncrier reads them.

    Raises `BrokenPromiseError` for a file whose kind is unknown.
    """
    towncrier = Path(sys.executable).with_name("towncrier")
    command = ("build", "--draft", "--version", NEXT, "--date", "today", "--dir", ROOT)
    return gathered(NEXT, run(towncrier, *command))[0]


def section(version: str, day: str, changes: Mapping[str, list[str]]) -> str:
    """A release as the changelog has it."""
    parts = [
        f"### {kind.capitalize()}\n\n" + "".join(f"- {text}\n" for text in changes[kind])
        for kind in KINDS
        if kind in changes
    ]
    return f"## {version} ({day})\n\n" + "\n".join(parts)


def gathered(version: str, changelog: str) -> tuple[dict[str, list[str]], str]:
    """The changes of a version in the changelog, by kind, and the changelog without them."""
    found = re.search(rf"^## {re.escape(version)} \(.*?(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL)
    if found is None:
        return {}, changelog
    changes: dict[str, list[str]] = {}
    for heading, rows in re.findall(r"^### (.+)\n\n((?:- .*\n)*)", found[0], re.MULTILINE):
        changes[heading.lower()] = [row.removeprefix("- ") for row in rows.splitlines()]
    return changes, changelog.replace(found[0], "")


def tagged() -> list[str]:
    """The published versions: those whose tags are in the repository."""
    command = ["git", "tag", "--list", "v[0-9]*"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    return [tag.removeprefix("v") for tag in told.split()]


def assert_kept(root: Path = ROOT) -> None:
    """Raise `BrokenPromiseError` if no data of some published version is stored, which this version must open."""
    lost = [version for version in tagged() if not (root / "tests/releases" / version / "played.db.gz").is_file()]
    if lost:
        raise BrokenPromiseError(f"tests/releases keeps nothing of {', '.join(lost)} (docs/testing.md says how)")


def cut(version: str) -> None:
    """Gather the fragments in the changelog and delete them; later ones, up to the tag, join the same section.

    Raises `BrokenPromiseError` if there are none, and for a published version.
    """
    changes, path = fragments(), ROOT / "CHANGELOG.md"
    if not changes:
        raise BrokenPromiseError("changelog.d holds no change")
    if version in tagged():
        raise BrokenPromiseError(
            f"{version} is released already: its tag is there; the next version needs a new number"
        )
    head, mark, rest = path.read_text("utf-8").partition(MARK)
    if not mark:
        raise BrokenPromiseError(f"CHANGELOG.md has no line {MARK.strip()}")
    before, older = gathered(version, rest.removeprefix("\n"))
    whole: dict[str, list[str]] = {
        kind: [*before.get(kind, []), *changes.get(kind, [])] for kind in KINDS if kind in before or kind in changes
    }
    told = section(version, datetime.now(UTC).date().isoformat(), whole)
    path.write_text(f"{head}{mark}\n{told}\n{older}", "utf-8")
    for fragment in (ROOT / "changelog.d").glob("*.md"):
        if fragment.name != "README.md":
            fragment.unlink()


def build(to: Path) -> list[Path]:
    """Herald's wheel and sdist, the Python client's wheel and sdist, the TypeScript client's package."""
    hatchling = Path(sys.executable).with_name("hatchling")
    for folder in (ROOT, ROOT / "clients/python"):
        run(hatchling, "build", "-d", to, cwd=folder)
    if shutil.which("npm"):
        run("npm", "pack", "--silent", "--pack-destination", to, cwd=ROOT / "clients/typescript")
    else:
        print("left out, for want of npm: the package of the TypeScript client")
    return sorted(path for path in to.iterdir() if path.suffix in {".whl", ".gz", ".tgz"})


def owners(wheels: Iterable[Path]) -> None:
    """Raise `BrokenPromiseError` if two wheels hold a file of the same name."""
    counted = Counter(name for wheel in wheels for name in set(zipfile.ZipFile(wheel).namelist()))
    twice = sorted(name for name, number in counted.items() if number > 1)
    if twice:
        raise BrokenPromiseError(f"two packages own {', '.join(twice[:3])}")


def pythons() -> Iterator[tuple[str, Path]]:
    """Every Python from the oldest supported to the newest on this machine."""
    for minor in range(OLDEST, NEWEST_TRIED):
        found = shutil.which(f"python3.{minor}")
        places = [*([Path(found)] if found else []), *Path.home().glob(f".pyenv/versions/3.{minor}.*/bin/python3")]
        for place in places:
            done = subprocess.run([place, "-c", "import venv, ensurepip"], capture_output=True, check=False)
            if done.returncode == 0:
                yield f"3.{minor}", place
                break


def try_out(python: Path, wheels: list[Path], npm: list[Path], folder: Path) -> None:
    """Install the wheels into a clean environment, test the README's promises with them alone, and try `npm`."""
    place = folder / "environment"
    run(python, "-m", "venv", place)
    pip = (place / "bin/python", "-m", "pip", "--disable-pip-version-check")
    tried = promises.Environment(place, pip, folder)
    run(*pip, "install", "--quiet", "--require-hashes", "-r", ROOT / "requirements.lock")
    run(*pip, "install", "--quiet", "--no-deps", *wheels)
    run(*pip, "check")
    promises.is_alone(tried)
    promises.is_verified(tried, promises.plays(tried))
    package = promises.takes_games_of_others(tried, Path(sys.executable))
    promises.is_typed(tried, Path(sys.executable), package / "src")
    promises.names_what_is_missing(tried)
    for kept in sorted((ROOT / "tests/releases").glob("*/*.herald")):
        run(tried.herald, "audit", kept, cwd=folder)
    for package in npm:
        try_out_npm(package, tried)


def holds_what_its_wheel_holds(sdist: Path, wheel: Path, folder: Path) -> None:
    """Raise `BrokenPromiseError` if the wheel built from the sdist has other files than the wheel built from the
    repository.
    """
    folder.mkdir(parents=True, exist_ok=True)
    run("tar", "-xzf", sdist, "-C", folder)
    (source,) = folder.iterdir()
    run(Path(sys.executable).with_name("hatchling"), "build", "-t", "wheel", "-d", folder / "made", cwd=source)
    (made,) = (folder / "made").iterdir()
    named, other = (set(zipfile.ZipFile(each).namelist()) for each in (wheel, made))
    if named != other:
        raise BrokenPromiseError(f"{sdist.name} comes to another wheel: {', '.join(sorted(named ^ other)[:3])}")


def try_out_npm(package: Path, tried: promises.Environment) -> None:
    """Install the TypeScript client's package alone, and let the bot of its README play a match to its end."""
    folder = tried.work / "npm"
    folder.mkdir()
    run("npm", "install", "--silent", "--offline", "--no-audit", "--no-fund", "--prefix", folder, package)
    shown = (folder / "node_modules/@herald/client/README.md").read_text("utf-8")
    (folder / "bot.mjs").write_text(shown.partition("```js\n")[2].partition("```")[0], "utf-8")
    with promises.served(tried, tried.work / "npm.db") as address:
        command = ("env", f"HERALD_URL={address}", "node", "--no-warnings", WEBSOCKETS, folder / "bot.mjs")
        told = run(*command, cwd=folder)
    if "winner:" not in told:
        raise BrokenPromiseError(f"the bot of the TypeScript client does not come to an end:\n{told}")


def parts(version: str, lock: str) -> dict[str, Any]:
    """A list of Herald's parts and dependencies, in the form of CycloneDX."""
    needed = [
        {"type": "library", "name": name, "version": pinned, "purl": f"pkg:pypi/{name.lower()}@{pinned}"}
        for name, pinned in LOCKED.findall(lock)
    ]
    whole = {"type": "application", "name": "herald", "version": version, "purl": f"pkg:pypi/herald@{version}"}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": whole},
        "components": needed,
    }


def sums(files: Iterable[Path]) -> str:
    """SHA-256 of each file, as `sha256sum --check` reads it."""
    return "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(files))


def assert_ready(*, is_dirty_allowed: bool) -> str:
    """The version of the release. Raises `BrokenPromiseError` if a fault can be seen before anything is built."""
    version = one_version(versions())
    is_uncut = bool(fragments())
    assert_kept()
    if json.loads(KEPT.read_text("utf-8")) != described():
        raise BrokenPromiseError("the public face differs from clients/library/public.json")
    if not is_dirty_allowed and PICTURES.read_text("utf-8").strip() != version:
        raise BrokenPromiseError("the pictures of the documents are of another version; ./scripts/pictures makes them")
    if not is_dirty_allowed and is_uncut:
        raise BrokenPromiseError("changelog.d holds changes that are not in CHANGELOG.md; `--cut` gathers them")
    if not is_dirty_allowed and run("git", "status", "--porcelain").strip():
        raise BrokenPromiseError("the checkout has changes that are not committed")
    return version


def release(to: Path, version: str) -> None:
    """Build into an empty folder, try everything out, and finally write the list of parts and the hashes."""
    if to.exists() and any(to.iterdir()):
        raise BrokenPromiseError(f"{to} is not empty")
    to.mkdir(parents=True, exist_ok=True)
    print(f"building {version}")
    built = build(to)
    wheels, npm = ([path for path in built if path.suffix == suffix] for suffix in (".whl", ".tgz"))
    owners(wheels)
    for wheel in wheels:
        (sdist,) = to.glob(f"{wheel.name.partition('-py3')[0]}.tar.gz")
        with tempfile.TemporaryDirectory() as folder:
            holds_what_its_wheel_holds(sdist, wheel, Path(folder))
    tried = []
    for name, python in pythons():
        print(f"trying it with Python {name}")
        with tempfile.TemporaryDirectory() as folder:
            try_out(python, wheels, npm, Path(folder))
        tried.append(name)
    if not tried:
        raise BrokenPromiseError("there is no Python here that can make an environment")
    bill = to / f"herald-{version}.cdx.json"
    bill.write_text(
        json.dumps(parts(version, (ROOT / "requirements.lock").read_text("utf-8")), indent=1) + "\n", "utf-8"
    )
    (to / "SHA256SUMS").write_text(sums([*built, bill]), "utf-8")
    print(f"{version} holds with Python {', '.join(tried)}; it is in {to}")


def main() -> int:
    """Does the requested task; returns 1 if a promise is broken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--to", type=Path, default=ROOT / "dist", help="an empty folder for what is built (dist)")
    parser.add_argument("--cut", action="store_true", help="gather changelog.d in CHANGELOG.md, and build nothing")
    parser.add_argument("--dirty", action="store_true", help="also with changes that are not committed, to try it")
    asked = parser.parse_args()
    try:
        version = assert_ready(is_dirty_allowed=asked.dirty or asked.cut)
        if asked.cut:
            cut(version)
        else:
            release(asked.to.resolve(), version)
    except BrokenPromiseError as wrong:
        print(f"no release: {wrong}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
