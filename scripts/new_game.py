"""Write the package of a game: a complete small game that Herald loads and that passes the conformance suite.

Replace its rules with yours, row by row (docs/adding-a-game.md).

Its rules have version "0", which means a draft. Set the version to "1" when strangers may play.
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
MOST_SEATS = 4
"""The skeleton deals three of its twelve cards to each player."""
PLAYERS = ["Robin", "Rival", "Marek", "Ilona"]
RIVALS = [["3", "3"], ["2", "2"], ["1", "4"]]
"""The hands of the other players in the skeleton's lesson."""


def given() -> argparse.Namespace:
    """The arguments."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", metavar="NAME", help="the game's name, such as war_of_the_roses")
    parser.add_argument("--title", help="the game's title; without it, the name in words")
    parser.add_argument("--prefix", help="the two letters before the ledger's ids; without it, the initials")
    parser.add_argument("--seats", type=int, default=2, help="how many play, 2 to 4 (default 2)")
    parser.add_argument("--to", type=Path, help="the folder to write, which must not be there; without it, ./NAME")
    return parser.parse_args()


def words_of(name: str, title: str | None, prefix: str | None, seats: int) -> dict[str, str]:
    """The words for the skeleton's places."""
    parts = [part for part in name.split("_") if part] or [name]
    initials = "".join(part[0] for part in parts[:2]) if len(parts) > 1 else name[:2]
    letters = (prefix or initials).upper()
    return {
        "name": name,
        "dist": f"herald-{name.replace('_', '-')}",
        "Name": "".join(part.capitalize() for part in parts),
        "title": title or " ".join(parts).capitalize(),
        "PREFIX": letters,
        "prefix": letters.lower(),
        "seats": str(seats),
        "players": json.dumps(PLAYERS[:seats]),
        "rivals": "\n\n".join(
            f"[position.seat{seat}]\nhand = {json.dumps(RIVALS[seat - 1])}\nscore = 4"
            for seat in range(1, min(seats, MOST_SEATS))
        ),
    }


def faults(folder: Path, words: dict[str, str], seats: int) -> Iterator[str]:
    """The reasons against a game of this name in this folder, each a sentence."""
    name = words["name"]
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) or keyword.iskeyword(name) or not 2 <= len(name) <= 40:
        yield f"{name!r} is no name for a package: 2 to 40 small letters and digits, joined by _, such as two_towns."
    elif (ROOT / "domain" / name).exists() or name in sys.stdlib_module_names:
        yield f"There is a module {name} already, in Herald or in Python."
    if folder.exists():
        yield f"{folder} is there already; name another with --to."
    if not re.fullmatch(r"[A-Z]{2}", words["PREFIX"]):
        yield f"The ledger's prefix {words['PREFIX']!r} is not two letters; name them with --prefix."
    if not 2 <= seats <= MOST_SEATS:
        yield f"The skeleton is for 2 to {MOST_SEATS} seats, not {seats}; your own game may have more."
    if re.search(r'["\\\n@]', words["title"]):
        yield "The title stands in Python texts: no quotation marks, backslashes, @ or line ends."


def files(words: dict[str, str]) -> Iterator[tuple[Path, str]]:
    """The skeleton's files, with their paths in the package's folder."""
    for template in sorted(SKELETON.rglob(f"*{SUFFIX}")):
        path = template.relative_to(SKELETON).with_suffix("")
        text = template.read_text(encoding="utf-8")
        for place, word in words.items():
            text = text.replace(f"@{place}@", word)
        yield Path(*(part.replace("GAME", words["name"]) for part in path.parts)), text


def tidy(folder: Path) -> None:
    """Sort imports and fit lines to their length, both of which depend on the game's name."""
    for arguments in (["check", "--quiet", "--fix", "--select", "I"], ["format", "--quiet"]):
        settings = ["--isolated", "--line-length", "120"]
        subprocess.run([sys.executable, "-m", "ruff", *arguments, "--no-cache", *settings, "."], cwd=folder, check=True)


def main() -> int:
    """Write the files; returns 1, without writing anything, if there is a reason against it."""
    asked = given()
    words = words_of(asked.name, asked.title, asked.prefix, asked.seats)
    folder: Path = asked.to or Path(asked.name)
    wrong = list(faults(folder, words, asked.seats))
    if wrong:
        print("\n".join(wrong), file=sys.stderr)
        return 1
    for path, text in files(words):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
        print(folder / path)
    tidy(folder)
    print(
        f"\nIt can be played: herald --games {folder} demo --game {asked.name}. Check it:\n"
        f"    herald conformance {folder}\n"
        "and replace the skeleton's rules by yours, beginning with the ledger: docs/adding-a-game.md"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
