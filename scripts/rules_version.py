"""Compare the hash of each game's rules with the one kept for its version in docs/rules/versions.json.

A change of the rules needs a new `rules` in the game's `GAME`; then `scripts/rules-version --accept` keeps its hash.
A version that a kept record of `tests/records/` was played under never changes again.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from projections.registry import games
from replay.record.rulesversion import rules_hash
from tests.replay.packed import SUFFIX, rules_of
from tests.replay.records import RECORDS

ROOT = Path(__file__).resolve().parent.parent

KEPT = ROOT / "docs" / "rules" / "versions.json"


def is_frozen(game: str, rules: str) -> bool:
    """Whether a kept record was played under the version."""
    kept, version = RECORDS / game, f"{game}/{rules}"
    name = f'"{version}"'.encode()
    if any(name in path.read_bytes().replace(b"\\", b"") for path in kept.glob("*.herald")):
        return True
    return any(version in rules_of(path) for path in kept.glob(f"*{SUFFIX}"))


def main() -> int:
    """Print what differs; 1 when something does."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--accept", action="store_true", help="keep the present hashes")
    accept = parser.parse_args().accept
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    wrong = []
    for name, game in sorted(games().items()):
        versions = kept.setdefault(name, {})
        made = rules_hash(ROOT / "domain" / name)
        if versions.get(game.rules) == made:
            continue
        if accept and not (game.rules in versions and is_frozen(name, game.rules)):
            versions[game.rules] = made
        elif accept:
            wrong.append(f"{name}: version {game.rules} has kept records; give `GAME` a new version first")
        else:
            wrong.append(
                f"{name}: the rules are not those kept as version {game.rules}; see scripts/rules-version --help"
            )
    if accept:
        KEPT.write_text(json.dumps(kept, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    print("\n".join(wrong) or f"{len(kept)} games, every version is what it was")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
