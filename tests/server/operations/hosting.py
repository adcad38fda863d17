"""Shared by `test_hosting` and other tests: ROOT, unit."""

from pathlib import Path

ROOT = Path(__file__).parents[3]


TEXT = (ROOT / "docs/hosting.md").read_text()


def block(kind: str, number: int = 0) -> str:
    return TEXT.split(f"```{kind}\n")[1 + number].split("```")[0]


def unit(number: int = 0) -> dict[str, list[str]]:
    """The `[Service]` of a unit, or of what is added to it; a name may stand more than once."""
    found: dict[str, list[str]] = {}
    for line in block("ini", number).split("[Service]")[1].split("[Install]")[0].splitlines():
        name, sign, value = line.partition("=")
        if sign and not line.startswith("#"):
            found.setdefault(name, []).append(value)
    return found
