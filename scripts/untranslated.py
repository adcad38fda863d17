"""Find the texts of a game that a language lacks: it plays random matches and views them as every viewer.

`python -m scripts.untranslated GAME [LANGUAGE]` prints each text once, then those of lessons and the guide;
exit code 1 if there are any.
"""

import argparse
import json

from projections.registry import faces
from server.conformance.translation import unsaid


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=sorted(faces()))
    parser.add_argument("language", nargs="?", default="de")
    parser.add_argument("--matches", type=int, default=3)
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--option", action="append", default=[], help="name=value, as JSON")
    asked = parser.parse_args()
    options = {name: json.loads(value) for name, _, value in (one.partition("=") for one in asked.option)}
    seeds = range(asked.first, asked.first + asked.matches)
    try:
        found = unsaid(faces()[asked.game], asked.language, seeds, options)
    except LookupError as wrong:
        parser.error(str(wrong.args[0]))
    for text in found:
        print(text)
    return bool(found)


if __name__ == "__main__":
    raise SystemExit(main())
