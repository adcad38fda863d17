"""Everything that can be wrong with what this game is given.

VeraDiscordiaError
+- CardSetInvalid     the card author's fault: every defect of the file, with file, card, field and what is allowed
"""

from msgspec import Struct


class Defect(Struct, frozen=True):
    """One thing wrong with a card set: where, what was found, what is allowed. `advice`: legal, but not advisable."""

    file: str
    card: str
    field: str
    found: str
    allowed: str
    advice: bool = False

    def __str__(self) -> str:
        where = ": ".join(part for part in (self.file, self.card, self.field) if part)
        return f"{where}: {self.found}; {'better' if self.advice else 'allowed'}: {self.allowed}"


class VeraDiscordiaError(Exception):
    """The root of this package's errors."""


class CardSetInvalid(VeraDiscordiaError):
    """A card set that the game cannot be played with; `defects` lists everything wrong with it."""

    def __init__(self, defects: tuple[Defect, ...]) -> None:
        super().__init__("\n".join(map(str, defects)))
        self.defects = defects
