"""The languages that Herald speaks; what each says lies beside what says it (docs/translating.md)."""

from typing import Final

ENGLISH: Final = "en"
LANGUAGES: Final = (ENGLISH, "de")
"""What texts are asked for in; a language that is none of them is answered in the first."""


def known_language(wanted: str) -> str:
    """A language that Herald has: the one that is wanted, else English."""
    return wanted if wanted in LANGUAGES else ENGLISH
