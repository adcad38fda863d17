"""Words of people as they are kept and shown: one line, nothing that is not seen or turns the reading round."""

import unicodedata


def visible(text: str) -> str:
    """One line of Unicode NFC, without control, formatting and bidirectional characters (categories C)."""
    seen = "".join(
        char for char in unicodedata.normalize("NFC", " ".join(text.split())) if unicodedata.category(char)[0] != "C"
    )
    return " ".join(seen.split())
