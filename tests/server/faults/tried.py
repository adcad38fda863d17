"""The trials, their outcomes and their losses: for the tests and for `scripts/faults`."""

from collections import Counter

import msgspec
from msgspec import Struct


class Tried(Struct):
    """The number of cases, their outcomes by kind, and the losses as sentences (none)."""

    cases: int = 0
    came: Counter[str] = msgspec.field(default_factory=Counter)
    lost: list[str] = msgspec.field(default_factory=list)

    def add(self, other: "Tried") -> None:
        """Count another's with these."""
        self.cases += other.cases
        self.came += other.came
        self.lost += other.lost

    def note(self, name: str, wrong: str) -> None:
        """Something was lost in the case of this name, unless there is nothing to say of it."""
        if wrong:
            self.lost.append(f"{name}: {wrong}")
