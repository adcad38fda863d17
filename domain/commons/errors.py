"""The errors for card and army files.

GivenInvalid         the author's fault: every defect of cards or of an army; games derive their own from it
"""

from msgspec import Struct


class Defect(Struct, frozen=True):
    """One fault of a file: the place, the value found, the values allowed, and the rule broken, if there is one.

    `advice`: legal, but not advisable.
    """

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


class GivenInvalid(ValueError):
    """A file that the game cannot be played with; `defects` lists everything wrong with it."""

    def __init__(self, defects: tuple[Defect, ...]) -> None:
        super().__init__("\n".join(map(str, defects)))
        self.defects = defects
