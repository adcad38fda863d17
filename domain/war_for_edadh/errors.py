"""Everything that can be wrong with what this game is given.

WarForEdadhError
+- CardsInvalid       the card author's fault: every defect of the files, with file, card, field and what is allowed
+- ArmyInvalid        the army's author's fault: every defect of the army, with the rule that it breaks
"""

from msgspec import Struct


class Defect(Struct, frozen=True):
    """One thing wrong: where, what was found, what is allowed, and the rule it breaks where there is one."""

    file: str
    card: str
    field: str
    found: str
    allowed: str
    rule: str = ""

    def __str__(self) -> str:
        where = ": ".join(part for part in (self.file, self.card, self.field) if part)
        rule = f" ({self.rule})" if self.rule else ""
        return f"{where}: {self.found}; allowed: {self.allowed}{rule}"


class WarForEdadhError(Exception):
    """The root of this package's errors; `defects` lists everything that is wrong."""

    def __init__(self, defects: tuple[Defect, ...]) -> None:
        super().__init__("\n".join(map(str, defects)))
        self.defects = defects


class CardsInvalid(WarForEdadhError):
    """Cards that the game cannot be played with."""


class ArmyInvalid(WarForEdadhError):
    """An army that the rules of army building do not allow."""
