"""Compare the hash of each game's rules with those stored for its version in docs/rules/versions.json.

A change of the rules needs a new `rules` in the game's `GAME`; then `scripts/rules-version --accept` stores its hash.
Version "0" is a draft, and no hash is stored for it. A version with which a record in `tests/records/` was played
never changes again. If the same rules are only written differently, `--same` audits every kept record of the version,
and stores the new hash beside the former ones if each record has the same outcome as before.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from projections.registry import games
from replay.audit.match_audit import audit
from replay.record.rulesversion import DRAFT, rules_hash
from tests.replay.packed import SUFFIX, rules_of
from tests.replay.records import RECORDS, differences, final_states, game_of, read_kept

ROOT = Path(__file__).resolve().parent.parent

KEPT = ROOT / "docs" / "rules" / "versions.json"


def records_under(game: str, rules: str) -> list[Path]:
    """The kept records that were played under the version."""
    kept, version = RECORDS / game, f"{game}/{rules}"
    name = f'"{version}"'.encode()
    whole = [path for path in kept.glob("*.herald") if name in path.read_bytes().replace(b"\\", b"")]
    return sorted([*whole, *(path for path in kept.glob(f"*{SUFFIX}") if version in rules_of(path))])


def changed(path: Path) -> str:
    """The difference that the present rules make to a kept record; empty if its outcome is the same."""
    record, kept = read_kept(path)
    report = audit(game_of(record.game), record)
    others = [*filter(None, [report.fault]), *report.differences, *differences(kept, {**kept, **final_states(record)})]
    return str(others[0]) if others else ""


def restated(game: str, rules: str) -> Iterator[str]:
    """The reasons, shown by kept records, why the rules are not the same."""
    records = records_under(game, rules)
    if not records:
        yield f"{game}: no kept record was played under version {rules}, so nothing shows that it is the same"
    for path in records:
        other = changed(path)
        if other:
            yield f"{game}: version {rules} is not the same: {path.stem}: {other}"


def refusals(game: str, rules: str, *, known: bool, given: argparse.Namespace) -> Iterator[str]:
    """The reason why the present hash is not stored for the version."""
    if given.same and known:
        yield from restated(game, rules)
    elif not given.accept:
        yield f"{game}: the rules are not those kept as version {rules}; see scripts/rules-version --help"
    elif known and records_under(game, rules):
        yield f"{game}: version {rules} has kept records; give `GAME` a new version first, or see --same"


def main() -> int:
    """Print the differences; returns 1 if there are any."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--accept", action="store_true", help="keep the present hashes")
    how.add_argument("--same", action="store_true", help="keep them as the same rules, written otherwise")
    given = parser.parse_args()
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    wrong = []
    for name, game in sorted(games().items()):
        if game.rules == DRAFT:
            continue
        versions = kept.setdefault(name, {})
        hashes = versions.get(game.rules, [])
        made = rules_hash(ROOT / "domain" / name)
        if hashes[-1:] == [made]:
            continue
        found = list(refusals(name, game.rules, known=bool(hashes), given=given))
        wrong += found
        if not found:
            versions[game.rules] = [*(hashes if given.same else []), made]
    if given.accept or given.same:
        KEPT.write_text(json.dumps(kept, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    print("\n".join(wrong) or f"{len(kept)} games, every version is what it was")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
