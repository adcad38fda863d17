"""Write the skeleton of a game's package: a whole small game that loads, passes the conformance suite and is played
by bots. Replace its rules by yours, row by row (docs/adding-a-game.md).

It is version "0" of its rules, a draft: no record of it is kept and no hash of it is compared until `rules` is "1".
"""

from __future__ import annotations

import argparse
import json
import keyword
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SKELETON = ROOT / "scripts" / "skeleton"
SUFFIX = ".tmpl"
ROWS = 3
"""Rows of the skeleton's ledger."""
MOST_SEATS = 4
"""More could not be dealt three cards each of the skeleton's twelve."""


def given() -> argparse.Namespace:
    """What is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", metavar="NAME", help="the package's name, such as war_of_the_roses")
    parser.add_argument("--title", help="the game's title; without it, the name in words")
    parser.add_argument("--prefix", help="the letters before the ledger's ids; without it, the initials")
    parser.add_argument("--seats", type=int, default=2, help="how many play, 2 to 4 (default 2)")
    parser.add_argument("--bot", action="store_true", help="with a bot of its own beside the random one")
    parser.add_argument("--root", type=Path, default=ROOT, help=argparse.SUPPRESS)
    return parser.parse_args()


def words_of(name: str, title: str | None, prefix: str | None, seats: int) -> dict[str, str]:
    """What stands in the skeleton's places."""
    parts = [part for part in name.split("_") if part] or [name]
    initials = "".join(part[0] for part in parts) if len(parts) > 1 else name[:2]
    letters = (prefix or initials).upper()
    return {
        "name": name,
        "Name": "".join(part.capitalize() for part in parts),
        "title": title or " ".join(parts).capitalize(),
        "PREFIX": letters,
        "prefix": letters.lower(),
        "seats": str(seats),
    }


def faults(root: Path, words: dict[str, str], seats: int) -> Iterator[str]:
    """What speaks against a game of this name, each a sentence."""
    name = words["name"]
    if not re.fullmatch(r"[a-z]+(_[a-z0-9]+)*", name) or keyword.iskeyword(name) or len(name) < 2:
        yield f"{name!r} is no name for a package: small letters and digits, words joined by _, such as two_towns."
    if any((root / place).exists() for place in (f"domain/{name}", f"docs/rules/{name}.md")):
        yield f"There is a {name} already, in domain/ or docs/rules/."
    if not re.fullmatch(r"[A-Z]{2,4}", words["PREFIX"]):
        yield f"The ledger's prefix {words['PREFIX']!r} is not two to four letters; name one with --prefix."
    taken = {
        found
        for ledger in (root / "docs" / "rules").glob("*.md")
        for found in re.findall(r"^\| ([A-Z]+)-", ledger.read_text(encoding="utf-8"), re.MULTILINE)
    }
    if words["PREFIX"] in taken:
        yield f"Another ledger's ids begin with {words['PREFIX']}; name other letters with --prefix."
    if not 2 <= seats <= MOST_SEATS:
        yield f"The skeleton is for 2 to {MOST_SEATS} seats, not {seats}; your own game may have more."
    if re.search(r'["\\\n@]', words["title"]):
        yield "The title stands in Python texts: no quotation marks, backslashes, @ or line ends."


def files(words: dict[str, str], bot: bool) -> Iterator[tuple[Path, str]]:
    """The skeleton's files, with their paths from the root."""
    for template in sorted(SKELETON.rglob(f"*{SUFFIX}")):
        path = template.relative_to(SKELETON).with_suffix("")
        if path.parts[:2] == ("server", "bots") and not bot:
            continue
        text = template.read_text(encoding="utf-8")
        for place, word in words.items():
            text = text.replace(f"@{place}@", word)
        yield Path(*(part.replace("GAME", words["name"]) for part in path.parts)), text


def claim(root: Path, name: str) -> None:
    """Claim the skeleton's rows: `scripts/rules` fails when fewer are cited."""
    path = root / "docs" / "rules" / "claims.json"
    claims = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    claims[name] = {"code": ROWS, "tests": ROWS, "both": ROWS}
    lines = [f"  {json.dumps(game)}: {json.dumps(claims[game])}" for game in sorted(claims)]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def tidy(root: Path, written: list[Path]) -> None:
    """Imports in order and lines as long as they may be, which the game's name decides."""
    python = [str(root / path) for path in written if path.suffix == ".py"]
    for arguments in (["check", "--quiet", "--fix", "--select", "I"], ["format", "--quiet"]):
        config = ["--config", str(ROOT / "pyproject.toml")]
        subprocess.run([sys.executable, "-m", "ruff", *arguments, *config, *python], cwd=root, check=True)


def main() -> int:
    """Write the files; 1 where something speaks against it, and then nothing is written."""
    asked = given()
    root: Path = asked.root
    words = words_of(asked.name, asked.title, asked.prefix, asked.seats)
    wrong = list(faults(root, words, asked.seats))
    if wrong:
        print("\n".join(wrong), file=sys.stderr)
        return 1
    written = []
    for path, text in files(words, asked.bot):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
        written.append(path)
        print(path)
    tidy(root, written)
    claim(root, asked.name)
    print(
        f"\nIt can be played: herald match simulate --game {asked.name}, or ./scripts/serve."
        " Track the files (git add), then:\n"
        f"    ./scripts/test tests/conformance tests/domain/{asked.name} -k {asked.name}\n"
        "and replace the skeleton's rules by yours, beginning with the ledger: docs/adding-a-game.md"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
