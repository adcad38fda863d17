"""The ledger's own tables and data, read out of docs/rules/joan_of_arc.md."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

TEXT = (Path(__file__).resolve().parents[3] / "docs/rules/joan_of_arc.md").read_text(encoding="utf-8")


def section(heading: str) -> str:
    """The text under the heading that begins so, up to the next heading."""
    found = re.search(rf"^#+ {re.escape(heading)}[^\n]*\n(.*?)(?=^#|\Z)", TEXT, re.MULTILINE | re.DOTALL)
    assert found, heading
    return found[1]


@cache
def data(heading: str) -> tuple[Any, ...]:
    """The JSON that stands under a heading."""
    return tuple(
        msgspec.json.decode(block) for block in re.findall(r"^```json\n(.*?)^```", section(heading), re.M | re.S)
    )


def table(heading: str) -> Iterator[list[str]]:
    """The rows of the table under a heading, without its head."""
    rows = re.findall(r"^\|(.*)\|$", section(heading), re.MULTILINE)
    for row in rows[2:]:
        yield [cell.strip() for cell in row.split("|")]


def row(rule: str) -> str:
    """The text of a row of the ledger: its third column."""
    found = re.search(rf"^\| {rule} \|([^|]*)\|([^|]*)\|([^|]*)\|", TEXT, re.MULTILINE)
    assert found, rule
    return found[3].strip()
