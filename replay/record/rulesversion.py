"""What a rules version stands for: a hash over a game's rules and data, kept in the repository (docs/auditing.md)."""

import hashlib
from pathlib import Path
from typing import Final

NOT_RULES: Final = ("resample.py", "invariants.py", "refusals.py")
"""Modules of a game that no decision and no fold uses; those that read positions are left out by their name too."""
DRAFT: Final = "0"
"""The version of rules that are still being written: no hash is kept of them, and no record need be."""
SUFFIXES: Final = (".py", ".json", ".toml")


def rules_files(package: Path) -> list[Path]:
    """The modules and data that decide what a game's choices come to."""
    return sorted(
        path
        for path in package.rglob("*")
        if path.suffix in SUFFIXES
        and path.name not in NOT_RULES
        and not path.name.startswith("position")
        and "__pycache__" not in path.parts
    )


def rules_hash(package: Path) -> str:
    """SHA-256 over names and contents of the files, line ends as LF, in hex. Raises `ValueError` for no files."""
    files = rules_files(package)
    if not files:
        raise ValueError(f"{package} has no rules")
    whole = hashlib.sha256()
    for path in files:
        name = path.relative_to(package).as_posix().encode()
        content = path.read_bytes().replace(b"\r\n", b"\n")
        whole.update(len(name).to_bytes(4, "big") + name + hashlib.sha256(content).digest())
    return whole.hexdigest()
