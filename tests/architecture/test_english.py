"""Plain English in docstrings, documents and everything that is printed or shown (CONTRIBUTING).

No clause begins with a bare "who" or "what", and the spelling is British. These are our rules in place of `vale`
(docs/decisions/0123-the-rules-of-english-are-tests.md).
"""

import ast
import html
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT, python_files, tracked, tree

BARE = re.compile(r"\b(?:for|to|by|of|from|with|than|and|at|on|in|as|or) who\b")
"""A "who" with no noun before it: write "players who", "a client that"."""
OPENING = re.compile(r"(?:^|(?<=[.;!?]) )(?:Who|Whoever|What|Whom|Whose) [a-z`]+[^?]*$", re.MULTILINE)
"""A sentence that opens with "Who" or "What" and is no question: name the subject."""
QUOTED = re.compile(r"`[^`]*`|\"[^\"]*\"|\*[^*]*\*")
AMERICAN = re.compile(
    r"\b(?:(?:analyz|organiz|recogniz|summariz|realiz|minimiz|maximiz|synchroniz|emphasiz)(?:e[sd]?|ing|ation)"
    r"|behaviors?|favorites?|honors?|neighbors?|neighboring|catalogs?|cancel(?:ed|ing)|label(?:ed|ing)|model(?:ed|ing)"
    r"|travel(?:ed|ing)|fulfill|centers?|centered|gray|colors?|colored)\b"
)
"""American spellings. Code may have them, where a library or a style sheet asks for them."""
FLOORS = ("domain", "projections", "replay", "server", "clients", "scripts")
KEPT = ("docs/played/", "docs/rules/", "docs/scenarios/", "docs/strength/", "docs/transcripts/", "tests/", ".github/")
"""Ledgers that restate books, and what people and programs have said: not the documents' own voice."""
PAGES = sorted(str(path) for path in tracked() if path.suffix == ".md" and not str(path).startswith(KEPT))


def wrong(text: str) -> Iterator[str]:
    """The clauses of a text that have to be read twice."""
    plain = QUOTED.sub("x", text)
    for sentence in re.split(r"(?<=[.!?:])\s+|\n", plain):
        if BARE.search(sentence) or OPENING.search(sentence):
            yield sentence.strip()


def docstrings(path: Path) -> Iterator[tuple[int, str]]:
    """Each docstring of a file, those below constants too, with its line."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, node.value.value


@pytest.mark.parametrize("folder", FLOORS)
def test_docstrings_name_their_subjects(folder: str) -> None:
    paths = python_files(folder)
    found = [f"{path}:{line}: {one}" for path in paths for line, text in docstrings(path) for one in wrong(text)]
    assert paths
    assert not found


@pytest.mark.parametrize("page", PAGES)
def test_documents_name_their_subjects(page: str) -> None:
    assert Path(page) in tracked()
    assert not list(wrong((ROOT / page).read_text(encoding="utf-8")))


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """The texts of a file of code that are no docstrings, those with values whole, each with its line."""
    inside = {id(part) for node in ast.walk(tree(path)) if isinstance(node, ast.JoinedStr) for part in node.values}
    inside |= {id(node.value) for node in ast.walk(tree(path)) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.JoinedStr):
            yield node.lineno, "".join(str(one.value) if isinstance(one, ast.Constant) else "X" for one in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside:
            yield node.lineno, node.value


SCRIPT = re.compile(
    r"//[^\n]*|/\*.*?\*/|(?P<text>'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\"|`(?:\\.|[^`\\])*`)", re.DOTALL
)
HIDDEN = re.compile(r"<(script|style)\b.*?</\1>|<!--.*?-->", re.DOTALL)
SHOWN = re.compile(r">([^<]+)<|(?:title|aria-label|placeholder|alt)=\"([^\"]+)\"")


def shown(path: Path) -> Iterator[str]:
    """The texts of a page or of a script of the browser's."""
    source = (ROOT / path).read_text(encoding="utf-8")
    if path.suffix == ".html":
        for found in SHOWN.findall(HIDDEN.sub("", source)):
            yield " ".join(html.unescape("".join(found)).split())
    else:
        for found in SCRIPT.finditer(source):
            if found["text"]:
                yield re.sub(r"\$\{[^{}]*\}", "X", found["text"][1:-1])


@pytest.mark.parametrize("folder", FLOORS)
def test_printed_texts_name_their_subjects(folder: str) -> None:
    paths = python_files(folder)
    found = [f"{path}:{line}: {one}" for path in paths for line, text in texts(path) for one in wrong(text)]
    assert not [one for one in found if not one.endswith(QUESTIONS)]


QUESTIONS = (": What do", ": Who takes the", ": Whom should", ": What shall", ": Whom shall")
"""The beginnings of questions, whose ends are put together elsewhere."""


def test_shown_texts_name_their_subjects() -> None:
    pages = [path for path in tracked() if str(path).startswith("server/web/") and path.suffix in {".html", ".js"}]
    found = [f"{path}: {one}" for path in pages for text in shown(path) for one in wrong(text)]
    keys = json.loads((ROOT / "server/web/strings/de.json").read_text(encoding="utf-8"))
    assert len(pages) > 100
    assert not [*found, *(one for key in keys for one in wrong(key))]


CLIENT = {".css", ".js", ".mjs", ".ts"}
COMPILED = "server/web/client/"
REMARK = re.compile(r"(?:^ *|  )#:? (.*(?:\n *#:? .*)*)", re.MULTILINE)
"""A comment of Python: on lines of its own, or behind two spaces."""


def comments(path: Path, source: str) -> Iterator[tuple[int, str]]:
    """The comments of a file of this name, those on lines that follow each other whole, with their lines."""
    if path.suffix == ".py":
        for found in REMARK.finditer(source):
            text = re.sub(r"\n\s*#:? ?", " ", found[1])
            yield source.count("\n", 0, found.start()) + 1, text
    else:
        for found in SCRIPT.finditer(source):
            if not found["text"]:
                bare = re.sub(r"^\s*(?://|/\*+|\*(?!/))\s?|\*/$", "", found[0], flags=re.MULTILINE)
                yield source.count("\n", 0, found.start()) + 1, re.sub(r"\n(?!\s*@)", " ", bare).strip()


def _text(path: Path) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def test_comments_name_their_subjects() -> None:
    paths = [path for path in tracked() if path.suffix in CLIENT | {".py"} and not str(path).startswith(COMPILED)]
    found = [
        f"{path}:{line}: {one}" for path in paths for line, text in comments(path, _text(path)) for one in wrong(text)
    ]
    assert len(paths) > 1700
    assert not found


@pytest.mark.parametrize(("name", "mark"), [("one.py", "#"), ("one.js", "//")])
def test_a_comment_without_a_noun_is_recognised(name: str, mark: str) -> None:
    source = f"x = 'What stays is text.'\n{mark} Players choose. What follows is kept.\n"
    assert [one for _, text in comments(Path(name), source) for one in wrong(text)] == ["What follows is kept."]


@pytest.mark.parametrize("folder", FLOORS)
def test_docstrings_are_in_british_spelling(folder: str) -> None:
    each = ((path, line, text) for path in python_files(folder) for line, text in docstrings(path))
    assert not [f"{path}:{line}: {found[0]}" for path, line, text in each for found in american(text)]


@pytest.mark.parametrize("page", PAGES)
def test_documents_are_in_british_spelling(page: str) -> None:
    text = re.sub(
        r"^```.*?^```|^ {4}.*?$", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
    )
    assert not [found[0] for found in american(text)]


CODE = re.compile(r"^```.*?^```|^ {4}[^\n]*$", re.MULTILINE | re.DOTALL)


def american(text: str) -> list[re.Match[str]]:
    """The American spellings of a text, outside quotations."""
    return list(AMERICAN.finditer(QUOTED.sub("x", text)))


@pytest.mark.parametrize("word", ["behavior", "analyzed", "a gray card", "the colors", "canceled"])
def test_an_american_spelling_is_recognised(word: str) -> None:
    assert american(word)
    assert not american(f"`{word}`")


@pytest.mark.parametrize("word", ["behaviour", "analysed", "a grey card", "the colours", "cancelled", "size", "prize"])
def test_a_british_spelling_is_let_be(word: str) -> None:
    assert not american(word)


@pytest.mark.parametrize(
    "text", ["Who watches does not decide.", "An answer for who asks.", "It waits. What was found is kept."]
)
def test_a_clause_without_a_noun_is_recognised(text: str) -> None:
    assert list(wrong(text))


@pytest.mark.parametrize("text", ["Players who watch cannot choose.", "What is a seat?", 'Say "What follows" here.'])
def test_a_clause_with_a_noun_is_let_be(text: str) -> None:
    assert not list(wrong(text))
