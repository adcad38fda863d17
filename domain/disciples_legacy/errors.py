"""Everything that can be wrong with what this game is given.

DisciplesLegacyError
+- CardsInvalid       the card author's fault: every defect of the files, with file, card, field and what is allowed
+- ArmyInvalid        the deck's author's fault: every defect of the decks, with the rule that it breaks
"""

from msgspec import Struct


class Defect(Struct, frozen=True):
    """One thing wrong: where, what was found, what is allowed, the rule it breaks. `advice`: legal, not advisable."""

    file: str
    card: str
    field: str
    found: str
    allowed: str
    rule: str = ""
    advice: bool = False

    def __str__(self) -> str:
        where = ": ".join(part for part in (self.file, self.card, self.field) if part)
        rule = f" ({self.rule})" if self.rule else ""
        return f"{where}: {self.found}; {'better' if self.advice else 'allowed'}: {self.allowed}{rule}"


class DisciplesLegacyError(Exception):
    """The root of this package's errors; `defects` lists everything that is wrong."""

    def __init__(self, defects: tuple[Defect, ...]) -> None:
        super().__init__("\n".join(map(str, defects)))
        self.defects = defects


class CardsInvalid(DisciplesLegacyError):
    """Cards that the game cannot be played with."""


class ArmyInvalid(DisciplesLegacyError):
    """A deck that the rules of deck construction do not allow."""
