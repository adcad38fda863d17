"""The languages that Herald speaks; the texts lie beside the code that uses them (docs/translating.md)."""

from typing import Final

ENGLISH: Final = "en"
LANGUAGES: Final = (ENGLISH, "de")
"""The languages of texts; a request for any other language is answered in the first."""


def known_language(wanted: str) -> str:
    """A language that Herald has: the one that is wanted, else English."""
    return wanted if wanted in LANGUAGES else ENGLISH
