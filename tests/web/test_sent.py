"""What is sent of code and styles says what their source says: they are shortened, not changed."""

import json
import re
from pathlib import Path, PurePosixPath

import pytest

from server.pages.assets import sent
from tests.web.browser import Page
from tests.web.files import CODE, loaded
from tests.web.node import CHECKS, WEB, node

STYLES = [path for path in CODE if path.suffix == ".css"]
MODULES = [path for path in CODE if path.suffix == ".js"]
RULES = """(text => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    const spaces = css => css.replace(/\\s+/g, " ").replace(/ ?([,()/]) ?/g, "$1").replace(/\\b0(?=\\.\\d)/g, "");
    return [...sheet.cssRules].map(rule => spaces(rule.cssText));
})"""
"""Rules as the browser writes them; it keeps the spaces and noughts of values with variables as they came."""


def body(path: Path) -> bytes:
    return sent(PurePosixPath(path.relative_to(WEB).as_posix()))


@pytest.mark.parametrize("path", CODE, ids=lambda path: path.name)
def test_comments_and_indentation_are_not_sent(path: Path) -> None:
    text = body(path).decode()
    assert len(text) < len(path.read_text())
    assert not re.search(r"^[ \t]|/\*|^//|[;{}] *//", text, re.MULTILINE)


def test_modules_sent_have_the_syntax_trees_of_their_sources(tmp_path: Path) -> None:
    pairs = []
    for path in MODULES:
        shortened = tmp_path / path.name
        shortened.write_bytes(body(path))
        pairs += [str(path), str(shortened)]
    assert node(CHECKS / "same.mjs", *pairs) == ""


def test_a_module_that_says_something_else_is_told(tmp_path: Path) -> None:
    (tmp_path / "one.js").write_text("export const a = `x  ${1}`;")
    (tmp_path / "other.js").write_text("export const a = `x ${1}`;")
    assert node(CHECKS / "same.mjs", str(tmp_path / "one.js"), str(tmp_path / "other.js")) == f"{tmp_path / 'one.js'}\n"


@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.name)
def test_styles_sent_have_the_rules_of_their_sources(page: Page, path: Path) -> None:
    source, shortened = (
        page.evaluate(f"{RULES}({json.dumps(text)})") for text in (path.read_text(), body(path).decode())
    )
    assert sum(rule.count("{") for rule in source) >= 5, "rules within rules count too"
    assert shortened == source


def test_no_page_loads_types() -> None:
    found = loaded(WEB / "index.html") | loaded(WEB / "table.html")
    assert [path.name for path in found if path.name.endswith(".d.ts")] == []
