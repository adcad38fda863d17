"""Every page of the site says at its beginning what it is good for, and those of docs/ are in its navigation."""

import re

import pytest

from scripts.documents import NAVIGATION, REFERENCE, ROOT, kept

PAGES = sorted((ROOT / "docs").glob("*.md"))
OPENED = [
    name for name in kept() if name.endswith(".md") and name != "README.md" and not re.match(r"docs/decisions/\d", name)
]
"""All but the first page, and the decisions, each of which is one in itself."""


def test_every_page_is_in_the_navigation_once() -> None:
    entries = [entry for section in NAVIGATION.values() for entry in section]
    assert len(entries) == len(set(entries))
    # a new page goes into NAVIGATION of scripts/documents.py
    assert {entry for entry in entries if entry.startswith("docs/") and entry.count("/") == 1 and "." in entry} == {
        REFERENCE,
        *(page.relative_to(ROOT).as_posix() for page in PAGES),
    }
    assert all((ROOT / entry).exists() for entry in entries if entry != REFERENCE)


@pytest.mark.parametrize("page", OPENED)
def test_a_page_opens_with_the_benefit_of_reading_it(page: str) -> None:
    title, _, opening = (ROOT / page).read_text("utf-8").partition("\n\n")
    assert title.startswith("# ")
    sentence = " ".join(opening.partition("\n\n")[0].split())
    assert re.match(r"After reading this page you (can|know) ", sentence), sentence
    assert re.fullmatch(r"[^.]+(\.\S[^.]*)*\.", sentence), f"one sentence, and then a paragraph of its own: {sentence}"
