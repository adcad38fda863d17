"""Keep an export (`herald export MATCH -o FILE`) in tests/records/, where every test run audits and folds it, for ever.

Beside it stands what its events made when it was kept: the final state, and every viewer's final view.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from replay.audit import audit
from tests.replay.records import RECORDS, final_states, game_of, read_record

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Keep the files named; 1 when one does not pass its audit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    for file in parser.parse_args().files:
        record = read_record(file)
        report = audit(game_of(record.game), record)
        if not report.ok or report.differences:
            print(f"{file}: {report.fault or report.differences[0]}", file=sys.stderr)
            return 1
        kept = RECORDS / record.game / f"{record.match}.herald"
        if kept.exists():
            print(f"{kept} is kept already; kept records are never changed", file=sys.stderr)
            return 1
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(file.read_bytes())
        made = {"head": report.head, **final_states(record)}
        kept.with_suffix(".json").write_text(json.dumps(made, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        print(f"kept {kept.relative_to(ROOT)}: {report.lines} lines")
    return 0


if __name__ == "__main__":
    sys.exit(main())
