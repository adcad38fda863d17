"""What was tried, what came of it, and what was lost: for the tests and for `scripts/faults`."""

from collections import Counter

import msgspec
from msgspec import Struct


class Tried(Struct):
    """How many cases there were, what came of them by kind, and what was lost, as sentences (nothing)."""

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
