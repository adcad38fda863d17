"""The shapes of all lines, for verifiers: `python -m scripts.line_shapes` writes them.

They are made from the structs with which the server writes lines. They are written to docs/schema/lines.json, to a copy
beside herald_client's modules, and as modules of the client library for TypeScript.
"""

import json
from pathlib import Path
from typing import Any, Final

from projections.registry import games
from replay.record import shapes
from server.pages.line_tables import line_table

ROOT: Final = Path(__file__).parents[1]
COMMAND: Final = "python -m scripts.line_shapes"
IMPORT: Final = 'import type { Table } from "./shapes.js";\n'
TYPESCRIPT: Final = ROOT / "clients" / "typescript" / "src"


def tables() -> dict[str, Any]:
    """The table of every game's lines, and of each game's lines with the version of its rules."""
    own = {name: line_table(game) for name, game in sorted(games().items())}
    return {"kernel": shapes.of_kernel(), "games": own}


def files() -> dict[Path, str]:
    """Every file that holds the tables, and its intended text."""
    made = tables()
    plain = "".join(_rows(made)) + "\n"
    assert json.loads(plain) == json.loads(_text(made)), "laid out, the tables are the same"
    return {
        ROOT / "docs" / "schema" / "lines.json": plain,
        ROOT / "clients" / "python" / "src" / "herald_client" / "lines.json": plain,
        TYPESCRIPT / "kernel.ts": _module("The lines of every game", "KERNEL", 'Omit<Table, "rules">', made["kernel"]),
        TYPESCRIPT / "games.ts": _module("The lines of each game", "GAMES", "Record<string, Table>", made["games"]),
    }


def _rows(made: dict[str, Any], depth: int = 0) -> list[str]:
    """One line or struct a row."""
    pad, rows = " " * depth, []
    for name, value in made.items():
        is_row = not isinstance(value, dict) or "fields" in value
        inner = _text(value) if is_row else "".join(_rows(value, depth + 1))
        rows.append(f"{pad} {json.dumps(name)}:{inner}")
    return ["{\n", ",\n".join(rows), f"\n{pad}}}"]


def _text(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _module(what: str, name: str, kind: str, table: dict[str, Any]) -> str:
    literal = "'" + _text(table).replace("\\", "\\\\").replace("'", "\\'") + "'"
    return (
        f"// {what} (docs/schema/lines.json), made by `{COMMAND}`; a test keeps them alike.\n"
        f"{IMPORT}\nexport const {name}: {kind} = JSON.parse(\n\t{literal},\n);\n"
    )


def main() -> None:
    """Write all files."""
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
