"""The page that tells what is kept says what the documents say, in every language."""

import re

import pytest

from projections.languages import LANGUAGES
from tests.web.browser import Page
from tests.web.node import ROOT, WEB
from tests.web.serving import Served

PAGE = (WEB / "privacy.html").read_text()
SECTIONS = dict(re.findall(r'<section lang="(\w+)".*?>(.*?)</section>', PAGE, re.DOTALL))
CELL = re.compile(r"<td>(.*?)</td>", re.DOTALL)


def rows(language: str) -> list[tuple[str, str]]:
    cells = [" ".join(cell.split()) for cell in CELL.findall(SECTIONS[language])]
    return list(zip(cells[::2], cells[1::2], strict=True))


def test_the_english_page_lists_what_the_documents_list() -> None:
    table = (ROOT / "docs" / "people.md").read_text().split("| Kept | Until |\n|---|---|\n")[1].split("\n\n")[0]
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)|`", r"\1", table)
    assert rows("en") == [tuple(line.strip("| ").split(" | ")) for line in plain.splitlines()]


def test_every_language_has_all_of_it() -> None:
    assert set(SECTIONS) == set(LANGUAGES)
    shapes = {lang: [re.findall(r"<(\w+)", SECTIONS[lang]), len(rows(lang))] for lang in SECTIONS}
    assert len({str(shape) for shape in shapes.values()}) == 1
    assert all(all(row) for lang in SECTIONS for row in rows(lang))


@pytest.mark.timeout(400)
def test_the_page_is_reached_and_shown_in_the_language_of_its_reader(page: Page, served: Served) -> None:
    page.size(390, 844, touch=True)
    page.goto(f"{served.url}/me")
    page.click("#account a", "What this server keeps about you")
    page.wait("location.pathname === '/privacy' && document.body.dataset.ready")
    shown = "[...document.querySelectorAll('main > section')].filter(e => e.checkVisibility()).map(e => e.lang).join()"
    assert page.evaluate(shown) == "en"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.screenshot("privacy-390")
    page.evaluate("localStorage.setItem('herald.language', 'de')")
    page.goto(f"{served.url}/privacy")
    assert page.evaluate(shown) == "de"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.screenshot("privacy-german-390")
    assert page.errors == []
