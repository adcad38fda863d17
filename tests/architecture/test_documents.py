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


def glued(text: str) -> list[str]:
    """The lists that a paragraph runs into: the site shows them as a part of it."""
    is_code, before, found = False, "", []
    for line in text.splitlines():
        is_code ^= line.startswith("```")
        is_item = re.match(r"([-*]|\d+\.) ", line) is not None
        if is_item and before.strip() and not is_code and not re.match(r"[-*#|>]|\d+\. |  ", before):
            found.append(line[:60])
        before = before if before.startswith(("- ", "* ")) and line.strip() and not is_item else line
    return found


@pytest.mark.parametrize("page", [name for name in kept() if name.endswith(".md")])
def test_a_list_stands_apart_from_the_paragraph_before_it(page: str) -> None:
    assert not glued((ROOT / page).read_text("utf-8"))


def test_a_list_in_a_paragraph_is_found() -> None:
    assert glued("Notation:\n- a\n- b") == ["- a"]
    assert glued("Notation:\n\n- a\nwhich goes on\n- b\n") == []
