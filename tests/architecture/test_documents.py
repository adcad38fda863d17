"""Every page in docs/ says at its beginning what it is good for, and is in the navigation of the site."""

import re
from pathlib import Path

import pytest

from scripts.documents import NAVIGATION, REFERENCE, ROOT

PAGES = sorted((ROOT / "docs").glob("*.md"))


def test_every_page_is_in_the_navigation_once() -> None:
    entries = [entry for section in NAVIGATION.values() for entry in section]
    assert len(entries) == len(set(entries))
    # a new page goes into NAVIGATION of scripts/documents.py
    assert {entry for entry in entries if entry.startswith("docs/") and entry.count("/") == 1 and "." in entry} == {
        REFERENCE,
        *(page.relative_to(ROOT).as_posix() for page in PAGES),
    }
    assert all((ROOT / entry).exists() for entry in entries if entry != REFERENCE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_opens_with_the_benefit_of_reading_it(page: Path) -> None:
    title, _, opening = page.read_text("utf-8").partition("\n\n")
    assert title.startswith("# ")
    sentence = " ".join(opening.partition("\n\n")[0].split())
    assert re.match(r"After reading this page you (can|know) ", sentence), sentence
    assert re.fullmatch(r"[^.]+(\.\S[^.]*)*\.", sentence), f"one sentence, and then a paragraph of its own: {sentence}"
