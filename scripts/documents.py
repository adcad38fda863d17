"""Build the documents as a site, without the network, and check its links, for `scripts/docs`.

The Markdown files of the repository are not changed. The site is made from a copy of them, with the reference of the
library and a page for each folder that is linked, and without links to code, which the site does not have.
"""

import argparse
import inspect
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from scripts.public_face import PUBLIC, signature

ROOT: Final = Path(__file__).resolve().parents[1]
BUILT: Final = ROOT / "dist" / "docs"
"""The folder of the site, in which `herald docs` looks for it."""
REFERENCE: Final = "docs/reference.md"
NAVIGATION: Final[Mapping[str, Sequence[str]]] = {
    "Start": ("README.md", "docs/README.md", "docs/glossary.md"),
    "Play": (
        "docs/playing.md",
        "docs/lessons.md",
        "docs/replay.md",
        "docs/scenarios.md",
        "docs/rules",
        "docs/played",
        "docs/balance.md",
    ),
    "Host": ("docs/hosting.md", "docs/scaling.md", "docs/security.md", "docs/performance.md", "docs/tuning.md"),
    "Organise": ("docs/people.md", "docs/duplicate.md", "docs/broadcast.md", "docs/querying.md"),
    "Audit": ("docs/auditing.md", "docs/ratings.md", "docs/record.md"),
    "Write a bot": ("docs/bots.md", "docs/clients.md", "docs/protocol.md", "docs/research.md"),
    "Write a game": (
        "docs/adding-a-game.md",
        "docs/cards.md",
        "docs/scene.md",
        "docs/translating.md",
        "docs/scenarios",
    ),
    "Write a script": ("docs/library.md", REFERENCE, "docs/versions.md"),
    "Change Herald": (
        "CONTRIBUTING.md",
        "ARCHITECTURE.md",
        "docs/testing.md",
        "docs/decisions",
        "CHANGELOG.md",
        "SECURITY.md",
        "CODE_OF_CONDUCT.md",
    ),
}
"""The sections of the site and their pages, in order; a folder stands for its pages."""
LINK: Final = re.compile(r"(?<!!)\[([^\]\n]+)\]\(([^()\s]+)\)")
FENCE: Final = re.compile(r"^(```|    )")
MOST_TOLD: Final = 40
LISTED: Final = "# {title}\n\nAfter reading this page you can find each file of this folder.\n\n{rows}\n"


class BrokenSiteError(Exception):
    """The reason why the site is wrong, as a sentence."""


def kept() -> list[str]:
    """The files from which the site is made: the documents and the files that they show, without the vectors for
    programs.
    """
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", "docs", "clients", "*.md"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return sorted(name for name in listed if _is_taken(Path(name)) and (ROOT / name).is_file())


def _is_taken(path: Path) -> bool:
    if path.parts[0] == "docs":
        return path.parts[1] not in {"vectors", "strength"}
    return path.suffix == ".md" and (len(path.parts) == 1 or (path.parts[0] == "clients" and len(path.parts) == 3))


def stage(to: Path) -> None:
    """Copy the files to a folder, and add the pages that a site needs and the files lack."""
    names = kept()
    for name in names:
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        (to / name).write_bytes((ROOT / name).read_bytes())
    (to / REFERENCE).write_text(reference(), "utf-8")
    for folder in sorted({Path(name).parent for name in names} - {Path()}):
        if not index_of(to / folder).exists():
            index_of(to / folder).write_text(listing(to / folder), "utf-8")
    for page in to.rglob("*.md"):
        page.write_text(relinked(page, to), "utf-8")


def index_of(folder: Path) -> Path:
    """The page of a folder. The page takes another name if a page beside it would have the same address."""
    return folder / ("all.md" if folder.with_suffix(".md").exists() else "README.md")


def listing(folder: Path) -> str:
    """A page of the files and folders in a folder."""
    names = {
        each.name: f"{each.name}/{index_of(each).name}" if each.is_dir() else each.name for each in folder.iterdir()
    }
    rows = "\n".join(f"- [{name}]({names[name]})" for name in sorted(names))
    return LISTED.format(title=folder.name.replace("-", " ").capitalize(), rows=rows)


def relinked(page: Path, to: Path) -> str:
    """A page whose links to folders lead to their pages; links to files that the site lacks become plain words."""

    def changed(found: re.Match[str]) -> str:
        words, target = found.groups()
        path, mark, part = target.partition("#")
        if urlsplit(target).scheme or not path:
            return found[0]
        place = page.parent / unquote(path)
        if place.is_dir():
            return f"[{words}]({path.rstrip('/')}/{index_of(place).name}{mark}{part})"
        return found[0] if place.is_file() and place.resolve().is_relative_to(to.resolve()) else words

    lines = page.read_text("utf-8").splitlines()
    is_code = False
    for number, line in enumerate(lines):
        is_code ^= line.startswith("```")
        if not is_code and not FENCE.match(line):
            lines[number] = LINK.sub(changed, line)
    return "\n".join(lines) + "\n"


def reference() -> str:
    """The page of the library's names, each with its signature and its docstring."""
    parts = [
        "# The library's names",
        "After reading this page you can call every public name of the package `herald`, which"
        " [the library](library.md) shows at work.",
    ]
    for module, held in PUBLIC.items():
        parts.append(f"## `{module}`")
        for name in sorted(held.__all__):
            value = getattr(held, name)
            called = signature(value) if inspect.isclass(value) or inspect.isfunction(value) else ""
            shown = re.sub(r"<factory>|<function (\w+).*?>", r"\1", called) if len(called) < 400 else "(...)"
            said = inspect.cleandoc(value.__doc__ or "") if called else f"A value of type `{type(value).__name__}`."
            parts += [f"### `{name}`", f"```python\n{name}{shown}\n```", said.replace("<", "&lt;")]
    return "\n\n".join(parts) + "\n"


def pages_of(entry: str, to: Path) -> list[str]:
    """The pages that an entry of the navigation stands for."""
    if entry.endswith(".md"):
        return [entry]
    index, *others = index_of(to / entry), *sorted((to / entry).glob("*.md"))
    return [page.relative_to(to).as_posix() for page in (index, *(page for page in others if page != index))]


def configuration(to: Path) -> str:
    """The settings of the site, in TOML: no font and no script is fetched from elsewhere."""
    parts = [
        f"{{ {json.dumps(section)} = {json.dumps([page for entry in entries for page in pages_of(entry, to)])} }}"
        for section, entries in NAVIGATION.items()
    ]
    return "\n".join(
        (
            "[project]",
            'site_name = "Herald"',
            'site_description = "Referees, records and broadcasts tabletop war games."',
            f"docs_dir = {json.dumps(to.name)}",
            'site_dir = "site"',
            f"nav = [{', '.join(parts)}]",
            "[project.theme]",
            "font = false",
            'features = ["navigation.sections", "navigation.top", "search.highlight"]',
            "",
        )
    )


class _Page(HTMLParser):
    """The links and ids of a page, and the resources that it would fetch from elsewhere."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.fetched: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.ids |= {given[name] for name in ("id", "name") if name in given}
        link = given.get("href", given.get("src", ""))
        if link and urlsplit(link).netloc:
            self.fetched += [link] if tag != "a" and given.get("rel") != "canonical" else []
        elif link:
            self.links.append(link)


def faults(site: Path) -> Iterator[str]:
    """The links that lead nowhere, and the resources that a page fetches from another host, each as a sentence."""
    pages = {path: _Page(path.read_text("utf-8")) for path in sorted(site.rglob("*.html"))}
    for path, page in pages.items():
        name = path.relative_to(site)
        yield from (f"{name} fetches {link}" for link in page.fetched)
        for link in page.links:
            parsed = urlsplit(link)
            if parsed.scheme or name.name == "404.html":
                continue
            place = (path.parent / unquote(parsed.path)).resolve() if parsed.path else path.resolve()
            place = place / "index.html" if place.is_dir() else place
            if not place.is_file():
                yield f"{name}: {link} leads nowhere"
            elif parsed.fragment and place in pages and unquote(parsed.fragment) not in pages[place].ids:
                yield f"{name}: {link} leads to no part of its page"


def build(site: Path) -> int:
    """Build the site into a folder, replacing its contents; returns the number of pages. Raises `BrokenSiteError`."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder).resolve() / "pages"
        stage(source)
        settings = source.parent / "zensical.toml"
        settings.write_text(configuration(source), "utf-8")
        tool = Path(sys.executable).with_name("zensical")
        done = subprocess.run([tool, "build", "-f", settings], cwd=folder, capture_output=True, text=True, check=False)
        told = done.stdout + done.stderr
        if done.returncode or "No issues found" not in told:
            raise BrokenSiteError(f"the site cannot be built:\n{told[-3000:]}")
        built = source.parent / "site"
        wrong = list(faults(built))
        if wrong:
            raise BrokenSiteError("\n".join(wrong[:MOST_TOLD]))
        if site.exists():
            shutil.rmtree(site)
        shutil.copytree(built, site)
    return len(list(site.rglob("*.html")))


def main() -> int:
    """Builds the site; returns 1 if it is not as it should be."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--to", type=Path, default=BUILT, help="the folder of the site (dist/docs), which is emptied")
    to = parser.parse_args().to
    try:
        pages = build(to)
    except BrokenSiteError as wrong:
        print(wrong, file=sys.stderr)
        return 1
    print(f"{pages} pages are in {to}; `herald docs` opens them")
    return 0


if __name__ == "__main__":
    sys.exit(main())
