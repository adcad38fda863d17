"""The languages that Herald speaks; the texts lie beside the code that uses them (docs/translating.md)."""

from typing import Final

ENGLISH: Final = "en"
LANGUAGES: Final = (ENGLISH, "de")
"""The languages of texts; any other language falls back to the first."""


def known_language(wanted: str) -> str:
    """The requested language if Herald has it, else English."""
    return wanted if wanted in LANGUAGES else ENGLISH
